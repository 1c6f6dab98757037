// This file lowers instructions that compute each lane from lanes at the same place.

package vmi

import (
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/lower/expand"
)

// layoutsDiffer is the reason with which a lowering refuses operands and results of
// different layouts.
const layoutsDiffer = "its operands and results must have the same layout"

// eachRegister lowers an elementwise instruction with a result of type result. The
// function emit emits the code for register r of the result. The lowering fails unless
// all operands and results have the same layout.
func (c *call) eachRegister(result ir.Type, emit func(r int) *ir.Value) lowered {
	if !c.sameLayouts() {
		return refused(layoutsDiffer)
	}
	n, _ := parts(result)
	out := make([]*ir.Value, n)
	for r := range out {
		out[r] = emit(r)
	}
	return gives(out)
}

// mapped lowers an elementwise function of vectors or masks, such as an addition.
func (c *call) mapped(op *ir.Op, kind sem.VecMap) lowered {
	t := c.outs[0]
	if ir.Is[pto.VMIMask](t) {
		return c.maskLogic(kind)
	}
	elem := ir.ElementType(t)
	lane := computed(kind.Fn, elem)
	var args []*arg
	var scalars [3]ir.Type
	for i, v := range kind.Inputs(op) {
		a := c.of(v)
		args = append(args, a)
		if !isVMI(a.t) {
			scalars[i] = v.Type()
		}
	}
	by, ok := expand.VectorOf(kind.Fn, lane, scalars, c.target)
	if !ok {
		return refused("no vector instruction computes %s of %s", kind.Fn, elem)
	}
	reg := pto.VregType(lane)
	spread := map[*ir.Value]*ir.Value{}
	sel := sem.LaneSelectionOf(op, op.Result(0))
	return c.eachRegister(t, func(r int) *ir.Value {
		var ins []*ir.Value
		for _, a := range args {
			switch {
			case isVMI(a.t):
				ins = append(ins, c.cast(a.parts[r], lane))
			case by.Broadcasts():
				if spread[a.v] == nil {
					spread[a.v] = c.splat(lane, a.v)
				}
				ins = append(ins, spread[a.v])
			default:
				ins = append(ins, a.v)
			}
		}
		mask := c.selection(sel, bitsOf(elem), r)
		v := c.cast(c.one(by.Def, reg, by.Operands(ins, mask)), elem)
		return c.rest(sel, v, mask, r)
	})
}

// computed returns the element type with which fn computes on lanes of type elem. A
// signless integer type becomes unsigned for a maximum, a minimum and a right shift. Any
// other type remains unchanged.
func computed(fn *scalar.Fn, elem ir.Type) ir.Type {
	d, ok := ir.As[ir.IntegerType](elem)
	if !ok || d.Sign != ir.Signless {
		return elem
	}
	switch fn {
	case scalar.Max, scalar.Min, scalar.Shr:
		return uints(elem)
	}
	return elem
}

// selection returns the hardware mask with which the instruction processes the register
// with index r of its values. The lanes have the given width in bits. sel describes the
// mask operand of the instruction. If the instruction has none, the result selects all
// lanes.
func (c *call) selection(sel sem.LaneSelection, bits, r int) *ir.Value {
	if sel.Mask.Given() {
		return c.fit(c.of(sel.Mask.Value).parts[r], bits)
	}
	return c.all(bits)
}

// rest returns a register of the result of a masked instruction. v is the computed
// register with index r. In the result, the lanes that mask does not select come from an
// operand or remain 0, as the parameter sel states; sel is decoded from the instruction.
func (c *call) rest(sel sem.LaneSelection, v, mask *ir.Value, r int) *ir.Value {
	if !sel.Mask.Given() {
		return v
	}
	if sel.Other.Given() {
		return c.selected(v, c.of(sel.Other.Value).parts[r], mask)
	}
	if sel.Merges {
		for i, from := range c.op.Operands() {
			if from.Type() == c.op.Result(0).Type() && ir.Is[pto.VMIVReg](from.Type()) {
				return c.selected(v, c.args[i].parts[r], mask)
			}
		}
	}
	return v
}

// maskFunctions maps a logical function to the instruction that computes it on mask
// registers.
var maskFunctions = map[*scalar.Fn]func() *ir.Def{
	scalar.And: func() *ir.Def { return isavector.PAnd }, scalar.Or: func() *ir.Def { return isavector.POr },
	scalar.Xor: func() *ir.Def { return isavector.PXor }, scalar.Not: func() *ir.Def { return isavector.PNot },
}

// maskLogic lowers a logical function of masks.
func (c *call) maskLogic(kind sem.VecMap) lowered {
	def := maskFunctions[kind.Fn]
	if def == nil {
		return refused("no instruction computes %s of masks", kind.Fn)
	}
	return c.eachRegister(c.outs[0], func(r int) *ir.Value {
		var ms []*ir.Value
		for _, a := range c.args {
			ms = append(ms, a.parts[r])
		}
		return c.logic(def(), ms...)
	})
}

// choice lowers a select instruction. For each lane, the mask selects the element of the
// first or of the second operand. The operands are vectors, or scalars that count as
// vectors with equal lanes.
func (c *call) choice(*ir.Op, scalar.Choice) lowered {
	mask, yes, no := &c.args[0], &c.args[1], &c.args[2]
	return c.eachRegister(c.outs[0], func(r int) *ir.Value {
		return c.selected(yes.parts[r], no.parts[r], mask.parts[r])
	})
}

// carry lowers an integer addition that returns the sums and a mask of the carries. If
// kind.CarryIn is set, the addition also has a mask of carries as an operand.
func (c *call) carry(_ *ir.Op, kind sem.VecCarry) lowered {
	if !c.sameLayouts() {
		return refused(layoutsDiffer)
	}
	def := isavector.VAddC
	if kind.CarryIn {
		def = isavector.VAddCS
	}
	n, reg := parts(c.outs[0])
	_, mask := parts(c.outs[1])
	sums, carries := make([]*ir.Value, n), make([]*ir.Value, n)
	for r := range sums {
		var ins []*ir.Value
		for _, a := range c.args {
			ins = append(ins, a.parts[r])
		}
		op := c.emitter.op(def, ins, []ir.Type{reg, mask}) // lanes of 32 bits have no stride
		sums[r], carries[r] = op.Result(0), op.Result(1)
	}
	return gives(sums, carries)
}

// extended lowers a multiplication whose product has 64 bits per lane. Signless lanes are
// treated as signed.
func (c *call) extended(op *ir.Op, _ sem.VecExtended) lowered {
	if !c.sameLayouts() {
		return refused(layoutsDiffer)
	}
	elem := ir.ElementType(c.outs[0])
	lane := elem
	if d, ok := ir.As[ir.IntegerType](elem); ok && d.Sign == ir.Signless {
		lane = ir.TypeOf(ir.IntegerType{Width: d.Width, Sign: ir.Signed})
	}
	n, _ := parts(c.outs[0])
	low, high := make([]*ir.Value, n), make([]*ir.Value, n)
	sel := sem.LaneSelectionOf(op, op.Result(0))
	for r := range low {
		reg := pto.VregType(lane)
		ins := []*ir.Value{c.cast(c.args[0].parts[r], lane), c.cast(c.args[1].parts[r], lane), c.selection(sel, bitsOf(elem), r)}
		both := c.emitter.op(isavector.VMull, ins, []ir.Type{reg, reg})
		low[r], high[r] = c.cast(both.Result(0), elem), c.cast(both.Result(1), elem)
	}
	return gives(low, high)
}

// literal lowers a constant vector or mask.
func (c *call) literal(op *ir.Op, kind scalar.Literal) lowered {
	dense, _ := ir.AttrAs[ir.DenseAttr](op.Attr(kind.Attr))
	bits, known := dense.Numbers()
	t := c.outs[0]
	if !known {
		return refused("the numbers of its constant are not known")
	}
	at := func(i int64) uint64 { return bits[min(int(i), len(bits)-1)] }
	n, _ := parts(t)
	out := make([]*ir.Value, n)
	elem := ir.ElementType(t)
	for r, held := range contents(t) {
		lanes, ns := make([]want, len(held)), make([]int64, len(held))
		for l, i := range held {
			switch {
			case i < 0:
				ns[l] = anything
			case at(i) != 0:
				lanes[l] = on
				fallthrough
			default:
				ns[l] = int64(at(i))
			}
		}
		switch {
		case ir.Is[pto.VMIMask](t):
			out[r] = c.selecting(laneBits(t), lanes)
		case len(bits) == 1 && ir.Is[ir.FloatType](elem):
			out[r] = c.splat(elem, c.number(elem, bits[0]))
		case len(bits) == 1:
			out[r] = c.cast(c.splat(uints(elem), c.integer(ir.WithoutSign(uints(elem)), int64(bits[0]))), elem)
		default:
			out[r] = c.cast(c.numbers(uints(elem), ns), elem)
		}
	}
	return gives(out)
}

// compare lowers a comparison of vectors, whose result is a mask.
func (c *call) compare(op *ir.Op, _ sem.LaneCompare) lowered {
	rel, ok := lanemap.Relation(op)
	if !ok {
		return refused("its relation is not known")
	}
	a, b := &c.args[0], &c.args[1]
	elem := a.elem()
	lane := elem
	if d, isInt := ir.As[ir.IntegerType](elem); isInt {
		sign := ir.Unsigned
		if rel.Sign == scalar.Signed {
			sign = ir.Signed
		}
		lane = ir.TypeOf(ir.IntegerType{Width: d.Width, Sign: sign})
	}
	sel := sem.LaneSelectionOf(op, op.Result(0))
	return c.eachRegister(c.outs[0], func(r int) *ir.Value {
		seed := c.selection(sel, bitsOf(elem), r)
		x := c.cast(a.parts[r], lane)
		m := (*ir.Value)(nil)
		if isVMI(b.t) {
			m = c.relation(rel.On, isavector.VCmp, x, c.cast(b.parts[r], lane), seed)
		} else {
			m = c.relation(rel.On, isavector.VCmpS, x, b.v, seed)
		}
		return c.fit(m, laneBits(c.outs[0]))
	})
}

// modes maps an order relation to the comparison mode of the instruction vcmp. Mode "ne"
// also selects lanes without an order, in which an operand is NaN.
var modes = map[scalar.Order]string{
	scalar.Less: "lt", scalar.Equal: "eq", scalar.Greater: "gt", scalar.Less | scalar.Equal: "le", scalar.Greater | scalar.Equal: "ge",
	scalar.Less | scalar.Greater | scalar.Unordered: "ne",
}

// relation emits a comparison of the registers a and b and returns a mask. seed is
// another mask. The result contains those lanes of this mask for which the comparison is
// true. The parameter on is the set of outcomes (less, equal, greater, unordered) for
// which the comparison is true. def is the comparison instruction.
func (c *call) relation(on scalar.Order, def *ir.Def, a, b, seed *ir.Value) *ir.Value {
	if !ir.Is[ir.FloatType](ir.ElementType(a.Type())) { // always ordered
		if on &^= scalar.Unordered; on == scalar.Less|scalar.Greater {
			on |= scalar.Unordered
		}
	}
	test := func(mode string) *ir.Value {
		return c.one(def, seed.Type(), []*ir.Value{a, b, seed}, str("cmp_mode", mode))
	}
	const all = scalar.Less | scalar.Equal | scalar.Greater | scalar.Unordered
	switch mode := modes[on]; {
	case mode != "":
		return test(mode)
	case on == 0:
		return c.logic(isavector.PXor, seed, seed)
	case on == all:
		return seed
	case on&scalar.Unordered != 0: // the others
		return c.one(isavector.PNot, seed.Type(), []*ir.Value{c.relation(all&^on, def, a, b, seed), seed})
	case on == scalar.Less|scalar.Greater:
		return c.logic(isavector.POr, test("lt"), test("gt"))
	}
	return c.logic(isavector.POr, test("le"), test("gt"))
}

// widened lowers the instruction for exp(x - max), whose result has wider lanes than its
// operands x and max.
func (c *call) widened(op *ir.Op, _ sem.VecWiden) lowered {
	x, max := &c.args[0], &c.args[1]
	sel := sem.LaneSelectionOf(op, op.Result(0))
	mask := c.of(sel.Mask.Value)
	sources, why := partsOf(x.t, c.outs[0])
	if why != "" || x.layout() != max.layout() || x.layout() != mask.layout() {
		return refused("its operands and results have layouts that no instruction connects")
	}
	var out []*ir.Value
	for _, s := range sources {
		part := str("part", []string{"EVEN", "ODD"}[s.part])
		_, reg := parts(c.outs[0])
		out = append(out, c.one(isavector.VExpDif, reg, []*ir.Value{x.parts[s.reg], max.parts[s.reg], c.fit(mask.parts[s.reg], bitsOf(x.elem()))}, part))
	}
	if !sel.Merges || x.elem() != ir.F32 {
		return gives(out)
	}
	for r := range out {
		out[r] = c.rest(sel, out[r], mask.parts[r], r)
	}
	return gives(out)
}

// roundings maps each rounding mode to its letter in the attribute rnd of the instruction
// vcvt.
var roundings = map[num.Rounding]string{
	num.NearestEven: "R", num.NearestAway: "A", num.Floor: "F", num.Ceil: "C", num.Zero: "Z", num.Odd: "O", num.HalfUp: "H",
}
