// This file defines the pass that gives loops several buffers in turn.

package plan

import (
	"fmt"
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/passes"
)

// MultiBuffer allocates several buffers for a tile that a loop loads or stores, and uses
// them cyclically. The load of the next iteration then need not wait until the current
// iteration has finished with its tile. The pass runs at Level 2, before memory is
// planned.
var MultiBuffer = &passes.Pass{
	Name:   "pto-multi-buffer",
	Title:  "PTOMultiBuffer",
	Doc:    "Allocates a ring of buffers for each tile that a loop loads or stores, and uses the next buffer in each iteration, so that consecutive iterations overlap in time.",
	Anchor: "func.func",
	Options: []passes.Option{
		{Name: "factor", Kind: passes.Number, Default: "2", Doc: "number of buffers in each ring, 2 to 16"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report which tiles the pass replaced by rings of buffers, and why it did not replace the others"},
	},
	Stats: []passes.Stat{{Name: "num-rings", Doc: "tiles replaced by rings of buffers"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		if fn.Body(f) == nil {
			return nil
		}
		m := &multiBuffer{c: c, f: f, target: c.Target(f), factor: c.Int("factor")}
		if m.factor < 2 || m.factor > 16 {
			c.Errorf(f, "requires the option factor to be between 2 and 16, but it is %d", m.factor)
			return passes.ErrReported
		}
		return m.run()
	},
}

// multiBuffer is the state of the pass MultiBuffer for one function.
type multiBuffer struct {
	c      *passes.Context
	f      *ir.Op
	target ir.Target
	factor int64
	// used is the size in bytes of all tiles of the function per space, including rings.
	used [numSpaces]int64
}

// run replaces each tile that a loop loads or stores by a ring of buffers, if that is
// legal and the memory suffices. It processes the tiles in program order, so the memory
// of each ring is not available to later ones.
func (m *multiBuffer) run() error {
	for _, r := range m.candidates() {
		if why := m.refuses(r.Alloc, r.Loop); why != "" {
			if m.c.Bool("remarks") {
				m.c.Remarkf(r.Alloc, "stays one buffer: %s", why)
			}
			continue
		}
		if m.c.Bool("remarks") {
			m.c.Remarkf(r.Alloc, "becomes a ring of %d buffers", m.factor).Note(r.Loop.Loc(), "for the iterations of this loop")
		}
		m.take(r.Alloc)
		m.ring(r.Alloc, r.Loop)
		m.c.Count("num-rings", 1)
	}
	return nil
}

// Ring is a tile that the pass replaces by a ring of buffers, and the loop whose
// iterations use the buffers cyclically.
type Ring struct{ Alloc, Loop *ir.Op }

// Rings returns the tiles of f that the pass pto-multi-buffer with its default options
// would replace by rings of buffers. It does not change f.
func Rings(f *ir.Op, target ir.Target) []Ring {
	m := &multiBuffer{f: f, target: target, factor: 2}
	var rings []Ring
	for _, r := range m.candidates() {
		if m.refuses(r.Alloc, r.Loop) == "" {
			m.take(r.Alloc)
			rings = append(rings, r)
		}
	}
	return rings
}

// candidates finds the tiles that a loop loads from or stores to global memory. It
// returns the allocation of each of these tiles, together with its loop, as a possible
// ring of buffers. It also adds the size in bytes of every tile of the function to
// m.used.
func (m *multiBuffer) candidates() []Ring {
	var rings []Ring
	for op := range m.f.Walk() {
		if op.Is(isatile.AllocTile) || op.Is(isatile.AllocMultiTile) {
			t := op.Result(0).Type()
			m.used[pto.SpaceOf(t)] += pto.StorageOf(t)
			if op.Is(isatile.AllocTile) {
				if loop := moved(op); loop != nil {
					rings = append(rings, Ring{op, loop})
				}
			}
		}
	}
	return rings
}

// take adds memory to m.used for the ring of buffers that replaces a tile. The operation
// a allocates the tile. The added size is that of all buffers of the ring except the
// first, in bytes.
func (m *multiBuffer) take(a *ir.Op) {
	t := a.Result(0).Type()
	m.used[pto.SpaceOf(t)] += (m.factor - 1) * pto.StorageOf(t)
}

// moved returns the innermost counted loop that contains a load of the allocated tile
// from global memory, or a store of it to global memory. It returns nil if there is no
// such loop.
func moved(alloc *ir.Op) *ir.Op {
	for u := range alloc.Result(0).Uses() {
		op := u.Owner()
		if !op.Is(isatile.TLoad) && !op.Is(isatile.TStore) {
			continue
		}
		for p := op.Parent(); p != nil; p = p.Parent() {
			if p.Def().Sem == scf.CountedLoop {
				return p
			}
		}
	}
	return nil
}

// refuses returns the reason why a tile cannot be replaced by a ring of buffers, or "".
// The operation a allocates the tile, and the iterations of the loop use it.
func (m *multiBuffer) refuses(a, loop *ir.Op) string {
	t := a.Result(0).Type()
	if a.Arg("addr") != nil {
		return "the program assigns an address to it"
	}
	s := pto.SpaceOf(t)
	if more := (m.factor - 1) * pto.StorageOf(t); m.used[s]+more > capacity(s, m.target) {
		return fmt.Sprintf("%d more bytes of %s do not fit: all tiles already use %d of %d bytes", more, s.Loc(), m.used[s], capacity(s, m.target))
	}
	return m.carries(a, loop)
}

// carries returns a message if a tile may carry data from one iteration of the loop to
// the next, and "" otherwise. The operation in the parameter a allocates this tile. A
// ring of buffers is legal only if the first instruction that uses the tile in each
// iteration overwrites all of it.
func (m *multiBuffer) carries(a, loop *ir.Op) string {
	body := loop.Region(0).Entry()
	var first *ir.Op
	for u := range a.Result(0).Uses() {
		op := u.Owner()
		if !loop.Encloses(op) {
			return "it is also used outside of the loop"
		}
		if op.Block() != body {
			op = body.Ancestor(op)
		}
		if first == nil || op.Before(first) {
			first = op
		}
	}
	if first == nil || !replaces(first, a) {
		return "an iteration does not first overwrite all of it, so it may carry data to the next iteration"
	}
	if reach := reachesPast(a); reach != nil {
		return fmt.Sprintf("'%s' may access it outside of its valid region, and iterations overwrite only the valid region", reach.Name())
	}
	return ""
}

// reachesPast returns an operation that can cause accesses to bytes of a tile outside its
// valid region. Such an operation accesses the storage of the tile as another type, or
// changes the valid region. If the result is nil, the program has no such operation, and
// bytes outside the valid region are never read. The parameter is the operation that
// allocates the tile.
func reachesPast(a *ir.Op) *ir.Op {
	tile := a.Result(0)
	if info, _ := pto.TileOf(tile.Type()); info.VRows == info.Rows && info.VCols == info.Cols {
		return nil
	}
	for u := range tile.Uses() {
		op := u.Owner()
		_, sets := op.Def().Sem.(sem.SetValid)
		if sets || slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return pto.SpaceOf(v.Type()) != sem.NoSpace }) {
			return op
		}
	}
	return nil
}

// replaces reports whether op writes the whole valid region of a tile without reading the
// tile. The parameter a is the operation that allocates the tile.
func replaces(op, a *ir.Op) bool {
	tile := a.Result(0)
	if !sem.OverwritesWhole(op) && !loadsWhole(op, a) {
		return false
	}
	for _, e := range pto.Effects(op) {
		if e.Value == tile && e.Kind != pto.Writes {
			return false
		}
	}
	return true
}

// loadsWhole reports whether op loads a complete tile from a view, so that the view has
// the same size as the valid region of the tile. The parameter a is the operation that
// allocates the tile. If an extent is computed at run time, the extent of the view and
// that of the tile must be the same SSA value.
func loadsWhole(op, a *ir.Op) bool {
	if !op.Is(isatile.TLoad) || op.Operand(op.NumOperands()-1) != a.Result(0) {
		return false
	}
	view := op.Operand(0)
	shape, ok := ir.As[pto.PartitionView](view.Type())
	if !ok {
		return false
	}
	info, _ := pto.TileOf(a.Result(0).Type())
	rows, cols := pto.ViewAxes(info)
	return sameExtent(view, shape, rows, info.VRows, a.Arg("valid_row")) && sameExtent(view, shape, cols, info.VCols, a.Arg("valid_col"))
}

// sameExtent reports whether two extents are certain to be equal. The first is the extent
// of a view along an axis; t is the type of the view. The second is an extent of a valid
// region, which is described by the last two arguments: the number if it is constant, or
// ir.Dynamic and the value that contains it at run time.
func sameExtent(view *ir.Value, t pto.PartitionView, axis pto.ViewAxis, valid int64, open *ir.Value) bool {
	known, computed := int64(1), []*ir.Value(nil)
	for _, d := range axis.Dims(t.Shape.Len()) {
		n := t.Shape.At(d)
		if n == ir.Dynamic {
			part := view.Op()
			if part == nil {
				return false
			}
			if _, ok := part.Def().Sem.(sem.PartView); !ok {
				return false
			}
			size, constant := part.Args("sizes")[d], false
			if n, constant = arith.ConstantInt(size); !constant {
				computed, n = append(computed, size), 1
			}
		}
		known *= n
	}
	if open != nil && len(computed) == 0 {
		valid, _ = arith.ConstantInt(open)
	}
	return len(computed) == 0 && known == valid || len(computed) == 1 && known == 1 && computed[0] == open
}

// ring replaces the tile that a allocates by a slot of a ring of buffers. Usually, the
// ring is allocated before the loop, and an operation at the start of the loop body
// selects the slot. However, the allocation may need a valid region that is computed in
// the loop. In this case, the allocation of the ring and the selection of the slot are
// inserted at the position of the old allocation in the loop, because each iteration sets
// the valid region of its slot.
func (m *multiBuffer) ring(a, loop *ir.Op) {
	at, b := ir.Before(loop), ir.Before(loop.Region(0).Entry().First())
	if slices.ContainsFunc(a.Operands(), func(v *ir.Value) bool { return definedIn(v, loop) }) {
		at, b = ir.Before(a), ir.Before(a)
	}
	segs := make([]int32, len(a.Form().Operands))
	for i := range segs {
		from, to := a.ArgRange(i)
		segs[i] = int32(to - from)
	}
	t := a.Result(0).Type()
	ring := ir.TypeOf(pto.MultiTileBuf{Slot: t, Count: m.factor})
	all := at.Create(ir.State{Def: isatile.AllocMultiTile, Operands: a.Operands(), Segs: segs, Results: []ir.Type{ring}}).Result(0)
	all.SetName(a.Result(0).Name())
	slot := b.Create(ir.State{Def: isatile.MultiTileGet, Operands: []*ir.Value{all, m.slot(b, loop)}, Results: []ir.Type{t}}).Result(0)
	a.Result(0).ReplaceAllUses(slot)
	a.Erase()
}

// definedIn reports whether a value is defined inside a loop.
func definedIn(v *ir.Value, loop *ir.Op) bool {
	if op := v.Op(); op != nil {
		return loop.Encloses(op)
	}
	owner := v.Block().Parent()
	return owner == loop || loop.Encloses(owner)
}

// slot emits code that computes the number of the iteration modulo the number of buffers
// in the ring.
func (m *multiBuffer) slot(b *ir.Builder, loop *ir.Op) *ir.Value {
	v, lo, step := loop.Region(0).Entry().Arg(0), loop.Arg("lowerBound"), loop.Arg("step")
	calc := func(def *ir.Def, y *ir.Value) {
		v = b.Create(ir.State{Def: def, Operands: []*ir.Value{v, y}, Results: []ir.Type{v.Type()}}).Result(0)
	}
	if n, known := arith.ConstantInt(lo); !known || n != 0 {
		calc(arith.SubI, lo)
	}
	if n, known := arith.ConstantInt(step); !known || n != 1 {
		calc(arith.DivUI, step)
	}
	calc(arith.RemUI, arith.Int(b, v.Type(), m.factor))
	if v.Type() != ir.Index {
		v = b.Create(ir.State{Def: arith.IndexCast, Operands: []*ir.Value{v}, Results: []ir.Type{ir.Index}}).Result(0)
	}
	return v
}
