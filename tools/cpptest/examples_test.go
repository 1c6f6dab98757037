package cpptest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSimulatorExamples compares the kernels in the folder examples with the simulator.
func TestSimulatorExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	var cases []*Case
	for _, pattern := range []string{"../../examples/*.pto", "../../examples/level2/*.pto"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no examples: %v", err)
		}
		for i, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := path[len("../../"):]
			found, err := Kernels(name, string(text), profileOf(name, string(text), "a3"), uint64(i))
			if err != nil {
				t.Error(err)
			}
			cases = append(cases, found...)
		}
	}
	Check(t, cases, 50)
}
