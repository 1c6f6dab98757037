// This file reads the operands of vector instructions.

package sem

import "ptogo/ir"

// PointerAccess is the position at which an instruction on vectors, masks or scalars
// accesses memory: a pointer plus an offset. If there is a result Updated, the access is
// at the pointer itself, and the result is the advanced pointer.
type PointerAccess struct {
	Pointer, Offset Operand
	Updated         *ir.Value
}

// PointerAccessOf returns the position at which an instruction accesses memory.
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

// result returns the result of op whose name in its definition is name, or nil.
func result(op *ir.Op, name string) *ir.Value {
	for i, a := range op.Form().Results {
		if from, to := op.ResultRange(i); a.Name == name && from < to {
			return op.Result(from)
		}
	}
	return nil
}

// VectorAccess holds the operands of a load or store of vectors.
type VectorAccess struct {
	PointerAccess
	// Value is the stored register. If two registers are stored, High is the upper one.
	Value, High Operand
	Mask        Operand
	// Offsets are the offsets of single lanes.
	Offsets Operand
	// Stride is the distance of blocks or groups, and Skip the distance of the first one
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

// IsUnaligned reports whether a VecLoad or VecStore supports unaligned addresses. These
// instructions have neither a distribution nor a stride.
func IsUnaligned(op *ir.Op) bool {
	return op.Def().Attr("dist") == nil && op.Def().Attr("stride") == nil
}

// MaskOf returns the operand that selects lanes.
func MaskOf(op *ir.Op) Operand { return firstOf(op, "mask", "seed") }

// AlignAccess holds the operands of an unaligned load or store: the previous state, the
// stored value, and, in an older form, the destination (From).
type AlignAccess struct {
	PointerAccess
	State, Value Operand
	From         Operand
	// Advances reports that the byte counter advances. Moved is the advanced pointer.
	Advances bool
	Moved    *ir.Value
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

// The images of masks in memory.
const (
	ImagePlain MaskImage = iota
	// ImageTwice (US) duplicates each bit.
	ImageTwice
	// ImageHalf (DS) uses every second bit.
	ImageHalf
	// ImagePacked (PK) stores every second bit.
	ImagePacked
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
