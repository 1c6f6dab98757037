// Command pto-reduce cuts a program down to what makes a test fail.
package main

import (
	"os"

	"ptogo/internal/cli"
)

func main() { os.Exit(cli.Reduce(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
