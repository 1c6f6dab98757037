// This file replaces outdated forms of asynchronous copies.

package isa

import (
	"ptogo/dialect/arith"
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Asynchronous copies once took memrefs for what are views today.

// renewGlobals replaces the memref operands of asynchronous copies and prefetches in
// global memory by views, which it creates. Memref operands are a deprecated syntax, so
// renewGlobals reports each of them to the parser p as old syntax.
func renewGlobals(module *ir.Op, p *ir.Parser) {
	var old []*ir.Op
	for op := range module.Walk() {
		copies, _ := op.Def().Sem.(sem.CommCopy)
		if _, prefetches := op.Def().Sem.(sem.Prefetch); copies.Async || prefetches {
			old = append(old, op)
		}
	}
	for _, op := range old {
		for i, v := range op.Operands() {
			if m, ok := ir.As[ir.MemRefType](v.Type()); ok && isPlainGlobal(v.Type(), m) {
				view := viewOfMemref(op, v, m)
				_, off := op.Loc().Source()
				p.Old(off, op.Name()+" of memrefs", op.Name()+" of views, which 'pto.make_tensor_view' makes")
				op.SetOperand(i, view)
			}
		}
	}
}

// isPlainGlobal reports whether a memref is dense global memory with static extents.
func isPlainGlobal(t ir.Type, m ir.MemRefType) bool {
	return SpaceOf(t) == sem.GM && m.Layout.IsZero() && !m.Unranked && m.Shape.Len() > 0 && m.Shape.Static()
}

// viewOfMemref inserts an operation before op that makes a view (a tensor in global
// memory) of the memref v, whose type is m. It returns the view.
func viewOfMemref(op *ir.Op, v *ir.Value, m ir.MemRefType) *ir.Value {
	b := ir.Before(op)
	ptr := b.Create(ir.State{Def: base.CastPtr, Operands: []*ir.Value{v}, Results: []ir.Type{Ptr(m.Elem, sem.GM)}}).Result(0)
	rank := m.Shape.Len()
	operands := make([]*ir.Value, 1+2*rank)
	operands[0] = ptr
	stride := int64(1)
	for i := rank - 1; i >= 0; i-- {
		operands[1+i], operands[1+rank+i] = arith.Index(b, m.Shape.At(i)), arith.Index(b, stride)
		stride *= m.Shape.At(i)
	}
	return b.Create(ir.State{
		Def: base.MakeTensorView, Operands: operands, Results: []ir.Type{ir.TypeOf(TensorView{Shape: m.Shape, Elem: m.Elem})}, Segs: []int32{1, int32(rank), int32(rank)},
	}).Result(0)
}
