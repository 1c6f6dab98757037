// This file determines which operands share bytes.

package expand

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Inside of a vector function, only registers and barriers order accesses (package
// order). A store comes after the loads that its register depends on, in this round of a
// loop and in earlier ones. Other loads of bytes that it writes need a barrier: those of
// a loop over whole registers, if the store is of the incomplete register after the loop.
// No load reads what an earlier store writes, because the rules of tile instructions
// exclude it; so registers are read to their last element only where tiles are apart.

// span is the byte range that one access of a loop reads or writes. The range starts at
// the offset in the field from and ends at the offset in the field to. The field place
// identifies the instruction in the emitted code, and the field number is the position of
// the access in execution order. Accesses by the same instruction need no barrier,
// because register dependences order them.
type span struct {
	place, number int64
	from, to      int64
}

// mostSpans limits the number of memory accesses that the function waits compares for a
// pair of tiles. Above this limit, waits assumes that the tiles overlap.
const mostSpans = 1 << 11

// waits reports whether a store to one tile must wait for earlier loads of another tile,
// because the two tiles may share bytes. The parameter in is the operand that is loaded,
// and out is the operand that is stored. places is the number of emitted instructions
// that access each tile. loads and stores contain the byte ranges of these accesses.
func waits(in, out *operand, places int64, loads, stores []span) bool {
	if places < 2 || apart(in, out) || in.value == out.value && !in.window && !out.window {
		return false
	}
	x, known := analysis.BytesOf(in.value)
	y, both := analysis.BytesOf(out.value)
	if known && both && x.Root == y.Root && x.From == y.From && in.pitch == out.pitch && in.size == out.size && !in.window && !out.window {
		return false // each element is read before it is written
	}
	if !known || !both || x.Root != y.Root || loads == nil || stores == nil {
		return true
	}
	for _, s := range stores {
		for _, l := range loads {
			if l.place != s.place && l.number < s.number && x.From+l.from < y.From+s.to && y.From+s.from < x.From+l.to {
				return true
			}
		}
	}
	return false
}

// apart reports whether two tiles provably share no byte.
func apart(a, b *operand) bool {
	x, known := within(a.value)
	y, both := within(b.value)
	return known && both && !x.Meets(y)
}

// within returns a range that contains all bytes of the tile v. The bool result is false
// if none is known.
func within(v *ir.Value) (analysis.Bytes, bool) {
	if b, known := analysis.BytesOf(v); known {
		return b, true
	}
	return entryBytes(v)
}

// entryBytes returns the range of local memory from which the tile v was popped: the
// memory of a queue entry. If v shares the storage of another tile, the other tile
// determines the result. The bool result is false if the tile was not popped from a
// queue.
func entryBytes(v *ir.Value) (analysis.Bytes, bool) {
	if v == nil || v.Op() == nil {
		return analysis.Bytes{}, false
	}
	op := v.Op()
	if _, same := op.Def().Sem.(sem.SameStorage); same {
		return entryBytes(op.Operand(0))
	}
	if sem.QueueEntryOf(op).Act != sem.QueuePop {
		return analysis.Bytes{}, false
	}
	buffer := isasync.FindQueues(op).Buffer(op)
	if buffer == nil || buffer.Op() == nil {
		return analysis.Bytes{}, false
	}
	return analysis.PlacedBytes(buffer.Op())
}

// places returns how many instructions in the emitted code access one line (row or
// column) of a tile. lanes is the number of lanes per register. The result is 1 if a loop
// over registers covers the line, and 2 if a second instruction accesses an incomplete
// register after the loop.
func (n *nest) places(lanes int64) int64 {
	_, length := n.constant()
	if length == ir.Dynamic || length < lanes || length%lanes == 0 {
		return 1
	}
	return 2
}

// spans returns the byte ranges of the accesses to the tile o, relative to the start of
// the tile and in execution order. It returns nil if the ranges are not constant or if
// there are more than mostSpans.
func (n *nest) spans(o *operand) []span {
	lines, length := n.constant()
	if lines == ir.Dynamic || length == ir.Dynamic || o.window || lines*(length/n.lanes+1) > mostSpans {
		return nil
	}
	list := []span{}
	for line := range lines {
		for at := int64(0); at < length; at += n.lanes {
			list = append(list, o.span(int64(len(list)), line, at, min(n.lanes, length-at), n.lanes))
		}
	}
	return list
}

// span returns the byte range of one access to the operand, relative to its first byte.
// The access touches count elements of a line (row or column), starting with the element
// at; the parameter line is the index of the line. number is the position of the access
// in the order of execution, which the result records. lanes is the number of elements
// per register. A load reads complete blocks of 32 bytes, so the range ends at a multiple
// of 32 bytes.
func (o *operand) span(number, line, at, count, lanes int64) span {
	from := (line*o.pitch + at) * o.size
	s := span{number: number, from: from, to: pto.CeilDiv(from+count*o.size, pto.TileAlign) * pto.TileAlign}
	if count < lanes {
		s.place = 1
	}
	return s
}

// constant returns the size of the iteration space of the nest. The result lines is the
// number of iterations of the outer loop. The result length is the number of elements
// that one iteration of the outer loop processes. A result is ir.Dynamic if the number is
// not constant.
func (n *nest) constant() (lines, length int64) {
	if n.flat && n.lines.n != ir.Dynamic && n.length.n != ir.Dynamic {
		return 1, n.lines.n * n.length.n
	}
	return n.lines.n, n.length.n
}

// place identifies the memory of a tile: its base, offset and stride. Two tiles with
// equal places have every element at the same address.
type place struct {
	// value is the allocation of the tile, or the tile itself if its address is unknown.
	value       *ir.Value
	from        int64
	pitch, size int64
	window      bool
}

// place returns the location of the elements of tile o in memory: the allocation, the
// offset in it, and the distance between lines.
func (o *operand) place() place {
	at := place{value: o.value, pitch: o.pitch, size: o.size, window: o.window}
	if b, ok := analysis.BytesOf(o.value); ok {
		at.value, at.from = b.Root, b.From
	}
	return at
}
