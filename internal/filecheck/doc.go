// Package filecheck verifies a text against directives written in another
// one, as LLVM's FileCheck does, so that lit suites written for FileCheck run
// without LLVM.
//
// Known are CHECK, -NEXT, -SAME, -NOT, -DAG, -LABEL, -COUNT-n and -EMPTY with
// any prefix, the {LITERAL} modifier, {{regex}} with POSIX extended regular
// expressions, string variables [[NAME:regex]] and [[NAME]], numeric ones
// [[#%x,NAME: expression]], and the options of Options.
//
// Run is the command, Check the pure function after it.
//
//	run.go        Run: reading files, exit status; dump.go shows the input
//	flags.go      the command line
//	options.go    Options
//	source.go     texts: canonical white space, lines and columns
//	diagnostic.go Diagnostic and Error
//	check.go      Check
//	directive.go  finding the directives of a check file
//	suffix.go     what follows a prefix: -NEXT, -COUNT-3, {LITERAL}
//	steps.go      directives in the order they are matched
//	pattern.go    the text of a directive, taken apart
//	block.go      [[...]] blocks
//	number.go     number formats
//	expression.go numeric expressions, exprparse.go their parser
//	variables.go  variables at parse time and at match time
//	match.go      matching one pattern
//	engine.go     labels, order, distance between matches
//	dag.go        CHECK-DAG and CHECK-NOT
//	explain.go    what a mismatch says
//	nearest.go    the line that was probably meant, as a diff
//
// # Differences from LLVM's tool
//
// A faulty command line ends with status 2, where LLVM ends with 1. A faulty
// --implicit-check-not pattern is an error, where LLVM prints a message and
// ignores the pattern. The diagnostics are our own; --dump-input only chooses
// whether the input around a mismatch is shown.
package filecheck
