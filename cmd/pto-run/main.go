// Command pto-run executes PTO kernels on data from files or made up on the
// command line.
package main

import (
	"os"

	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/run"
	"ptogo/internal/cli/serve"
)

func main() {
	limit.TuneCollector()
	os.Exit(run.Main(serve.Requests, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
