// Package analysis answers questions about whole programs that the verifier, the passes
// and the engines share. It reports nothing to users: a function returns a fact or the
// text of a problem, and the caller decides about its severity.
//
//	legality.go       checks that need a program, not just one instruction
//	decided.go        questions on which public sources contradict each other
//	launch.go         the cores of a launch, and the functions that they run
//	unit.go           which kind of core executes an operation
//	signals.go        which cores a signal reaches
//	overlap.go        operands that may share bytes; overlap_static.go compares addresses
//	in_place.go       instructions that can overwrite an operand
//	placed.go         memory with constant addresses
//	reserved.go       buffers that one function reserves and another imports
//	unbuffered.go     Level-1 tiles that have no buffer yet
//	readers.go        loads whose results an instruction uses
//	scales_beside.go  where a product finds its MX scales
//	macro.go          instructions that several pipes execute in turn
package analysis
