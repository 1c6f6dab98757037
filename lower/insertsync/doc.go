// Package insertsync is the pass pto-insert-sync. It inserts the flags and barriers
// that order the pipes of a core.
//
// Two instructions need ordering if they access a common byte, at least one of them
// writes it, and they run on different pipes or on an out-of-order pipe. Package
// dialect/pto/order defines which pipes are in order; the race checker uses the same
// definition.
//
//	tree*.go    the function as nested blocks of instructions and their accesses
//	affine.go   integers as constants and multiples of unknown values
//	place.go    where the memory of a value is
//	extent*.go  which part of it an instruction accesses
//	overlap.go  whether two places may share a byte, also in different iterations
//	know.go     what is known to be complete at a point
//	facts.go    what is known about blocks inside
//	walk.go     abstract execution of a block, which propagates this knowledge
//	demand.go   the orders that are missing in such an execution
//	events*.go  the events that flags use
//	scope.go    mem_bars inside of vector functions
//	announce.go fences before signals through memory
//	buffers.go  buffer tokens instead of flags
//	hoist.go    flags that are raised before outer loops
//	prune.go    edges that other edges make redundant
//	write.go    insertion of the operations
//	others.go   synchronization that belongs to no edge
//	spare.go    why edges stay that the search for hazards does not need
//	repair.go   barriers where the static proof finds no argument
//	vector_cores.go  stores of data that only one vector core holds
//	memory.go, prove.go  what package syncproof asks, and verdicts of its proofs
//	faults.go   single instructions that fault
//	verify*.go  the search for hazards on single paths, which explains them
//	pass.go     the pass; start reading here
//
// An order is an edge between two nodes of one block. A flag is therefore raised and
// waited for equally often on every path: if one end is inside a branch or a loop and
// the other is not, both operations are placed outside of it. A loop-carried edge is
// raised once before its loop and waited for once after it, or after an enclosing loop.
//
// The pass adds an edge only if the known facts do not imply it. A fact is a position
// in the program for each pair of pipes, because a flag or barrier covers everything
// that a pipe was given before. For example, when V has waited for a load, all earlier
// loads are complete, and so is everything that these had waited for. The search
// executes a loop body twice, or once more than the largest ring in it has slots, so
// that it finds loop-carried edges with their distance.
package insertsync
