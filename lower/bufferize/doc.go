// Package bufferize turns Level 1, in which tiles are values, into Level 2, in
// which instructions write to buffers. It names no instruction: definitions say
// which operands of Level 2 hold the results of Level 1.
//
// It takes these steps for each function:
//
//	prepare.go  choices and jumps become forms that copies fit into
//	graph.go    points where something happens to tiles
//	live.go     which tiles are still needed, at each point
//	share.go    which tiles can live in one buffer
//	place.go    where the buffers come from
//	valid.go    their valid regions, by rules and types
//	extent.go   and by what an instruction means
//	copy.go     copies where control passes tiles on
//	emit.go     instructions change their form
//	func.go     parameters, results and calls
package bufferize
