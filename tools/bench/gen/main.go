// Command gen writes a large program in generic form, for measuring tools:
//
//	go run ./tools/bench/gen -size 10000000 > big.mlir
//	go run ./tools/bench/gen -varied > varied.mlir
//	go run ./tools/bench/gen -shape 'deep regions' > regions.mlir
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"ptogo/tools/bench"
)

func main() {
	size := flag.Int("size", 10_000_000, "bytes to write")
	varied := flag.Bool("varied", false, "write a program in which little repeats itself")
	shape := flag.String("shape", "", "write a program that is large in one `DIMENSION`; list prints the dimensions")
	flag.Parse()
	program := bench.Program
	if *varied {
		program = bench.Varied
	}
	for _, s := range bench.Shapes {
		switch *shape {
		case "list":
			fmt.Println(s.Name)
		case s.Name:
			program = s.Program
		}
	}
	if *shape == "list" {
		return
	}
	io.WriteString(os.Stdout, program(*size))
}
