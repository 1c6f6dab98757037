// Package build makes kernels in Go: one method for each common instruction,
// which infers the result type and inserts the operation. What it makes is what
// a .pto file would hold; kernel.Build checks and lowers it.
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
// Tiles are values (Level 1), and each instruction gives a new one. Kernels of
// Level 2 allocate buffers with AllocTile and name the destination with Into.
// Instructions without a method of their own go through Tile, Into or Op.
//
// Legality is for the verifier, whose errors kernel.Build returns. Only what
// leaves no operation to make panics: an operand that is nil, a count of
// operands that no form of the instruction has, or a type from which no result
// type follows.
package build
