// Package data creates arguments for kernels. Either texts in the syntax of pto-run
// --arg describe them, or the package finds arguments that the kernel accepts by
// running it.
//
//	arg.go        an argument of a launch; start reading here
//	generated.go  arrays: rand=32x64xf32, zeros=, ones=, iota=, fill=
//	scalar.go     numbers in the format of a parameter
//	guess.go      arguments with which a kernel does not fault
//	made_up.go    such arguments as texts
//	launches.go   which kernels of a module are launched together
package data
