// Package vector simplifies programs of vector instructions. Its passes have the names of
// the public compiler:
//
//	convert.go     vpto-optimize-vcvt removes conversions and makes equal ones alike
//	masks.go       vpto-mask-simplify removes rearrangements of masks
//	postupdate.go  vpto-soft-postupdate lets loads and stores advance their addresses
//	infer.go       pto-infer-vpto-vecscope adds vector functions
//	schedule*.go   pto-vpto-scheduler reorders instructions and interleaves rounds of loops
//	loop.go        rebuilds a loop with other carried values
package vector
