// Command pto-reduce makes a program smaller while a test keeps failing.
package main

import (
	"os"

	"ptogo/internal/cli/reduce"
)

func main() { os.Exit(reduce.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
