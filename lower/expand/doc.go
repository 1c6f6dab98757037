// Package expand replaces tile instructions of A5 by loops of vector instructions.
// Pass is the pass; start with pass.go.
//
// The kind of an instruction (ir.Def.Sem) describes what the instruction computes. The
// package has one routine for each kind, in a file of that name. A routine describes the
// operands and emits the code for one vector register. The routines share these files:
//
//	vector_of.go  finds the vector instruction that computes a function
//	operand.go    the layout of tiles in memory
//	nest.go       the loops over lines and registers, and their masks
//	access.go     loads, stores and the barriers between them
//	kernel.go     the loop that one or more instructions share
//	slim.go       tiles with one element for each line, and stages of a loop
//	fuse.go       pto-fuse-tiles, which finds the instructions that share a loop
//	pays.go       the decision whether a shared loop is faster
//
// A routine that cannot expand an instruction returns the reason, and the pass keeps the
// tile instruction.
package expand
