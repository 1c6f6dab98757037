// Command pto-opt reads PTO programs, checks them, runs passes over them and
// writes them as MLIR text, PTO-AS or LLVM IR.
package main

import (
	"os"
	"runtime/debug"

	"ptogo/internal/cli"
)

func main() {
	// A run is short and nearly all it allocates lives to its end, so the
	// collector finds little; let it look less often.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(cli.Opt(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
