// Command pto-opt reads PTO programs, checks them, runs passes over them and
// writes them as MLIR text, PTO-AS or LLVM IR.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"ptogo/internal/cli"
)

func main() {
	// A run is short and nearly all it allocates lives to its end, so the
	// collector finds little; let it look less often, and not at all before
	// the heap is five times what is set aside here. Nothing touches these
	// bytes, so they take no memory.
	var floor []byte
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		floor = make([]byte, heapFloor)
	}
	code := cli.Opt(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(floor)
	os.Exit(code)
}

const heapFloor = 24 << 20
