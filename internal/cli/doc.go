// Package cli implements the command-line tools as functions, so that tests can run
// them in process.
//
//	Opt      pto-opt: reads, checks, transforms and writes programs
//	Run      pto-run: executes kernels
//	Reduce   pto-reduce: reduces a failing program to a small one
//
// Each tool is a struct with its options (optTool, runTool, reduceTool) that has a
// method for every step. The steps call the packages kernel, passes, lower, runtime and
// codegen; this package only contains what is specific to a command line.
//
//	opt.go, programs.go      pto-opt: its steps, and parallel processing of files
//	pass_flags.go            passes as options, in the order of the command line
//	opt_checks.go, expect.go, explain*.go
//	                         --verify-*, expected diagnostics, --explain
//	emit*.go, ptoas*.go      LLVM IR and C++; the options of the public assembler
//	run.go, engine.go        pto-run: its steps, and the two engines
//	args.go                  --arg: files; package data has generated data and numbers
//	compare.go, expect_report.go
//	                         --expect: comparing arguments after the run
//	observe.go, dump.go, diff.go, step.go, stats.go, trace.go
//	                         observing a run
//	check*.go, schedule.go, timing.go, verify_sync.go
//	                         checkers, random schedules, prediction, the static proof
//	batch*.go, serve*.go     many runs in one process: a file of them, or requests
//	reduce.go                pto-reduce
//	flags.go, completion.go, options_page.go
//	                         --help, shell completion, and the page of options
//	input.go, output.go, diagnostics*.go, visible.go, color.go, progress.go
//	                         files, messages, the terminal
//	stop.go, collector.go, heap_*.go, map_*.go
//	                         interrupts and limits; memory of the process
//
// The exit codes of all tools are: 0 for success, 1 for an error in the program, and 2
// for an error in the command line. pto-run also returns 3 if a comparison failed, 4 if
// the kernel faulted, and 5 if a checker reported a mistake. Output files are written
// at the very end, so a failed run leaves existing files unchanged.
package cli
