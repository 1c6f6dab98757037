// Command gen writes a large program in generic form, for measuring tools:
//
//	go run ./tools/bench/gen -size 10000000 > big.mlir
//	go run ./tools/bench/gen -varied > varied.mlir
package main

import (
	"flag"
	"io"
	"os"

	"ptogo/tools/bench"
)

func main() {
	size := flag.Int("size", 10_000_000, "bytes to write")
	varied := flag.Bool("varied", false, "write a program in which little repeats itself")
	flag.Parse()
	program := bench.Program
	if *varied {
		program = bench.Varied
	}
	io.WriteString(os.Stdout, program(*size))
}
