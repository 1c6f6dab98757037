// This file reads the operands of vector instructions.

package sem

import "ptogo/ir"

// PointerAccess holds the address operands of a memory access by an instruction on
// vectors, masks or scalars. Usually the instruction accesses memory at Pointer plus
// Offset. In the post-update variant, it accesses memory at Pointer and returns Pointer
// plus Offset as the result Updated; in the usual variant, Updated is nil.
type PointerAccess struct {
	Pointer, Offset Operand
	Updated         *ir.Value
}

// PointerAccessOf decodes the pointer and the offset with which op accesses memory.
func PointerAccessOf(op *ir.Op) PointerAccess {
	a := PointerAccess{Offset: firstOf(op, "offset", "increment"), Updated: result(op, "updated_base")}
	a.Pointer = firstOf(op, "source", "destination", "base", "ptr")
	return a
}

// firstOf returns the first operand in the list names that op has. If op has none of
// these operands, the field Value of the result is nil.
func firstOf(op *ir.Op, names ...string) (o Operand) {
	for _, name := range names {
		if o = operand(op, name); o.Given() {
			break
		}
	}
	return o
}

// result returns the result of op that has the given name in its definition, or nil.
func result(op *ir.Op, name string) *ir.Value {
	for i, a := range op.Form().Results {
		if from, to := op.ResultRange(i); a.Name == name && from < to {
			return op.Result(from)
		}
	}
	return nil
}

// VectorAccess holds the operands of an instruction that loads or stores vector
// registers.
type VectorAccess struct {
	PointerAccess
	// Value is the stored register. If an instruction stores two registers, High is the
	// second one.
	Value, High Operand
	Mask        Operand
	// Offsets is the register that holds an offset for each lane.
	Offsets Operand
	// Stride is the distance between consecutive blocks of 32 bytes or between groups of
	// lanes in memory. Skip is the distance from the pointer to the first block.
	Stride, Skip Operand
}

// VectorAccessOf returns the operands of op, which loads or stores vector registers, by
// their roles: the pointer, the registers to store, the mask, the offsets and the
// strides.
func VectorAccessOf(op *ir.Op) VectorAccess {
	return VectorAccess{
		PointerAccess: PointerAccessOf(op), Value: firstOf(op, "value", "low"), High: operand(op, "high"), Mask: MaskOf(op),
		Offsets: firstOf(op, "offsets", "indices"), Skip: operand(op, "repeat_stride"),
		Stride: firstOf(op, "stride", "row_stride", "source_group_stride", "block_stride"),
	}
}

// IsUnaligned reports whether op, a VecLoad or VecStore, supports unaligned addresses.
// Definitions of such instructions have neither attribute dist nor attribute stride.
func IsUnaligned(op *ir.Op) bool {
	return op.Def().Attr("dist") == nil && op.Def().Attr("stride") == nil
}

// MaskOf returns the operand of op with the mask that selects lanes. The operand is
// usually called mask. Comparisons of VMI vectors have an operand called seed instead: a
// mask that selects the lanes to compare.
func MaskOf(op *ir.Op) Operand { return firstOf(op, "mask", "seed") }

// AlignAccess holds the operands of an unaligned load or store. State is the buffered
// partial block of 32 bytes before the access, and Value is the stored register. From is
// the operand offset_in of an older store instruction (pto.vstu), which appends at base +
// offset_in.
type AlignAccess struct {
	PointerAccess
	State, Value Operand
	From         Operand
	// Advances reports whether the access advances the special register AR, which counts
	// the bytes of unaligned stores. Moved is the result of the instruction that holds
	// the advanced pointer, or nil.
	Advances bool
	Moved    *ir.Value
}

// AlignAccessOf decodes the operands of op, an unaligned access (kinds AlignLoad,
// AlignStore and AlignFlush).
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

// MaskImage is the format in which memory holds a mask: unchanged, with duplicated bits,
// or with every second bit.
type MaskImage uint8

// The formats of masks in memory. In ImagePlain, a mask has 32 bytes, with one bit for
// each byte of a register.
const (
	ImagePlain MaskImage = iota
	// ImageTwice (attribute dist US) means that a load duplicates each bit.
	ImageTwice
	// ImageHalf (attribute dist DS) means that a load uses every second bit in memory.
	ImageHalf
	// ImagePacked (attribute dist PK) means that a store writes every second bit of the
	// mask.
	ImagePacked
)

// MaskImageOf decodes attribute dist, the format in memory of a mask that op loads or
// stores (kinds MaskLoad and MaskStore).
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
