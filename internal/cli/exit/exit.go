// Package exit has the exit codes of the tools.
package exit

// The exit codes of the tools: success, an error in the program, an error in the
// command line, a failed comparison, a fault of the kernel, and a report of a checker.
const (
	OK      = 0
	Diag    = 1
	Usage   = 2
	Compare = 3
	Fault   = 4
	Check   = 5
)
