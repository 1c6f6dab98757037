// Command gen writes the assembly of package kernels. It is a separate module, so that
// users of the project do not need the assembler library avo:
//
//	cd runtime/kernels/gen && go run . -group float -out ../float_amd64.s -stubs ../float_amd64.go -pkg kernels
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

// groups maps the name of each generated file to the function that emits it. The function
// is called for both vector widths.
var groups = map[string]func(v isa){
	"float":     floatLoops,
	"int":       integerLoops,
	"convert":   conversions,
	"reduce":    reduceLoops,
	"transpose": transposeLoops,
	"broadcast": broadcastLoops,
	"gather":    gatherLoops,
	"compare":   compareLoops,
	"matmul":    matmulLoops,
	"sum":       sumLoops,
	"blocks":    blockLoops,
}

func main() {
	group := flag.String("group", "", "what to write")
	flag.Parse()
	write := groups[*group]
	if write == nil {
		log.Fatalf("no group %q", *group)
	}
	ConstraintExpr("amd64")
	for _, v := range []isa{avx2, avx512} {
		write(v)
	}
	Generate()
}
