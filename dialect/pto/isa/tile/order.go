// This file lists the reduction orders of each target.

package tile

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Orders of sums and products of floats, as the public library has them on each
// target: pto-isa:include/pto/npu/a2a3/TRowReduceOps.hpp, TRowSum.hpp, TRowProd.hpp,
// TColSum.hpp and the same of a5. What one reduction of a register does inside is
// not public; pairs are what the public fix of the simulator takes it for.

// floatOrder returns a function that determines the order in which a reduction combines
// elements. The definition of the instruction contains this function. For floats, the
// function returns the order that the argument of floatOrder computes, because the order
// affects rounding. For integers, it returns the default order, because every order has
// the same result.
func floatOrder(of func(op *ir.Op, a5 bool, src TileInfo) scalar.Sequence) func(*ir.Op, ir.Target) scalar.Sequence {
	return func(op *ir.Op, t ir.Target) scalar.Sequence {
		src, _ := TileArg(op, "src")
		if !ir.Is[ir.FloatType](src.Elem) {
			return scalar.Sequence{}
		}
		return of(op, t == sem.A5, src)
	}
}

// lanesOf returns the number of elements of tile t that fit into a vector register.
func lanesOf(t TileInfo) int { return VectorBytes / ByteSize(t.Elem) }

// rowSumOrder, rowProdOrder and colProdOrder determine in which order an instruction
// combines the floats of a row or a column. They follow the NPU headers of the public
// library for each target, because float results depend on the order.
var rowSumOrder = floatOrder(func(op *ir.Op, a5 bool, src TileInfo) scalar.Sequence {
	dst, _ := TileArg(op, "dst")
	whole := src.VRows == src.Rows && src.VCols == src.Cols
	switch {
	case a5:
		return scalar.Sequence{Of: scalar.ByChunks, Lanes: lanesOf(src)}
	case src.Elem == ir.F32 && whole && dst.BLayout == ColMajor && src.Rows*src.Cols == 8192 && src.Rows >= 8 && src.Rows <= 64:
		return scalar.Sequence{Of: scalar.ByEighths}
	}
	return scalar.Sequence{Of: scalar.ByRepeats, Lanes: lanesOf(src)}
})

var rowProdOrder = floatOrder(func(_ *ir.Op, a5 bool, src TileInfo) scalar.Sequence {
	if a5 {
		return scalar.Sequence{Of: scalar.ByHalves, Lanes: lanesOf(src)}
	}
	return scalar.Sequence{Of: scalar.ByBlocks, Lanes: 32 / ByteSize(src.Elem)}
})

var colProdOrder = floatOrder(func(_ *ir.Op, a5 bool, _ TileInfo) scalar.Sequence {
	if a5 {
		return scalar.Sequence{Of: scalar.InTwos}
	}
	return scalar.Sequence{}
})

// colSumOrder is the order in which the floats of a column are added. Two public sources
// disagree about elements of type f16 on A5. The device tests of the public frontend
// pypto expect that they are added row by row. The header of the public library adds two
// rows at a time. We follow the tests, because devices have produced their results.
var colSumOrder = floatOrder(func(op *ir.Op, a5 bool, src TileInfo) scalar.Sequence {
	binary, _ := op.Attr("isBinary").AsBool()
	switch {
	case binary && a5:
		return scalar.Sequence{Of: scalar.InPairsToLast}
	case binary:
		return scalar.Sequence{Of: scalar.InPairsToFirst}
	case a5 && src.Elem != ir.F16:
		return scalar.Sequence{Of: scalar.InTwos}
	}
	return scalar.Sequence{}
})
