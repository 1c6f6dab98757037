package ll

import "testing"

// TestInUnits divides a number that InUnits has emitted: by the size of its units without an
// instruction, by other numbers with one.
func TestInUnits(t *testing.T) {
	m := NewModule("x86_64-unknown-linux-gnu", "", false)
	fn := m.ir.NewFunc("f", I64)
	c := NewCode(m, fn)
	number, at := c.Add(c.Load(I64, c.Slot(I64), 8), Index(1)), c.Load(I64, c.Slot(I64), 8)
	x := c.InUnits(number, 16, at)
	if c.Quo(x, 16) != number || c.Rem(x, 16) != at {
		t.Error("quotient and remainder by the size of a unit are not the number and the position")
	}
	if n := len(c.Block.Insts); c.Quo(x, 8) == number || c.Rem(x, 32) == at || len(c.Block.Insts) != n+2 {
		t.Error("quotient and remainder by another number are not computed")
	}
	if n, ok := ConstantInt(c.Quo(c.InUnits(Index(3), 16, Index(5)), 16)); !ok || n != 3 {
		t.Error("a constant is not folded")
	}
}
