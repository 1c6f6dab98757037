package term

import "testing"

// TestLongChains builds terms of many operations, whose memory and time must not grow with
// the square of their number.
func TestLongChains(t *testing.T) {
	const n = 5000
	for name, step := range map[string]func(p *Pool, a, b Term) Term{
		"sum":     (*Pool).Add,
		"product": (*Pool).Mul,
		"and":     func(p *Pool, a, b Term) Term { return p.ZExt(p.And(p.Trunc(a, 1), p.Trunc(b, 1)), 64) },
		"xor":     (*Pool).Xor,
		"minimum": (*Pool).MinS,
		"linear": func(p *Pool, a, b Term) Term {
			s := p.Add(a, b)
			p.Le(Signed(s), Whole(5))
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPool()
			x := p.VarIn("x", 64, Range{Lo: 0, Hi: 9})
			for range n {
				x = step(p, x, p.VarIn("y", 64, Range{Lo: 0, Hi: 9}))
			}
			args := 0
			for _, list := range p.table {
				for _, m := range list {
					args += len(m.args)
				}
			}
			if args > 100*n {
				t.Errorf("%d operands for %d operations", args, n)
			}
			if a := p.Possible(DefaultBudget, p.Slt(x, p.Const(64, 5)), p.Slt(p.Const(64, 2), x)); a == No && name != "and" {
				t.Error("answer is no")
			}
			if len(x.String()) > 100_000 {
				t.Error("the text is long")
			}
		})
	}
}
