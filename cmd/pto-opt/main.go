// Command pto-opt reads PTO programs, checks them, runs passes over them and
// writes them as MLIR text, PTO-AS, LLVM IR or C++. Under the name ptoas it takes
// the command lines of the public assembler.
package main

import (
	"os"

	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/opt"
)

func main() {
	limit.TuneCollector()
	os.Exit(opt.MainAs(os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
