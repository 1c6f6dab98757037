package isa_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
)

// TestSpans compares the bytes that instructions say to touch with what their
// operands mean: from, size, and where there are gaps the width and pitch of
// runs.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`pto.mte_gm_ub %gm, %ub, %c0, %c128 nburst(%c4, %c512, %c256) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`,
			"0+1664 128/512, 0+896 128/256"},
		{`pto.mte_gm_ub %gm, %ub, %c0, %c16 nburst(%c4, %c512, %c256) pad(%x, %c1, %c0) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, pad f32, i64, i64`,
			"0+1552 16/512, 0+800 32/256"},
		{`pto.mte_ub_ub %ub, %ub, %c4 nburst(%c4, %c0, %c1) : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64, i64, i64`,
			"0+512, 0+608 128/160"},
		{`pto.mte_ub_ub %ub, %ub, %n nburst(%c4, %c0, %c1) : !pto.ptr<f32, ub>, !pto.ptr<f32, ub>, i64, i64, i64, i64`, ""},
		{`pto.mad %l0a, %l0b, %l0c, %c4, %c16, %c32 : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64`,
			"0+1024, 0+1024, 0+1024"},
	} {
		text := "func.func @f(%gm: !pto.ptr<f32>, %ub: !pto.ptr<f32, ub>, %l0a: !pto.ptr<f16, l0a>, %l0b: !pto.ptr<f16, l0b>, %l0c: !pto.ptr<f32, l0c>, %x: f32, %n: i64) {\n"
		for _, n := range []int{0, 1, 4, 16, 32, 128, 256, 512} {
			text += fmt.Sprintf("  %%c%d = arith.constant %d : i64\n", n, n)
		}
		module := parseText(t, text+"  "+c.text+"\n  return\n}")
		for op := range module.Walk() {
			kind, ok := op.Def().Sem.(sem.Spanning)
			if !ok {
				continue
			}
			var got []string
			for _, s := range kind.Spans(op, sem.A5, pto.ConstantInt) {
				line := fmt.Sprintf("%d+%d", s.From, s.Size)
				if s.Width > 0 {
					line += fmt.Sprintf(" %d/%d", s.Width, s.Pitch)
				}
				got = append(got, line)
			}
			if line := strings.Join(got, ", "); line != c.want {
				t.Errorf("%s\ntouches %s, want %s", c.text, line, c.want)
			}
		}
	}
}
