// Package corpus reads the public programs that tools are tried on. They are
// no part of this project: environment variables name the checkouts.
//
//	Programs      every program of the checkouts, split files in parts
//	Program.Read  parse and verify on the profile the program is for
//	Execute       lower, run for a while, write LLVM IR
//	accused       command: what the checkers report of public kernels
//	resync        command: synchronization by hand beside what pto-insert-sync gives
package corpus
