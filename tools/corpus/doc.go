// Package corpus reads public programs with which the tools are tested. The programs are
// not part of this project: environment variables name the checkouts that contain them.
//
//	Programs      every program of the checkouts; a file may contain several
//	Program.Read  parses and verifies it on the profile that it names
//	Execute       lowers it, runs it for a while, and generates LLVM IR
//	accused       a command: the checkers' reports about public kernels
//	resync        a command: compares synchronization by hand with that of pto-insert-sync
package corpus
