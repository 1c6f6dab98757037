package term

import (
	"testing"

	"ptogo/ir/num"
)

// question is a query of the kind that synchronization asks.
type question struct {
	name  string
	facts func(p *Pool) []Term
	want  Answer
	sat   bool // the integer layers cannot answer it
}

// index returns a variable of the width of an index in [lo, hi].
func index(p *Pool, name string, lo, hi int64) Term { return p.VarIn(name, 64, Range{Lo: lo, Hi: hi}) }

// meet returns the condition that two ranges of n bytes meet.
func meet(p *Pool, a, b Linear, n int64) Term { return p.Meet(a, Whole(n), b, Whole(n)) }

// loop returns a counter and a bound n > counter.
func loop(p *Pool) (i, n Term, fact Term) {
	n = p.VarIn("n", 64, Range{Lo: 0, Hi: 1<<62 - 1})
	i = p.VarIn("i", 64, Range{Lo: 0, Hi: 1<<62 - 1})
	return i, n, p.Slt(i, n)
}

var questions = []question{
	{"row of another round", func(p *Pool) []Term {
		i, _, f := loop(p)
		d := index(p, "d", 1, 1<<62-1)
		a := Signed(i).Scale(4096)
		return []Term{f, meet(p, a, a.Add(Signed(d).Scale(4096)), 4096)}
	}, No, false},
	{"row of another round, one byte longer", func(p *Pool) []Term {
		i, _, f := loop(p)
		d := index(p, "d", 1, 1<<62-1)
		a := Signed(i).Scale(4096)
		return []Term{f, meet(p, a, a.Add(Signed(d).Scale(4096)), 4097)}
	}, Yes, false},
	{"row of another round, in wrapping arithmetic", func(p *Pool) []Term {
		i, n := index(p, "i", 0, 1<<20), index(p, "n", 0, 1<<20)
		d := index(p, "d", 1, 1<<20)
		a, b := p.MulConst(i, 4096), p.MulConst(p.Add(i, d), 4096)
		return []Term{p.Slt(p.Add(i, d), n), meet(p, Signed(a), Signed(b), 4096)}
	}, No, false},
	{"slots of a ring of 3, distance 2", func(p *Pool) []Term {
		k := index(p, "k", 2, 1<<62)
		three := p.Const(64, 3)
		a, b := p.URem(k, three), p.URem(p.AddConst(k, -2), three)
		return []Term{meet(p, Signed(a).Scale(8192), Signed(b).Scale(8192), 8192)}
	}, No, false},
	{"slots of a ring of 3, distance 3", func(p *Pool) []Term {
		k := index(p, "k", 3, 1<<62)
		three := p.Const(64, 3)
		a, b := p.URem(k, three), p.URem(p.AddConst(k, -3), three)
		return []Term{meet(p, Signed(a).Scale(8192), Signed(b).Scale(8192), 8192)}
	}, Yes, false},
	{"slots of a ring by signed remainder", func(p *Pool) []Term {
		k := index(p, "k", 2, 1<<62)
		three := p.Const(64, 3)
		a, b := p.SRem(k, three), p.SRem(p.AddConst(k, -2), three)
		return []Term{meet(p, Signed(p.MulConst(a, 8192)), Signed(p.MulConst(b, 8192)), 8192)}
	}, No, false},
	{"slots of a ring of 4 by and, distance 2", func(p *Pool) []Term {
		k := index(p, "k", 2, 1<<62)
		a, b := p.And(k, p.Const(64, 3)), p.And(p.AddConst(k, -2), p.Const(64, 3))
		return []Term{meet(p, Signed(a).Scale(8192), Signed(b).Scale(8192), 8192)}
	}, No, false},
	{"rows of two blocks, substituted", func(p *Pool) []Term {
		b1, e := index(p, "b1", 0, 65535), index(p, "e", 0, 65535)
		s := index(p, "S", 0, 1<<31)
		x1, x2 := index(p, "x1", 0, 1<<31), index(p, "x2", 0, 1<<31)
		b2 := p.AddConst(p.Add(b1, e), 1)
		r1, r2 := p.Add(p.Mul(b1, s), x1), p.Add(p.Mul(b2, s), x2)
		return []Term{p.Slt(x1, s), p.Slt(x2, s), meet(p, Signed(r1).Scale(256), Signed(r2).Scale(256), 256)}
	}, No, false},
	{"rows of two blocks, b1 < b2", func(p *Pool) []Term {
		b1, b2 := index(p, "b1", 0, 65535), index(p, "b2", 0, 65535)
		s := index(p, "S", 0, 1<<31)
		x1, x2 := index(p, "x1", 0, 1<<31), index(p, "x2", 0, 1<<31)
		r1, r2 := p.Add(p.Mul(b1, s), x1), p.Add(p.Mul(b2, s), x2)
		return []Term{p.Slt(b1, b2), p.Slt(x1, s), p.Slt(x2, s), meet(p, Signed(r1).Scale(256), Signed(r2).Scale(256), 256)}
	}, No, false},
	{"rows of two blocks, b1 != b2", func(p *Pool) []Term {
		b1, b2 := index(p, "b1", 0, 65535), index(p, "b2", 0, 65535)
		s := index(p, "S", 0, 1<<31)
		x1, x2 := index(p, "x1", 0, 1<<31), index(p, "x2", 0, 1<<31)
		r1, r2 := p.Add(p.Mul(b1, s), x1), p.Add(p.Mul(b2, s), x2)
		return []Term{p.Ne(b1, b2), p.Slt(x1, s), p.Slt(x2, s), meet(p, Signed(r1).Scale(256), Signed(r2).Scale(256), 256)}
	}, No, false},
	{"rows of two blocks, one row too many", func(p *Pool) []Term {
		b1, b2 := index(p, "b1", 0, 65535), index(p, "b2", 0, 65535)
		s := index(p, "S", 0, 1<<31)
		x1, x2 := index(p, "x1", 0, 1<<31), index(p, "x2", 0, 1<<31)
		r1, r2 := p.Add(p.Mul(b1, s), x1), p.Add(p.Mul(b2, s), x2)
		return []Term{p.Slt(b1, b2), p.Sle(x1, s), p.Slt(x2, s), meet(p, Signed(r1).Scale(256), Signed(r2).Scale(256), 256)}
	}, Yes, false},
	{"rows of two blocks of ceildiv(n, blocks) rows, at most to n", func(p *Pool) []Term {
		n := index(p, "n", 0, 1<<31)
		blocks := index(p, "blocks", 1, 65536)
		b1, b2 := index(p, "b1", 0, 65535), index(p, "b2", 0, 65535)
		s := p.CeilDivS(n, blocks)
		r1, r2 := p.Mul(b1, s), p.Mul(b2, s)
		e1, e2 := p.MinS(s, p.Sub(n, r1)), p.MinS(s, p.Sub(n, r2))
		return []Term{p.Slt(b1, b2), p.Slt(b2, blocks),
			p.Meet(Signed(r1).Scale(256), Signed(e1).Scale(256), Signed(r2).Scale(256), Signed(e2).Scale(256))}
	}, No, false},
	{"condition and its complement", func(p *Pool) []Term {
		i, n, f := loop(p)
		return []Term{f, p.Slt(p.AddConst(i, 1), n), p.Sle(n, p.AddConst(i, 1))}
	}, No, false},
	{"last round and one more round", func(p *Pool) []Term {
		i, n := p.Var("i", 64), p.Var("n", 64)
		return []Term{p.Slt(i, n), p.Sle(n, p.AddConst(i, 1)), p.Slt(p.AddConst(i, 2), n), p.Slt(n, p.Const(64, 1000)), p.Slt(p.Const(64, -1), i)}
	}, No, false},
	{"a counter that wraps", func(p *Pool) []Term {
		i := p.Var("i", 32)
		return []Term{p.Slt(p.AddConst(i, 1), i)}
	}, Yes, false},
	{"rows of two loops", func(p *Pool) []Term {
		i, j := index(p, "i", 0, 1<<40), index(p, "j", 0, 63)
		k, l := index(p, "k", 0, 1<<40), index(p, "l", 0, 63)
		a, b := p.Add(p.MulConst(i, 64), j), p.Add(p.MulConst(k, 64), l)
		return []Term{p.Ne(i, k), meet(p, Signed(a).Scale(512), Signed(b).Scale(512), 512)}
	}, No, false},
	{"rows of two loops with a longer inner loop", func(p *Pool) []Term {
		i, j := index(p, "i", 0, 1<<40), index(p, "j", 0, 64)
		k, l := index(p, "k", 0, 1<<40), index(p, "l", 0, 64)
		a, b := p.Add(p.MulConst(i, 64), j), p.Add(p.MulConst(k, 64), l)
		return []Term{p.Ne(i, k), meet(p, Signed(a).Scale(512), Signed(b).Scale(512), 512)}
	}, Yes, true},
	{"parity by and and shift of narrow integers", func(p *Pool) []Term {
		i := index(p, "i", 0, 1<<40)
		n := p.Trunc(i, 8)
		a := p.And(n, p.Const(8, 1))
		b := p.And(p.Trunc(p.AddConst(i, 1), 8), p.Const(8, 1))
		x, y := p.Shl(p.ZExt(a, 64), p.Const(64, 13)), p.Shl(p.ZExt(b, 64), p.Const(64, 13))
		return []Term{meet(p, Signed(x), Signed(y), 8192)}
	}, No, false},
	{"rows by extension of a narrow counter", func(p *Pool) []Term {
		i := p.VarIn("i", 32, Range{Lo: 0, Hi: 1 << 20})
		d := p.VarIn("d", 32, Range{Lo: 1, Hi: 1 << 20})
		a, b := p.SExt(p.MulConst(i, 16), 64), p.MulConst(p.SExt(p.Add(i, d), 64), 16)
		return []Term{meet(p, Signed(a).Scale(4), Signed(b).Scale(4), 64)}
	}, No, false},
	{"a counter cut to 8 bits repeats", func(p *Pool) []Term {
		i, d := index(p, "i", 0, 1000), index(p, "d", 1, 1000)
		a, b := p.ZExt(p.Trunc(i, 8), 64), p.ZExt(p.Trunc(p.Add(i, d), 8), 64)
		return []Term{meet(p, Signed(a).Scale(4096), Signed(b).Scale(4096), 4096)}
	}, Yes, true},
	{"halves by shift", func(p *Pool) []Term {
		i := index(p, "i", 0, 1<<30)
		h := p.LShr(i, p.Const(64, 1))
		return []Term{p.Eq(h, p.LShr(p.AddConst(i, 2), p.Const(64, 1)))}
	}, No, false},
	{"xor of two parities", func(p *Pool) []Term {
		i := p.Var("i", 64)
		one := p.Const(64, 1)
		return []Term{p.Eq(p.Xor(p.And(i, one), one), p.And(i, one))}
	}, No, false},
	{"products of bits", func(p *Pool) []Term {
		x, y := p.Var("x", 16), p.Var("y", 16)
		return []Term{p.Ne(p.Add(p.And(x, y), p.Or(x, y)), p.Add(x, y))}
	}, No, true},
	{"olt and uge", func(p *Pool) []Term {
		a, b := p.Opaque("load", 32, p.Const(32, 1)), p.Opaque("load", 32, p.Const(32, 2))
		return []Term{p.CmpF(num.F32, 1, a, b), p.CmpF(num.F32, 14, a, b)}
	}, No, false},
	{"olt(a, b) and not ogt(b, a)", func(p *Pool) []Term {
		a, b := p.Var("a", 32), p.Var("b", 32)
		return []Term{p.CmpF(num.F32, 1, a, b), p.Not(p.CmpF(num.F32, 4, b, a))}
	}, No, false},
	{"olt and ogt", func(p *Pool) []Term {
		a, b := p.Var("a", 32), p.Var("b", 32)
		return []Term{p.CmpF(num.F32, 1, a, b), p.CmpF(num.F32, 4, a, b)}
	}, No, false},
	{"olt as f16 and ogt as bf16", func(p *Pool) []Term {
		a, b := p.Var("a", 16), p.Var("b", 16)
		return []Term{p.CmpF(num.F16, 1, a, b), p.CmpF(num.BF16, 4, a, b)}
	}, Yes, false},
	{"not olt and not oge", func(p *Pool) []Term {
		a, b := p.Var("a", 32), p.Var("b", 32)
		return []Term{p.Not(p.CmpF(num.F32, 1, a, b)), p.Not(p.CmpF(num.F32, 6, a, b))}
	}, Yes, false},
}

// TestQuestions asks the questions within the default budget, and within the cheap one
// those that the integer layers can answer.
func TestQuestions(t *testing.T) {
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			p := NewPool()
			facts := q.facts(p)
			if a := p.Possible(DefaultBudget, facts...); a != q.want {
				t.Errorf("answer is %s, want %s: %v", a, q.want, facts)
			}
			if q.sat || q.want == Yes {
				return
			}
			if a := p.Possible(CheapBudget, facts...); a != q.want {
				t.Errorf("cheap answer is %s, want %s: %v", a, q.want, facts)
			}
		})
	}
}

// BenchmarkQuestions measures one decision, without the construction of its terms.
func BenchmarkQuestions(b *testing.B) {
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			p := NewPool()
			facts := q.facts(p)
			for b.Loop() {
				p.Possible(DefaultBudget, facts...)
			}
		})
	}
}
