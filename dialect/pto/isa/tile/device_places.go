// This file defines where the device library stores the results of instructions that move
// elements (DeviceRule).

package tile

import (
	"fmt"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// prefetchedRows is the rule on the rows that tprefetch stores. The library stores them
// directly after each other, on A2/A3 each in a multiple of 32 bytes.
var prefetchedRows = DeviceRule{
	On: sem.OnAll, Class: "prefetched rows", Warns: sem.OnAll, Written: true,
	Does:   "TPREFETCH copies the rows of the view directly after each other, whatever the columns of \"dst\" are; its purpose is to bring the data closer, and not to fill the tile",
	Header: "ubGap = 0 in a2a3/TPrefetch.hpp and ubStride = lenBurst in a5/TPrefetch.hpp of pto-isa",
	Way:    "load the tile by pto.tload before it is read",
	Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		v, ok2 := x.View("src")
		size := int64(ByteSize(dst.Elem))
		if ok && ok2 && (FP4.Has(dst.Elem) || FP4.Has(ir.ElementType(ir.EnvOf(op, t).Type("src")))) {
			return "the device counts numbers of 4 bits as bytes"
		}
		if !ok || !ok2 || dst.Space != sem.UB || size == 0 || v.Size[3] == ir.Dynamic || v.Size[4] == ir.Dynamic || v.Size[3] <= 1 {
			return ""
		}
		line := v.Size[4] * size
		if t != sem.A5 {
			line = CeilDiv(line, 32) * 32
		}
		if line == dst.Cols*size {
			return ""
		}
		return fmt.Sprintf("the device stores rows of %d elements every %d bytes, but the rows of \"dst\" are %d bytes apart", v.Size[4], line, dst.Cols*size)
	},
}

// joinedColumns is the rule on the columns of dst of tconcat on A5.
var joinedColumns = DeviceRule{
	On: sem.OnA5, Class: "joined columns", Warns: sem.OnA5, Written: true,
	Does:   "the NPU headers write all columns of both sources, also past the valid columns of \"dst\", and assert in debug builds that \"dst\" has as many valid columns",
	Header: "validCols0 + validCols1 == validColsDst in a5/TConcat.hpp of pto-isa",
	Way:    "give \"dst\" as many valid columns as both sources have",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		a, ok := x.Tile("src0")
		b, ok2 := x.Tile("src1")
		dst, ok3 := x.Tile("dst")
		if !ok || !ok2 || !ok3 || a.VCols == ir.Dynamic || b.VCols == ir.Dynamic || dst.VCols == ir.Dynamic || a.VCols+b.VCols == dst.VCols {
			return ""
		}
		return fmt.Sprintf("\"dst\" must have %d+%d valid columns, but has %d", a.VCols, b.VCols, dst.VCols)
	},
}

// joinedBytes is the rule on concatenations of elements of one byte on A5.
var joinedBytes = DeviceRule{
	On: sem.OnA5, Class: "joined bytes", Warns: sem.OnA5,
	Does:   "the NPU headers compute the places of the elements of \"src1\" with 8 bits if an element is one byte, so places past 255 wrap (a fault of the NPU headers)",
	Header: "IndexConcat<T>::Scalar in vci of a5/TConcat.hpp of pto-isa",
	Way:    "use elements of 16 bits, or tiles of at most 256 elements",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		if !ok || ByteSize(dst.Elem) != 1 || dst.VRows == ir.Dynamic || dst.VRows == 0 || (dst.VRows-1)*dst.Cols+dst.VCols <= 256 {
			return ""
		}
		return fmt.Sprintf("\"dst\" has %dx%d elements of one byte, but the device places at most 256", dst.VRows, dst.Cols)
	},
}

// alignedSums is the rule on the results of reductions of rows with 64-bit elements on A5.
var alignedSums = DeviceRule{
	On: sem.OnA5, Class: "aligned rows", Warns: sem.OnA5,
	Does:   "for 64-bit elements, the NPU headers store the result of each row by a store that needs an address divisible by 32",
	Header: "vsts(..., dst + row * DstCols * 2, 0, INTLV_B32, mask) in a5/Int64Reduce.hpp of pto-isa",
	Way:    "give \"dst\" rows of 32 bytes (row_major, four columns, one of them valid)",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		if !ok || ByteSize(dst.Elem) != 8 || dst.VRows == ir.Dynamic || dst.VRows <= 1 || dst.Cols*8%32 == 0 {
			return ""
		}
		return fmt.Sprintf("the results are %d bytes apart, but the device stores each at a multiple of 32 bytes", dst.Cols*8)
	},
}

// extractedBlocks is the rule on the start of a window that textract moves from mat to left
// or right.
var extractedBlocks = DeviceRule{
	On: sem.OnAll, Class: "window", Warns: sem.OnAll,
	Does:   "the NPU headers move whole blocks to left and right: on A2/A3 they assert that the window starts at a block, on A5 they round the start down to one",
	Header: "indexRow and indexCol in TExtractToA and TExtractToB of textract_common.hpp and a5/TExtract.hpp of pto-isa",
	Way:    "start the window at a multiple of 16, and along the rows of blocks at a multiple of 32 bytes",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.L1 || dst.Space != sem.L0A && dst.Space != sem.L0B || dst.Rows == 1 || src.SLayout == NoneBox {
			return ""
		}
		rows, cols := dst.CubeBlock()
		for _, w := range []struct {
			name string
			size int64
		}{{"indexRow", rows}, {"indexCol", cols}} {
			if at := x.Number(w.name); at != ir.Dynamic && w.size > 0 && at%w.size != 0 {
				return fmt.Sprintf("\"%s\" must be a multiple of %d, but is %d", w.name, w.size, at)
			}
		}
		return ""
	},
}

// tableRows returns the rule on the rows of a table in global memory that mgather reads or
// mscatter writes by rows on A5. The parameters are the names of the table and of the tile.
func tableRows(table, tile string) Rule {
	return DeviceRule{
		On: sem.OnA5, Class: "table rows", Warns: sem.OnA5,
		Does:   "in the mode for rows, the NPU headers assume that the rows of the table are as far apart as the tile has valid columns",
		Header: "table + safeIdx * validCols in a5/MGather.hpp and a5/MScatter.hpp of pto-isa",
		Way:    "use a table without gaps between its rows, or the mode for elements with an index for each element",
		Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
			t, ok := x.Tile(tile)
			idx, ok2 := x.Tile("idx")
			v, ok3 := x.View(table)
			mode := op.Attr("coalesce").Keyword()
			rows := mode == "row" || mode == "" && (idx.VRows != t.VRows || idx.VCols != t.VCols)
			if !ok || !ok2 || !ok3 || !rows || t.Space != sem.UB || v.Size[3] == 1 || v.Stride[3] == ir.Dynamic || t.VCols == ir.Dynamic || v.Stride[3] == t.VCols {
				return ""
			}
			return fmt.Sprintf("the rows of \"%s\" are %d elements apart, but the device expects %d", table, v.Stride[3], t.VCols)
		},
	}
}

// storedShape is the rule on the view to which acc is stored by rows.
var storedShape = DeviceRule{
	On: sem.OnAll, Class: "shape", Warns: sem.OnAll,
	Does:   "the NPU headers store acc as matrices of as many columns as the view has, and assert that the view has the shape of the valid region",
	Header: "validCol == gShape4 and validRow == gShape3 of TStoreAccNz2nd in tstore_common.hpp and a5/TStore.hpp of pto-isa",
	Way:    "store to a view of the shape of the valid region",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		v, ok2 := x.View("dst")
		if !ok || !ok2 || src.Space != sem.L0C || v.Layout == "nz" || v.Layout == "dn" {
			return ""
		}
		if rows, ok := WindowRows(v); ok {
			v = rows
		}
		if MaybeEqual(v.Size[3], src.VRows) && MaybeEqual(v.Size[4], src.VCols) || v.Size[3] == 0 || v.Size[4] == 0 || max(v.Size[0], v.Size[1], v.Size[2]) > 1 {
			return ""
		}
		return fmt.Sprintf("\"dst\" must have the shape %s of the valid region, but has %sx%s", src.ValidShape(), extent(v.Size[3]), extent(v.Size[4]))
	},
}

// gatheredIndexes is the rule on the width of the indices of tgather on A5.
var gatheredIndexes = DeviceRule{
	On: sem.OnA5, Class: "index width", Warns: sem.OnA5,
	Does:   "the NPU headers read indices of 16 bits for elements of one byte, and of 32 bits for elements of four and eight bytes, whatever the type of the indices is",
	Header: "(vector_u16&)index in TGather_b8 and (vector_u32&)index in TGather_b32 of a5/TGather.hpp of pto-isa",
	Way:    "convert the indices by pto.tcvt",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		idx, ok2 := x.Tile("indices")
		if !ok || !ok2 {
			return ""
		}
		want := 4
		if ByteSize(src.Elem) == 1 {
			want = 2
		}
		if size := ByteSize(idx.Elem); size == want || ByteSize(src.Elem) == 2 {
			return ""
		}
		return fmt.Sprintf("\"indices\" must have elements of %d bytes for \"src\" of %s, but has %s", want, src.Elem, idx.Elem)
	},
}

// wideRows returns the rule on rows of 64-bit elements on A5. name is the name of the
// tile whose columns count.
func wideRows(name string) Rule {
	return DeviceRule{
		On: sem.OnA5, Class: "wide rows", Warns: sem.OnA5,
		Does:   "for 64-bit elements, the NPU headers process only the first 64 columns of each row (a fault of the NPU headers), except for sums, products, bitwise operations and shifts of two tiles",
		Header: "one mask of plt_b32 for each row, without a loop over columns, in a5/Int64Binary.hpp, Int64Div.hpp, Int64Rearrange.hpp and Int64Reduce.hpp of pto-isa",
		Way:    "use tiles of at most 64 valid columns",
		Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
			t, ok := x.Tile(name)
			if !ok || ByteSize(t.Elem) != 8 || t.VCols == ir.Dynamic || t.VCols <= 64 {
				return ""
			}
			return fmt.Sprintf("\"%s\" has %d valid columns of %s, but the device processes 64", name, t.VCols, t.Elem)
		},
	}
}

// paddedTile is the rule on the tiles of tfillpad in vec on A5.
var paddedTile = DeviceRule{
	On: sem.OnA5, Class: "padded tile", Warns: sem.OnA5,
	Does:   "the NPU headers copy between tiles of one element type, count columns of 4-bit floats as bytes, and compute the rows to fill as the valid rows of \"dst\" less those of \"src\", without a sign",
	Header: "CopyValidElementsVec, RowStride and padRows in a5/TFillPad.hpp of pto-isa",
	Way:    "use tiles of one element type of at least a byte, and at least as many valid rows in \"dst\" as in \"src\"",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		switch {
		case !ok || !ok2 || dst.Space != sem.UB:
			return ""
		case src.Elem != dst.Elem:
			return fmt.Sprintf("the device library has no code to pad elements of type %s as %s", src.Elem, dst.Elem)
		case FP4.Has(src.Elem):
			return fmt.Sprintf("the device finds the rows of tiles of %s at twice their distance", src.Elem)
		case src.VRows != ir.Dynamic && dst.VRows != ir.Dynamic && dst.VRows < src.VRows:
			return fmt.Sprintf("\"dst\" has %d valid rows, fewer than the %d of \"src\", so the device writes past its end", dst.VRows, src.VRows)
		}
		return ""
	},
}

// movedBlocks is the rule on moves out of acc on A5 that find the blocks of acc by its rows.
var movedBlocks = DeviceRule{
	On: sem.OnA5, Class: "moved blocks", Warns: sem.OnA5,
	Does:   "a product stores its blocks of columns as far apart as its valid rows need, but if the type of \"src\" has fewer valid rows than rows, TMOV expects the blocks at the distance of the rows",
	Header: "GetTmovAccSrcStride in a5/TMov.hpp of pto-isa; where products store blocks is inferred from the headers",
	Way:    "let the run determine the valid rows (valid=?x32), or make the accumulator as high as its valid region, in blocks of 16 rows",
	Broken: func(op *ir.Op, _ ir.Target, _ DeviceOperands) string {
		src, ok := TileArg(op, "src")
		if !ok || src.Space != sem.L0C || src.VRows == ir.Dynamic || src.VCols == ir.Dynamic || src.VCols <= 16 || CeilDiv(src.VRows, 16) == CeilDiv(src.Rows, 16) {
			return ""
		}
		return fmt.Sprintf("\"src\" has %d rows, but only %d of them are valid", src.Rows, src.VRows)
	},
}

// loadedShape is the rule on the view from which a tile in vec is loaded.
var loadedShape = DeviceRule{
	On: sem.OnAll, Class: "loaded shape", Warns: sem.OnAll, Written: true,
	Does:   "the NPU headers copy the shape of the view, and assert that it is the valid region of the tile; those of A5 do not compile if the types show that it is not",
	Header: "validCol == gShape4 in tload_common.hpp, \"Src GlobalTensor Col and Tile ValidCol must be the same\" in a5/TLoad.hpp of pto-isa",
	Way:    "load a view of the shape of the valid region, then fill the rest by pto.tfillpad",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		v, ok2 := x.View("src")
		if !ok || !ok2 || dst.Space != sem.UB || dst.SLayout != NoneBox || v.Layout == "nz" {
			return ""
		}
		lines, line, rows, cols := int64(1), v.Size[4], dst.VRows, dst.VCols
		for _, n := range v.Size[:4] {
			if n == ir.Dynamic || lines == ir.Dynamic {
				lines = ir.Dynamic
				continue
			}
			lines *= n
		}
		if dst.BLayout == ColMajor || MaybeEqual(lines, rows) && MaybeEqual(line, cols) || lines == 0 || line == 0 || rows == 0 || cols == 0 {
			return ""
		}
		return fmt.Sprintf("\"src\" has %s rows of %s elements, but the valid region of \"dst\" is %s", extent(lines), extent(line), dst.ValidShape())
	},
}

// coveredParts is the rule on the valid regions of instructions on two sources with
// different valid regions.
var coveredParts = DeviceRule{
	On: sem.OnAll, Class: "parts", Warns: sem.OnAll, Written: true,
	Does:   "the NPU headers write only the elements that are valid in a source, and assert that one source has the valid region of \"dst\"",
	Header: "TPartOp.hpp and TPartArgOp.hpp of A2/A3, TPartBinOps.hpp and TPartArgBinOps.hpp of A5 in pto-isa",
	Way:    "give \"dst\" the valid region of the larger source",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		a, ok := x.Tile("src0")
		b, ok2 := x.Tile("src1")
		dst, ok3 := x.Tile("dst")
		same := func(s TileInfo) bool { return MaybeEqual(s.VRows, dst.VRows) && MaybeEqual(s.VCols, dst.VCols) }
		if !ok || !ok2 || !ok3 || same(a) || same(b) {
			return ""
		}
		return fmt.Sprintf("one of \"src0\" and \"src1\" must have the valid region of \"dst\", %s, but they have %s and %s", dst.ValidShape(), a.ValidShape(), b.ValidShape())
	},
}

// pairRows returns the rule on the rows of tiles of 4-bit floats in vec that are copied. The
// parameter name is the name of the tile.
func pairRows(name string) Rule {
	return DeviceRule{
		On: sem.OnA5, Class: "pairs", Warns: sem.OnA5, Written: true,
		Does:   "rows of tiles in vec start at multiples of 32 bytes, but the NPU headers require it of the numbers of 4 bits in a row, not of its bytes",
		Header: "Cols * sizeof(DType) in pto_tile.hpp of pto-isa; copies between memories need addresses divisible by 32",
		Way:    "use tiles of a multiple of 32 pairs in each row",
		Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
			t, ok := x.Tile(name)
			if !ok || !FP4.Has(t.Elem) || t.Space != sem.UB || t.SLayout != NoneBox || t.BLayout != RowMajor || t.Cols%32 == 0 || t.VRows == 1 {
				return ""
			}
			return fmt.Sprintf("the rows of \"%s\" have %d bytes, which is not a multiple of 32", name, t.Cols)
		},
	}
}

// dualMove is the rule on moves from acc to both vector cores on A5.
var dualMove = DeviceRule{
	On: sem.OnA5, Class: "dual move", Warns: sem.OnA5,
	Does:   "the NPU headers reject a conversion or a factor in the modes that split a tile between both vector cores",
	Header: "\"Quant is not support in dual Dst Mode\" in a5/TMov.hpp of pto-isa",
	Way:    "move the elements unchanged, then convert them by pto.tcvt",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		mode := op.Attr("accToVecMode").Keyword()
		if !ok || !ok2 || !strings.HasPrefix(mode, "dual") || src.Elem == dst.Elem && op.Arg("fp") == nil && op.Arg("preQuantScalar") == nil {
			return ""
		}
		return fmt.Sprintf("the device has no %s with a conversion from %s to %s or a factor", mode, src.Elem, dst.Elem)
	},
}

// storedBoxes is the rule on stores of tiles with boxes out of vec on A5.
var storedBoxes = DeviceRule{
	On: sem.OnA5, Class: "stored boxes", Warns: sem.OnA5,
	Does:   "the NPU headers store tiles with boxes out of vec to views with boxes only; for other views of one row or column they compile to nothing",
	Header: "the branches of TSTORE for TileType::Vec in a5/TStore.hpp of pto-isa, and the exceptions of CheckStaticVec",
	Way:    "reshape the tile to a row by pto.treshape before the store",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		v, ok2 := x.View("dst")
		if !ok || !ok2 || src.Space != sem.UB || src.SLayout == NoneBox || v.Layout == "nz" || src.Rows != 1 && src.Cols != 1 {
			return ""
		}
		return "the device stores nothing of a tile with boxes in vec"
	},
}

// packedRows is the rule on moves of a row-major tile from vec into boxes of mat on A5,
// which --emit=cpp repairs by a copy for each column of boxes.
var packedRows = DeviceRule{
	On: sem.OnA5, Class: "packed rows", Warns: sem.OnA5, Repaired: true,
	Does:   "the NPU headers copy a row_major tile from vec to mat as one run of bytes, and do not sort its rows into boxes; --emit=cpp copies each column of boxes by a TINSERT of its own",
	Header: "copy_ubuf_to_cbuf(dstPtr, srcPtr, 0, 1, blockLen, 0, 0) of TExtractVecToMat in a5/TExtract.hpp of pto-isa, which TMOV calls",
	Way:    "move the tile within vec into boxes first (blayout=col_major, slayout=row_major), then to mat",
	Broken: func(op *ir.Op, t ir.Target, _ DeviceOperands) string {
		if !SortsIntoBoxes(op, t) {
			return ""
		}
		src, _ := TileArg(op, "src")
		return fmt.Sprintf("the device does not sort the rows of \"src\", %d columns of %s, into boxes of 32 bytes", src.Cols, src.Elem)
	},
}

// SortsIntoBoxes reports whether op, a tmov, moves a row-major tile from vec into boxes of
// mat, so that its bytes change their order.
func SortsIntoBoxes(op *ir.Op, t ir.Target) bool {
	src, ok := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	return t == sem.A5 && op.Def().Sem == (sem.TileMove{}) && ok && ok2 && src.Space == sem.UB && dst.Space == sem.L1 && op.Arg("fp") == nil &&
		formOf(src) == formND && formOf(dst) == formNZ && !FP4.Has(src.Elem) && int(dst.Cols)*ByteSize(dst.Elem) > 32
}

// boxesInVec is the rule on windows that textract copies into boxes in vec on A5.
var boxesInVec = DeviceRule{
	On: sem.OnA5, Class: "boxes in vec", Warns: sem.OnA5,
	Does:   "the NPU headers copy boxes in lines of 32 bytes from the first column of the window on, and sort rows into boxes as if dst ended after its valid rows",
	Header: "TExtractVecToVecNZImpl and TExtractNdToNz in a5/TExtract.hpp of pto-isa",
	Way:    "start the window at a multiple of 32 bytes, and declare dst with as many rows as are valid, rounded up to 16",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.UB || dst.Space != sem.UB || formOf(dst) != formNZ || dst.VRows == 1 && dst.VCols == 1 {
			return ""
		}
		line := int64(32 / ByteSize(src.Elem))
		at := x.Number("indexCol")
		switch {
		case formOf(src) == formNZ && at != ir.Dynamic && at%line != 0:
			return fmt.Sprintf("\"indexCol\" must be a multiple of %d, but is %d", line, at)
		case formOf(src) == formND && dst.VRows != ir.Dynamic && dst.VCols > line && CeilDiv(dst.VRows, 16)*16 != dst.Rows:
			return fmt.Sprintf("the device writes columns of boxes of %d rows, but \"dst\" has %d rows", CeilDiv(dst.VRows, 16)*16, dst.Rows)
		}
		return ""
	},
}

// runOfBytes is the rule on copies from vec to mat on A5 by tmov and textract that are not
// one run of bytes.
var runOfBytes = DeviceRule{
	On: sem.OnA5, Class: "run of bytes", Warns: sem.OnA5,
	Does:   "the NPU headers copy a row_major tile from vec to mat as one run of bytes, a tile with col_major boxes by columns of as many boxes as are valid, and other tiles not at all",
	Header: "TExtractVecToMat in a5/TExtract.hpp of pto-isa, which TMOV calls",
	Way:    "move whole tiles with boxes (blayout=col_major, slayout=row_major), into which pto.tmov sorts rows within vec",
	Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.UB || dst.Space != sem.L1 || op.Arg("fp") != nil || SortsIntoBoxes(op, t) {
			return ""
		}
		block := int64(32 / ByteSize(src.Elem))
		switch formOf(src) {
		case formND:
			switch {
			case formOf(dst) != formND && dst.Cols > block:
				return fmt.Sprintf("the device does not sort the rows of \"src\", %d columns of %s, into boxes of 32 bytes", src.Cols, src.Elem)
			case dst.VRows != ir.Dynamic && dst.VRows > 1 && (!MaybeEqual(dst.VCols, src.Cols) || src.Cols != dst.Cols):
				return fmt.Sprintf("the device copies one run of bytes, but the rows of \"src\" have %d elements and those of \"dst\" %d, %s of them valid", src.Cols, dst.Cols, extent(dst.VCols))
			}
		case formNZ:
			if dst.VRows != ir.Dynamic && dst.VCols != ir.Dynamic && dst.VCols > block && CeilDiv(dst.VRows, 16) != CeilDiv(dst.Rows, 16) {
				return fmt.Sprintf("the device copies boxes of %d rows directly after each other, but \"dst\" has %d rows", dst.VRows, dst.Rows)
			}
		default:
			return "the device moves nothing of a tile with these boxes from vec to mat"
		}
		return ""
	},
}

// insertedRows is the rule on tinsert from vec into boxes of mat on A5.
var insertedRows = DeviceRule{
	On: sem.OnA5, Class: "inserted rows", Warns: sem.OnA5,
	Does:   "the NPU headers insert a row_major tile from vec into mat as if the tile in mat was row_major, too",
	Header: "TInsertNDImpl in a5/TInsert.hpp of pto-isa",
	Way:    "move the tile within vec into boxes first (blayout=col_major, slayout=row_major), then insert it",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.UB || dst.Space != sem.L1 || formOf(src) != formND || formOf(dst) != formNZ || int(dst.Cols)*ByteSize(dst.Elem) <= 32 {
			return ""
		}
		return fmt.Sprintf("the device does not sort the rows of \"src\", %d columns of %s, into boxes of 32 bytes", src.Cols, src.Elem)
	},
}
