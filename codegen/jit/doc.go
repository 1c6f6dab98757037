// Package jit compiles LLVM IR with the LLVM that is found on the machine and
// runs it.
//
//	Find      the tools: clang, or opt, llc and a C compiler
//	Build     LLVM IR to a Program, kept in a cache by its content
//	Compile   a module of the program to a Program
//	Program   a process that runs kernels on memory it is given, and tells
//	          what they print
//
// # Why a process
//
// A kernel runs in a small process of its own, which a C driver leads. A
// kernel that reads or writes outside its memory raises a signal, and a signal
// in code that was loaded into this process would end the tool without a
// word; in a process of its own it ends the launch, with a message. It also
// gives every block a fresh thread, so that local memory starts as zeros, with
// the fastest way to reach it. Starting the process takes about a millisecond.
//
// # What is noticed
//
//   - Global memory: each buffer lies between pages that may not be touched,
//     its end right before them. An access up to 16 MiB outside is a fault that
//     names the buffer and the byte. In what is left to a whole page before
//     the buffer only writes are noticed, when the kernel has ended.
//   - What the code checks itself: package codegen/llvm lists it.
//   - What takes longer than a limit, in a tool or in a kernel. A kernel says
//     where it was, if its code keeps that (llvm.Places).
//   - Not noticed: other accesses beyond a local memory space, misalignment,
//     waiting for flags that are never set.
//
// The Go runtime notices all of that and names the instruction.
package jit
