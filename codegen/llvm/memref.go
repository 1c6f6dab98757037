// This file emits operations of the memref dialect.

package llvm

import (
	"slices"

	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/memref"
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// A memref is the address of its first element; how far the others are, its
// type determines.

// memrefAction emits an operation of MLIR's memref dialect.
func (f *function) memrefAction(op *ir.Op, kind memref.Action) {
	switch kind {
	case memref.Read, memref.Write:
		f.memrefElement(op, kind == memref.Write)
	case memref.Window:
		strides, _, _ := memref.Flat(op.Operand(0).Type())
		f.set(op.Result(0), f.memrefPart(op, strides, 0))
	case memref.Describe:
		f.memrefDescribe(op)
	case memref.Same:
		f.set(op.Result(0), f.val(op.Operand(0)))
	case memref.Address:
		from := op.Operand(0)
		f.set(op.Result(0), f.addressOf(pto.SpaceOf(from.Type()), f.val(from)))
	case memref.Assume:
	default:
		f.unsupported(op)
	}
}

// memrefElement emits a load of a memref element, or a store if write is set.
func (f *function) memrefElement(op *ir.Op, write bool) {
	v := op.Arg("memref")
	e, ok := elementOfType(ir.ElementType(v.Type()))
	if !ok {
		f.unsupported(op)
		return
	}
	strides, _, _ := memref.Flat(v.Type())
	at := value.Value(ll.Index(0))
	for i, x := range f.all(op.Args("indices")) {
		at = f.Add(at, f.Mul(x, ll.Index(strides[i])))
	}
	p := f.At(e.mem, f.val(v), at)
	if write {
		f.storeElement(e, f.arg(op, "value"), p)
		return
	}
	f.set(op.Result(0), f.loadElement(e, p))
}

// memrefPart emits the address of an element of a subview. The parameter by is the offset
// of this element from the first element of the subview, in elements. The parameter
// strides contains the strides of the source, in elements.
func (f *function) memrefPart(op *ir.Op, strides []int64, by int64) value.Value {
	at, values := value.Value(ll.Index(by)), f.all(op.Args("offsets"))
	for i, o := range memref.Static(op, "static_offsets") {
		n := value.Value(ll.Index(o))
		if o == ir.Dynamic {
			n, values = values[0], values[1:]
		}
		at = f.Add(at, f.Mul(n, ll.Index(strides[i])))
	}
	v := op.Operand(0)
	return f.offset(f.val(v), f.Mul(at, ll.Index(int64(pto.ByteSize(ir.ElementType(v.Type()))))))
}

// memrefDescribe emits memref.reinterpret_cast. The new offset is relative to the start
// of the underlying memory, not to the source memref.
func (f *function) memrefDescribe(op *ir.Op) {
	_, offset, _ := memref.Flat(op.Operand(0).Type())
	if offset == ir.Dynamic {
		f.unsupported(op)
		return
	}
	f.set(op.Result(0), f.memrefPart(op, []int64{1}, -offset))
}

// memrefView returns the memref v as a view. ok is false if its type does not determine
// all extents and strides.
func (f *function) memrefView(v *ir.Value) (view, bool) {
	m, _ := ir.As[ir.MemRefType](v.Type())
	strides, _, _ := memref.Flat(v.Type())
	e, ok := elementOfType(m.Elem)
	w := view{e: e, base: f.val(v)}
	for i, s := range strides {
		w.size, w.strides = append(w.size, ll.Index(m.Shape.At(i))), append(w.strides, ll.Index(s))
	}
	return w, ok && len(strides) > 0 && !slices.Contains(m.Shape.Slice(), ir.Dynamic)
}
