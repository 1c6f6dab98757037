// This file defines reductions of lanes.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the reductions of all lanes, of the lanes in each block of 32 bytes,
// and of pairs of lanes.
var (
	VCAdd = Define("vcadd", func(name string) *ir.Def {
		return Issued(Issue{Latency: 22, Single: true}, Timed(vecReduce(name, sem.VecReduce{Op: sem.ReduceSum, Into: sem.IntoFirst}, widened("input"),
			"Adds up the selected lanes into lane 0.",
			"The micro-ISA widens sums of 8 and 16 bits; the unified page keeps the type of its logical lanes."), reduceCycles...))
	})
	VCMax = Define("vcmax", func(name string) *ir.Def {
		return Issued(Issue{Latency: 16, Single: true}, Timed(vecReduce(name, sem.VecReduce{Op: sem.ReduceMax, Into: sem.IntoIndexed}, ir.SameAs("input"),
			"Writes the largest selected lane to lane 0, and the number of the first such lane to lane 1.",
			"The index is raw integer bits in a float lane, as public golden data has it.",
			"Without a selected lane the value is the smallest of the format, as the micro-ISA says; the vector page has zero."), reduceCycles...))
	})
	VCMin = Define("vcmin", func(name string) *ir.Def {
		return Issued(Issue{Latency: 16, Single: true}, Timed(vecReduce(name, sem.VecReduce{Op: sem.ReduceMin, Into: sem.IntoIndexed}, ir.SameAs("input"),
			"Writes the smallest selected lane to lane 0, and the number of the first such lane to lane 1.",
			"The index is raw integer bits in a float lane, as public golden data has it.",
			"Without a selected lane the value is the largest of the format, as the micro-ISA says; the vector page has zero."), reduceCycles...))
	})
	VCGAdd = Define("vcgadd", func(name string) *ir.Def {
		return Issued(Issue{Latency: 19, Single: true}, Timed(vecReduce(name, sem.VecReduce{Op: sem.ReduceSum, Into: sem.PerBlock}, ir.SameAs("input"),
			"Adds up the selected lanes of each 32 bytes; the eight sums go to lanes 0 to 7.", packedGroups), groupReduceCycles...))
	})
	VCGMax = Define("vcgmax", func(name string) *ir.Def {
		return Issued(Issue{Latency: 13, Single: true}, Timed(vecReduce(name, sem.VecReduce{Op: sem.ReduceMax, Into: sem.PerBlock}, ir.SameAs("input"),
			"Finds the largest selected lane of each 32 bytes; the eight results go to lanes 0 to 7.", packedGroups), groupReduceCycles...))
	})
	VCGMin = Define("vcgmin", func(name string) *ir.Def {
		return Issued(Issue{Latency: 13, Single: true}, Timed(vecReduce(name, sem.VecReduce{Op: sem.ReduceMin, Into: sem.PerBlock}, ir.SameAs("input"),
			"Finds the smallest selected lane of each 32 bytes; the eight results go to lanes 0 to 7.", packedGroups), groupReduceCycles...))
	})
	VCPAdd = Define("vcpadd", func(name string) *ir.Def {
		return Timed(vecReduceOn(F16|F32, name, sem.VecReduce{Op: sem.ReduceSum, Into: sem.PerPair}, ir.SameAs("input"),
			"Adds neighbouring lanes; the sums go to the lower half.",
			"The micro-ISA and the vector page describe prefix sums; public golden data and the tile page that is built on it add pairs."),
			Latency{Elems: "f16", A5: "21"},
			Latency{Elems: "f32", A5: "19"})
	})
)

// packedGroups is a note in reference pages of reductions with one result per block of 32
// bytes. It describes a contradiction of public sources: either each result stays in its
// block, or the results are adjacent in the first lanes.
const packedGroups = "The vector page leaves each result in its block; the micro-ISA and public golden data pack them."

// vecReduce returns the definition of a reduction of a register with elements of integer
// types, f16 or f32. kind describes the reduction, and result is the constraint on its
// result.
func vecReduce(name string, kind sem.VecReduce, result ir.Constraint, doc string, notes ...string) *ir.Def {
	return vecReduceOn(Ints|F16|F32, name, kind, result, doc, notes...)
}

// vecReduceOn returns the definition of the instruction with the given name, a reduction
// of a register. kind describes the reduction, and result is the constraint on its
// result. doc is the description on the reference page, and notes are further notes for
// this page.
func vecReduceOn(elems Elems, name string, kind sem.VecReduce, result ir.Constraint, doc string, notes ...string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: doc, Notes: notes,
		Ins:      Args{In("input", lanes(elems)), In("mask", MaskFor("input"))},
		Outs:     Args{Out("result", result)},
		Traits:   ir.Pure,
		Sem:      kind,
		Examples: []string{example(name, elems, "vm", "v")},
	}, reduceFamily))
}

// Definitions of the reductions that return the maximum or minimum, and the mask of the
// lanes that equal it.
var (
	VCBMax = vecExtremum("vcbmax", sem.ReduceMax, "Writes the largest selected lane to lane 0, and returns the mask of all selected lanes that equal it.")
	VCBMin = vecExtremum("vcbmin", sem.ReduceMin, "Writes the smallest selected lane to lane 0, and returns the mask of all selected lanes that equal it.")
)

// vecExtremum declares the instruction with the given name, a reduction with two results:
// the maximum or minimum, as op states, and the mask of the lanes that equal it. The
// parameter doc is the description on the reference page.
func vecExtremum(name string, op sem.ReduceOp, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("input", lanes(Ints|F16|F32)), In("mask", MaskFor("input"))},
			Outs:     Args{Out("value", ir.SameAs("input")), Out("predicate", MaskFor("input"))},
			Traits:   ir.Pure,
			Sem:      sem.VecReduce{Op: op, Into: sem.IntoMasked},
			Examples: []string{example(name, F32, "vm", "vm")},
		}, reduceFamily))
	})
}

// Definitions of the histograms of bytes.
var (
	CHistV2 = vecHistogram("chistv2", true, "Counts bytes into bins of 16 bits, each byte also in all later bins.")
	DHistV2 = vecHistogram("dhistv2", false, "Counts bytes into bins of 16 bits.")
)

// vecHistogram declares an instruction that computes a histogram of bytes. If the
// parameter cumulative is set, the histogram is cumulative: each bin counts the bytes up
// to its value.
func vecHistogram(name string, cumulative bool, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins: Args{
				In("acc", vregFixed(UintType(16), ir.I16)),
				In("source", vregFixed(UintType(8), ir.I8)),
				In("mask", MaskFor("source")),
				In("bin", WrittenI32),
			},
			Outs:   Args{Out("result", ir.SameAs("acc"))},
			Traits: ir.Pure,
			Sem:    sem.VecHistogram{Cumulative: cumulative},
			Examples: []string{
				"%r = pto." + name + " %a, %s, %m, %b : !pto.vreg<128xui16>, !pto.vreg<256xui8>, !pto.mask<b8>, i32 -> !pto.vreg<128xui16>",
			},
		}, reduceFamily))
	})
}
