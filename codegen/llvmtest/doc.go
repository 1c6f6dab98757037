// Package llvmtest runs LLVM IR in tests. It is not itself a test, so that the
// tests of other packages can use it.
//
//	Verify    asks opt whether a text is legal
//	Optimize  returns what opt makes of a text
//	Compile   emits a module and builds a program around its kernels
//	Build     does so for text whose functions the caller describes
//	Program   runs kernels, and gives back the memory they changed
//
// The tools of LLVM are found on the path, with a version suffix or without.
// Where they are missing the tests that need them are skipped.
//
// Kernels run in a process of their own, which a small C program leads: this
// project has no cgo, and a kernel that faults must not end the test. Each
// block of a launch runs in a fresh thread, one after the other, so its local
// memory starts as zeros.
package llvmtest
