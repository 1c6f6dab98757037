// This file checks loads with padding.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// LoadPads reports whether op, a load, requests padding explicitly, in addition to the
// padding policy in the type of the tile.
func LoadPads(op *ir.Op) bool {
	start, _ := op.Attr("init_out_buffer").AsBool()
	return start || op.HasAttr("pad_mode") || op.Arg("pad_value") != nil || op.Arg("left_padding_num") != nil || op.Arg("right_padding_num") != nil
}

// PadsOutside returns a message if a padded row does not fit into the destination of a
// load, and "" otherwise. The padded row consists of padding elements, elements of the
// source, and further padding elements. The parameters left, cols and right are the
// numbers of these three kinds. width is the number of valid columns in a row of dst. If
// left and right are 0, the row always fits, because a load then reads only as many
// columns as the row has.
func PadsOutside(left, right, cols, width int64) string {
	switch {
	case left < 0 || right < 0:
		return fmt.Sprintf("pads with %d and %d elements", left, right)
	case left > width || right > width-left:
		return fmt.Sprintf("adds %d and %d elements of padding to a row of \"dst\", which has %d", left, right, width)
	case left+right > 0 && cols > width-left-right:
		return fmt.Sprintf("adds %d and %d elements of padding beside %d columns, but a row of \"dst\" has %d", left, right, cols, width)
	}
	return ""
}

// loadRow is a rule that checks whether the rows of a load, including their padding, fit
// into the rows of the tile. It uses the numbers of padding elements that are constant.
// Numbers that the kernel computes count as 0.
type loadRow struct{}

// Verify implements Rule. It reports an error if the padded rows do not fit into the
// tile.
func (loadRow) Verify(op *ir.Op, v *ir.Verifier) {
	left, _ := ConstantInt(op.Arg("left_padding_num"))
	right, _ := ConstantInt(op.Arg("right_padding_num"))
	dst, ok := TileArg(op, "dst")
	if !ok || left == 0 && right == 0 {
		return
	}
	cols, width := int64(0), dst.VCols
	if part, ok := ir.As[PartitionView](op.Arg("src").Type()); ok && dst.SLayout == NoneBox { // boxes may be filled with the transposed view
		_, axis := ViewAxes(dst)
		cols = 1
		for _, d := range axis.Dims(part.Shape.Len()) {
			cols *= max(part.Shape.At(d), 0)
		}
	}
	if width == ir.Dynamic {
		width = dst.Cols
	}
	if outside := PadsOutside(left, right, cols, width); outside != "" {
		v.Errorf(op, "%s", outside).
			Note(op.Loc(), "reduce the padding, use fewer columns of \"src\", or give \"dst\" more valid columns")
	}
}
