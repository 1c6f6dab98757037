// Command pto-mcp is a server of the Model Context Protocol on standard input and output.
// Its tools check, run, prove, compare and time PTO kernels, for agents that write them.
package main

import (
	"os"

	"ptogo/internal/mcpserver"
)

func main() {
	os.Exit(mcpserver.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
