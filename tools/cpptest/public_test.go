package cpptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/ir"
)

// deviceKernels is the number of kernels of the library's device tests that
// TestSimulatorDeviceTests compares.
const deviceKernels = 100

// TestSimulatorDeviceTests reads kernels of the library's device tests, which are C++,
// writes the programs as C++ again, and compares the results of this C++ on the simulator
// with those of the Go engine. It takes the first kernels of each folder that is about
// instructions of vector cores or of one cube core.
func TestSimulatorDeviceTests(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root := os.Getenv(variable)
	if root == "" || !cpp.Available() {
		t.Skip(errNone)
	}
	files, err := filepath.Glob(filepath.Join(root, "tests/npu/a2a3/src/st/testcase/*/*_kernel.cpp"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []*Case
	for i, path := range files {
		name := filepath.Base(path)
		if len(cases) == deviceKernels || !Filter().MatchString(name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var diags ir.Diags
		m := cpp.Read(&ir.Source{Name: path, Text: string(text)}, cpp.Options{Target: sem.A3, Include: []string{filepath.Join(root, "tests/common")}}, &diags)
		if m == nil {
			t.Logf("%s is not read", name)
			continue
		}
		program := string(ir.Bytes(m, ir.PrintOptions{}))
		if strings.Contains(program, "pto.ptrtoint") {
			t.Logf("%s uses addresses as numbers, which are others in the simulator", name)
			continue
		}
		found, err := Kernels(name, program, "a3", uint64(i))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		cases = append(cases, found[:min(len(found), 1, deviceKernels-len(cases))]...)
	}
	if len(cases) < deviceKernels {
		t.Logf("only %d kernels", len(cases))
	}
	Check(t, cases, 50)
}
