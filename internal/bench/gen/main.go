// Command gen writes a large program in generic form, for measuring tools:
//
//	go run ./internal/bench/gen -size 10000000 > big.mlir
package main

import (
	"flag"
	"io"
	"os"

	"ptogo/internal/bench"
)

func main() {
	size := flag.Int("size", 10_000_000, "bytes to write")
	flag.Parse()
	io.WriteString(os.Stdout, bench.Program(*size))
}
