package isa_test

import (
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TestPipes asks on which pipe instructions run where that depends on operands
// or target, or where public sources differ.
func TestPipes(t *testing.T) {
	const args = "%m: !pto.tile_buf<mat, 1x64xi64>, %fb: !pto.tile_buf<scaling, 1x64xi64>, %v: !pto.tile_buf<vec, 16x16xf16>, %i: !pto.tile_buf<vec, 1x64xi32>, " +
		"%t: !pto.tile_buf<vec, 1x512xf32>, %q: !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>, %l: !pto.tile_buf<left, 16x16xf16, slayout=row_major>, %s: i32, %h: f16"
	for _, c := range []struct {
		text   string
		target ir.Target
		want   sem.Pipe
	}{
		{"pto.tmov ins(%m : !pto.tile_buf<mat, 1x64xi64>) outs(%fb : !pto.tile_buf<scaling, 1x64xi64>)", sem.A5, sem.PipeFix},
		{"pto.tmov ins(%q : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>) outs(%l : !pto.tile_buf<left, 16x16xf16, slayout=row_major>)", sem.A3, sem.PipeMTE1},
		{"pto.texpands ins(%h : f16) outs(%q : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)", sem.A3, sem.PipeMTE2},
		{"pto.texpands ins(%h : f16) outs(%v : !pto.tile_buf<vec, 16x16xf16>)", sem.A3, sem.PipeV},
		{"pto.tci ins(%s : i32) outs(%i : !pto.tile_buf<vec, 1x64xi32>)", sem.A3, sem.PipeS},
		{"pto.tci ins(%s, %t : i32, !pto.tile_buf<vec, 1x512xf32>) outs(%i : !pto.tile_buf<vec, 1x64xi32>)", sem.A3, sem.PipeV},
		{"pto.tci ins(%s, %t : i32, !pto.tile_buf<vec, 1x512xf32>) outs(%i : !pto.tile_buf<vec, 1x64xi32>)", sem.A5, sem.PipeS},
	} {
		m, err := ir.Parse(&ir.Source{Name: "test", Text: "func.func @f(" + args + ") {\n  " + c.text + "\n  return\n}"}, ir.ParseOptions{}, nil)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		for op := range m.Walk() {
			if pto.InfoOf(op.Def()) == nil {
				continue
			}
			if got := pto.PipeFor(op, c.target); got != c.want {
				t.Errorf("%s on %s: %s, want %s", c.text, sem.ProfileName(c.target), got, c.want)
			}
		}
	}
}
