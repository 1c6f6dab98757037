// This file defines the types of the dialect.

package pto

import (
	"strconv"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Layout is the order of the elements of a tile: of its boxes, or inside of them.
type Layout uint8

// The values of blayout (RowMajor and ColMajor) and of slayout (all three).
const (
	// NoneBox means storage without boxes.
	NoneBox Layout = iota
	RowMajor
	ColMajor
)

// layoutNames are the layouts in texts.
var layoutNames = []string{"none_box", "row_major", "col_major"}

// String returns the keyword.
func (l Layout) String() string { return layoutNames[l] }

// Pad is the policy for filling a tile outside of its valid region.
type Pad uint8

// The padding policies, with the numbers of public sources: none, zero, the largest and
// the smallest number.
const (
	PadNull Pad = iota
	PadZero
	PadMax
	PadMin
)

// DefaultFractal is the size in bytes of an inner box that types leave out.
const DefaultFractal = 512

// TileInfo is the common part of Level 1 tiles and Level 2 tile buffers.
type TileInfo struct {
	Space sem.Space
	Elem  ir.Type
	// Rows and Cols are the extents of the storage.
	Rows, Cols int64
	// VRows and VCols are the extents of the valid region. They may be ir.Dynamic.
	VRows, VCols int64
	// BLayout is the order of elements, or of boxes. SLayout is the order inside boxes.
	BLayout Layout
	SLayout Layout
	// Fractal is the size of a box in bytes.
	Fractal int32
	Pad     Pad
	Compact uint8
}

type (
	// Tile is !pto.tile: a value of Level 1.
	Tile struct{ TileInfo }
	// TileBuf is !pto.tile_buf: a buffer of Level 2.
	TileBuf struct{ TileInfo }
	// MultiTileBuf is !pto.multi_tile_buf: Count buffers of one type.
	MultiTileBuf struct {
		Slot  ir.Type
		Count int64
	}
	// PtrType is !pto.ptr.
	PtrType struct {
		Elem  ir.Type
		Space sem.Space
	}
	// TensorView is !pto.tensor_view: a tensor in global memory.
	TensorView struct {
		Shape ir.Dims
		Elem  ir.Type
	}
	// PartitionView is !pto.partition_tensor_view: a part of a TensorView.
	PartitionView struct {
		Shape ir.Dims
		Elem  ir.Type
	}
	// VReg is !pto.vreg: a vector register.
	VReg struct {
		Lanes int64
		Elem  ir.Type
	}
	// Mask is !pto.mask: one bit per lane of 8, 16 or 32 bits.
	Mask struct{ Bits uint8 }
	// ElemType is an element type that MLIR does not have.
	ElemType struct{ Kind ElemKind }
	// Handle is a type without structure, known by its name.
	Handle struct{ Name string }
)

// ElemKind numbers the element types of the dialect.
type ElemKind uint8

// The element types of the dialect. Each element of the x2 types consists of two numbers.
const (
	KindHiF8 ElemKind = iota
	KindF8E8M0
	KindHiF8x2
	KindF4E1M2x2
	KindF4E2M1x2
	KindBF16x2
)

// elemKinds gives the name, set, number format and size in bytes of each kind.
var elemKinds = []struct {
	name  string
	elem  Elems
	f     num.Format
	bytes int
}{
	{"hif8", HiF8, num.HiF8, 1},
	{"f8E8M0", F8E8M0, num.F8E8M0, 1},
	{"hif8x2", HiF8x2, num.HiF8, 2},
	{"f4E1M2x2", F4E1M2, num.F4E1M2, 1},
	{"f4E2M1x2", F4E2M1, num.F4E2M1, 1},
	{"bf16x2", BF16x2, num.BF16, 4},
}

// elem returns the set that contains only this type, and bytes its size.
func (t ElemType) elem() Elems { return elemKinds[t.Kind].elem }
func (t ElemType) bytes() int  { return elemKinds[t.Kind].bytes }

// Format returns the format of one number of the type.
func (t ElemType) Format() num.Format { return elemKinds[t.Kind].f }

// AppendType implements ir.TypeData.
func (t ElemType) AppendType(b []byte) []byte {
	return append(append(b, "!pto."...), elemKinds[t.Kind].name...)
}

// Element returns the type of the elements.
func (t TileInfo) Element() ir.Type { return t.Elem }

// Element returns the type of the elements.
func (t MultiTileBuf) Element() ir.Type { return ir.ElementType(t.Slot) }

// Element returns the type pointed to.
func (t PtrType) Element() ir.Type { return t.Elem }

// Element returns the type of the elements.
func (t TensorView) Element() ir.Type { return t.Elem }

// Element returns the type of the elements.
func (t PartitionView) Element() ir.Type { return t.Elem }

// Element returns the type of the lanes.
func (t VReg) Element() ir.Type { return t.Elem }

// TileOf returns the description of a tile or tile buffer.
func TileOf(t ir.Type) (TileInfo, bool) {
	switch d := t.Data().(type) {
	case Tile:
		return d.TileInfo, true
	case TileBuf:
		return d.TileInfo, true
	}
	return TileInfo{}, false
}

// IsTile reports whether t is a tile or a tile buffer.
func IsTile(t ir.Type) bool {
	_, ok := TileOf(t)
	return ok
}

// MemorySpace implements sem.InSpace.
func (t TileInfo) MemorySpace() sem.Space { return t.Space }

// MemorySpace implements sem.InSpace.
func (t MultiTileBuf) MemorySpace() sem.Space { return sem.SpaceOf(t.Slot) }

// MemorySpace implements sem.InSpace.
func (t PtrType) MemorySpace() sem.Space { return t.Space }

// MemorySpace implements sem.InSpace.
func (t TensorView) MemorySpace() sem.Space { return sem.GM }

// MemorySpace implements sem.InSpace.
func (t PartitionView) MemorySpace() sem.Space { return sem.GM }

// Extents returns the size of each dimension.
func (t PartitionView) Extents() ir.Dims { return t.Shape }

// Valid returns the extents of the valid region.
func (t TileInfo) Valid() (rows, cols int64) { return t.VRows, t.VCols }

// IsBuffer returns false: a tile is a value.
func (t Tile) IsBuffer() bool { return false }

// IsBuffer returns true: a valid region may change.
func (t TileBuf) IsBuffer() bool { return true }

// StaticValid reports whether the valid region is known at compile time.
func (t TileInfo) StaticValid() bool { return t.VRows != ir.Dynamic && t.VCols != ir.Dynamic }

// ValidShape returns the valid region as ROWSxCOLS, with ? for an open extent.
func (t TileInfo) ValidShape() string {
	b := append(AppendExtent(nil, t.VRows), 'x')
	return string(AppendExtent(b, t.VCols))
}

// AppendType implements ir.TypeData.
func (t Tile) AppendType(b []byte) []byte {
	b = t.appendShape(append(b, "!pto.tile<"...))
	if t.Space != sem.UB {
		b = append(append(b, ", loc="...), t.Space.Loc()...)
	}
	return append(t.appendKeys(b), '>')
}

// AppendType implements ir.TypeData.
func (t TileBuf) AppendType(b []byte) []byte {
	return append(t.appendBody(append(b, "!pto.tile_buf<"...)), '>')
}

// appendBody appends the text between the angle brackets.
func (t TileInfo) appendBody(b []byte) []byte {
	b = append(append(b, t.Space.Loc()...), ", "...)
	return t.appendKeys(t.appendShape(b))
}

// appendShape appends the extents and the element type.
func (t TileInfo) appendShape(b []byte) []byte {
	b = strconv.AppendInt(b, t.Rows, 10)
	b = strconv.AppendInt(append(b, 'x'), t.Cols, 10)
	return t.Elem.AppendTo(append(b, 'x'))
}

// appendKeys appends the keys that differ from their defaults.
func (t TileInfo) appendKeys(b []byte) []byte {
	if t.VRows != t.Rows || t.VCols != t.Cols {
		b = AppendExtent(append(b, ", valid="...), t.VRows)
		b = AppendExtent(append(b, 'x'), t.VCols)
	}
	if t.BLayout != RowMajor {
		b = append(append(b, ", blayout="...), t.BLayout.String()...)
	}
	if t.SLayout != NoneBox {
		b = append(append(b, ", slayout="...), t.SLayout.String()...)
	}
	if t.Fractal != DefaultFractal {
		b = strconv.AppendInt(append(b, ", fractal="...), int64(t.Fractal), 10)
	}
	if t.Pad != PadNull {
		b = strconv.AppendInt(append(b, ", pad="...), int64(t.Pad), 10)
	}
	if t.Compact != 0 {
		b = strconv.AppendInt(append(b, ", compact="...), int64(t.Compact), 10)
	}
	return b
}

// AppendExtent appends an extent in the syntax of types: a number, or ? if it is dynamic.
func AppendExtent(b []byte, d int64) []byte {
	if d == ir.Dynamic {
		return append(b, '?')
	}
	return strconv.AppendInt(b, d, 10)
}

// AppendType implements ir.TypeData.
func (t MultiTileBuf) AppendType(b []byte) []byte {
	info, _ := TileOf(t.Slot)
	b = info.appendBody(append(b, "!pto.multi_tile_buf<"...))
	return append(strconv.AppendInt(append(b, ", count="...), t.Count, 10), '>')
}

// AppendType implements ir.TypeData.
func (t PtrType) AppendType(b []byte) []byte {
	b = t.Elem.AppendTo(append(b, "!pto.ptr<"...))
	if t.Space != sem.GM {
		b = append(append(b, ", "...), t.Space.String()...)
	}
	return append(b, '>')
}

// AppendType implements ir.TypeData.
func (t TensorView) AppendType(b []byte) []byte {
	return append(t.Elem.AppendTo(ir.AppendDims(append(b, "!pto.tensor_view<"...), t.Shape)), '>')
}

// AppendType implements ir.TypeData.
func (t PartitionView) AppendType(b []byte) []byte {
	return append(t.Elem.AppendTo(ir.AppendDims(append(b, "!pto.partition_tensor_view<"...), t.Shape)), '>')
}

// AppendType implements ir.TypeData.
func (t VReg) AppendType(b []byte) []byte {
	b = strconv.AppendInt(append(b, "!pto.vreg<"...), t.Lanes, 10)
	return append(t.Elem.AppendTo(append(b, 'x')), '>')
}

// AppendType implements ir.TypeData.
func (t Mask) AppendType(b []byte) []byte {
	return append(strconv.AppendUint(append(b, "!pto.mask<b"...), uint64(t.Bits), 10), '>')
}

// AppendType implements ir.TypeData.
func (t Handle) AppendType(b []byte) []byte { return append(append(b, "!pto."...), t.Name...) }

// Ptr returns the pointer type to elem in a space.
func Ptr(elem ir.Type, s sem.Space) ir.Type { return ir.TypeOf(PtrType{elem, s}) }

// BufOf returns the buffer type of a Level-1 tile type.
func BufOf(t ir.Type) ir.Type {
	if d, ok := ir.As[Tile](t); ok {
		return ir.TypeOf(TileBuf(d))
	}
	return t
}

// ViewDims returns the extents of a view of global memory.
func ViewDims(t ir.Type) (dims ir.Dims, ok bool) {
	switch d := t.Data().(type) {
	case TensorView:
		return d.Shape, true
	case PartitionView:
		return d.Shape, true
	case ir.MemRefType:
		return d.Shape, !d.Unranked
	}
	return dims, false
}

// UintType returns the unsigned integer type of the given width.
func UintType(width uint32) ir.Type {
	return ir.TypeOf(ir.IntegerType{Width: width, Sign: ir.Unsigned})
}

// VregType is the register type with elements t.
func VregType(t ir.Type) ir.Type {
	return ir.TypeOf(VReg{int64(VectorBytes / ByteSize(t)), t})
}

// MaskType returns the type of masks for lanes of the given width in bits.
func MaskType(bits int) ir.Type { return ir.TypeOf(Mask{uint8(bits)}) }
