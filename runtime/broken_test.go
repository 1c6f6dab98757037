package runtime

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// TestBroken makes a step panic: the fault names the operation and asks for a
// report, and where the mistake is.
func TestBroken(t *testing.T) {
	m := parseModule(t, "func.func @f() {\n  %c0 = arith.constant 0 : index\n  return\n}")
	var op *ir.Op
	for o := range m.Walk() {
		if o.Name() == "arith.constant" {
			op = o
		}
	}
	b := block{op: op.Parent(), ops: []*ir.Op{op}, steps: []step{func(*frame) *Fault {
		var none []byte
		none[3] = 1
		return nil
	}}}
	f := b.run(&frame{core: &core{}})
	if f == nil || !strings.Contains(f.Loc.String(), ":3:") || !strings.Contains(f.Text, "bug in the runtime: runtime error: index out of range [3] with length 0 (broken_test.go:") {
		t.Fatalf("got %v", f)
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Notes[0].Text, "report it") {
		t.Errorf("notes are %v", f.Notes)
	}
}
