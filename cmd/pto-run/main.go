// Command pto-run executes PTO kernels on data from files or made up on the
// command line.
package main

import (
	"os"

	"ptogo/internal/cli"
)

func main() {
	cli.TuneCollector()
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
