// This file describes the C signature of emitted functions.

package llvm

import (
	"github.com/llir/llvm/ir/types"

	"ptogo/codegen/ll"
	"ptogo/dialect/fn"
	"ptogo/dialect/llvm"
	"ptogo/dialect/memref"
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Prototype returns the C parameter types of a function as Emit translates it, without
// the two parameters for block numbers. The result ok is false for a function that C
// cannot call: one that is private, has results, or has vector parameters.
func Prototype(f *ir.Op) (params []string, ok bool) {
	ins, outs := fn.TypeOf(f)
	if vis, _ := f.Attr("sym_visibility").AsString(); vis == "private" || len(outs) > 0 || fn.Body(f) == nil {
		return nil, false
	}
	for _, t := range ins {
		parts, ok := partsOf(t)
		if !ok || pto.LocalBytes(t) > 0 || ir.Is[llvm.PointerType](t) || startsLater(t) {
			return nil, false
		}
		for _, p := range parts {
			c := cTypes[p]
			if c == "" {
				return nil, false
			}
			params = append(params, c)
		}
	}
	return params, true
}

// startsLater reports whether a memref type has a static offset other than zero. C
// callers pass the address of the first element, so a kernel with a parameter of this
// type is not callable from C.
func startsLater(t ir.Type) bool {
	_, offset, ok := memref.Flat(t)
	return ok && offset != 0 && offset != ir.Dynamic
}

// cTypes maps LLVM parameter types to C types.
var cTypes = map[types.Type]string{
	ll.Ptr: "void *", ll.I1: "_Bool", ll.I8: "uint8_t", ll.I16: "uint16_t", ll.I32: "int32_t", ll.I64: "int64_t", ll.F32: "float", ll.F64: "double",
}
