// This file emits llvm.alloca and accesses through its addresses.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/arith"
	"ptogo/dialect/llvm"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Memory on the frame of a function is a variable of the LLVM function. That
// marked pto.persistent is memory of the thread, with a part for each work item
// of a launch; in work items the address is that of the part.

// reserveFrame emits llvm.alloca, a stack allocation, and initializes the memory with
// zeros.
func (f *function) reserveFrame(op *ir.Op) {
	size := frameBytes(op)
	if size <= 0 || size > maxLocal {
		f.errorf(op, "must reserve a constant number of bytes between 1 and %d to be written as LLVM IR", maxLocal)
		return
	}
	var p value.Value
	if op.HasAttr(llvm.Persistent) && codeAround(op, f.op) == f.op {
		if !f.onlyInItems(op) {
			return
		}
		size *= maxWorkItems
		p = f.workspace(f.Func.Name()+"."+f.Unique("kept"), size)
	} else {
		p = f.Frame(types.NewArray(uint64(size), ll.I8))
	}
	f.fillMemory(p, 0, ll.Index(size))
	f.set(op.Result(0), p)
}

// frameBytes returns the number of bytes that llvm.alloca (op) reserves, or 0 if the
// number of elements is not constant. A number of elements above maxLocal is replaced by
// maxLocal+1, so that the multiplication by the element size cannot overflow. The result
// then still exceeds maxLocal, which callers check.
func frameBytes(op *ir.Op) int64 {
	n, _ := arith.ConstantInt(op.Operand(0))
	return min(n, maxLocal+1) * int64(pto.ByteSize(llvm.ElemType(op)))
}

// onlyInItems reports an error, and returns false, if the memory that op allocates for
// work items is used outside of work items.
func (f *function) onlyInItems(op *ir.Op) bool {
	for u := range op.Result(0).Uses() {
		if codeAround(u.Owner(), f.op) == f.op {
			f.errorf(op, "reserves memory of a work item that code outside of the work item uses, which the LLVM IR emitter does not support yet")
			return false
		}
	}
	return true
}

// ownParts calls body, which emits the code of a SIMT section. While body runs, the
// addresses of persistent stack memory that the section uses refer to the copy of the
// current work item.
func (f *function) ownParts(section *ir.Op, body func()) {
	all := map[*ir.Value]parts{}
	for op := range section.Walk() {
		for _, v := range op.Operands() {
			p, outside := f.values[v]
			def := v.Op()
			if !outside || all[v] != nil || def == nil || !def.Is(llvm.Alloca) || !def.HasAttr(llvm.Persistent) {
				continue
			}
			all[v] = p
			f.values[v] = parts{f.offset(p[0], f.Mul(f.state(itemNumber), ll.Index(frameBytes(def))))}
		}
	}
	body()
	for v, p := range all {
		f.values[v] = p
	}
}

// readAddress emits llvm.load, a load from an untyped pointer.
func (f *function) readAddress(op *ir.Op) {
	at, v := f.arg(op, "addr"), op.Result(0)
	if e, ok := elementOfType(v.Type()); ok {
		f.set(v, f.loadElement(e, at))
		return
	}
	f.set(v, f.Load(intTypeOf(v.Type()), at, 1))
}

// writeAddress emits llvm.store, a store to an untyped pointer.
func (f *function) writeAddress(op *ir.Op) {
	at, v := f.arg(op, "addr"), op.Arg("value")
	if e, ok := elementOfType(v.Type()); ok {
		f.storeElement(e, f.val(v), at)
		return
	}
	f.Store(f.val(v), at, 1)
}

// stepAddress emits llvm.getelementptr with a single index.
func (f *function) stepAddress(op *ir.Op) {
	is, size := llvm.Indices(op), int64(pto.ByteSize(llvm.ElemType(op)))
	if len(is) != 1 || size == 0 {
		f.unsupported(op)
		return
	}
	n := value.Value(ll.Index(is[0].Const))
	if v := is[0].Value; v != nil {
		n = f.Resize(f.val(v), ll.I64, true)
	}
	f.set(op.Result(0), f.offset(f.val(op.Operand(0)), f.Mul(n, ll.Index(size))))
}

// numberAddress emits a conversion between an untyped pointer and an integer.
func (f *function) numberAddress(op *ir.Op) {
	x, t := f.val(op.Operand(0)), op.Result(0).Type()
	address := op.Operand(0).Type()
	if !ir.Is[llvm.PointerType](address) {
		address = t
	}
	space, ok := sem.NumberedSpace(llvm.SpaceOf(address))
	switch {
	case !ok:
		f.unsupported(op)
	case address == t:
		f.set(op.Result(0), f.pointer(space, f.Resize(x, ll.I64, false)))
	default:
		f.set(op.Result(0), f.Resize(f.addressOf(space, x), intTypeOf(t), false))
	}
}
