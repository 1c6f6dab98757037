// Package data creates arguments for kernels. A text in the syntax of pto-run --arg
// describes an argument. Without such texts, the package finds arguments with which the
// kernel runs without a fault.
//
//	arg.go        an argument of a launch; start reading here
//	generated.go  arrays: rand=32x64xf32, zeros=, ones=, iota=, fill=
//	scalar.go     numbers in the format of a parameter
//	guess.go      arguments with which a kernel does not fault
//	made_up.go    generated arguments as texts for --arg
//	launches.go   which kernels of a module are launched together
package data
