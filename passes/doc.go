// Package passes contains the passes that do not change the level of a program, and
// the manager that runs pipelines of passes. The central types are Pass, Pipeline
// and Context; start with pass.go.
//
//	pass.go, context.go        a pass and its interface to the run
//	list.go                    the passes, and which must precede which
//	registry.go                the passes of several packages together
//	pipeline.go, parse.go      builtin.module(a,func.func(b{x=1},c)) and its text
//	run.go, lane.go            running a pipeline, functions in parallel
//	dump.go, timing.go,        observers of a run: the program, times, counts,
//	statistics.go, repro.go    and the input of a pass that fails
//	rewrite.go, worklist.go,   the driver that applies patterns and folds until
//	constants.go, effects.go   nothing changes, and the facts that it uses
//	control.go                 how values pass through regions and blocks
//
// Every other file is one pass and has its name. A pass reads definitions (ir.Def)
// to learn what an operation does. It names an operation only if it is a pass about
// this operation.
package passes
