package cpptest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/ir"
)

// splitCase is a function for both kinds of cores, with its arguments.
type splitCase struct {
	name, file string
	args       []Arg
	// inexact means that slots of queues in global memory hold f16 numbers that differ in
	// the last bits, and that the comparison would read as f32.
	inexact bool
}

// splitCases returns the functions in examples/cores, and a function whose number of rows
// is known at run time only.
func splitCases(buffer func(elem ir.Type, n int) Arg) []splitCase {
	f16 := func(n int) Arg { return buffer(ir.F16, 2*n) }
	f32 := func(n int) Arg { return buffer(ir.F32, 4*n) }
	const examples, ragged = "../../examples/cores/", "../../test/lit/passes/split-cores/ragged.pto"
	return []splitCase{
		{"gemm_gelu", examples + "gemm_gelu.pto", []Arg{f16(128 * 64), f16(64 * 64), f32(64), f32(128 * 64)}, false},
		{"quant_gemm", examples + "quant_gemm.pto", []Arg{buffer(ir.I8, 128*64), buffer(ir.I8, 64*32), f32(32), f32(128), f16(128 * 32)}, false},
		{"moe_expert", examples + "moe_expert.pto", []Arg{f16(128 * 32), f16(32 * 64), f16(64 * 32), f32(128 * 32)}, false},
		{"attention", examples + "attention.pto", []Arg{f16(64 * 32), f16(128 * 32), f16(128 * 32), f32(64 * 32)}, true},
		{"flash_attention", examples + "flash_attention.pto", []Arg{f16(32 * 32), f16(128 * 32), f16(128 * 32), f32(32 * 32)}, false},
		{"layers", ragged, []Arg{f32(96 * 16), f32(16 * 16), f32(96 * 16), {Elem: ir.Index, Bits: 69}}, false},
		{"odd", ragged, []Arg{f32(16 * 16), f32(16 * 16)}, false},
	}
}

// splitForms are the passes that split a function: with as many slots as by default, and
// with the cube core running ahead of the vector cores.
var splitForms = [][]string{{"--pto-split-cores"}, {"--pto-split-cores=slots=3", "--pto-pipeline-cores=stages=3"}}

// TestSimulatorSplit compares the kernels that pto-split-cores and pto-pipeline-cores
// produce with the simulator, on A3 and A5. Each is compiled for both kinds of cores.
func TestSimulatorSplit(t *testing.T) {
	toolchain, err := NewToolchain(t.TempDir())
	if err == errNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(37, 4))
	buffer := func(elem ir.Type, n int) Arg { return Arg{Elem: elem, Data: calmData(r, elem, n)} }
	var cases []*Case
	for _, e := range splitCases(buffer) {
		for _, arch := range []string{"a3", "a5"} {
			if arch == "a3" && e.inexact {
				continue
			}
			for _, form := range splitForms {
				c := &Case{Name: e.name + " on " + arch + " " + strings.Join(form, " "), Kernel: e.name + "_cube," + e.name + "_vector", Args: e.args,
					Source: &Source{Name: e.name + ".pto", Text: splitText(t, e.file, arch, form), Arch: arch, Flags: []string{"--enable-insert-sync"}, EachCore: true}}
				if takesSlots(c.Source.Text, e.name) {
					c.Args = append(c.Args[:len(c.Args):len(c.Args)], buffer(ir.F32, 1<<16))
				}
				cases = append(cases, c)
			}
		}
	}
	results, err := toolchain.Compare(cases, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range results {
		if got.Outcome != Equal && Explain(Known, got) == nil {
			t.Errorf("%s: %s: %s", got.Case.Name, got.verdict(), got.Detail)
		}
	}
}

// splitText returns the functions in a file after the passes.
func splitText(t *testing.T, file, arch string, passes []string) string {
	t.Helper()
	split := filepath.Join(t.TempDir(), filepath.Base(file))
	var errs bytes.Buffer
	args := append([]string{"--pto-arch=" + arch, file, "-o", split}, passes...)
	if code := cli.Opt(args, strings.NewReader(""), &errs, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	text, err := os.ReadFile(split)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// takesSlots reports whether the kernels of a split function have a parameter for the
// slots of queues.
func takesSlots(text, name string) bool {
	_, rest, _ := strings.Cut(text, "@"+name+"_cube(")
	head, _, _ := strings.Cut(rest, "{")
	return strings.Contains(head, "%slots")
}
