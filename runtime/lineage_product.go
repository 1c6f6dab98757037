// This file implements the symbolic execution of matrix products in equivalence proofs,
// in the accumulation order
// of the target.

package runtime

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// tracedTileMatmul compiles sem.TileMatmul, the matrix product of tiles.
func (p *planner) tracedTileMatmul(op *ir.Op, kind sem.TileMatmul) step {
	dst := p.tileOut(op)
	lhs, rhs := p.tileArg(op, kind.Lhs), p.tileArg(op, kind.Rhs)
	var start, ls, rs tileOperand
	if kind.Acc || kind.Bias {
		start = p.tileArg(op, kind.In)
	}
	if kind.Scaled {
		ls, rs = p.tileArg(op, kind.LhsScale), p.tileArg(op, kind.RhsScale)
		if scalesBeside(op, kind.LhsScale, kind.Lhs, scalesA) != nil || scalesBeside(op, kind.RhsScale, kind.Rhs, scalesB) != nil {
			return p.unfollowed(op, "multiplies with scales that micro instructions have loaded")
		}
	}
	if dst.l == nil || lhs.l == nil || rhs.l == nil {
		return p.plain
	}
	acc := num.F32
	if dst.l.f.IsInt() {
		acc = num.S32
	}
	how := p.newChain(arithmeticName(dst.l.f, lhs.l.f, rhs.l.f), acc)
	left, right := p.tracedConversion(lhs.l.f, acc, num.NearestEven, false), p.tracedConversion(rhs.l.f, acc, num.NearestEven, false)
	give := p.tracedConversion(acc, dst.l.f, num.NearestEven, false)
	var first *tracedConversion
	if start.l != nil {
		first = p.tracedConversion(start.l.f, acc, num.NearestEven, false)
	}
	scale := expr.Named("times two to the power of")
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		a, b, d := x.tile(fr, &lhs), x.tile(fr, &rhs), x.tile(fr, &dst)
		rows, cols, k := a.t.rows, b.t.cols, min(a.t.cols, b.t.rows)
		if rows*cols == 0 {
			return nil
		}
		if high, wide := dst.l.info.Packed(); int64(rows) > high || int64(cols) > wide {
			return skipped
		}
		rounding := fr.core.operandRounding(lhs.l.f, rhs.l.f)
		element := func(t *tracedTile, conv *tracedConversion, s *tracedTile, sr, sc func(r, c int) int) func(r, c int) value {
			return func(r, c int) value {
				v := x.number(t, r, c, conv)
				if s != nil {
					v = x.scaled(scale, v, x.at(s, sr(r, c), sc(r, c)))
				}
				if rounding != nil {
					v = x.rounded(rounding, v)
				}
				return v
			}
		}
		row, col := func(r, _ int) int { return r }, func(_, c int) int { return c }
		l, r := element(&a, left, nil, row, col), element(&b, right, nil, row, col)
		if kind.Scaled {
			sa, sb := x.tile(fr, &ls), x.tile(fr, &rs)
			l = element(&a, left, &sa, row, func(_, c int) int { return c / scaleGroup })
			r = element(&b, right, &sb, func(r, _ int) int { return r / scaleGroup }, col)
		}
		var s tracedTile
		if start.l != nil {
			s = x.tile(fr, &start)
			if start.l.cols < cols || !kind.Bias && start.l.rows < rows {
				return skipped
			}
		}
		how.run(x, rows, cols, k, l, r, func(i, j int) value {
			switch {
			case start.l == nil:
				return knownValue(0)
			case kind.Bias:
				i = 0
			}
			return x.between(first, k, x.at(&s, i, j))
		}, func(i, j int, v value) { x.give(&d, i, j, x.between(give, k, v)) })
		return nil
	})
}

// between applies the conversion c to v, an intermediate value of a matrix product. The
// value v is the initial value if k is 0, and otherwise the result of a sum of k terms.
// If k is not 0 and c does not change the format, between returns v unchanged: c would
// only replace NaN by the canonical NaN, which the additions already produce.
func (x *tracer) between(c *tracedConversion, k int, v value) value {
	if c.from == c.to && k > 0 {
		return v
	}
	return x.convert(c, v)
}

// number returns the symbolic value of element (r, c) of tile t in the format in which
// the matrix product adds. The parameter conv is the conversion of an element to this
// format. The element may have 4 bits; two such elements share a byte.
func (x *tracer) number(t *tracedTile, r, c int, conv *tracedConversion) value {
	if !t.l.half {
		return x.convert(conv, x.at(t, r, c))
	}
	n := t.l.number(t.t, r, c)
	b := x.get(&t.traced, n/2, 1)
	if b.known {
		return x.convert(conv, knownValue(b.bits>>(n%2*4)&0xF))
	}
	return x.convert(conv, x.named(nibbles[n%2], b))
}

// arithmeticName returns a name for the arithmetic of a matrix product. The arithmetic
// depends on the formats l and r of the factors and on the format sum of the additions.
// Products with equal names compute the same bits.
func arithmeticName(sum, l, r num.Format) string {
	return fmt.Sprintf("products %v", arithmeticOf(sum, l, r))
}

// operandRounding returns an operator for symbolic expressions that represents the
// rounding of a matrix operand. A control register of the core selects this rounding. The
// parameters l and r are the formats of the left and the right operand. Only f32 operands
// are rounded. operandRounding returns nil if one of the formats is not f32, or if the
// register selects no rounding.
func (c *core) operandRounding(l, r num.Format) *expr.Fn {
	if l != num.F32 || r != num.F32 || len(c.roundings) == 0 {
		return nil
	}
	return expr.Named("rounded %v", c.roundings)
}

// chain computes the symbolic expressions of a matrix product. The expression of each
// element of the result is a sequence of multiplications and additions, in the order of
// the target.
type chain struct {
	p        *expr.Products
	mul, add *tracedFn
	// any means that the order of additions does not matter (--modulo=reassociation).
	any bool
}

// newChain returns the symbolic computation of a matrix product. The parameter how is the
// name of the arithmetic of the product, and the parameter acc is the format of the sums.
func (p *planner) newChain(how string, acc num.Format) *chain {
	return &chain{expr.NewProducts(how), p.tracedFn(scalar.Mul, acc), p.tracedFn(scalar.Add, acc), p.opts.Lineage.Exprs.Modulo.Reassociation && acc.IsFloat()}
}

// run computes the expressions of a matrix product with rows x cols results; each result
// is a sum of k products. The function l returns elements of the left operand, and r
// returns elements of the right operand. The function start returns the initial value of
// a sum, and give receives each result.
func (h *chain) run(x *tracer, rows, cols, k int, l, r func(i, j int) value, start func(i, j int) value, give func(i, j int, v value)) {
	if x.shadows != nil {
		h.shadows(x, rows, cols, k, l, r, start, give)
		return
	}
	hash := func(v value) expr.Hash { return x.hash(&v) }
	if h.any {
		for i := range rows {
			for j := range cols {
				v := start(i, j)
				for n := range k {
					product := x.apply(h.mul, &[3]value{l(i, n), r(n, j)})
					if v.known && v.bits == 0 { // the sum begins with its first term
						v = product
					} else {
						v = x.apply(h.add, &[3]value{v, product})
					}
				}
				give(i, j, v)
			}
		}
		return
	}
	right := make([]expr.Hash, cols)
	for j := range right {
		right[j] = x.t.Factors(h.p, func(n int) expr.Hash { return hash(r(n, j)) }, k)
	}
	for i := range rows {
		left := x.t.Factors(h.p, func(n int) expr.Hash { return hash(l(i, n)) }, k)
		for j := range cols {
			give(i, j, value{h: x.t.Chain(h.p, hash(start(i, j)), left, right[j], k)})
		}
	}
}
