// Package jit compiles LLVM IR with the LLVM tools that are installed on the machine, and
// runs the result. The central type is Program; start with Compile and Program.Run.
//
//	Find      finds an LLVM tool, such as clang or opt
//	Build     compiles LLVM IR to a Program, which is cached by its content
//	Compile   compiles a module of a PTO program to a Program
//	Program   a process that runs kernels on memory it receives, and returns what
//	          they print
//
// # How a kernel is compiled
//
// A process that loads the LLVM library (compiler.c.txt) compiles kernels one after the
// other. If the machine has no such library, clang compiles each kernel, or opt and llc.
// The linker makes a shared object from each kernel. The C driver (driver.c.txt) loads it.
// The two C programs are compiled once for a machine.
//
// # Why a separate process
//
// A kernel runs in a small separate process with a C driver. A kernel that reads or writes
// outside its memory raises a signal. If the code were loaded into the tool itself, such a
// signal would end the tool without a message; in a separate process it only ends the
// launch, with a message. The process also runs every block in a new thread. Local memory
// is thread-local, which makes access fast, and it starts with zeros. Starting the process
// lasts about a millisecond.
//
// # Which errors are detected
//
//   - Every access outside of the buffer or local memory from which its address is
//     computed. The code is fenced (ll.Fence), and the driver allocates memory as the fence
//     requires. For an access directly after a buffer, the message contains the buffer and
//     the byte.
//   - The faults that the code itself checks; package codegen/llvm lists them.
//   - A tool or a kernel that exceeds its time limit. If the code records its position
//     (llvm.Places), the message contains the position of the kernel.
//   - Wrong alignment, and waits for flags that are never set, are not detected.
//
// On Linux the process also drops its permissions before it runs a kernel (Sandbox).
//
// The Go runtime detects all of these errors and reports the instruction.
package jit
