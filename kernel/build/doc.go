// Package build builds kernels in Go. It has a method for each common instruction,
// which infers the result type and appends the operation. The result is a module as
// a .pto file would contain it; kernel.Build checks and lowers it.
//
//	m := build.Module()
//	f := build.Kernel(m, "double", build.PtrTo("x", ir.F32), build.PtrTo("y", ir.F32))
//	x, y := f.View(f.Param(0), f.Indices(16, 64)...), f.View(f.Param(1), f.Indices(16, 64)...)
//	t := f.TLoad(f.Whole(x))
//	f.TStore(f.TAdd(t, t), f.Whole(y))
//
//	build.go   modules, kernels and their parameters
//	scalar.go  constants, sums of indices, numbers of blocks, loops
//	memory.go  views, parts of them, loads and stores
//	tile.go    tile types and instructions on tiles
//
// Tiles are values (Level 1): each instruction returns a new tile. A kernel of
// Level 2 allocates buffers with AllocTile and names the destination with Into.
// Instructions without their own method are available through Tile, Into and Op.
//
// The verifier checks whether the operations are legal, and kernel.Build returns
// its errors. The methods panic only if no operation can be built: for a nil
// operand, for a number of operands that no form of the instruction has, and for a
// type that determines no result type.
package build
