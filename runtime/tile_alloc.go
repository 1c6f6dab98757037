// This file compiles the allocation of tiles, and assigns memory to tiles without an
// address.

package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// storage allocates local memory for tiles without an address. Tiles never share memory:
// sharing requires live ranges, which the pass pto-plan-memory computes.
type storage struct {
	occupied analysis.Occupied
	// used is the end of the allocated memory in each memory space, in bytes.
	used  [sem.FB + 1]int64
	tiles []stored
}

// stored is a tile for which memory was allocated: the allocating operation, its memory
// space, and its size in bytes.
type stored struct {
	op    *ir.Op
	space sem.Space
	size  int
}

// tileAlign is the alignment of allocated tiles in bytes; vector loads require 32.
const tileAlign = 32

// take allocates memory in a memory space for the tile that op creates, and returns the
// address. The parameter size is the size of the tile in bytes. take always succeeds; the
// method check later reports a memory space that is too small.
func (s *storage) take(op *ir.Op, space sem.Space, size int) uint64 {
	at := s.occupied.Beside(space, s.used[space], int64(size))
	s.used[space] = at + int64(size)
	s.tiles = append(s.tiles, stored{op, space, size})
	return uint64(at)
}

// check reports an error for each memory space that is too small for the allocated tiles.
func (s *storage) check(p *planner) {
	for sp := range s.used {
		space := sem.Space(sp)
		if s.used[sp] <= int64(space.Size(p.target)) {
			continue
		}
		in := slices.DeleteFunc(slices.Clone(s.tiles), func(t stored) bool { return t.space != space })
		slices.SortStableFunc(in, func(a, b stored) int { return cmp.Compare(b.size, a.size) })
		text := s.occupied.TooLarge(space, len(in)-1, s.used[sp], p.target)
		if len(in) > 1 {
			text += "; the largest are " + largest(in[:min(3, len(in))])
		}
		p.errorf(in[0].op, "%s", text).
			Note(ir.Loc{}, analysis.PlanMemoryHint)
	}
}

// largest returns a text that lists the given tiles with their sizes in bytes, for
// messages about exhausted memory.
func largest(tiles []stored) string {
	var parts []string
	for _, t := range tiles {
		parts = append(parts, fmt.Sprintf("%%%s with %d bytes", t.op.Result(0).Name(), t.size))
	}
	return strings.Join(parts, ", ")
}

// allocTile compiles pto.alloc_tile into a step, a function that creates a tile with its
// valid region.
func (p *planner) allocTile(op *ir.Op, _ sem.AllocTile) step {
	v := op.Result(0)
	t, slots := v.Type(), 1
	if m, ok := ir.As[pto.MultiTileBuf](t); ok {
		t, slots = m.Slot, int(m.Count)
	}
	l := p.layoutOf(op, t)
	if l == nil {
		return nil
	}
	number, d := p.newTile(), p.slot(v)
	rows, cols := p.validExtents(op, l)
	at := pointee{op: op, name: "result", how: occupies, space: l.memory()}
	size := slots * l.bytes()
	addr := p.tileAddress(op, l.info.Space, size)
	return func(fr *frame) *Fault {
		a := addr(fr)
		if a%tileAlign != 0 {
			return at.misaligned(a, tileAlign)
		}
		data, f := at.bytes(fr.core, a, size)
		if f != nil {
			return f
		}
		t := &fr.tiles[number]
		*t = tile{data: data, addr: a, pitch: l.pitch()}
		if t.rows, f = rows(fr); f != nil {
			return f
		}
		if t.cols, f = cols(fr); f != nil {
			return f
		}
		fr.t[d] = t
		return nil
	}
}

// tileAddress returns a function that returns the address of a new tile. If op has an
// address operand, this operand is the address. If not, the function allocates memory of
// the given size in the memory space.
func (p *planner) tileAddress(op *ir.Op, space sem.Space, size int) func(fr *frame) uint64 {
	if addr := sem.PlacingOf(op).Address; addr.Given() {
		s := p.slot(addr.Value)
		return func(fr *frame) uint64 { return fr.x[s] }
	}
	if onlyScratch(op.Result(0)) {
		return func(*frame) uint64 { return 0 } // execution needs no scratch memory
	}
	a := p.store.take(op, space, size)
	return func(*frame) uint64 { return a }
}

// onlyScratch reports whether instructions use the tile v only as scratch memory.
func onlyScratch(v *ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		scratch := false
		for i, a := range op.Form().Operands {
			from, to := op.ArgRange(i)
			scratch = scratch || a.Role == ir.Scratch && from <= u.Index() && u.Index() < to
		}
		if !scratch {
			return false
		}
	}
	return true
}

// extent returns a function that returns, at run time, one extent of a valid region. If
// the instruction has operand o, the extent is the value of this operand. If it does
// not, the extent is the parameter static. The function faults for values that are
// negative or greater than the parameter limit.
func (p *planner) extent(op *ir.Op, o sem.Operand, static int64, limit int) func(fr *frame) (int, *Fault) {
	if !o.Given() {
		return func(*frame) (int, *Fault) { return int(static), nil }
	}
	s := p.slot(o.Value)
	return func(fr *frame) (int, *Fault) {
		n := int64(fr.x[s])
		if n < 0 || n > int64(limit) {
			return 0, faultAt(op, "has %s = %d, but this operand must be between 0 and %d, the size of the tile", o.Name, n, limit)
		}
		return int(n), nil
	}
}

// tileSlot compiles op into a step, a function that selects one tile of a multi-buffer. A
// multi-buffer is an array of tiles of equal type in adjacent memory, so that a loop can
// fill one tile while another is in use. The step faults if the index is out of range.
func (p *planner) tileSlot(op *ir.Op, _ sem.TileSlot) step {
	m, _ := ir.As[pto.MultiTileBuf](op.Operand(0).Type())
	l := p.layoutOf(op, op.Result(0).Type())
	if l == nil {
		return nil
	}
	src, which := p.slot(op.Operand(0)), p.slot(sem.PlacingOf(op).Slot.Value)
	number, d := p.newTile(), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		i := int64(fr.x[which])
		if i < 0 || i >= m.Count {
			return faultAt(op, "selects slot %d, but the number of slots is %d", i, m.Count)
		}
		t, from := &fr.tiles[number], int(i)*l.bytes()
		*t = *fr.t[src]
		t.data, t.addr = t.data[from:from+l.bytes()], t.addr+uint64(from)
		fr.t[d] = t
		return nil
	}
}

// validExtents returns two functions, which return the numbers of valid rows and of valid
// columns of a new tile at run time. The parameter l is the layout of the tile.
func (p *planner) validExtents(op *ir.Op, l *layout) (rows, cols func(fr *frame) (int, *Fault)) {
	to := sem.PlacingOf(op)
	return p.extent(op, to.Rows, l.info.VRows, l.rows), p.extent(op, to.Cols, l.info.VCols, l.cols)
}
