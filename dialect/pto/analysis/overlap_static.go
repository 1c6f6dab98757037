// This file compares the memory of tiles with known addresses.

package analysis

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Bytes is a range of bytes in a memory. Root is the allocation to which the addresses
// are relative, or nil if they are absolute.
type Bytes struct {
	Space sem.Space
	// Root is the allocation to which From and To are relative, or nil if they are
	// absolute addresses.
	Root     *ir.Value
	From, To int64
}

// Meets reports whether the ranges x and y certainly share a byte. It returns false if
// the ranges are in different memory spaces. It also returns false if the two offsets
// count from different allocations, because the distance between allocations is not known
// at compile time.
func (x Bytes) Meets(y Bytes) bool {
	return x.Space == y.Space && x.Root == y.Root && x.From < y.To && y.From < x.To
}

// BytesOf returns the range from the first to the last byte of the tile v. The bool
// result is false if its address is unknown.
func BytesOf(v *ir.Value) (Bytes, bool) {
	if v == nil || v.Op() == nil {
		return Bytes{}, false
	}
	op := v.Op()
	switch op.Def().Sem.(type) {
	case sem.AllocTile:
		b := Bytes{Space: pto.SpaceOf(v.Type()), Root: v, To: pto.StorageOf(v.Type())}
		if addr := op.Arg("addr"); addr != nil {
			at, known := arith.ConstantInt(addr)
			b.Root, b.From, b.To = nil, at, at+b.To
			return b, known
		}
		return b, true
	case sem.SameStorage:
		return BytesOf(op.Operand(0))
	case sem.SubTile:
		return bytesOfPart(op)
	case sem.Scope:
		return BytesOf(yielded(op, v.Index()))
	}
	return Bytes{}, false
}

// yielded returns the value that the region of op yields as the result with the given
// index, or nil.
func yielded(op *ir.Op, index int) *ir.Value {
	body := op.Region(0).Entry()
	if body == nil || body.Last() == nil || index >= body.Last().NumOperands() {
		return nil
	}
	return body.Last().Operand(index)
}

// bytesOfPart returns the range of bytes of op, a rectangular region of a tile without
// boxes. The bool result is false if its offsets are unknown.
func bytesOfPart(op *ir.Op) (Bytes, bool) {
	b, known := BytesOf(op.Arg("source"))
	whole, _ := pto.TileOf(op.Arg("source").Type())
	part, ok := pto.TileOf(op.Result(0).Type())
	offsets := op.Args("offsets")
	if !known || !ok || len(offsets) != 2 || whole.SLayout != pto.NoneBox || whole.Compact != 0 {
		return b, false
	}
	line, known1 := arith.ConstantInt(offsets[0])
	at, known2 := arith.ConstantInt(offsets[1])
	lines, length, pitch := part.Rows, part.Cols, whole.Cols
	if whole.BLayout == pto.ColMajor {
		line, at, lines, length, pitch = at, line, length, lines, whole.Rows
	}
	size := int64(pto.ByteSize(whole.Elem))
	b.From += (line*pitch + at) * size
	b.To = b.From + ((lines-1)*pitch+length)*size
	return b, known1 && known2
}
