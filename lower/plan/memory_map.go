// This file describes which tile occupies which memory and when.

package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// MemoryMap describes the position of each tile in local memory and the range of program
// points at which the tile is in use. It applies to programs whose tiles have addresses,
// for example after PlanMemory.
type MemoryMap struct {
	Functions []FunctionMap `json:"functions"`
}

// FunctionMap is the memory map of one function: its program points, and the tiles in
// each memory space.
type FunctionMap struct {
	Name string `json:"name"`
	// Points are the operations in order. From and To of tiles are indices in this list.
	Points []string   `json:"points"`
	Spaces []SpaceMap `json:"spaces"`
}

// SpaceMap describes how the tiles of a function use one memory space. Sizes and
// addresses are in bytes.
type SpaceMap struct {
	Space    string `json:"space"`
	Capacity int64  `json:"capacity"`
	// Top is the end of the highest tile.
	Top int64 `json:"top"`
	// Peak is the largest number of bytes that are in use at the same time, and PeakAt
	// the point where this happens.
	Peak   int64      `json:"peak"`
	PeakAt int        `json:"peak_at"`
	Tiles  []TileLife `json:"tiles"`
}

// TileLife describes the address range of a tile and the time during which the tile is in
// use. Times are program points, numbered in text order.
type TileLife struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// At is the source position of the allocation.
	At   string `json:"at"`
	Addr int64  `json:"address"`
	Size int64  `json:"bytes"`
	// From and To are the indices of the first and the last point at which the tile is in
	// use.
	From int `json:"from"`
	To   int `json:"to"`
}

// live reports whether the tile is in use at the point with index at.
func (t *TileLife) live(at int) bool { return t.From <= at && at <= t.To }

// MapMemory returns the memory map of a module for target t: for each function and memory
// space, the addresses of tiles and the times at which they are in use.
func MapMemory(module *ir.Op, t ir.Target) *MemoryMap {
	m := &MemoryMap{Functions: []FunctionMap{}}
	for _, f := range fn.Functions(module) {
		if fn.Body(f) == nil {
			continue
		}
		if fm := mapFunction(f, t); len(fm.Spaces) > 0 {
			m.Functions = append(m.Functions, fm)
		}
	}
	return m
}

// mapFunction returns the memory map of the function f for target t.
func mapFunction(f *ir.Op, t ir.Target) FunctionMap {
	fm := FunctionMap{Name: fn.Name(f)}
	points, ends := map[*ir.Op]int{}, map[*ir.Op]int{}
	for op := range f.Walk() {
		if op == f {
			continue
		}
		points[op] = len(fm.Points)
		for o := op; o != nil && o != f; o = o.Parent() {
			ends[o] = len(fm.Points)
		}
		fm.Points = append(fm.Points, op.Name()+" at "+op.Loc().String())
	}
	spaces := map[sem.Space]*SpaceMap{}
	for op := range f.Walk() {
		life, space, ok := lifeOf(op, points, ends)
		if !ok {
			continue
		}
		s := spaces[space]
		if s == nil {
			s = &SpaceMap{Space: space.Loc(), Capacity: int64(space.Size(t))}
			spaces[space] = s
		}
		s.Tiles = append(s.Tiles, life)
	}
	for space := sem.GM; space <= sem.FB; space++ {
		if s := spaces[space]; s != nil {
			s.measure(len(fm.Points))
			fm.Spaces = append(fm.Spaces, *s)
		}
	}
	return fm
}

// lifeOf returns the address, the live range and the memory space of the tile that op
// allocates. ok is false if op does not allocate a tile at a constant address. The maps
// points and ends contain the first and the last point of each operation.
func lifeOf(op *ir.Op, points, ends map[*ir.Op]int) (life TileLife, space sem.Space, ok bool) {
	if len(op.Results()) != 1 || op.Arg("addr") == nil || op.NumResults() != 1 {
		return life, space, false
	}
	v := op.Result(0)
	addr, known := pto.ConstantInt(op.Arg("addr"))
	tile, isTile := pto.TileOf(v.Type())
	if _, allocates := op.Def().Sem.(sem.AllocTile); !allocates || !known {
		return life, space, false
	}
	count := int64(1)
	if multi, isMulti := v.Type().Data().(pto.MultiTileBuf); isMulti {
		tile, isTile = pto.TileOf(multi.Slot)
		count = multi.Count
	}
	if !isTile {
		return life, space, false
	}
	life = TileLife{Name: "%" + v.Name(), Type: v.Type().String(), At: op.Loc().String(), Addr: addr, Size: tile.Footprint() * count, From: -1}
	life.uses(v, op, points, ends)
	if life.From < 0 {
		life.From, life.To = points[op], points[op]
	}
	return life, tile.Space, true
}

// uses extends the live range of the tile, so that it contains all uses of v and of views
// of its storage. A live range is a range of program points, which are numbers of
// operations in program order. A use in a loop extends the range to the whole loop if the
// tile is allocated outside of the loop. home is the operation that allocates the tile.
// The maps points and ends contain the first and the last point of each operation.
func (t *TileLife) uses(v *ir.Value, home *ir.Op, points, ends map[*ir.Op]int) {
	for u := range v.Uses() {
		op := u.Owner()
		from, to := points[op], points[op]
		for o := op.Parent(); o != nil && o != home.Parent(); o = o.Parent() {
			if _, inside := points[o]; inside && loops(o) {
				from, to = min(from, points[o]), max(to, ends[o])
			}
		}
		if t.From < 0 || from < t.From {
			t.From = from
		}
		t.To = max(t.To, to)
		for _, r := range op.Results() {
			if pto.IsTile(r.Type()) {
				t.uses(r, home, points, ends)
			}
		}
	}
}

// loops reports whether an operation can execute its regions more than once.
func loops(op *ir.Op) bool { return op.Is(scf.For) || op.Is(scf.While) }

// measure sorts the tiles of the memory space by address and computes two sizes in bytes.
// The field Top is the end address of the tiles. The field Peak is the largest number of
// bytes that are in use at the same program point.
func (s *SpaceMap) measure(points int) {
	slices.SortStableFunc(s.Tiles, func(a, b TileLife) int {
		return cmp.Or(cmp.Compare(a.Addr, b.Addr), cmp.Compare(a.From, b.From))
	})
	for i := range s.Tiles {
		s.Top = max(s.Top, s.Tiles[i].Addr+s.Tiles[i].Size)
	}
	// What is in use grows only where tiles begin.
	starts, ends := make([][]*TileLife, points), make([][]*TileLife, points+1)
	var bounds []int64
	for i := range s.Tiles {
		t := &s.Tiles[i]
		if t.From <= t.To && t.To < points {
			starts[t.From], ends[t.To+1] = append(starts[t.From], t), append(ends[t.To+1], t)
			bounds = append(bounds, t.Addr, t.Addr+t.Size)
		}
	}
	inUse := newCovered(bounds)
	for at := range points {
		for _, t := range ends[at] {
			inUse.change(t.Addr, t.Addr+t.Size, -1)
		}
		for _, t := range starts[at] {
			inUse.change(t.Addr, t.Addr+t.Size, 1)
		}
		if n := inUse.total(); n > s.Peak {
			s.Peak, s.PeakAt = n, at
		}
	}
}

// emptyMap is the text of a memory map in which no tile has an address.
const emptyMap = "no tile has an address in local memory"

// textWidth is the width, in characters, of the line on which Text shows the live range
// of a tile.
const textWidth = 48

// Text returns the map as text for terminals. Each tile is a row with a bar from the
// first to the last point at which the tile is in use.
func (m *MemoryMap) Text() string {
	if len(m.Functions) == 0 {
		return emptyMap + "\n"
	}
	var b strings.Builder
	for _, f := range m.Functions {
		for _, s := range f.Spaces {
			fmt.Fprintf(&b, "@%s %s: %d of %d bytes, peak %d at %s\n", ir.Visible(f.Name), s.Space, s.Top, s.Capacity, s.Peak, f.Points[s.PeakAt])
			for _, t := range s.Tiles {
				mark := " "
				if t.live(s.PeakAt) {
					mark = "*" // part of the peak
				}
				fmt.Fprintf(&b, "  %8d..%-8d %s %s %s\n", t.Addr, t.Addr+t.Size-1, bar(&t, len(f.Points)), mark, t.Name)
			}
		}
	}
	return b.String()
}

// bar returns the text of the bar that shows when a tile is in use.
func bar(t *TileLife, points int) string {
	scale := func(at int) int { return at * (textWidth - 1) / max(points-1, 1) }
	from, to := scale(t.From), scale(t.To)
	return "|" + strings.Repeat(" ", from) + strings.Repeat("#", to-from+1) + strings.Repeat(" ", textWidth-1-to) + "|"
}
