// Package bufferize lowers Level 1, where tiles are values, to Level 2, where
// instructions write to buffers. It contains no list of instructions: their
// definitions declare which operands of Level 2 correspond to results of Level 1.
// Bufferize is the pass; start with bufferize.go.
//
// The steps for each function are:
//
//	prepare.go  splits choices and jumps, so that copies have a place
//	graph.go    points where something happens to tiles
//	live.go     which tiles are still needed, at each point
//	share.go    which tiles can share a buffer
//	place.go    where the buffers are allocated
//	valid.go    their valid regions, by rules and types
//	extent.go   and by the meaning of an instruction
//	copy.go     copies where control passes tiles on
//	emit.go     instructions change their form
//	func.go     parameters, results and calls
package bufferize
