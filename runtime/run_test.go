package runtime

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// parseModule reads and checks a program for a5, unless it says otherwise.
func parseModule(t testing.TB, text string) *ir.Op {
	t.Helper()
	if !strings.Contains(text, "module") {
		text = "module attributes {pto.target_arch = \"a5\"} {\n" + text + "\n}"
	}
	return parseFile(t, text)
}

// parseFile reads and checks a program as it stands.
func parseFile(t testing.TB, text string) *ir.Op {
	t.Helper()
	diags := &ir.Diags{}
	m, _ := ir.Parse(&ir.Source{Name: "test.pto", Text: text}, ir.ParseOptions{Sequential: true}, diags)
	if m != nil {
		ir.Verify(m, ir.VerifyOptions{Sequential: true}, diags)
	}
	if diags.HasErrors() {
		t.Fatal(formatDiags(diags))
	}
	return m
}

func formatDiags(diags *ir.Diags) string {
	var b strings.Builder
	for _, d := range diags.All() {
		b.WriteString(d.Format())
	}
	return b.String()
}

// planText prepares the kernels of a program that has no errors.
func planText(t testing.TB, text string, o Options) *Program {
	t.Helper()
	return planModule(t, parseModule(t, text), o)
}

// planModule prepares the kernels of a module.
func planModule(t testing.TB, m *ir.Op, o Options) *Program {
	t.Helper()
	diags := &ir.Diags{}
	p := Plan(m, Kernels(m), o, diags)
	if p == nil {
		t.Fatal(formatDiags(diags))
	}
	return p
}

// runText runs the kernels of a program.
func runText(t testing.TB, text string, o Options, args ...Arg) error {
	t.Helper()
	return planText(t, text, o).Run(args)
}

// mustRun runs a program that has no faults.
func mustRun(t testing.TB, text string, args ...Arg) {
	t.Helper()
	if err := runText(t, text, Options{MaxSteps: 1 << 20}, args...); err != nil {
		t.Fatal(err)
	}
}

// faultOf runs a program and returns the fault it must have.
func faultOf(t testing.TB, text string, args ...Arg) *Fault {
	t.Helper()
	err := runText(t, text, Options{MaxSteps: 1 << 20}, args...)
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("want a fault, got %v", err)
	}
	return f
}

// floats makes a buffer of f32.
func floats(xs ...float32) *Buffer {
	b := &Buffer{}
	for _, x := range xs {
		b.Data = binary.LittleEndian.AppendUint32(b.Data, math.Float32bits(x))
	}
	return b
}

// words makes a buffer of 32-bit integers.
func words(xs ...int32) *Buffer {
	b := &Buffer{}
	for _, x := range xs {
		b.Data = binary.LittleEndian.AppendUint32(b.Data, uint32(x))
	}
	return b
}

func floatAt(b *Buffer, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.Data[4*i:]))
}

func wordAt(b *Buffer, i int) int32 { return int32(binary.LittleEndian.Uint32(b.Data[4*i:])) }

func ptr(b *Buffer) Arg { return Arg{Buf: b} }

func bits(x float32) Arg { return Arg{Bits: uint64(math.Float32bits(x))} }
