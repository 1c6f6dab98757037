// This file reads the operands of vector instructions.

package sem

import "ptogo/ir"

// PointerAccess is where an instruction on vectors, masks or scalars reads or
// writes memory: at a pointer, moved by an offset. Where there is an Updated
// result, the access is at the pointer itself, which the result moves.
type PointerAccess struct {
	Pointer, Offset Operand
	Updated         *ir.Value
}

// PointerAccessOf returns where an instruction reads or writes memory.
func PointerAccessOf(op *ir.Op) PointerAccess {
	a := PointerAccess{Offset: firstOf(op, "offset", "increment"), Updated: result(op, "updated_base")}
	a.Pointer = firstOf(op, "source", "destination", "base", "ptr")
	return a
}

// firstOf is the first operand of some that op has.
func firstOf(op *ir.Op, names ...string) (o Operand) {
	for _, name := range names {
		if o = operand(op, name); o.Given() {
			break
		}
	}
	return o
}

// result returns the result that the form of op calls name, or nil.
func result(op *ir.Op, name string) *ir.Value {
	for i, a := range op.Form().Results {
		if from, to := op.ResultRange(i); a.Name == name && from < to {
			return op.Result(from)
		}
	}
	return nil
}

// VectorAccess is a load or store of vectors with its operands.
type VectorAccess struct {
	PointerAccess
	// Value is what is stored, or the lower of two registers whose upper one
	// is High.
	Value, High Operand
	Mask        Operand
	// Offsets are those of lanes.
	Offsets Operand
	// Stride is the distance of blocks or groups, Skip how far the first lies
	// from the pointer.
	Stride, Skip Operand
}

// VectorAccessOf returns the operands of a load or store of vectors.
func VectorAccessOf(op *ir.Op) VectorAccess {
	return VectorAccess{
		PointerAccess: PointerAccessOf(op), Value: firstOf(op, "value", "low"), High: operand(op, "high"), Mask: MaskOf(op),
		Offsets: firstOf(op, "offsets", "indices"), Skip: operand(op, "repeat_stride"),
		Stride: firstOf(op, "stride", "row_stride", "source_group_stride", "block_stride"),
	}
}

// IsUnaligned reports whether a VecLoad or VecStore is made for addresses that
// are not aligned: it has neither a distribution nor a stride.
func IsUnaligned(op *ir.Op) bool {
	return op.Def().Attr("dist") == nil && op.Def().Attr("stride") == nil
}

// MaskOf returns the operand that selects lanes.
func MaskOf(op *ir.Op) Operand { return firstOf(op, "mask", "seed") }

// AlignAccess is an unaligned load or store with its operands: the state
// before, what is stored, and, for the older form, where it goes. Advances says
// that what counts the bytes moves on, and Moved is the pointer after them.
type AlignAccess struct {
	PointerAccess
	State, Value Operand
	From         Operand
	Advances     bool
	Moved        *ir.Value
}

// AlignAccessOf returns the operands of an AlignLoad, AlignStore or AlignFlush.
func AlignAccessOf(op *ir.Op) AlignAccess {
	mode, _ := op.Attr("mode").AsString()
	a := AlignAccess{
		PointerAccess: PointerAccessOf(op), State: firstOf(op, "align", "align_in"), Value: operand(op, "value"),
		From: operand(op, "offset_in"), Advances: mode == "POST_UPDATE", Moved: result(op, "base_out"),
	}
	if _, flushes := op.Def().Sem.(AlignFlush); flushes {
		a.State = a.Value
	}
	return a
}

// MaskImage is the format of a mask in memory.
type MaskImage uint8

// The images.
const (
	ImagePlain  MaskImage = iota
	ImageTwice            // US: each bit becomes two of the mask
	ImageHalf             // DS: every second bit is one of the mask
	ImagePacked           // PK: of every second bit of the mask
)

// MaskImageOf returns how a MaskLoad or MaskStore has its mask in memory.
func MaskImageOf(op *ir.Op) MaskImage {
	switch dist, _ := op.Attr("dist").AsString(); dist {
	case "US":
		return ImageTwice
	case "DS":
		return ImageHalf
	case "PK":
		return ImagePacked
	}
	return ImagePlain
}
