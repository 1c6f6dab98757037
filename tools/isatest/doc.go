// Package isatest runs the device tests of pto-isa, the public tile library, without a
// device. A test folder of the library contains kernels, a host program (main.cpp) that
// reads data, launches a kernel and compares its result, and a script that makes the data.
//
// The kernels are read by package frontend/cpp and executed by the Go engine. The host
// program is compiled to LLVM IR against declarations of ours (host/isatest.hpp), and this
// package interprets the IR: it is never linked and never executed as machine code. The
// data comes from gen_data.py. The comparison follows the library's rule.
//
// The checkout of the library stays outside of this project; its folder is a parameter.
//
//	folder.go   one test folder: data, compilation, tests
//	machine.go  the interpreter of the host program
//	values.go   values and memory of the interpreter
//	library.go  the functions isa_* that the declarations call
//	launch.go   launches of kernels
//	compare.go  the comparison of results
//	page.go     docs/measurements/isa-tests.md
package isatest
