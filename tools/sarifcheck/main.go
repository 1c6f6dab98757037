// Command sarifcheck validates SARIF logs against the schema of SARIF 2.1.0, which
// github.com/owenrumney/go-sarif contains. It is a separate Go module, so that the tools
// do not depend on that library. Run it in this folder:
//
//	go run . LOG...
package main

import (
	"fmt"
	"os"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

func main() {
	code := 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err == nil {
			_, err = sarif.FromBytes(text, sarif.WithStrictValidation())
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			code = 1
		}
	}
	if len(os.Args) == 1 {
		fmt.Fprintln(os.Stderr, "usage: go run . LOG...")
		code = 2
	}
	os.Exit(code)
}
