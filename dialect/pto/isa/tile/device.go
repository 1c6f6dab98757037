// This file defines what the device library does with the operands of tile instructions
// where it rejects them or computes something else (DeviceRule).

package tile

import (
	"fmt"
	"slices"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// copyStride returns the rule that elements which the library copies together are
// adjacent in global memory. The library copies the rows of row-major tiles and of tiles
// with boxes, and the columns of column-major tiles, and ignores the stride between their
// elements.
func copyStride(view, tile string) Rule {
	return DeviceRule{
		On: sem.OnAll, Class: "stride",
		Does:   "the NPU headers copy each row (each column of a column-major tile) as one run of bytes and ignore the stride between its elements",
		Header: "tload_common.hpp and tstore_common.hpp of pto-isa: gStride4 of Nd2nd, Nd2nz and Nz2nd, gStride3 of Dn2dn and Dn2zn",
		Way:    "use a view whose elements are adjacent along this axis; a strided vector can be the rows of a row-major tile with one valid column",
		Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
			info, ok := x.Tile(tile)
			v, ok2 := x.View(view)
			if !ok || !ok2 || LoadPads(op) || PacksColumn(op) || info.Fractal == scaleFractal || info.Halves() || ByteSize(info.Elem) == 0 {
				return ""
			}
			if info.SLayout != NoneBox && v.Layout == "nz" {
				return boxStrides(view, v)
			}
			axis := 4
			if info.SLayout == NoneBox && info.BLayout == ColMajor || info.SLayout != NoneBox && v.Layout == "dn" {
				axis = 3
			}
			return strideAlong(view, v, axis, 1)
		},
	}
}

// PackedAxis is the dimension of a view that PacksColumn refers to.
const PackedAxis = ViewRank - 2

// PacksColumn reports whether op stores a column (a column-major tile with one column): the
// device library copies it as one run of bytes, and ignores the stride between the rows of
// the view (dimension PackedAxis). A production frontend prints such stores to columns of
// row-major tensors, and reads the elements back as one run. The engines therefore store
// the column as the device does, and the rule packedColumn warns.
func PacksColumn(op *ir.Op) bool {
	if _, stores := op.Def().Sem.(sem.TileStore); !stores {
		return false
	}
	t, ok := TileArg(op, "src")
	return ok && t.SLayout == NoneBox && t.BLayout == ColMajor && t.Cols == 1 && !FP4.Has(t.Elem)
}

// packedColumn is the rule on the stride between the rows of a view to which op stores a
// column (PacksColumn).
var packedColumn = DeviceRule{
	On: sem.OnAll, Class: "stride", Warns: sem.OnAll, Repaired: true,
	Does:   "the NPU headers store a col_major tile with one column as one run of bytes and ignore the stride between its rows in memory, and so do pto-run and the LLVM engine",
	Header: "TStoreUb2gmDn2dn in a2a3/TStore.hpp, TStoreVecDN in a5/TStore.hpp and TStoreMat2GmDn2Dn in tstore_common.hpp of pto-isa use gStride4, but not gStride3",
	Way:    "to keep the stride, store a row-major tile with one valid column",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		v, ok := x.View("dst")
		if !ok || !PacksColumn(op) {
			return ""
		}
		size, stride := v.Size[PackedAxis], v.Stride[PackedAxis]
		if size == ir.Dynamic || size <= 1 || stride == ir.Dynamic || stride == 1 {
			return ""
		}
		return fmt.Sprintf("\"dst\" has %d rows with stride %d, but the device stores the column \"src\" as %d adjacent elements", size, stride, size)
	},
}

// LoadsColumn reports whether op loads a column (a column-major tile with one column) in
// vec. For each plane of the view (dimensions 0 to 2), the device library copies as many
// adjacent elements as the column has valid rows, each to a column of its own. A production
// frontend prints such loads of planes that follow each other in memory, and uses the first
// column, which contains the elements of all planes. The engines therefore load the planes
// as one column, and the rule columnPlanes warns about the others.
func LoadsColumn(op *ir.Op) bool {
	if _, loads := op.Def().Sem.(sem.TileLoad); !loads || LoadPads(op) {
		return false
	}
	t, ok := TileArg(op, "dst")
	return ok && t.Space == sem.UB && t.SLayout == NoneBox && t.BLayout == ColMajor && t.Cols == 1 && !FP4.Has(t.Elem)
}

// columnPlanes is the rule on the planes of a view that op loads into a column
// (LoadsColumn).
var columnPlanes = DeviceRule{
	On: sem.OnAll, Class: "planes", Warns: sem.OnAll, Written: true,
	Does:   "for each of the first three dimensions of the view, the NPU headers copy as many elements as \"dst\" has valid rows to another column, so they write after a tile with one column, and read after the view",
	Header: "TLoadGm2ubDn2dn in tload_common.hpp and TLoadVecDN2DN in a5/TLoad.hpp of pto-isa: dstStride2 and lenBurst of validRow",
	Way:    "use a view of two dimensions, with all elements in one column",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		v, ok := x.View("src")
		t, ok2 := x.Tile("dst")
		if !ok || !ok2 || !LoadsColumn(op) || min(v.Size[0], v.Size[1], v.Size[2]) <= 0 || t.Rows <= 0 {
			return ""
		}
		n := v.Size[0] * v.Size[1] * v.Size[2]
		if n == 1 {
			return ""
		}
		return fmt.Sprintf("\"src\" has the shape %s, of which the device loads %d columns, but \"dst\" has one: it overwrites %d bytes after the tile", shapeText(v), n, (n-1)*t.Rows*int64(ByteSize(t.Elem)))
	},
}

// strideAlong returns a message if dimension axis of view v, the operand with the given
// name, has more than one element and another stride than want.
func strideAlong(name string, v ViewInfo, axis int, want int64) string {
	size, stride := v.Size[axis], v.Stride[axis]
	if size == ir.Dynamic || size <= 1 || stride == ir.Dynamic || want == ir.Dynamic || stride == want {
		return ""
	}
	return fmt.Sprintf("\"%s\" has %d elements with stride %d along an axis that the device copies with stride %d", name, size, stride, want)
}

// boxStrides returns a message if the boxes of view v in layout nz are not contiguous in
// memory, and "" otherwise.
func boxStrides(name string, v ViewInfo) string {
	want := int64(1)
	for axis := 4; axis >= 2; axis-- {
		if msg := strideAlong(name, v, axis, want); msg != "" {
			return msg
		}
		if want == ir.Dynamic || v.Size[axis] == ir.Dynamic {
			return ""
		}
		want *= v.Size[axis]
	}
	return ""
}

// copyPlanes returns the rule that a copy between a tile with boxes and a view in rows or
// columns copies one matrix. The C++ emitter moves a dimension with several elements to
// the place of the rows (WindowRows).
func copyPlanes(view, tile string) Rule {
	return DeviceRule{
		On: sem.OnAll, Class: "planes",
		Does:   "the NPU headers copy one matrix between global memory and a tile with boxes: they require that the first three of five dimensions are 1, and compute wrong addresses otherwise",
		Header: "tload_common.hpp of pto-isa: staticShape[0..2] == 1 of Nd2nz and Dn2zn; tstore_common.hpp: gShape0..2 == 1 of TStoreAccNz2nd",
		Way:    "copy each matrix by its own instruction, with a view of two dimensions",
		Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
			info, ok := x.Tile(tile)
			v, ok2 := x.View(view)
			if !ok || !ok2 || info.SLayout == NoneBox || info.Space == sem.UB || v.Layout == "nz" || info.Fractal == scaleFractal || info.Rows == 1 {
				return ""
			}
			if _, ok := WindowRows(v); ok || min(v.Size[0], v.Size[1], v.Size[2]) == ir.Dynamic {
				return ""
			}
			return fmt.Sprintf("\"%s\" has the shape %s, but the device copies one matrix", view, shapeText(v))
		},
	}
}

// shapeText returns the sizes of v as a text such as 2x16x1x32, without leading ones.
func shapeText(v ViewInfo) string {
	s := ""
	for i, n := range v.Size {
		switch {
		case s == "" && n == 1 && i < 3:
		case s == "":
			s = extent(n)
		default:
			s += "x" + extent(n)
		}
	}
	return s
}

// loadedSpaces is the rule on the memories that a load fills.
var loadedSpaces = DeviceRule{
	On: sem.OnA5, Class: "load", Warns: sem.OnA5,
	Does:   "the NPU headers load tiles in vec and mat, and compile to nothing for tiles in other memories",
	Header: "TLOAD_TILE_IMPL in a5/TLoad.hpp of pto-isa has no branch for other values of TileData::Loc",
	Way:    "load the tile in mat, then move it by pto.tmov",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		if !ok || dst.Space == sem.UB || dst.Space == sem.L1 {
			return ""
		}
		return fmt.Sprintf("the device loads nothing into %s", dst.Space.Loc())
	},
}

// countedDown is the rule on tci that counts down with a scratch tile on A2/A3.
var countedDown = DeviceRule{
	On: sem.OnA2A3, Class: "count down", Warns: sem.OnA2A3, Repaired: true,
	Does:   "with a scratch tile, TCI computes -(S + i) instead of S - i if it counts down (a fault of the NPU headers)",
	Header: "vmuls by -1 after vadds of S in TCI_b32_normal, TCI_b32_repeat and their forms for 16 bits in a2a3/TCI.hpp of pto-isa",
	Way:    "leave out the operand \"tmp\"; --emit=cpp calls the form without it",
	Broken: func(op *ir.Op, _ ir.Target, _ DeviceOperands) string {
		down, _ := op.Attr("descending").AsBool()
		if op.Arg("tmp") == nil || !down {
			return ""
		}
		return "the device computes -(S + i) with a scratch tile"
	},
}

// histogramRows is the rule on the columns of dst of thistogram.
var histogramRows = DeviceRule{
	On: sem.OnA5, Class: "histogram", Warns: sem.OnA5,
	Does:   "the NPU headers store the 256 counts of each row directly after those of the row before",
	Header: "256 * r in a5/THistogram.hpp of pto-isa",
	Way:    "give \"dst\" 256 columns",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		if !ok || dst.Cols == 256 || dst.VRows == 0 || dst.VRows == 1 {
			return ""
		}
		return fmt.Sprintf("\"dst\" must have 256 columns, but has %d", dst.Cols)
	},
}

// gatheredRows is the rule on the destination of tgather by a mask pattern.
var gatheredRows = DeviceRule{
	On: sem.OnAll, Class: "gathered rows", Warns: sem.OnAll,
	Does:   "with a mask pattern along rows, the NPU headers store the elements of all rows one after the other, without gaps between the rows of \"dst\"; along columns, they copy all valid columns of \"src\"",
	Header: "vreducev2 over all rows, and the assertion dst.GetValidCol() == DstTileData::Cols in a2a3/TGather.hpp, vstur over all rows in a5/TGather.hpp of pto-isa",
	Way:    "give \"dst\" as many columns as are gathered",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		axis, _ := op.Attr("axis").AsString()
		if !ok || !ok2 || op.Attr("maskPattern").IsZero() || src.VRows == 1 || src.VRows == 0 || src.VCols == ir.Dynamic || src.VCols == 0 {
			return ""
		}
		if axis == "col" {
			if src.VCols <= dst.Cols {
				return ""
			}
			return fmt.Sprintf("the device copies %d columns to each row of \"dst\", which has %d", src.VCols, dst.Cols)
		}
		n := int64(0)                                // elements of a row that the pattern marks
		bits := op.Attr("maskPattern").Keyword()[1:] // from the last one on
		for i := range src.VCols {
			n += int64(bits[len(bits)-1-int(i)%len(bits)] - '0')
		}
		if n == dst.Cols {
			return ""
		}
		return fmt.Sprintf("\"dst\" must have %d columns, as many as are gathered from each row, but has %d", n, dst.Cols)
	},
}

// offsetRows is the rule on the rows of offsets of tgatherb on A2/A3.
var offsetRows = DeviceRule{
	On: sem.OnA2A3, Class: "offset rows", Warns: sem.OnA2A3,
	Does:   "for the columns after the last full 256 bytes of a row, the NPU headers use eight offsets for each row, one row directly after the other, whatever the columns of \"offsets\" are",
	Header: "GatherBlockTail in a2a3/TGatherB.hpp of pto-isa passes all rows to one vgatherb",
	Way:    "give \"offsets\" 8 columns, or \"dst\" a multiple of 256 bytes of valid columns",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		offsets, ok2 := x.Tile("offsets")
		size := int64(ByteSize(dst.Elem))
		if !ok || !ok2 || dst.VRows == ir.Dynamic || dst.VCols == ir.Dynamic || dst.VRows <= 1 || dst.VCols*size%256 == 0 || offsets.Cols == 8 {
			return ""
		}
		return fmt.Sprintf("the last %d bytes of each row need \"offsets\" with 8 columns, but it has %d", dst.VCols*size%256, offsets.Cols)
	},
}

// storedTypes is the rule on the element types of a store out of acc without a factor.
var storedTypes = DeviceRule{
	On: sem.OnAll, Class: "conversion", Warns: sem.OnAll,
	Does:   "without a factor, the NPU headers convert elements of acc from f32 to f16 or bf16 only; for other pairs of types they select no conversion (QuantMode_t::NoQuant)",
	Header: "GetCastPreQuantMode in a2a3/common.hpp and GetCastPreQuantModeGm in a5/TStore.hpp of pto-isa",
	Way:    "store elements of the type of \"src\", or give the store a factor (\"fp\" or \"preQuantScalar\")",
	Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst := ir.ElementType(ir.EnvOf(op, t).Type("dst"))
		if !ok || src.Space != sem.L0C || op.Arg("fp") != nil || op.Arg("preQuantScalar") != nil {
			return ""
		}
		if src.Elem == dst || F32.Has(src.Elem) && (F16|BF16).Has(dst) || I32.Has(src.Elem) && Ints32.Has(dst) {
			return ""
		}
		return fmt.Sprintf("the device stores elements of type %s as %s only with a factor", src.Elem, dst)
	},
}

// filledRows is the rule on the rows of tfillpad in vec that have no valid row in dst.
var filledRows = DeviceRule{
	On: sem.OnAll, Class: "fill", Warns: sem.OnAll, Repaired: true,
	Does:   "the instruction fills the columns past the valid region of \"src\", and the rows up to the valid rows of \"dst\"",
	Header: "TFillPad.hpp of pto-isa, both targets: PadBottomRows up to dstValidRow, padRows = dstValidRow - srcValidRow",
	Way:    "give \"dst\" a valid region that contains the rows to fill, for example by pto.set_validshape or another tile at the same address",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || dst.Space != sem.UB || src.VRows == ir.Dynamic || src.VCols == ir.Dynamic || dst.VRows == ir.Dynamic {
			return ""
		}
		if dst.VRows != src.VRows || src.VRows == dst.Rows || src.VCols != dst.Cols || src.VRows == 0 {
			return ""
		}
		return fmt.Sprintf("fills nothing, because \"src\" and \"dst\" both have %d valid rows of %d, and all columns are valid", src.VRows, dst.Rows)
	},
}

// rowVectorShape is the rule on the sources of an instruction that combines a tile with a
// broadcast column. One source must have the valid region of dst. The other source, the
// broadcast vector, must have one element per row, or 32 bytes per row if it is
// row-major. On the targets in the set warns, the public compiler accepts other shapes.
func rowVectorShape(warns sem.Profiles) Rule {
	return DeviceRule{
		On: sem.OnAll, Class: "row vector", Warns: warns,
		Does:   "the NPU headers assert these shapes; they repeat all elements in the 32 bytes of each row of a row-major vector, and assume that its rows are 32 bytes apart",
		Header: "src1ValidCol == 32 / sizeof(T) in TRowExpandMul.hpp and the other TRowExpand headers of pto-isa, both targets; src1 + row * blockSizeElem in TRowExpandBinOp.hpp",
		Way:    "use a col_major vector with one column, or a row_major vector whose rows are 32 bytes, all of them valid",
		Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
			a, ok := x.Tile("src0")
			b, ok2 := x.Tile("src1")
			dst, ok3 := x.Tile("dst")
			if !ok || !ok2 || !ok3 || dst.VRows == 0 && dst.VCols == 0 {
				return ""
			}
			vec, full, name, ok := rowVector(a, b, dst)
			if !ok {
				return "one of \"src0\" and \"src1\" must have the valid region of \"dst\""
			}
			want := int64(1)
			if vec.BLayout == RowMajor && ByteSize(vec.Elem) != 0 {
				want = 32 / int64(ByteSize(vec.Elem))
			}
			switch {
			case full.BLayout != RowMajor:
				return "the operand with the valid region of \"dst\" must be row_major"
			case !MaybeEqual(vec.VRows, dst.VRows):
				return fmt.Sprintf("\"%s\" must have as many valid rows as \"dst\", but has %d, not %d", name, vec.VRows, dst.VRows)
			case !MaybeEqual(vec.VCols, want):
				return fmt.Sprintf("\"%s\" must have %d valid columns in %s, but has %d", name, want, vec.BLayout, vec.VCols)
			case vec.BLayout == RowMajor && vec.Cols != want && vec.VCols == want && vec.VRows > 1:
				return fmt.Sprintf("\"%s\" must have rows of 32 bytes in %s, which are %d columns, but has %d columns", name, vec.BLayout, want, vec.Cols)
			}
			return ""
		},
	}
}

// repeatedColumn is the rule on the source of trowexpand on A5.
var repeatedColumn = DeviceRule{
	On: sem.OnA5, Class: "repeated column", Warns: sem.OnA5,
	Does:   "the NPU headers accept a source whose type has one valid column, or a number that only the run determines",
	Header: "static_assert(TileDataIn::ValidCol == 1 || TileDataIn::ValidCol == -1) in a5/TRowExpand.hpp of pto-isa",
	Way:    "give \"src\" one valid column (valid=Nx1)",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		_, static := x.(ConstantOperands)
		if !ok || !static || src.VCols == ir.Dynamic || src.VCols == 1 || src.VRows == 0 {
			return ""
		}
		return fmt.Sprintf("\"src\" must have one valid column, but has %d", src.VCols)
	},
}

// filledBySize is the rule on texpands into a part of a tile on A2/A3, and on the
// instructions that the library computes with it: tands, tors and txors.
var filledBySize = DeviceRule{
	On: sem.OnA2A3, Class: "expands", Warns: sem.OnA2A3, Repaired: true, Opens: true,
	Does:   "if the type of \"dst\" has fewer valid columns than columns, TEXPANDS fills as many elements as the valid region has from the start of the tile on, without the gaps between rows (a fault of the NPU headers); TANDS, TORS and TXORS call it",
	Header: "isValidDataContinue compares validCol with TileData::ValidCol instead of Cols in a2a3/TExpandS.hpp of pto-isa; a2a3/TBitwiseSOp.hpp",
	Way:    "let the run determine the valid region (valid=?x?), as --emit=cpp does, or fill the whole tile",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		if _, static := x.(ConstantOperands); !ok || !static || dst.SLayout != NoneBox || dst.Space != sem.UB {
			return ""
		}
		lines, n, room := dst.VRows, dst.VCols, dst.Cols
		if dst.BLayout == ColMajor {
			lines, n, room = n, lines, dst.Rows
		}
		if n == ir.Dynamic || n == room || lines == 1 || lines == 0 || n == 0 {
			return ""
		}
		return fmt.Sprintf("the device writes only the first elements of \"dst\", because %d of %d are valid in each line", n, room)
	},
}

// continuousSums is the rule on tpairreducesum of whole rows on A5.
var continuousSums = DeviceRule{
	On: sem.OnA5, Class: "continuous", Warns: sem.OnA5, Repaired: true, Opens: true,
	Does:   "if all columns of the types of \"src\" and \"dst\" are valid, TPAIRREDUCESUM stores the sums of all rows one after the other, without the gaps between the rows of \"dst\" (a fault of the NPU headers)",
	Header: "TPairReduceSum_1D_NoPostUpdate in a5/TPairReduceSum.hpp of pto-isa: dstPtr + i * halfElementsPerRepeat",
	Way:    "let the run determine the valid region (valid=?x?), as --emit=cpp does",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		src, ok2 := x.Tile("src")
		if _, static := x.(ConstantOperands); !ok || !ok2 || !static || dst.Rows == 1 && src.Rows == 1 || dst.VRows == 1 {
			return ""
		}
		if dst.VCols != dst.Cols || src.VCols != src.Cols {
			return ""
		}
		return "the device stores the sums of each row directly after those of the row before"
	},
}

// storedLate is the rule on instructions that combine a product with the old contents of
// dst on A5, if their tiles have no gaps between rows.
var storedLate = DeviceRule{
	On: sem.OnA5, Class: "continuous", Warns: sem.OnA5, Repaired: true, Opens: true,
	Does:   "if all columns of the types of the tiles are valid, or if all tiles have one row, the NPU headers load \"dst\" with an update of its address and then store to the next register's place (a fault of the NPU headers; their device tests have open valid regions)",
	Header: "TTernOps_1D_PostUpdate in a5/TTernOp.hpp of pto-isa: vlds and vsts both update dstPtr",
	Way:    "let the run determine the valid region (valid=?x?), as --emit=cpp does",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		lines, whole := true, true
		for _, name := range []string{"src0", "src1", "dst"} {
			t, ok := x.Tile(name)
			if _, static := x.(ConstantOperands); !ok || !static {
				return ""
			}
			lines, whole = lines && t.Rows == 1, whole && t.VCols == t.Cols
		}
		if !lines && !whole {
			return ""
		}
		return "the device stores the results of a register to the place of the next one"
	},
}

// CountsDown reports whether op is a tci that the device library gets wrong on target t
// because it counts down with a scratch tile.
func CountsDown(op *ir.Op, t ir.Target) bool {
	return countedDown.On.Has(t) && countedDown.Broken(op, t, ConstantOperands{Op: op}) != ""
}

// LeavesCountMode reports whether the call of the device library for op, a tci, leaves the
// vector unit of target t in count mode, in which later calls compute too few elements.
func LeavesCountMode(op *ir.Op, t ir.Target) bool {
	return countedDown.On.Has(t) && op.Arg("tmp") != nil
}

// OpensTiles reports whether --emit=cpp must call the library for op with tiles whose
// types leave their valid regions open (DeviceRule.Opens).
func OpensTiles(op *ir.Op, t ir.Target) bool {
	return slices.ContainsFunc(DeviceRules(op, t), func(r DeviceRule) bool {
		return r.Opens && r.Broken(op, t, ConstantOperands{Op: op}) != ""
	})
}

// movedInVec is the rule on the layout of a tile that moves within vec.
var movedInVec = DeviceRule{
	On: sem.OnAll, Class: "move", Warns: sem.OnA5, Repaired: true,
	Does:   "the NPU headers move a tile within vec as if it was row-major: the valid columns of each valid row",
	Header: "TMovToVecImpl in a2a3/TMov.hpp and TMovVecToVec in a5/TMov.hpp of pto-isa",
	Way:    "reshape both tiles to row_major by pto.treshape (CxR instead of RxC), which keeps the bytes",
	Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.UB || dst.Space != sem.UB || op.Arg("fp") != nil || formOf(src) != formDN || formOf(dst) != formDN {
			return ""
		}
		rows, cols := minExtent(src.VRows, dst.VRows), minExtent(src.VCols, dst.VCols)
		switch {
		case src.Cols == 1 && dst.Cols == 1 || cols == ir.Dynamic || cols <= 1 && rows == ir.Dynamic:
			return "" // pto-a5-normalize-tmov reshapes a column
		case cols == 1 && (t != sem.A5 || rows == 1):
			return ""
		case rows == ir.Dynamic:
			return ""
		case t != sem.A5 && rows == dst.Rows && cols == dst.Cols && src.Rows == dst.Rows:
			return "" // one run of bytes
		}
		return fmt.Sprintf("a move of a %s tile within vec needs one column, or on A2/A3 a tile that is valid in full, but moves %dx%d elements of %dx%d", dst.BLayout, rows, cols, dst.Rows, dst.Cols)
	},
}

// minExtent returns the smaller of two numbers, or ir.Dynamic if one is unknown.
func minExtent(a, b int64) int64 {
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return min(a, b)
}
