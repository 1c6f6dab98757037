//go:build !(js && wasm)

// Command pto-wasm is a program for browsers; see main.go. Other platforms only print how
// to build it.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "pto-wasm: error: this program runs in a browser; build it with GOOS=js GOARCH=wasm, or use pto-playground")
	os.Exit(2)
}
