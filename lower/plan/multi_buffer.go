package plan

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/passes"
)

// MultiBuffer gives loops several buffers in turn for what they load and
// store, so that the load of the next round need not wait until this round has
// done with its tile. It runs at Level 2, before memory is planned.
var MultiBuffer = &passes.Pass{
	Name:   "pto-multi-buffer",
	Title:  "PTOMultiBuffer",
	Doc:    "Turns tiles that a loop loads or stores into rings of buffers, so that rounds overlap.",
	Anchor: "func.func",
	Options: []passes.Option{
		{Name: "factor", Kind: passes.Number, Default: "2", Doc: "buffers of a ring, 2 to 16"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "tell which tiles become rings, and why others do not"},
	},
	Stats: []passes.Stat{{Name: "num-rings", Doc: "tiles that became rings"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		if fn.Body(f) == nil {
			return nil
		}
		m := &multiBuffer{c: c, f: f, target: c.Target(f), factor: c.Int("factor")}
		if m.factor < 2 || m.factor > 16 {
			c.Errorf(f, "cannot have rings of %d buffers: factor is 2 to 16", m.factor)
			return passes.ErrReported
		}
		return m.run()
	},
}

// multiBuffer works on one function.
type multiBuffer struct {
	c      *passes.Context
	f      *ir.Op
	target ir.Target
	factor int64
	used   [numSpaces]int64 // bytes of all tiles of the function
}

func (m *multiBuffer) run() error {
	var allocs []*ir.Op
	for op := range m.f.Walk() {
		if op.Is(isatile.AllocTile) || op.Is(isatile.AllocMultiTile) {
			t := op.Result(0).Type()
			m.used[pto.SpaceOf(t)] += pto.StorageOf(t)
			if op.Is(isatile.AllocTile) {
				allocs = append(allocs, op)
			}
		}
	}
	for _, a := range allocs {
		loop := moved(a)
		if loop == nil {
			continue // neither loaded nor stored in a loop
		}
		if why := m.refuses(a, loop); why != "" {
			if m.c.Bool("remarks") {
				m.c.Remarkf(a, "stays one buffer: %s", why)
			}
			continue
		}
		if m.c.Bool("remarks") {
			m.c.Remarkf(a, "becomes a ring of %d buffers", m.factor).Note(loop.Loc(), "for the rounds of this loop")
		}
		m.ring(a, loop)
		m.c.Count("num-rings", 1)
	}
	return nil
}

// moved returns the innermost counted loop in which a tile is copied from or
// to global memory, or nil.
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

// refuses says why a tile cannot be a ring, or "".
func (m *multiBuffer) refuses(a, loop *ir.Op) string {
	t := a.Result(0).Type()
	info, _ := pto.TileOf(t)
	switch {
	case a.Arg("addr") != nil:
		return "the program gives it an address"
	case !info.StaticValid():
		return "its valid region is known only when the program runs"
	}
	s := info.Space
	if more := (m.factor - 1) * pto.StorageOf(t); m.used[s]+more > capacity(s, m.target) {
		return fmt.Sprintf("%d more bytes of %s do not fit beside the %d of all tiles, of %d", more, s.Loc(), m.used[s], capacity(s, m.target))
	}
	return m.carries(a, loop)
}

// carries says why a tile takes something from one round to the next, or "".
// Its first use in a round must replace all of it.
func (m *multiBuffer) carries(a, loop *ir.Op) string {
	body := loop.Region(0).Entry()
	var first *ir.Op
	for u := range a.Result(0).Uses() {
		op := u.Owner()
		if !loop.Encloses(op) {
			return "it is used outside of the loop too"
		}
		if op.Block() != body {
			op = topIn(op, body)
		}
		if first == nil || op.Before(first) {
			first = op
		}
	}
	if first == nil || !m.replaces(first, a.Result(0)) {
		return "a round does not begin with replacing all of it, so it may carry something from round to round"
	}
	return ""
}

// topIn is the operation of a block that holds op.
func topIn(op *ir.Op, b *ir.Block) *ir.Op {
	for op.Block() != b {
		op = op.Parent()
	}
	return op
}

// replaces reports whether op writes all of a tile and does not read it.
func (m *multiBuffer) replaces(op *ir.Op, tile *ir.Value) bool {
	info, _ := pto.TileOf(tile.Type())
	if !writesWhole(op) || info.VRows != info.Rows || info.VCols != info.Cols {
		return false
	}
	for _, e := range pto.Effects(op) {
		if e.Value == tile && e.Kind != pto.Writes {
			return false
		}
	}
	return true
}

// ring makes a ring of a tile, in front of the loop, and takes the slot of the
// round at the start of the body.
func (m *multiBuffer) ring(a, loop *ir.Op) {
	t := a.Result(0).Type()
	ring := ir.TypeOf(pto.MultiTileBuf{Slot: t, Count: m.factor})
	m.used[pto.SpaceOf(t)] += (m.factor - 1) * pto.StorageOf(t)
	all := ir.Before(loop).Create(ir.State{Def: isatile.AllocMultiTile, Segs: []int32{0, 0, 0}, Results: []ir.Type{ring}}).Result(0)
	all.SetName(a.Result(0).Name())
	b := ir.Before(loop.Region(0).Entry().First())
	slot := b.Create(ir.State{Def: isatile.MultiTileGet, Operands: []*ir.Value{all, m.slot(b, loop)}, Results: []ir.Type{t}}).Result(0)
	a.Result(0).ReplaceAllUses(slot)
	a.Erase()
}

// slot computes the number of the round modulo the slots.
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
