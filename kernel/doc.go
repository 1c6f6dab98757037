// Package kernel reads, checks, lowers and runs PTO kernels in a few calls: what
// pto-run does, for Go programs.
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
//	Build    the same for a module that code has made, with package build
//	Program  its Params, Run to run it once, Plan to run it often
//	Array    the elements at a pointer; made of Go slices, .npy files or a shape
//
// All dialects are linked in. Nothing here panics on what a program or file
// holds; wrong uses of a function, such as a shape that does not fit its
// elements, do.
package kernel
