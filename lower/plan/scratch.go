// This file defines the pass that adds scratch tiles.

package plan

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// MaterializeScratch adds scratch tiles to instructions of Level 2 that need them, if the
// program omits them. The memory plan then includes these tiles. If the program assigns
// addresses itself, the pass gives the scratch tiles addresses in memory that the program
// does not use.
var MaterializeScratch = &passes.Pass{
	Name:   "pto-materialize-implicit-tmp",
	Title:  "PTOMaterializeImplicitTmp",
	Doc:    "Allocates the scratch tiles that instructions need on the target hardware if the program omits them.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-scratch", Doc: "scratch tiles allocated"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		if fn.Body(f) == nil {
			return nil
		}
		target := c.Target(f)
		beside := besideOf(f, target)
		for op := range f.Walk() {
			if op.Form().Level != ir.DPS {
				continue
			}
			t, _, missing := pto.MissingScratch(op, target)
			if !missing {
				continue
			}
			if why := pto.CheckLayout(t); why != "" {
				c.Errorf(op, "cannot get a scratch tile of type %s: %s", ir.TypeOf(pto.TileBuf{TileInfo: t}), why)
				return passes.ErrReported
			}
			if beside == nil {
				c.Count("num-scratch", 1)
				op.AddArg("tmp", isatile.NewTile(op, t))
			} else if at, fits := beside.take(t); fits {
				c.Count("num-scratch", 1)
				op.AddArg("tmp", allocateAt(op, t, at))
			} else {
				c.Warnf(op, "cannot get a scratch tile: the addresses in the program do not leave %d bytes of %s free", t.Footprint(), t.Space.Loc()).
					Note(ir.Loc{}, pto.ScratchNote)
			}
		}
		return nil
	},
}

// beside describes the local memory that is still free in a function whose tiles already
// have addresses. A pass places scratch tiles in this memory. Scratch tiles never share
// bytes with each other, because instructions on several pipes may use them at the same
// time.
type beside struct {
	target ir.Target
	taken  [numSpaces][]*allocation
	// open reports that the memory space contains a tile whose address is not constant,
	// so that no address is known to be free.
	open [numSpaces]bool
}

// besideOf returns the local memory that is still free for scratch tiles in the function
// f. The function must contain tiles with addresses, whose memory is not free. If no tile
// of f has an address, besideOf returns nil.
func besideOf(f *ir.Op, target ir.Target) *beside {
	b, placed := &beside{target: target}, false
	for op := range f.Walk() {
		var r *allocation
		switch kind := op.Def().Sem.(type) {
		case sem.AllocTile:
			addr := op.Arg("addr")
			if addr == nil {
				continue
			}
			placed = true
			t := op.Result(0).Type()
			at, known := arith.ConstantInt(addr)
			b.open[pto.SpaceOf(t)] = b.open[pto.SpaceOf(t)] || !known
			r = &allocation{space: pto.SpaceOf(t), at: at, size: pto.StorageOf(t)}
		case sem.LocalBuffer:
			if r = reserved(op); kind.Imported || !r.fixed {
				continue
			}
		default:
			continue
		}
		b.taken[r.space] = insert(b.taken[r.space], r)
	}
	if !placed {
		return nil
	}
	return b
}

// take reserves memory for a tile and returns its address. The second result is false if
// there is not enough free memory.
func (b *beside) take(t pto.TileInfo) (int64, bool) {
	g := &ground{align: 32, limit: usable(t.Space, b.target)}
	at, ok := g.gap(b.taken[t.Space], t.Footprint())
	if !ok || b.open[t.Space] {
		return 0, false
	}
	b.taken[t.Space] = insert(b.taken[t.Space], &allocation{at: at, size: t.Footprint()})
	return at, true
}

// allocateAt inserts the allocation of a tile of type t directly before op and returns
// the tile. at is the address of the tile.
func allocateAt(op *ir.Op, t pto.TileInfo, at int64) *ir.Value {
	// The tile is allocated directly before its only user.
	addr := arith.Int(ir.Before(op), ir.I64, at)
	return ir.Before(op).Create(ir.State{
		Def: isatile.AllocTile, Operands: []*ir.Value{addr}, Segs: []int32{1, 0, 0}, Results: []ir.Type{ir.TypeOf(pto.TileBuf{TileInfo: t})},
	}).Result(0)
}
