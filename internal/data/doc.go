// Package data makes arguments for kernels. Texts describe them as after --arg of
// pto-run, or the package chooses them by trying what the kernel accepts.
//
//	arg.go        an argument of a launch; start reading here
//	generated.go  arrays: rand=32x64xf32, zeros=, ones=, iota=, fill=
//	scalar.go     numbers in the format of a parameter
//	guess.go      arguments on which a kernel does not fault
//	made_up.go    such arguments as texts
//	launches.go   which kernels of a module are launched together
package data
