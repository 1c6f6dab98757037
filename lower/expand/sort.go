// This file expands merges of sorted lists.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// recordBytes is the size of a record, which is a score with an index.
const recordBytes = 8

// mostMerges is the largest number of merges that one merge instruction of the hardware
// performs. Each merge combines four sorted lists.
const mostMerges = 255

// tileMerge replaces op, which merges neighbouring sorted lists in one row (kind
// TileMerge), by one instruction vmrgsort4. This instruction merges each group of four
// adjacent lists. tileMerge returns "", or the reason why it cannot expand op.
func (x *expander) tileMerge(op *ir.Op, _ sem.TileMerge) string {
	lists := sem.TileListsOf(op)
	if !lists.BlockLen.Given() {
		return "only merges of lists in one row have an expansion"
	}
	src, why := x.tile(lists.Lists[0].Name)
	if why != "" {
		return why
	}
	dst, why := x.tile(destination(op))
	if why != "" {
		return why
	}
	length, ok := arith.ConstantInt(lists.BlockLen.Value)
	list := length * src.size
	switch {
	case !ok || src.info.VCols == ir.Dynamic:
		return "the length or the number of lists is not constant"
	case list <= 0 || list%pto.TileAlign != 0:
		return fmt.Sprintf("its lists do not start at multiples of %d bytes", pto.TileAlign)
	case list/recordBytes > 0xFFFF:
		return fmt.Sprintf("lists of %d records are too long for vmrgsort4", list/recordBytes)
	}
	merges := src.info.VCols * src.size / (4 * list)
	if merges == 0 || merges > mostMerges {
		return fmt.Sprintf("it merges %d times, but vmrgsort4 merges 1 to %d times", merges, mostMerges)
	}
	x.alone()
	from := x.pointer(src)
	args := []*ir.Value{x.pointer(dst), from}
	for i := range int64(3) {
		args = append(args, x.at.Op(isabase.AddPtr, []*ir.Value{from, x.index((i + 1) * length)}, []ir.Type{from.Type()}).Result(0))
	}
	const four = 0xF << 8 // all four lists take part
	counts := list / recordBytes * 0x1000100010001
	x.at.Op(isavector.VMrgSort4, append(args, x.integer(ir.I64, counts), x.integer(ir.I64, four|merges)), nil)
	return ""
}
