// Filecheck verifies its input against the directives of a check file, as
// LLVM's FileCheck does. Options in FILECHECK_OPTS precede those given.
package main

import (
	"os"
	"slices"
	"strings"

	"ptogo/internal/filecheck"
)

func main() {
	args := slices.Concat(strings.Fields(os.Getenv("FILECHECK_OPTS")), os.Args[1:])
	os.Exit(filecheck.Run(args, os.Stdin, os.Stdout, os.Stderr))
}
