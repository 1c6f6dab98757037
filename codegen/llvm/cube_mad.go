// This file emits matrix products on the operand buffers.

package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// mad describes a matrix product of the cube unit, whose operands are in L0A and L0B and
// whose result is in L0C.
type mad struct {
	lhs, rhs, dst cubeArg
	// start is the value to which the product is added: zero, the contents of dst, or a
	// bias.
	start sem.MadStart
	// scaled means that both operands have scales: one factor for each group of 32
	// elements along k.
	scaled bool
	// rules describe how operand elements change before they are multiplied.
	rules inputRules
}

// mad emits a matrix product of the cube unit as a call of a helper function.
func (f *function) mad(op *ir.Op, _ sem.Mad) {
	o := sem.ProductOf(op)
	a := &mad{start: o.Start, scaled: o.Scaled, rules: inputRules{finite: o.Finite, tf32: o.Tf32, round: o.Round}}
	for _, x := range []struct {
		operand sem.Operand
		arg     *cubeArg
	}{{o.Lhs, &a.lhs}, {o.Rhs, &a.rhs}, {o.Dst, &a.dst}} {
		var ok bool
		if *x.arg, ok = f.cubeArg(op, x.operand); !ok {
			return
		}
	}
	m, n, k := f.number(o.M), f.number(o.N), f.number(o.K)
	gemv, fresh := ll.ConstantBool(o.Vector), ll.ConstantBool(true)
	if o.Packed {
		word := f.number(o.Word)
		field := func(part sem.Field) value.Value {
			return f.And(f.LShr(word, ll.Index(int64(part.From))), ll.Index(int64(part.Most())))
		}
		m, k, n = field(sem.MadM), field(sem.MadK), field(sem.MadN)
		gemv = f.Not(f.Trunc(f.LShr(word, ll.Index(sem.MadNoVector)), ll.I1))
		fresh = f.Trunc(f.LShr(word, ll.Index(sem.MadFresh)), ll.I1)
	}
	bias := ll.Zero(ll.Ptr)
	if o.Bias.Given() {
		bias = f.val(o.Bias.Value)
	}
	args := []value.Value{a.lhs.p, a.rhs.p, a.dst.p, bias, m, n, k, gemv}
	if o.Start != sem.MadZero {
		fresh = ll.ConstantBool(true)
	}
	f.WhenElse("fresh", fresh,
		func() { f.Call(a.routine(f.code), args...) },
		func() { sum := *a; sum.start = sem.MadAcc; f.Call(sum.routine(f.code), args...) })
}

// name returns the name of the helper function, which is unique for the element formats
// and modes of the product.
func (a *mad) name() string {
	name := fmt.Sprintf("mad.%s.%s", a.lhs.e.f, a.rhs.e.f)
	for _, x := range []struct {
		on   bool
		what string
	}{
		{a.start == sem.MadAcc, "acc"}, {a.start == sem.MadBias, "bias"}, {a.scaled, "mx"},
		{a.rules.finite, "sat"}, {a.rules.tf32, "tf32." + a.rules.round.String()},
	} {
		if x.on {
			name += "." + x.what
		}
	}
	return name
}

// routine returns the helper function that computes products with the element formats and
// modes of the product a. Its parameters are: the left and the right operand, the
// accumulator, the bias, the extents m, n and k, and whether the left operand is a single
// row that is not stored in fractals.
func (a *mad) routine(c *code) *llir.Func {
	params := []types.Type{ll.Ptr, ll.Ptr, ll.Ptr, ll.Ptr, ll.I64, ll.I64, ll.I64, ll.I1}
	return c.private(a.name(), ll.Void, params, func(c *code, p []value.Value) value.Value {
		x, gemv := madArgs{p[0], p[1], p[2], p[3], p[4], p[5], p[6]}, p[7]
		for _, x := range []value.Value{x.m, x.n, x.k} {
			c.TrapIf(c.ICmp(enum.IPredUGT, c.Sub(x, ll.Index(1)), ll.Index(maxExtent-1)))
		}
		vector := c.And(gemv, c.ICmp(enum.IPredEQ, x.m, ll.Index(1)))
		a.insideOrTrap(c, &x, vector)
		c.WhenElse("gemv", vector,
			func() { a.product(c, &x, true) },
			func() { a.product(c, &x, false) })
		return nil
	})
}

// madArgs are the arguments of the helper function that computes a matrix product of the
// cube unit: the addresses of the left and right operand, the accumulator and the bias,
// and the extents m, n and k of the product.
type madArgs struct{ lhs, rhs, acc, bias, m, n, k value.Value }

// insideOrTrap emits checks of the operands and the accumulator of a matrix product. The
// emitted code traps if one of them exceeds its memory. The parameter args contains the
// addresses and extents. The parameter vector is an i1 that is true if the left operand
// is a single row.
func (a *mad) insideOrTrap(c *code, args *madArgs, vector value.Value) {
	m, n, k := args.m, args.n, args.k
	size := func(e element, rows value.Value) value.Value {
		return c.Mul(c.RoundUpTo(rows, fractalRows), c.Mul(c.CeilQuo(k, e.blockElems()), ll.Index(blockBytes)))
	}
	row := c.CeilQuo(c.Mul(k, ll.Index(int64(a.lhs.e.f.Bits()))), 8)
	sums := c.Mul(c.Mul(c.RoundUpTo(m, fractalRows), c.RoundUpTo(n, accCols)), ll.Index(int64(a.dst.e.size)))
	for _, x := range []struct {
		space sem.Space
		p, n  value.Value
	}{
		{sem.L0A, args.lhs, c.Select(vector, row, size(a.lhs.e, m))},
		{sem.L0B, args.rhs, size(a.rhs.e, n)},
		{sem.L0C, args.acc, sums},
	} {
		c.insideOrTrap(c.space(x.space), x.p, x.n, int64(x.space.Size(c.opts.Target)))
	}
}

// product emits the code of the matrix product for the arguments args. The left operand
// is a single row if vector is set, and a matrix in fractals if it is not.
func (a *mad) product(c *code, args *madArgs, vector bool) {
	m, n, k := args.m, args.n, args.k
	mm := &matmul{c: c, rules: a.rules}
	mm.lhs = a.operand(c, a.lhs, args.lhs, m, k)
	if vector {
		mm.lhs.box = box{}
		mm.lhs.info.BLayout = pto.RowMajor
	}
	mm.rhs = a.operand(c, a.rhs, args.rhs, n, k).transposed()
	mm.dst = c.fractals(a.dst.e, accCols, args.acc, m, n)
	switch a.start {
	case sem.MadAcc:
		mm.in = mm.dst
	case sem.MadBias:
		mm.in, mm.bias = line(a.dst.e, args.bias, n), true
	}
	if a.scaled {
		groups := c.CeilQuo(k, scaleGroup)
		mm.lscale = c.scalesOf(sem.L0A, args.lhs, m, groups)
		mm.rscale = c.scalesOf(sem.L0B, args.rhs, n, groups).transposed()
		if vector {
			mm.lscale = line(mm.lscale.e, mm.lscale.base, groups)
		}
	}
	mm.panel, mm.depth = c.RoundUpTo(k, mm.lhs.e.blockElems()), c.RoundUpTo(k, mm.rhs.box.rows)
	elems := func(e element, s sem.Space) int64 { return int64(s.Size(c.opts.Target)*8) / int64(e.f.Bits()) }
	// Panels of the right operand grow from 16 to 32 columns at worst, and a
	// vector fills a quarter of a panel.
	mm.work(max(elems(a.lhs.e, sem.L0A), blockRows*(maxExtent+1)), 2*elems(a.rhs.e, sem.L0B))
	mm.write()
}

// operand returns a tile that describes the operand x of the product: a matrix with the
// given number of rows and k columns, stored in fractals at address p.
func (a *mad) operand(c *code, x cubeArg, p, rows, k value.Value) *tile {
	t := c.fractals(x.e, x.e.blockElems(), p, rows, k)
	t.halves = x.e.halfBytes()
	return t
}

// line returns a description of n adjacent elements of type e at address p as a tile with
// a single row.
func line(e element, p, n value.Value) *tile {
	return &tile{e: e, base: p, rows: ll.Index(1), cols: n, pitch: n}
}
