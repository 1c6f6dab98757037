// This file defines the types of the dialect.

package pto

import (
	"strconv"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Layout is the order of the elements of a tile. A tile has two layouts: the order of
// boxes (or of elements, without boxes), and the order inside boxes.
type Layout uint8

// The layouts of tiles. The property blayout, the outer order of a tile, is RowMajor or
// ColMajor. The property slayout, the order inside boxes, is NoneBox, RowMajor or
// ColMajor.
const (
	// NoneBox means storage without boxes.
	NoneBox Layout = iota
	RowMajor
	ColMajor
)

// layoutNames are the names of layouts in programs, indexed by Layout.
var layoutNames = []string{"none_box", "row_major", "col_major"}

// String returns the name of the layout in programs, such as row_major.
func (l Layout) String() string { return layoutNames[l] }

// Pad is the policy for filling a tile outside of its valid region.
type Pad uint8

// The padding policies, numbered as in public sources: none, zero, the largest number and
// the smallest number of the element type.
const (
	PadNull Pad = iota
	PadZero
	PadMax
	PadMin
)

// DefaultFractal is the size in bytes of a box (inner block of a tile) if the type omits
// it.
const DefaultFractal = 512

// TileInfo describes a tile. It is the common part of Level 1 tiles (values) and Level 2
// tile buffers.
type TileInfo struct {
	Space sem.Space
	Elem  ir.Type
	// Rows and Cols are the dimensions of the storage.
	Rows, Cols int64
	// VRows and VCols are the dimensions of the valid region, the part that holds data.
	// They are ir.Dynamic if only the run determines them.
	VRows, VCols int64
	// BLayout is the order of boxes, or of elements in a tile without boxes. SLayout is the
	// order of elements inside boxes.
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
	// MultiTileBuf is !pto.multi_tile_buf: Count buffers (slots) of one type.
	MultiTileBuf struct {
		Slot  ir.Type
		Count int64
	}
	// PtrType is !pto.ptr: a pointer to elements in a memory space.
	PtrType struct {
		Elem  ir.Type
		Space sem.Space
	}
	// TensorView is !pto.tensor_view: a tensor in global memory.
	TensorView struct {
		Shape ir.Dims
		Elem  ir.Type
	}
	// PartitionView is !pto.partition_tensor_view: a rectangular region of a TensorView.
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
	// ElemType is an element type that MLIR does not have, such as hif8.
	ElemType struct{ Kind ElemKind }
	// Handle is a type that is only identified by its name, such as the type of a queue.
	Handle struct{ Name string }
)

// ElemKind identifies an element type that the dialect defines.
type ElemKind uint8

// The element types that the dialect defines. An element of a type with suffix x2
// consists of two numbers.
const (
	KindHiF8 ElemKind = iota
	KindF8E8M0
	KindHiF8x2
	KindF4E1M2x2
	KindF4E2M1x2
	KindBF16x2
)

// elemKinds describes the element types that the dialect defines. Each entry contains the
// name of the type and its number format. The field elem is the set of element types that
// contains only this type. The field bytes is the size of an element in bytes.
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

// elem returns the set that contains the element type t and no other type.
func (t ElemType) elem() Elems { return elemKinds[t.Kind].elem }
func (t ElemType) bytes() int  { return elemKinds[t.Kind].bytes }

// Format returns the number format of the type. For types of pairs, it is the format of
// one of the two numbers.
func (t ElemType) Format() num.Format { return elemKinds[t.Kind].f }

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t ElemType) AppendType(b []byte) []byte {
	return append(append(b, "!pto."...), elemKinds[t.Kind].name...)
}

// Element returns the type of the tile's elements.
func (t TileInfo) Element() ir.Type { return t.Elem }

// Element returns the element type of the tiles in the multi-buffer, a sequence of
// several tile buffers of the same type.
func (t MultiTileBuf) Element() ir.Type { return ir.ElementType(t.Slot) }

// Element returns the type of the elements to which the pointer points.
func (t PtrType) Element() ir.Type { return t.Elem }

// Element returns the type of the tensor's elements.
func (t TensorView) Element() ir.Type { return t.Elem }

// Element returns the type of the region's elements.
func (t PartitionView) Element() ir.Type { return t.Elem }

// Element returns the type of the register's lanes.
func (t VReg) Element() ir.Type { return t.Elem }

// TileOf returns the description of t, a tile or tile buffer. The bool result is false
// for other types.
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

// MemorySpace implements sem.InSpace. It returns the memory that contains the tile.
func (t TileInfo) MemorySpace() sem.Space { return t.Space }

// MemorySpace implements sem.InSpace. It returns the memory that contains the slots of a
// multi-buffered tile.
func (t MultiTileBuf) MemorySpace() sem.Space { return sem.SpaceOf(t.Slot) }

// MemorySpace implements sem.InSpace. It returns the memory to which the pointer points.
func (t PtrType) MemorySpace() sem.Space { return t.Space }

// MemorySpace implements sem.InSpace. Views are always in global memory.
func (t TensorView) MemorySpace() sem.Space { return sem.GM }

// MemorySpace implements sem.InSpace. Regions of views are always in global memory.
func (t PartitionView) MemorySpace() sem.Space { return sem.GM }

// Extents returns the number of elements in each dimension of the region.
func (t PartitionView) Extents() ir.Dims { return t.Shape }

// Valid returns the rows and columns of the valid region, with ir.Dynamic for numbers
// that are only known at run time.
func (t TileInfo) Valid() (rows, cols int64) { return t.VRows, t.VCols }

// IsBuffer returns false for a Level 1 tile, because this tile is a value and not a
// buffer. The valid region of a value never changes.
func (t Tile) IsBuffer() bool { return false }

// IsBuffer returns true: a Level 2 tile is a buffer, and instructions may change its
// valid region.
func (t TileBuf) IsBuffer() bool { return true }

// StaticValid reports whether the type determines the rows and columns of the valid
// region.
func (t TileInfo) StaticValid() bool { return t.VRows != ir.Dynamic && t.VCols != ir.Dynamic }

// ValidShape returns the valid region as text, such as 16x?, where ? is a number that is
// only known at run time.
func (t TileInfo) ValidShape() string {
	b := append(AppendExtent(nil, t.VRows), 'x')
	return string(AppendExtent(b, t.VCols))
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t Tile) AppendType(b []byte) []byte {
	b = t.appendShape(append(b, "!pto.tile<"...))
	if t.Space != sem.UB {
		b = append(append(b, ", loc="...), t.Space.Loc()...)
	}
	return append(t.appendKeys(b), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t TileBuf) AppendType(b []byte) []byte {
	return append(t.appendBody(append(b, "!pto.tile_buf<"...)), '>')
}

// appendBody appends the text between the angle brackets of a tile type to b.
func (t TileInfo) appendBody(b []byte) []byte {
	b = append(append(b, t.Space.Loc()...), ", "...)
	return t.appendKeys(t.appendShape(b))
}

// appendShape appends the rows, the columns and the element type to b, as in 16x64xf32.
func (t TileInfo) appendShape(b []byte) []byte {
	b = strconv.AppendInt(b, t.Rows, 10)
	b = strconv.AppendInt(append(b, 'x'), t.Cols, 10)
	return t.Elem.AppendTo(append(b, 'x'))
}

// appendKeys appends the key=value items of a tile type that differ from their defaults
// to b.
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

// AppendExtent appends the size of a dimension to b, in the syntax of types: a number, or
// ? if it is only known at run time.
func AppendExtent(b []byte, d int64) []byte {
	if d == ir.Dynamic {
		return append(b, '?')
	}
	return strconv.AppendInt(b, d, 10)
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t MultiTileBuf) AppendType(b []byte) []byte {
	info, _ := TileOf(t.Slot)
	b = info.appendBody(append(b, "!pto.multi_tile_buf<"...))
	return append(strconv.AppendInt(append(b, ", count="...), t.Count, 10), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t PtrType) AppendType(b []byte) []byte {
	b = t.Elem.AppendTo(append(b, "!pto.ptr<"...))
	if t.Space != sem.GM {
		b = append(append(b, ", "...), t.Space.String()...)
	}
	return append(b, '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t TensorView) AppendType(b []byte) []byte {
	return append(t.Elem.AppendTo(ir.AppendDims(append(b, "!pto.tensor_view<"...), t.Shape)), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t PartitionView) AppendType(b []byte) []byte {
	return append(t.Elem.AppendTo(ir.AppendDims(append(b, "!pto.partition_tensor_view<"...), t.Shape)), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t VReg) AppendType(b []byte) []byte {
	b = strconv.AppendInt(append(b, "!pto.vreg<"...), t.Lanes, 10)
	return append(t.Elem.AppendTo(append(b, 'x')), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t Mask) AppendType(b []byte) []byte {
	return append(strconv.AppendUint(append(b, "!pto.mask<b"...), uint64(t.Bits), 10), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t Handle) AppendType(b []byte) []byte { return append(append(b, "!pto."...), t.Name...) }

// Ptr returns the pointer type to elements of type elem in memory space s.
func Ptr(elem ir.Type, s sem.Space) ir.Type { return ir.TypeOf(PtrType{elem, s}) }

// BufOf returns the Level 2 buffer type that corresponds to a Level 1 tile type. Other
// types are returned unchanged.
func BufOf(t ir.Type) ir.Type {
	if d, ok := ir.As[Tile](t); ok {
		return ir.TypeOf(TileBuf(d))
	}
	return t
}

// ViewDims returns the dimensions of a view of global memory. ok is false for other
// types.
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

// IsSignedInt reports whether t is an explicitly signed integer.
func IsSignedInt(t ir.Type) bool {
	d, ok := ir.As[ir.IntegerType](t)
	return ok && d.Sign == ir.Signed
}

// VregType returns the type of a vector register with elements of type t.
func VregType(t ir.Type) ir.Type {
	return ir.TypeOf(VReg{int64(VectorBytes / ByteSize(t)), t})
}

// MaskType returns the type of masks for lanes of the given width in bits.
func MaskType(bits int) ir.Type { return ir.TypeOf(Mask{uint8(bits)}) }
