// Command pto-opt reads PTO programs, checks them, runs passes over them and
// writes them as MLIR text, PTO-AS or LLVM IR.
package main

import (
	"os"

	"ptogo/internal/cli"
)

func main() {
	cli.TuneCollector()
	os.Exit(cli.Opt(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
