// This file compiles operations of the memref dialect.

package runtime

import (
	"slices"

	"ptogo/dialect/memref"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// At run time a memref is the address of its first element, with the offset of its type
// already added. The strides are not stored, so they must be constants of the type.

// memrefStrides returns the strides of a memref type and the offset of its first element,
// both in elements. The offset is ir.Dynamic if it is known only at run time. The result
// ok is false if a stride is not static.
func memrefStrides(t ir.Type) (strides []int64, offset int64, ok bool) {
	strides, offset, ok = memref.Flat(t)
	return strides, offset, ok && pto.ByteSize(ir.ElementType(t)) > 0
}

// memref compiles an operation of MLIR's memref dialect into a step, the function that
// executes it.
func (p *planner) memref(op *ir.Op, kind memref.Action) step {
	switch kind {
	case memref.Read:
		return p.memrefElement(op, reads)
	case memref.Write:
		return p.memrefElement(op, writes)
	case memref.Window:
		return p.memrefWindow(op)
	case memref.Describe:
		return p.memrefDescribe(op)
	case memref.Same, memref.Address:
		from, to := p.slot(op.Operand(0)), p.slot(op.Result(0))
		return func(fr *frame) *Fault { fr.x[to] = fr.x[from]; return nil }
	case memref.Assume:
		return nil
	}
	return p.unplanned(op)
}

// term is one summand of an address. It is the product of a scalar and a constant. The
// field at is the slot of the scalar, and by is the constant.
type term struct {
	at slot
	by int64
}

// sum returns start plus the values of all terms (scalar times constant), whose scalars
// are in the frame fr, the storage of a call. It is used for addresses.
func sum(fr *frame, start uint64, terms []term) uint64 {
	for _, t := range terms {
		start += uint64(far(int64(fr.x[t.at]), t.by))
	}
	return start
}

// memrefElement compiles op, which loads or stores one element of a memref, into a step
// (the Go function that executes op). The parameter how states whether op reads or writes
// the element.
func (p *planner) memrefElement(op *ir.Op, how access) step {
	v, value := op.Arg("memref"), op.Arg("value")
	if how == reads {
		value = op.Result(0)
	}
	base, data := p.slot(v), p.slot(value)
	f, ok := p.format(op, value.Type())
	strides, _, flat := memrefStrides(v.Type())
	if !ok || !flat {
		return nil
	}
	at := pointee{op: op, name: "memref", how: how, space: pto.SpaceOf(v.Type())}
	size := f.Bytes()
	var terms []term
	for i, s := range p.slotsOf(op.Args("indices")) {
		terms = append(terms, term{s, far(strides[i], int64(size))})
	}
	return func(fr *frame) *Fault {
		b, fault := at.bytes(fr.core, sum(fr, fr.x[base], terms), size)
		switch {
		case fault != nil:
			return fault
		case how == reads:
			fr.x[data] = num.Load(f, b)
		default:
			num.Store(f, b, fr.x[data])
		}
		return nil
	}
}

// memrefWindow compiles memref.subview into a step, a function that computes the address
// of the subview's first element.
func (p *planner) memrefWindow(op *ir.Op) step {
	v := op.Operand(0)
	from, to := p.slot(v), p.slot(op.Result(0))
	strides, _, ok := memrefStrides(v.Type())
	if !ok {
		return nil
	}
	start, terms := p.memrefOffset(op, strides, int64(p.elemSize(v)))
	return func(fr *frame) *Fault { fr.x[to] = sum(fr, fr.x[from]+start, terms); return nil }
}

// memrefOffset returns the distance in bytes from the start of a memref to the start of
// the subview op. This distance is the sum of the constant start and of all terms, which
// are known only at run time. size is the size of an element in bytes, and strides are
// the strides of the memref in elements.
func (p *planner) memrefOffset(op *ir.Op, strides []int64, size int64) (start uint64, terms []term) {
	values := p.slotsOf(op.Args("offsets"))
	for i, o := range memref.Static(op, "static_offsets") {
		by := far(strides[i], size)
		if o != ir.Dynamic {
			start += uint64(far(o, by))
			continue
		}
		terms, values = append(terms, term{values[0], by}), values[1:]
	}
	return start, terms
}

// memrefDescribe compiles memref.reinterpret_cast into a step, a function that computes
// an address. The new offset is relative to the start of the underlying memory, not to
// the operand's first element.
func (p *planner) memrefDescribe(op *ir.Op) step {
	v := op.Operand(0)
	from, to := p.slot(v), p.slot(op.Result(0))
	_, offset, ok := memrefStrides(v.Type())
	if offset == ir.Dynamic {
		p.errorf(op, "reinterprets a memref of type %s, but pto-run does not support an offset that is only known at run time", v.Type())
	}
	if !ok || offset == ir.Dynamic {
		return nil
	}
	size := int64(p.elemSize(v))
	start, terms := p.memrefOffset(op, []int64{1}, size)
	start -= uint64(offset * size)
	return func(fr *frame) *Fault { fr.x[to] = sum(fr, fr.x[from]+start, terms); return nil }
}

// asView returns the slot (frame index) of a tensor view that describes v. If v is a
// memref in global memory, it also returns a function that computes the view at run time.
// If v already is a view, the function is nil.
func (p *planner) asView(op *ir.Op, v *ir.Value) (slot, func(fr *frame)) {
	m, ok := ir.As[ir.MemRefType](v.Type())
	if !ok {
		return p.slot(v), nil
	}
	strides, _, ok := memrefStrides(v.Type())
	if rank := len(strides); !ok || rank == 0 || rank > maxRank || slices.Contains(m.Shape.Slice(), ir.Dynamic) {
		p.errorf(op, "accesses a memref of type %s, but pto-run requires a type with 1 to %d static extents and known strides", v.Type(), maxRank)
		return 0, nil
	}
	var w view
	for i := range maxRank {
		w.size[i] = 1
	}
	for i, s := range strides {
		at := maxRank - len(strides) + i
		w.size[at], w.stride[at] = m.Shape.At(i), s
	}
	from, to := p.slot(v), p.cur.size[viewClass]
	p.cur.size[viewClass]++
	return to, func(fr *frame) {
		fr.w[to] = w
		fr.w[to].addr = fr.x[from]
	}
}
