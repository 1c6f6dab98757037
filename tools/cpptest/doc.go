// Package cpptest compares the results of kernels byte by byte: as generated C++ on the
// CPU simulator of the public tile library, and on the Go engine.
//
// The simulator is an independent implementation. It needs clang++ 19 or newer and a
// checkout of pto-isa, which the environment variable PTO_ISA names. Without them the
// tests are skipped with a message. This project contains no copy of the checkout.
//
//	Toolchain  clang++, the headers, and the host program around kernels
//	Case       a kernel with its arguments
//	Compare    runs the cases on both engines, as C++ in few translation units
//	Known      known differences between the two, with reasons and sources
//
// The simulator executes one instruction after the other. It does not model pipes, so
// kernels run without synchronization there, and it finds no races. If two results differ
// only because of the order of additions, small integers as data make both exact (Calm).
package cpptest
