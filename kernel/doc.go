// Package kernel parses, checks, lowers and runs PTO kernels in a few calls. It offers
// the functions of pto-run to Go programs.
//
//	import _ "ptogo/dialect/all" // all instructions
//
//	src := &ir.Source{Name: "scale.pto", Text: text}
//	prog, err := kernel.Load(src, kernel.Options{Arch: "a5"})
//	...
//	x := kernel.ArrayOf([]float32{...}, 32, 64)
//	y := kernel.Zeros(ir.F32, 32, 64)
//	err = prog.Run(x, y, 3.0)
//	fmt.Println(kernel.Slice[float32](y))
//
//	Load     text to a Program that is ready to run; the error is an ir.Errors
//	Build    the same for a module that Go code has built with package build
//	Program  its Params, Run to run it once, Plan to run it many times
//	Array    the elements at a pointer; from Go slices, .npy files or a shape
//
// Programs can use the instructions that the Go program links: all of them with the import
// above. An invalid program or file never causes a panic. An invalid call does, for example
// a shape that does not match the number of elements.
package kernel
