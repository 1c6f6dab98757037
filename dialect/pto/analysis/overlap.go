// This file determines which operands of an instruction can share bytes, and in which
// way.

package analysis

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Sharing is a pair of tiles of one instruction that could share memory. The instruction
// writes at least one of them.
type Sharing struct {
	Other, Written *ir.Value
	// OtherName and WrittenName are the names of the operands.
	OtherName, WrittenName string
	// Sharing is the order in which the instruction reads and writes the elements of the two tiles.
	sem.Sharing
	// Both reports that the instruction writes both tiles, or uses Other as scratch
	// memory.
	Both bool
}

// operandTile is an operand that is a tile in a local memory, with its name and role.
type operandTile struct {
	name string
	role ir.Role
	v    *ir.Value
}

// SharingsOf returns the pairs of tiles of op, a Level 2 instruction, that can share
// bytes. Such tiles are in the same memory space, and op writes at least one of them.
func SharingsOf(op *ir.Op, t ir.Target) []Sharing {
	info := pto.InfoOf(op.Def())
	if info == nil || op.Form().Level != ir.DPS || info.Group != "tile" {
		return nil
	}
	tiles := operandTiles(op, info, t)
	first, ok := op.Def().Sem.(sem.ScratchFirst)
	scratchFirst := ok && first.ScratchFirst(op)
	var all []Sharing
	for i, w := range tiles {
		if w.role != ir.Out && w.role != ir.InOut {
			continue
		}
		for k, o := range tiles {
			if o.role == ir.Scratch && scratchFirst {
				continue
			}
			both := o.role != ir.In
			if o.v == w.v && o.role == ir.In && w.role == ir.InOut || k == i || both && o.role != ir.Scratch && k > i || pto.SpaceOf(o.v.Type()) != pto.SpaceOf(w.v.Type()) {
				continue
			}
			s := Sharing{Other: o.v, Written: w.v, OtherName: o.name, WrittenName: w.name, Both: both}
			if kind, ok := op.Def().Sem.(sem.Shares); ok {
				s.Sharing = kind.Sharing(o.name, w.name)
			}
			if kind, ok := op.Def().Sem.(sem.Collects); ok && kind.Collects(op) {
				s.Order = sem.ReadFirst
			}
			if both {
				s.Read = sem.AllStorage
			}
			if both || apartOn(op, info, o.name, w.name, t) {
				s.Order = sem.Unordered
			}
			all = append(all, s)
		}
	}
	return append(all, scratchSharings(tiles)...)
}

// Harmless reports whether the instruction computes correct results without a check or a
// copy, although its two tiles could share memory. There are two cases. In the first case,
// the tiles provably share no byte. In the second case, they are the same tile, the
// instruction writes only one of the two operands, and it reads each element before it
// writes the element at the same position.
func (s Sharing) Harmless() bool {
	x, known := BytesOf(s.Other)
	y, both := BytesOf(s.Written)
	if known && both && !x.Meets(y) {
		return true
	}
	return s.Other == s.Written && !s.Both && (s.Order == sem.SamePlace || s.Order == sem.ByElement)
}

// operandTiles returns the operands of op that are tiles. It omits scratch tiles if the
// instruction does not use them on target t.
func operandTiles(op *ir.Op, info *pto.Op, t ir.Target) []operandTile {
	var tiles []operandTile
	for k, a := range op.OperandArgs() {
		v := op.Operand(k)
		if pto.IsTile(v.Type()) && (a.Role != ir.Scratch || info.Scratch.Has(t)) {
			tiles = append(tiles, operandTile{a.Name, a.Role, v})
		}
	}
	return tiles
}

// scratchSharings returns all pairs of a scratch tile and a source in the same memory
// space. The tiles of such a pair must not overlap, because an instruction may write its
// scratch tile while it still reads its sources.
func scratchSharings(tiles []operandTile) []Sharing {
	var all []Sharing
	for _, w := range tiles {
		for _, o := range tiles {
			if w.role == ir.Scratch && o.role == ir.In && pto.SpaceOf(o.v.Type()) == pto.SpaceOf(w.v.Type()) {
				all = append(all, Sharing{Other: o.v, Written: w.v, OtherName: o.name, WrittenName: w.name})
			}
		}
	}
	return all
}

// apartOn reports whether a rule of op requires the operands named a and b to be
// different tiles on target t.
func apartOn(op *ir.Op, info *pto.Op, a, b string, t ir.Target) bool {
	for _, r := range info.Rules {
		if r, ok := r.(pto.Apart); ok && r.Holds(op, t) && (r.A == a && r.B == b || r.A == b && r.B == a) {
			return true
		}
	}
	return false
}

// Lines is the set of bytes of a tile, or of a region of it. It consists of Count rows of
// Len bytes each. The distance in bytes from the start of a row to the start of the next
// row is Pitch.
type Lines struct {
	Addr int64
	// Count is the number of rows, or of columns if ByCols is set.
	Count int64
	// Len is the length of a row in bytes.
	Len int64
	// Pitch is the distance in bytes between the starts of consecutive rows.
	Pitch int64
	// Step is the size of an element in bytes, or 0 if several elements share a byte.
	Step int64
	// ByCols reports that the rows in this set are columns of the tile.
	ByCols bool
	// Whole is the type of the tile if its elements are in boxes (inner blocks). The
	// order of rows is then not defined.
	Whole ir.Type
}

// LinesOf returns the bytes of the rows x cols elements at (0, 0) of a tile at address
// addr. pitch is the distance between rows in elements. For a tile with boxes (inner
// blocks), it returns the whole storage.
func LinesOf(t ir.Type, addr, pitch, rows, cols int64) Lines {
	info, _ := pto.TileOf(t)
	size := int64(info.ElemBytes())
	if info.SLayout != pto.NoneBox || info.Halves() {
		return Lines{Addr: addr, Count: 1, Len: info.Footprint(), Whole: t}
	}
	l := Lines{Addr: addr, Count: rows, Len: cols * size, Pitch: pitch * size, Step: size, ByCols: info.BLayout == pto.ColMajor}
	if l.ByCols {
		l.Count, l.Len = cols, rows*size
	}
	return l.plain()
}

// plain returns a normal form: two sets with the same bytes can have different fields,
// and plain makes them equal. Rows of a single element that are adjacent become one row.
func (l Lines) plain() Lines {
	if l.Count > 1 && l.Pitch == l.Step && l.Len == l.Step {
		l.Count, l.Len, l.ByCols = 1, l.Count*l.Step, !l.ByCols
	}
	if l.Count == 1 {
		l.Pitch = l.Len
	}
	return l
}

// End returns the address after the last byte of the set.
func (l Lines) End() int64 { return l.Addr + (l.Count-1)*l.Pitch + l.Len }

// Empty reports whether l contains no bytes.
func (l Lines) Empty() bool { return l.Count <= 0 || l.Len <= 0 }

// Meets reports whether the sets l and o have a byte in common.
func (l Lines) Meets(o Lines) bool {
	switch {
	case l.Empty() || o.Empty() || l.Addr >= o.End() || o.Addr >= l.End():
		return false
	case l.Count == 1 && o.Count == 1:
		return true
	}
	return l.lineMeets(o)
}

// lineMeets reports whether the row sets l and o have a byte in common. It iterates over
// the rows of both sets in the order of their addresses. The method Meets uses it after
// simpler checks.
func (l Lines) lineMeets(o Lines) bool {
	if l.Pitch == o.Pitch {
		at := (o.Addr - l.Addr) % l.Pitch
		if at < 0 {
			at += l.Pitch
		}
		if at >= l.Len && at+o.Len <= l.Pitch {
			return false // beside each other in all lines
		}
	}
	for i, k := int64(0), int64(0); i < l.Count && k < o.Count; {
		a, b := l.Addr+i*l.Pitch, o.Addr+k*o.Pitch
		switch {
		case a+l.Len <= b:
			i++
		case b+o.Len <= a:
			k++
		default:
			return true
		}
	}
	return false
}

// Allows reports whether the instruction works correctly on target t although the bytes r
// that it reads overlap the bytes w that it writes.
func (s Sharing) Allows(r, w Lines, t ir.Target) bool {
	if s.Order == sem.ReadFirst {
		return true
	}
	if r.Whole != w.Whole || s.Order == sem.Unordered {
		return false
	}
	same := r.Addr == w.Addr
	switch s.Order {
	case sem.RowByRow:
		return w.Addr <= r.Addr && !r.ByCols && (w.Pitch <= r.Pitch || w.Count == 1 && w.Step <= r.Pitch)
	case sem.ColumnByColumn:
		return same || t == sem.A5 && r.Pitch > 0 && (w.Addr-r.Addr)%r.Pitch == 0
	}
	if r.Count > 1 && w.Count > 1 && r.ByCols != w.ByCols || r.Whole != (ir.Type{}) {
		return same && r.Whole != (ir.Type{})
	}
	lines := r.Count > 1 || w.Count > 1
	switch {
	case same && r.Step == w.Step && (!lines || r.Count == w.Count && r.Pitch == w.Pitch):
		return true
	case s.Order == sem.SamePlace:
		return false
	case s.Order == sem.ByElement && lines && !same && (r.Len > pto.VectorBytes || w.Len > r.Len):
		return false // lines of several vectors may be done by columns of vectors
	case !lines && r.Len <= pto.VectorBytes && w.Len <= pto.VectorBytes:
		return true
	}
	return w.Addr <= r.Addr && w.Step <= r.Step && (!lines || r.Count == w.Count && w.Pitch <= r.Pitch)
}
