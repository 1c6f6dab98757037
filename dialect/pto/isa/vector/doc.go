// Package vector defines the vector micro-instructions of A5, which work on registers of
// 256 bytes (vreg) under masks, and in ub.go the vector instructions of A2/A3, which work
// on the unified buffer.
//
//	memory.go, dist.go             loads and stores, and how they distribute elements
//	align.go                       unaligned accesses; align_old.go accepts older forms
//	unary.go, binary.go, scalar.go elementwise
//	convert.go, select.go          conversions, comparisons and selections
//	reduce.go, broadcast.go        reductions and broadcasts of lanes
//	rearrange.go, sort.go          rearrangements
//	gather.go                      gathers and scatters
//	predicate.go                   masks; predicate_memory.go loads and stores them
//	family.go, latency.go          manual pages, published cycle counts
package vector
