// Package memref is MLIR's memref dialect: buffers in memory, and views of them. The
// type Action describes what each operation does, and Strides computes the layout of a
// type; start with view.go.
//
//	alloc.go   alloc, alloca, dealloc
//	access.go  load, store, copy, dim, rank
//	view.go    subview, reinterpret_cast
//	cast.go    cast, memory_space_cast, extract_aligned_pointer_as_index, view
//	global.go  global, get_global
//	layout.go  strides and offset of a memref type
//	mixed.go   lists like [%i, 4], which contain constants and values
//	sem.go     what the operations do
package memref

import "ptogo/ir"

const page = "https://mlir.llvm.org/docs/Dialects/MemRef/"

func init() {
	ir.Register(&ir.Dialect{
		Name: "memref",
		Doc:  "Buffers in memory, and views of them.",
		Defs: []*ir.Def{
			Alloc, Alloca, Dealloc, Load, Store, Copy, Dim, Rank, AssumeAlignment,
			Subview, ReinterpretCast, View, Cast, MemorySpaceCast, PointerAsIndex, Global, GetGlobal,
		},
	})
}
