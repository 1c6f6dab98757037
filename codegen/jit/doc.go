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
//   - Every access outside of the buffer or the local memory that its address
//     starts from: the code is fenced (ll.Fence), and the driver lays out memory
//     as the fence needs it. Right past a buffer the fault names buffer and byte.
//   - What the code checks itself: package codegen/llvm lists it.
//   - What takes longer than a limit, in a tool or in a kernel. A kernel says
//     where it was, if its code keeps that (llvm.Places).
//   - Not noticed: misalignment, and waiting for flags that are never set.
//
// On Linux the process also confines itself before it runs a kernel (Sandbox).
//
// The Go runtime notices all of that and names the instruction.
package jit
