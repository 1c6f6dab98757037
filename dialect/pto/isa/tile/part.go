// This file defines partial operations.

package tile

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// irregular is the chapter of the ISA manual on irregular and complex instructions.
const irregular = "irregular-and-complex"

// The supported element types of instructions that combine tiles with different valid
// regions, for each target.
var (
	partElems    = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Ints64 | Floats}
	partMulElems = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Floats}
	partArgElems = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Floats}
	partIndex    = Both(Ints16 | Ints32)
)

// part declares an instruction on two sources with different valid regions. Where both
// sources have an element, dst is fn(src0, src1). Where only one source has an element,
// dst is a copy of this element.
func part(name, page, doc string, fn *scalar.Fn, elems On) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Page: IsaPage(page), Family: irregular, Pipe: sem.PipeV, Doc: doc,
			Ins:   Args{In("src0", RowMajorTile(elems, sem.OnAll)), In("src1", LikeTile("src0").RowMajor(sem.OnAll))},
			Outs:  Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))},
			Sem:   sem.TilePart{Fn: fn},
			Rules: append(partRules[:len(partRules):len(partRules)], coveredParts, wideRows("dst")),
			Notes: []string{"Where only one operand is valid the ISA page copies it; the IR manual leaves that open."},
		}
		o.Sample([]string{"16x64xf32"}, "16x64xf32", "16x64xf32, valid=8x64")
		return TileOp(o)
	})
}

// partRules require that the valid regions of both sources are inside the valid region of
// dst. On A2/A3, at least one source must have the same valid region as dst.
var partRules = []Rule{
	ValidWithin(sem.OnAll, "src0", "dst"),
	ValidWithin(sem.OnAll, "src1", "dst"),
	TileCheck{On: sem.OnA2A3, Args: []string{"src0", "src1", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
		if sameExtent(t[0], t[2]) || sameExtent(t[1], t[2]) {
			return ""
		}
		return "one of \"src0\" and \"src1\" must have the valid region of \"dst\""
	}},
}

// Definitions of the instructions on two sources with different valid regions.
var (
	TPartAdd = part("tpartadd", "TPARTADD", "Adds src0 and src1 where both are valid, and copies the one that is elsewhere.", scalar.Add, partElems)
	TPartMul = part("tpartmul", "TPARTMUL", "Multiplies src0 and src1 where both are valid, and copies the one that is elsewhere.", scalar.Mul, partMulElems)
	TPartMax = part("tpartmax", "TPARTMAX", "Computes the larger of src0 and src1 where both are valid, and copies the valid one elsewhere.", scalar.Max, partElems)
	TPartMin = part("tpartmin", "TPARTMIN", "Computes the smaller of src0 and src1 where both are valid, and copies the valid one elsewhere.", scalar.Min, partElems)

	TPartArgMax = partArg("tpartargmax", "TPARTARGMAX", "Selects the larger of src0 and src1 together with its index.", scalar.Max)
	TPartArgMin = partArg("tpartargmin", "TPARTARGMIN", "Selects the smaller of src0 and src1 together with its index.", scalar.Min)
)

// partArg declares an instruction that compares the tiles src0 and src1 element by
// element. The function fn selects the larger or the smaller element. The instruction
// returns the selected elements. It also returns their indices, which it copies from the
// index tile of src0 or of src1.
func partArg(name, page, doc string, fn *scalar.Fn) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{
			Name: name, Page: IsaPage(page), Family: irregular, Pipe: sem.PipeV, Doc: doc,
			Ins: Args{
				In("src0", RowMajorTile(partArgElems, sem.OnAll)),
				In("src1", LikeTile("src0").RowMajor(sem.OnAll)),
				In("src0Idx", RowMajorTile(partIndex, sem.OnAll)),
				In("src1Idx", LikeTile("src0Idx").RowMajor(sem.OnAll)),
			},
			Outs: Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll)), Out("dstIdx", LikeTile("src0Idx").RowMajor(sem.OnAll))},
			Sem:  sem.TilePart{Fn: fn, Arg: true},
			Cpp:  Calls(strings.ToUpper(name) + "({dst}, {src0}, {src1}, {dstIdx}, {src0Idx}, {src1Idx})"),
			Rules: append([]Rule{
				SameValid(sem.OnAll, "src0", "src0Idx"), SameValid(sem.OnAll, "src1", "src1Idx"), SameValid(sem.OnAll, "dst", "dstIdx"),
				libraryElems(sem.OnAll, "src0", F16|F32, "\"TPARTARGOPS: val type only support float, half\" in a2a3/TPartArgOp.hpp, \"TPARTARG invalid data type\" in a5/TPartArgBinOps.hpp"),
				indicesOfHalf,
			}, append(partRules[:len(partRules):len(partRules)], coveredParts)...),
			Notes: []string{
				"Values: the IR manual has integers, the ISA page only f16 and f32; accepted.",
				"NaN: the headers of A2/A3 keep the element of src0 if it is at least as good, so they select src1; those of A5 select src1 only if it is better, so they keep src0. So does this, although maxima and minima otherwise let NaN win.",
				"Equal elements: the NPU headers of both targets keep the index of src0 (vcmp_ge in a2a3/TPartArgOp.hpp, vcmp_gt of src1 in a5/TPartArgMax.hpp); the CPU simulator takes that of src1.",
				"Indices: the IR manual has i32 only, the ISA page 16 and 32 bits; accepted.",
			},
		}
		const x, i = "16x64xf32", "16x64xi32"
		o.Sample([]string{x, i}, x, x, i, i)
		return TileOp(o)
	})
}
