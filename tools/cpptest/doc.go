// Package cpptest compares what kernels compute as C++, on the CPU simulator of
// the public tile library, with what the Go engine computes: byte by byte.
//
// The simulator is an implementation by others. It needs clang++ 19
// or newer and a checkout of pto-isa, which the variable PTO_ISA names; without
// them tests say so and are skipped. Nothing of the checkout is copied.
//
//	Toolchain  clang++, the headers, and the host program around kernels
//	Case       a kernel with its arguments
//	Compare    the cases as C++ in few translation units, run on both engines
//	Known      where the two disagree, why, and which source says so
//
// The simulator executes one instruction after the other: it knows nothing of
// pipes, so kernels run without synchronization there, and races stay unseen.
// Where only the order of additions differs, small integers as data make both
// exact (Calm).
package cpptest
