// This file defines what the device library does with the operands of matrix products
// where it computes something else (DeviceRule).

package cube

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// packedBlocks returns the rule that the blocks of the operands of a matrix product are
// where the device expects them. The parameters are the names of the operands.
//
// The library moves all blocks of a tile without compact=normal to the operand buffers,
// and passes the numbers of valid rows and columns to the cube unit (mad), which expects
// the blocks of the valid region without gaps. That mad expects this follows from the
// compact mode of the library; no kernel with known results exercises it.
func packedBlocks(lhs, rhs string) Rule {
	return DeviceRule{
		On: sem.OnAll, Class: "blocks", Warns: sem.OnAll, Repaired: true,
		Does:   "the NPU headers store the blocks of a tile without compact=normal by its rows and columns, but the cube unit finds them by the valid rows and columns; --emit=cpp sets compact=normal in this case",
		Header: "TExtractToA and TExtractToACompact in textract_common.hpp, and mad(m, k, n) in a2a3/TMatmul.hpp of pto-isa; on A5 the functions of these names in a5/TExtract.hpp and a5/TMatmul.hpp; inferred from the headers",
		Way:    "write compact=1 in the types of the tiles in left, right and acc, or make the tiles as small as the valid region, in blocks of 16",
		Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
			a, ok := x.Tile(lhs)
			b, ok2 := x.Tile(rhs)
			c, ok3 := x.Tile("dst")
			if !ok || !ok2 || !ok3 {
				return ""
			}
			for _, t := range []struct {
				name         string
				tile         TileInfo
				across, away int64 // blocks in a line of blocks, and lines
				room         int64
			}{
				{lhs, a, blocks(a.VCols, a, 1), blocks(a.VRows, a, 0), blocks(a.Cols, a, 1)},
				{rhs, b, blocks(b.VCols, b, 1), blocks(a.VCols, b, 0), blocks(b.Cols, b, 1)},
				{"dst", c, blocks(a.VRows, c, 0), blocks(b.VCols, c, 1), blocks(c.Rows, c, 0)},
			} {
				small := t.tile.Space == sem.L0B && ByteSize(t.tile.Elem) == 1 // always packed by the library
				if t.tile.Compact != 0 || small || min(t.across, t.away, t.room) < 1 || t.away == 1 || t.across == t.room {
					continue
				}
				return fmt.Sprintf("\"%s\" has %d blocks in a line, but only %d of them are valid", t.name, t.room, t.across)
			}
			return ""
		},
	}
}

// deviceRules returns the rules about what the device library does with a product. The
// parameter vector means that the left operand is a row.
func (m matmul) deviceRules(vector bool) []Rule {
	rules := []Rule{packedBlocks(m.lhs, m.rhs)}
	if vector {
		rules = append(rules, oneRow(m.lhs))
	}
	return rules
}

// oneRow returns the rule on the rows that tgemv multiplies. lhs is the name of the
// operand.
func oneRow(lhs string) Rule {
	return DeviceRule{
		On: sem.OnAll, Class: "row", Warns: sem.OnAll,
		Does:   "TGEMV computes one row, whatever the valid rows of its operands are",
		Header: "TMatmul(..., 1, k, n) of TGEMV_IMPL in a2a3/TMatmul.hpp and a5/TMatmul.hpp of pto-isa",
		Way:    "use pto.tmatmul for several rows",
		Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
			a, ok := x.Tile(lhs)
			if !ok || a.VRows == ir.Dynamic || a.VRows <= 1 {
				return ""
			}
			return fmt.Sprintf("\"%s\" has %d valid rows, but the device multiplies one", lhs, a.VRows)
		},
	}
}

// blocks returns how many blocks of tile t are needed for n rows (axis 0) or columns
// (axis 1). It returns -1 if the number is unknown.
func blocks(n int64, t TileInfo, axis int) int64 {
	rows, cols := t.CubeBlock()
	size := [2]int64{rows, cols}[axis]
	if n == ir.Dynamic || size == 0 {
		return -1
	}
	return CeilDiv(n, size)
}
