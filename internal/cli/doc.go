// Package cli puts the command-line tools together as functions, so that tests and the tools of
// the project can run them in process: Opt, Run and Reduce. It also writes the page of options.
//
// Each tool is in a package of its own. Each command imports only the packages of its tool:
//
//	opt     pto-opt: reads, checks, transforms and writes programs
//	run     pto-run: executes kernels, in one of its modes
//	serve   answers the requests of pto-run --serve; it runs both tools for them
//	reduce  pto-reduce: reduces a failing program to a small one
//	editor  the command line of pto-lsp-server
//
// The tools share these packages. None of them imports a tool:
//
//	report  the outputs of a tool, and its diagnostics in five formats
//	files   input and output files; files.Console is what every tool has
//	flags   parsing options, --help, completion, manual pages
//	limit   limits of memory and time, interrupts, the garbage collector
//	proof   programs as package equiv compares them
//	exit    exit codes
//	clitest programs and helpers for tests
//
// The rules of package deps keep this order: report imports no tool, opt and run do not import
// each other, and only serve imports both.
//
// The exit codes of all tools are: 0 for success, 1 for an error in the program, and 2
// for an error in the command line. pto-run also returns 3 if a comparison failed, 4 if
// the kernel faulted, and 5 if a checker reported a mistake. Output files are written
// at the very end, so a failed run leaves existing files unchanged.
package cli
