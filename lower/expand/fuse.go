// This file defines pto-fuse-tiles, which fuses adjacent tile instructions into one loop.

package expand

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Fuse is the pass pto-fuse-tiles. It expands tile instructions like pto-expand-tile-op,
// and fuses adjacent instructions with the same iteration space into one loop.
var Fuse = expansion(passes.Pass{
	Name:  "pto-fuse-tiles",
	Title: "PTOFuseTiles",
	Doc:   "Expands tile instructions like pto-expand-tile-op, and fuses adjacent tile instructions with the same iteration space into one loop (a5 only). A fused loop keeps intermediate results in registers and stores only those that a later instruction reads.",
}, "report the fused instructions, the omitted stores, and each tile instruction that the pass keeps, with the reason", func(c *passes.Context, f *ir.Op) {
	fuse(c, f)
	expandAll(c, f)
},
	passes.Stat{Name: "num-fused", Doc: "loops into which several tile instructions were fused"},
	passes.Stat{Name: "num-omitted", Doc: "tiles whose stores the pass omitted, because no later instruction reads them"},
)

// vectorRegisters is the number of registers of the vector unit. A fused loop keeps at
// most vectorRegisters - spareRegisters results in registers, because each instruction
// needs a few registers for its own operands and results.
const (
	vectorRegisters = 32
	spareRegisters  = 4
)

// fuse replaces each group of instructions of the function f that can share a loop by one
// vector function. It also reports remarks and counts statistics in c.
func fuse(c *passes.Context, f *ir.Op) {
	for _, g := range groups(f, c.Target(f)) {
		g.x.omitted = g.omitted(f)
		if c.Bool("remarks") {
			for _, k := range g.kernels[1:] {
				c.Remarkf(k.op, "is computed in the same vector loop as the instruction on line %d", lineOf(g.kernels[0].op))
			}
			for _, k := range g.kernels {
				if g.x.omitted[k.op] {
					c.Remarkf(k.op, "keeps its result in registers and does not store it, because no instruction reads the tile later")
				}
			}
		}
		last := g.kernels[len(g.kernels)-1]
		g.x.op = last.op
		g.x.emit(g.space(), g.kernels...)
		for _, k := range g.kernels {
			k.op.Erase()
		}
		c.Count("num-fused", 1)
		c.Count("num-expanded", len(g.kernels))
		c.Count("num-omitted", len(g.x.omitted))
	}
}

// lineOf returns the number of the source line of the operation op, or 0 if its location
// is unknown.
func lineOf(op *ir.Op) int {
	if src, off := op.Loc().Source(); src != nil {
		line, _ := src.Position(off)
		return line
	}
	return 0
}

// group is a list of instructions of one block that are fused into one loop, in program
// order.
type group struct {
	x       *expander
	kernels []*kernel
}

// groups returns the groups of instructions of the function f that can be fused. Each
// group has at least two instructions.
func groups(f *ir.Op, t ir.Target) []*group {
	var all []*group
	for op := range f.Walk() {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				all = append(all, blockGroups(b, t)...)
			}
		}
	}
	return all
}

// blockGroups returns the groups of instructions of the block b that can be fused.
// Operations between two instructions of a group access no memory, so the instructions
// may move past these operations.
func blockGroups(b *ir.Block, t ir.Target) []*group {
	var all []*group
	g := &group{x: &expander{target: t}}
	end := func() {
		if len(g.kernels) > 1 {
			all = append(all, g)
		}
		g = &group{x: &expander{target: t}}
	}
	for op := range b.Ops() {
		k := plan(g.x, op, t)
		switch {
		case k != nil && g.accepts(k):
			g.kernels = append(g.kernels, k)
		case k != nil:
			end()
			if k = plan(g.x, op, t); !k.n.conflicts() {
				g.kernels = append(g.kernels, k)
			}
		case !accessesNothing(op):
			end()
		}
	}
	end()
	return all
}

// plan returns a plan (kernel) for the expansion of the tile instruction op. It returns
// nil if the vector unit does not execute op, or if op cannot share a loop.
func plan(x *expander, op *ir.Op, t ir.Target) *kernel {
	info := pto.InfoOf(op.Def())
	if info == nil || info.Group != "tile" || op.Form().Level != ir.DPS || pto.PipeFor(op, t) != sem.PipeV {
		return nil
	}
	x.op = op
	p, _ := kernels.Run(x, op)
	return p.kernel
}

// accessesNothing reports whether the operation op accesses no memory and imposes no
// order on other operations. Tile instructions may then move past op.
func accessesNothing(op *ir.Op) bool {
	_, allocates := op.Def().Sem.(sem.AllocTile)
	return allocates || op.HasTrait(ir.Pure) || op.HasTrait(ir.ConstantLike)
}

// conflicts reports whether a store in this iteration space may overwrite bytes that
// another iteration still has to load.
func (n *nest) conflicts() bool {
	for _, out := range n.outs {
		for _, in := range n.ins {
			if !apart(in, out) && in.place() != out.place() {
				return true
			}
		}
	}
	return false
}

// accepts reports whether the instruction with the plan k can be added to the fused loop
// of the group. It must iterate over the same registers, must not conflict with the other
// instructions, and must leave enough vector registers.
func (g *group) accepts(k *kernel) bool {
	if len(g.kernels) == 0 {
		return !k.n.conflicts()
	}
	first := g.kernels[0]
	if k.n.conflicts() || !sameSpace(first, k) || g.registers(k) > vectorRegisters {
		return false
	}
	for _, other := range g.kernels {
		if !independent(other, k) || !independent(k, other) {
			return false
		}
	}
	return true
}

// registers returns the number of vector registers that the fused loop needs with the
// additional plan k: the registers of loop-invariant values, one register per tile, and a
// reserve of spareRegisters.
func (g *group) registers(k *kernel) int {
	n := spareRegisters
	places := map[place]bool{}
	for _, k := range append(g.kernels[:len(g.kernels):len(g.kernels)], k) {
		n += k.keeps
		for _, o := range k.n.tiles() {
			places[o.place()] = true
		}
	}
	return n + len(places)
}

// independent reports whether two instructions, given by their plans, can share a loop:
// each tile that the first one stores is either disjoint from every tile of the other, or
// has the same addresses. Then a register of one depends only on the register of the
// other with the same index.
func independent(writer, other *kernel) bool {
	for _, out := range writer.n.outs {
		for _, o := range other.n.tiles() {
			if !apart(out, o) && out.place() != o.place() {
				return false
			}
		}
		if other.vector != nil && !apart(out, other.vector) {
			return false
		}
	}
	return true
}

// sameSpace reports whether two plans have equal iteration spaces: the same lines of
// tiles, and the same registers within a line.
func sameSpace(a, b *kernel) bool {
	return a.n.lanes == b.n.lanes && a.n.byCols == b.n.byCols && sameExtents(a.over, b.over)
}

// sameExtents reports whether two tiles provably have the same valid region.
func sameExtents(a, b *operand) bool {
	same, _ := sameRegion(a, b)
	return same
}

// space returns the iteration space of the loop for all instructions of the group, with
// the tiles that they read and write.
func (g *group) space() *nest {
	n := *g.kernels[0].n
	n.ins, n.outs = nil, nil
	for _, k := range g.kernels {
		n.flat = n.flat && k.n.flat
		n.ins, n.outs = append(n.ins, k.n.ins...), append(n.outs, k.n.outs...)
	}
	n.written = n.outs
	return &n
}

// omitted returns the set of those instructions of the group whose results need not be
// stored. Either a later instruction of the group overwrites the result, or no
// instruction of the function f reads it after the group.
func (g *group) omitted(f *ir.Op) map[*ir.Op]bool {
	omitted := map[*ir.Op]bool{}
	last := g.kernels[len(g.kernels)-1].op
	for i, k := range g.kernels {
		b, known := analysis.BytesOf(k.over.value)
		u := &unread{f: f, writer: k, bytes: b}
		switch {
		case g.replaced(i), known && b.Space == sem.UB && u.after(last) != read:
			omitted[k.op] = true
		}
	}
	return omitted
}

// replaced reports whether a later instruction of the group overwrites the result of the
// instruction with index i.
func (g *group) replaced(i int) bool {
	at := g.kernels[i].over.place()
	for _, k := range g.kernels[i+1:] {
		if k.over.place() == at {
			return true
		}
	}
	return false
}
