// Package filecheck verifies a text against directives in another text, like LLVM's
// FileCheck. It lets lit suites that use FileCheck run without LLVM.
//
// It supports CHECK, -NEXT, -SAME, -NOT, -DAG, -LABEL, -COUNT-n and -EMPTY with any
// prefix, the {LITERAL} modifier, {{regex}} with POSIX extended regular
// expressions, string variables [[NAME:regex]] and [[NAME]], numeric variables
// [[#%x,NAME: expression]], and the options in Options.
//
// Run is the command, and Check is the pure function that it calls.
//
//	run.go        Run: reading files, exit status; dump.go shows the input
//	flags.go      the command line
//	options.go    Options
//	source.go     texts: canonical white space, lines and columns
//	diagnostic.go Diagnostic and Error
//	check.go      Check
//	directive.go  finds the directives of a check file
//	suffix.go     the text after a prefix: -NEXT, -COUNT-3, {LITERAL}
//	steps.go      directives in the order in which they are matched
//	pattern.go    splits the text of a directive into pieces
//	block.go      [[...]] blocks
//	number.go     number formats
//	expression.go numeric expressions, exprparse.go their parser
//	variables.go  variables at parse time and at match time
//	match.go      matches one pattern
//	engine.go     labels, order, distance between matches
//	dag.go        CHECK-DAG and CHECK-NOT
//	explain.go    explains a mismatch
//	nearest.go    shows the most similar line, as a diff
//
// Parameters named pos are byte offsets in the check file, for errors.
//
// # Differences from LLVM's tool
//
// A wrong command line ends with status 2; LLVM returns 1. A wrong
// --implicit-check-not pattern is an error; LLVM prints a message and ignores the
// pattern. The diagnostics are our own, and --dump-input only selects whether the
// input around a mismatch is shown.
package filecheck
