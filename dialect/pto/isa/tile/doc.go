// Package tile defines the tile instructions, in a file for each chapter of the ISA
// manual. Package cube has the products of tiles, and package sync those that wait.
//
//	unary.go, binary.go, scalar.go  elementwise
//	compare.go, convert.go          comparisons, selections, conversions
//	fused.go, part.go               fused operations, partial operations
//	reduce.go, expand.go            reductions and broadcasts of rows and columns
//	memory.go, view.go              loads and stores, allocations and views
//	move.go, subview.go             moves between memory spaces, windows
//	gather.go, sort.go, layout.go   rearrangements
//	quant.go, quant_mx.go           quantization
//	make.go, element.go, patch.go   ramps and random numbers, single elements, img2col
//
// The other files hold what these definitions have in common: rules on operands, legal
// layouts and paths, reduction orders, and cycle counts.
package tile
