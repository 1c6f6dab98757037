// Package passes holds transformations that stay inside one level, the table
// of passes, and the manager that runs pipelines of them.
//
//	pass.go, context.go        what a pass is, and what it gets to work with
//	list.go                    the passes, and which must come before which
//	registry.go                the passes of several packages together
//	pipeline.go, parse.go      builtin.module(a,func.func(b{x=1},c)) and its text
//	run.go, lane.go            running a pipeline, functions side by side
//	dump.go, timing.go,        what can be watched meanwhile: the program, times,
//	statistics.go, repro.go    counts, and the input of a pass that fails
//	rewrite.go, worklist.go,   the driver that applies patterns and folds until
//	constants.go, effects.go   nothing changes, and the facts it decides by
//	control.go                 how values pass through regions and blocks
//
// Every other file is one pass and has its name. A pass asks definitions
// (ir.Def) what an operation is and does; it names operations only where it is
// about them.
package passes
