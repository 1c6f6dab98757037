// Package insertsync is the pass pto-insert-sync: it puts the flags and
// barriers into kernels that order what their pipes do.
//
// Two instructions on different pipes, or on one pipe that does not keep the
// order of its instructions, must keep theirs when they access a common byte
// and one of them writes. Which pipes are in order is dialect/pto/order's to
// say, which the race checker asks too.
//
//	tree*.go    the function as nested blocks of instructions and their accesses
//	affine.go   integers as constants and multiples of unknown values
//	place.go    where the memory after a value lies
//	extent*.go  what an instruction touches of it
//	overlap.go  whether two places may share a byte, also in different rounds
//	know.go     what is known to be over at a point
//	facts.go    of that, what is known of blocks inside
//	walk.go     abstract runs of a block, in which knowledge spreads
//	demand.go   the orders that such a run lacks
//	events*.go  the events that flags use
//	scope.go    mem_bars inside of vector functions
//	announce.go  fences before signals through memory
//	buffers.go  buffer tokens instead of flags
//	hoist.go    flags that are raised before outer loops
//	prune.go    edges that others have made needless
//	write.go    the operations
//	others.go   those that stand for no edge
//	spare.go    why edges stay that the static proof does not need
//	verify*.go  the static proof, on single paths instead of blocks
//	pass.go     the pass
//
// An order is an edge between two nodes of one block, so a flag is raised and
// waited for equally often on every path: where one end is inside of a branch
// or a loop and the other is not, both stand outside. An edge between rounds
// of a loop is raised once before it and waited for once after it, or after
// a loop around it.
//
// An edge is added only where what is known does not imply it. Knowledge is a
// position in the text for each pair of pipes, since a flag or barrier is for
// all that a pipe was given before: when V has waited for a load, all earlier
// loads are over as well, and all that these had waited for. A loop body runs
// twice in the search, or once more than the largest ring in it has slots, so
// that edges between rounds are found with their distance.
package insertsync
