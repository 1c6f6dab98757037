// Package lower changes the level a program is written at.
//
//	list.go               the passes of this package
//	bufferize*.go         Level 1 to Level 2: tiles become buffers
//	plan*.go              Level 2 to Level 3: allocations get addresses
//	scratch.go            scratch tiles that the program leaves out
//	level.go              what the build levels ask of a program
//	chains.go             points that control goes through in a row, for both
//	as*.go                PTO-AS, the assembly of Level 1: reading and writing
//
// Bufferization takes these steps for each function:
//
//	bufferize_prepare.go  choices and jumps become forms that copies fit into
//	bufferize_graph.go    points where something happens to tiles
//	bufferize_live.go     which tiles are still needed, at each point
//	bufferize_share.go    which tiles can live in one buffer
//	bufferize_place.go    where the buffers come from
//	bufferize_valid.go    their valid regions, by rules and types
//	bufferize_extent.go   and by what an instruction means
//	bufferize_copy.go     copies where control passes tiles on
//	bufferize_emit.go     instructions change their form
//	bufferize_func.go     parameters, results and calls
//
// Memory planning takes these, callers before the functions they call:
//
//	plan.go               what needs memory
//	plan_calls.go         who calls whom: callees lie behind their callers
//	plan_flow.go          points, and which allocation a value may lie in
//	plan_events.go        what happens to allocations there
//	plan_live.go          from where to where each allocation is needed
//	plan_place.go         addresses
//	plan_share.go         results in the place of tiles that die
//	plan_report.go        what does not fit
//	plan_apart.go         tiles of one instruction that must not share bytes
package lower
