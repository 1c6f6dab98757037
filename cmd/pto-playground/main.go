// Command pto-playground serves the page of the playground on this machine, or exports it
// for a static host. It needs Go and the sources of this module, from which it builds the
// tools as WebAssembly once.
package main

import (
	"os"

	"ptogo/internal/site"
)

func main() { os.Exit(site.Main(os.Args[1:], os.Stdout, os.Stderr)) }
