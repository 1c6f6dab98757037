// Package bufferize lowers programs from Level 1, where tiles are values, to Level 2, where
// instructions write to buffers. It contains no list of instructions: the definition of an
// instruction declares which operands of Level 2 correspond to results of Level 1.
// Bufferize is the pass; start with bufferize.go.
//
// The steps for each function are:
//
//	prepare.go  splits selects and jumps, so that there is a position for copies
//	graph.go    the control flow graph of the points that read or write tiles
//	live.go     the live range of each tile
//	share.go    determines which tiles share a buffer
//	place.go    allocates the buffers
//	valid.go    valid regions of the buffers, from rules and types
//	extent.go   valid regions from the meaning of an instruction
//	view.go     extents of views
//	copy.go     copies where control flow carries a tile to another buffer
//	emit.go     rewrites instructions to their Level 2 form
//	func.go     parameters, results and calls
package bufferize
