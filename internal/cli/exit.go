// Package exit has the exit codes of the tools.
package cli

// The exit codes of the tools: success, an error in the program, an error in the
// command line, a failed comparison, a fault of the kernel, and a report of a checker.
const (
	exitOK      = 0
	exitDiag    = 1
	exitUsage   = 2
	exitCompare = 3
	exitFault   = 4
	exitCheck   = 5
)
