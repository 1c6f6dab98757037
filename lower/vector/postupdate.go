// This file defines vpto-soft-postupdate.

package vector

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// PostUpdate is the pass vpto-soft-postupdate. It changes those loads and stores in a
// loop whose address advances by the same distance in each iteration. After the change,
// the load or store itself adds the distance to its address, so that the loop no longer
// computes an offset in each iteration.
var PostUpdate = &passes.Pass{
	Name:   "vpto-soft-postupdate",
	Title:  "VPTOSoftPostUpdate",
	Doc:    "Lets vector loads and stores in loops advance their own addresses, so that the loops need not compute an offset in each iteration.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-changed", Doc: "loads and stores that now advance their own address"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		for _, loop := range loopsIn(f) {
			c.Count("num-changed", advance(loop))
		}
		return nil
	},
}

// The instructions that can return an advanced address. Those in advancing count offsets in
// elements of the pointer, and those in advancingBytes in bytes.
var (
	advancing      = []*ir.Def{isavector.VLds, isavector.VSts, isavector.VLdsX2}
	advancingBytes = []*ir.Def{isavector.PLdS, isavector.PStS}
)

// walk is an address that changes by the same distance in each round of a loop, with the
// instructions that access it.
type walk struct {
	// pointer and offset are the address in the first round.
	pointer, offset *ir.Value
	by              change
	// blocks reports that by counts blocks of 32 bytes, and not elements.
	blocks bool
	users  []*ir.Op
}

// advance examines the loads and stores in the body of a loop. If the address of a load
// or store advances by the same distance in each iteration, advance replaces it by an
// instruction that also updates its address. The loop then needs no separate address
// computation. advance returns the number of replaced loads and stores.
func advance(loop *ir.Op) int {
	r := &rounds{loop: loop, starts: map[*ir.Value]*ir.Value{}, before: ir.Before(loop)}
	var walks []*walk
	for op := range loop.Region(0).Entry().Ops() {
		if w := r.walk(op); w != nil {
			walks = addWalk(walks, w)
		}
	}
	if len(walks) == 0 {
		return 0
	}
	var inits []*ir.Value
	changed := 0
	for _, w := range walks {
		inits = append(inits, r.address(w))
	}
	strides := make([]*ir.Value, len(walks))
	for i, w := range walks {
		if w.blocks {
			strides[i] = arith.Int(r.before, ir.I16, w.by.n)
		} else {
			strides[i] = r.number(w.by)
		}
	}
	carry(loop, inits, func(args []*ir.Value) []*ir.Value {
		var next []*ir.Value
		for i, w := range walks {
			var last *ir.Value
			for _, op := range w.users {
				last = postUpdate(op, args[i], strides[i])
				changed++
			}
			next = append(next, last)
		}
		return next
	})
	return changed
}

// addWalk adds w to the list walks, and returns the list. A walk is a group of loads and
// stores in a loop whose address advances by the same step in each iteration. If the list
// has a walk with the same pointer, offset and step, addWalk only adds the loads and
// stores of w to this walk.
func addWalk(walks []*walk, w *walk) []*walk {
	for _, o := range walks {
		if o.pointer == w.pointer && sameValue(o.offset, w.offset) && o.by == w.by && o.blocks == w.blocks {
			o.users = append(o.users, w.users...)
			return walks
		}
	}
	return append(walks, w)
}

// sameValue reports whether two values are the same, or the same constant.
func sameValue(a, b *ir.Value) bool {
	x, ok := arith.ConstantInt(a)
	y, both := arith.ConstantInt(b)
	return a == b || ok && both && x == y
}

// postUpdate replaces op by an instruction that accesses memory at the address pointer
// and, as an additional result, advances this address by stride. postUpdate returns the
// advanced address.
func postUpdate(op *ir.Op, pointer, stride *ir.Value) *ir.Value {
	at := sem.PointerAccessOf(op)
	operands := op.Operands()
	for i, a := range op.Form().Operands {
		switch from, _ := op.ArgRange(i); a.Name {
		case at.Pointer.Name:
			operands[from] = pointer
		case at.Offset.Name, "repeat_stride":
			operands[from] = stride
		}
	}
	var types []ir.Type
	for _, v := range op.Results() {
		types = append(types, v.Type())
	}
	made := ir.Before(op).Create(ir.State{Def: op.Def(), Operands: operands, Results: append(types, pointer.Type()), Attrs: slices.Collect(op.AllAttrs())})
	for i, v := range op.Results() {
		v.ReplaceAllUses(made.Result(i))
		made.Result(i).SetName(v.Name())
	}
	op.Erase()
	return made.Result(len(types))
}

// rounds relates values in the body of a loop to their values in the first iteration. The
// pass needs the values of the first iteration before the loop.
type rounds struct {
	loop *ir.Op
	// starts holds the value in the first round, for values of the body.
	starts map[*ir.Value]*ir.Value
	before *ir.Builder
}

// walk describes the addresses that op accesses in a loop: their start and their change
// per iteration. It returns nil if op cannot return an advanced address, or if the
// address does not change by the same distance in each iteration.
func (r *rounds) walk(op *ir.Op) *walk {
	at := sem.PointerAccessOf(op)
	if op.Is(isavector.VSldB) || op.Is(isavector.VSstB) {
		return r.blockWalk(op)
	}
	if !r.advances(op, at) || at.Updated != nil || at.Offset.Value.Type() != ir.Index {
		return nil
	}
	p, ok := r.change(at.Pointer.Value, mostNested)
	o, both := r.change(at.Offset.Value, mostNested)
	by, fits := p.plus(o, 1)
	if !ok || !both || !fits || by == (change{}) {
		return nil
	}
	pointer, offset := r.start(at.Pointer.Value), r.start(at.Offset.Value)
	return &walk{pointer: pointer, offset: offset, by: by, users: []*ir.Op{op}}
}

// advances reports whether op can return the address after its access, advanced by an
// offset that counts elements. Some instructions have an offset in bytes; for these, the
// result is true only if an element has one byte.
func (r *rounds) advances(op *ir.Op, at sem.PointerAccess) bool {
	return slices.Contains(advancing, op.Def()) ||
		slices.Contains(advancingBytes, op.Def()) && pto.ByteSize(ir.ElementType(at.Pointer.Value.Type())) == 1
}

// mostNested limits how deep expressions of addresses are followed.
const mostNested = 16

// change is the difference between the values of an address or offset in two successive
// iterations of a loop. The difference is n + times*v, where n and times are constants
// and the value v does not change in the loop.
type change struct {
	n     int64
	v     *ir.Value
	times int64
}

// plus returns x + sign * y. A change has the form n + times * v, where n and times are
// constants and v is a value that is known only at run time. The bool result is false if
// x and y contain two different values v, because their sum would not have this form.
func (x change) plus(y change, sign int64) (change, bool) {
	sum := change{n: x.n + sign*y.n, v: x.v, times: x.times}
	switch {
	case y.v == nil:
	case x.v == nil:
		sum.v, sum.times = y.v, sign*y.times
	case x.v == y.v:
		sum.times += sign * y.times
	default:
		return change{}, false
	}
	if sum.times == 0 {
		sum.v = nil
	}
	return sum, true
}

// change returns by how much the value v changes in each iteration of the loop. The
// parameter depth limits how many operations change follows from v to its operands. The
// bool result is false if the change is not known.
func (r *rounds) change(v *ir.Value, depth int) (change, bool) {
	body := r.loop.Region(0).Entry()
	switch {
	case r.outside(v):
		return change{}, true
	case v == body.Arg(0):
		return constantOr(r.loop.Operand(2)), true
	case v.IsBlockArg() && v.Block() == body:
		return r.carried(v, depth)
	case depth == 0 || v.Op() == nil || v.Op().Block() != body:
		return change{}, false
	}
	op := v.Op()
	switch {
	case op.Is(arith.AddI), op.Is(isabase.AddPtr):
		return r.sum(op, 1, depth)
	case op.Is(arith.SubI):
		return r.sum(op, -1, depth)
	case op.Is(arith.MulI):
		for i := range 2 {
			x, ok := r.change(op.Operand(i), depth-1)
			if factor := op.Operand(1 - i); ok && x.v == nil && r.outside(factor) {
				f := constantOr(factor)
				return change{x.n * f.n, f.v, x.n * f.times}.tidy(), true
			}
		}
	}
	return change{}, false
}

// tidy returns the change x in a normal form, so that equal changes have equal fields. A
// change has the form n + times * v, where v is an SSA value. If times is 0, tidy removes
// v.
func (x change) tidy() change {
	if x.times == 0 {
		x.v = nil
	}
	return x
}

// sum returns the change per iteration of the value that op computes, the sum or
// difference of its two operands. sign is 1 for a sum and -1 for a difference, and depth
// limits how deep operands are followed. The bool result is false if this change is
// unknown.
func (r *rounds) sum(op *ir.Op, sign int64, depth int) (change, bool) {
	x, ok := r.change(op.Operand(0), depth-1)
	y, both := r.change(op.Operand(1), depth-1)
	if !ok || !both {
		return change{}, false
	}
	return x.plus(y, sign)
}

// carried returns by how much the carried value v of the loop changes in each iteration.
// The bool result is false unless the next value of v is v itself, or the sum of v and a
// value that does not change in the loop. The parameter depth, a limit for nested
// expressions, is not used, because carried does not recurse.
func (r *rounds) carried(v *ir.Value, depth int) (change, bool) {
	next := r.loop.Region(0).Entry().Terminator().Operand(argNumber(v) - 1)
	op := next.Op()
	switch {
	case next == v:
		return change{}, true
	case op == nil || !op.Is(arith.AddI) && !op.Is(isabase.AddPtr):
		return change{}, false
	}
	for i := range 2 {
		if op.Operand(i) == v && r.outside(op.Operand(1-i)) {
			return constantOr(op.Operand(1 - i)), true
		}
	}
	return change{}, false
}

// argNumber returns the position of v among the arguments of its block.
func argNumber(v *ir.Value) int { return slices.Index(v.Block().Args(), v) }

// constantOr returns a description of a change by v per iteration; v is the same in all
// iterations of the loop. If v is a constant, the description contains the number, and
// otherwise the value itself.
func constantOr(v *ir.Value) change {
	if n, ok := arith.ConstantInt(v); ok {
		return change{n: n}
	}
	return change{v: v, times: 1}
}

// outside reports whether v is defined outside of the loop.
func (r *rounds) outside(v *ir.Value) bool {
	b := v.Block()
	for b != nil {
		op := b.Parent()
		if op == r.loop {
			return false
		}
		if op == nil {
			return true
		}
		b = op.Block()
	}
	return true
}

// start returns the value that v has in the first iteration of the loop. To compute it,
// start inserts operations before the loop.
func (r *rounds) start(v *ir.Value) *ir.Value {
	body := r.loop.Region(0).Entry()
	switch {
	case r.outside(v):
		return v
	case v == body.Arg(0):
		return r.loop.Operand(0)
	case v.IsBlockArg():
		return r.loop.Operand(loopOperands + argNumber(v) - 1)
	}
	if s := r.starts[v]; s != nil {
		return s
	}
	op := v.Op()
	x, y := r.start(op.Operand(0)), r.start(op.Operand(1))
	s := r.folded(op, x, y)
	if s == nil {
		s = r.before.Op(op.Def(), []*ir.Value{x, y}, []ir.Type{v.Type()}).Result(0)
	}
	r.starts[v] = s
	return s
}

// folded returns the result of op for the operands x and y if the result is x, y or a
// constant. Otherwise it returns nil.
func (r *rounds) folded(op *ir.Op, x, y *ir.Value) *ir.Value {
	a, ok := arith.ConstantInt(x)
	b, both := arith.ConstantInt(y)
	add := op.Is(arith.AddI) || op.Is(isabase.AddPtr)
	switch {
	case both && b == 0 && (add || op.Is(arith.SubI)), both && b == 1 && op.Is(arith.MulI):
		return x
	case ok && a == 0 && op.Is(arith.AddI), ok && a == 1 && op.Is(arith.MulI):
		return y
	case !ok || !both:
		return nil
	case op.Is(arith.AddI):
		return arith.Int(r.before, x.Type(), a+b)
	case op.Is(arith.SubI):
		return arith.Int(r.before, x.Type(), a-b)
	case op.Is(arith.MulI):
		return arith.Int(r.before, x.Type(), a*b)
	}
	return nil
}

// address returns the address that the loads and stores of the walk w access in the first
// iteration of the loop. The address is the sum of w.pointer and w.offset; its
// computation is inserted before the loop.
func (r *rounds) address(w *walk) *ir.Value {
	if n, ok := arith.ConstantInt(w.offset); ok && n == 0 {
		return w.pointer
	}
	return r.before.Op(isabase.AddPtr, []*ir.Value{w.pointer, w.offset}, []ir.Type{w.pointer.Type()}).Result(0)
}

// number returns an index value that is equal to x, the change of an address or offset
// from one iteration of the loop to the next. It inserts the necessary operations before
// the loop.
func (r *rounds) number(x change) *ir.Value {
	if x.v == nil {
		return arith.Int(r.before, ir.Index, x.n)
	}
	v := x.v
	if x.times != 1 {
		v = r.before.Op(arith.MulI, []*ir.Value{v, arith.Int(r.before, ir.Index, x.times)}, []ir.Type{ir.Index}).Result(0)
	}
	if x.n != 0 {
		v = r.before.Op(arith.AddI, []*ir.Value{v, arith.Int(r.before, ir.Index, x.n)}, []ir.Type{ir.Index}).Result(0)
	}
	return v
}
