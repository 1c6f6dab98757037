// This file defines pto-fuse-tiles, which fuses adjacent tile instructions into one loop.

package expand

import (
	"slices"

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

// fuse searches the function f for groups of instructions that can share a loop, and
// replaces each group by one vector function. It adds remarks and statistics about these
// groups to the context c of the pass.
func fuse(c *passes.Context, f *ir.Op) {
	u := &fuser{f: f, target: c.Target(f), clock: c.Clock(f), times: map[*ir.Op]duration{}}
	for _, g := range u.groups() {
		g.x.omitted = g.omitted(f)
		if c.Bool("remarks") {
			for _, k := range g.kernels[1:] {
				c.Remarkf(k.op, "is computed in the same vector loop as the instruction on line %d", lineOf(g.kernels[0].op))
			}
			for _, k := range g.kernels {
				if g.x.omitted[k.op] {
					c.Remarkf(k.op, "keeps its result in registers: the pass omits the store, because no instruction after the fused loop reads this result")
				}
			}
		}
		last := g.kernels[len(g.kernels)-1]
		g.x.op = last.op
		g.x.emit(g.space(), g.kernels...)
		g.freeAfter(last.op)
		for _, k := range g.kernels {
			k.op.Erase()
		}
		c.Count("num-fused", 1)
		c.Count("num-expanded", len(g.kernels))
		c.Count("num-omitted", len(g.x.omitted))
	}
}

// freeAfter moves instructions that free queue entries. It considers those between the
// kernels of the group, and moves them after an operation, the parameter last.
func (g *group) freeAfter(last *ir.Op) {
	next := last.Next()
	for _, op := range g.frees {
		if op.Before(last) {
			op.Remove()
			ir.Before(next).Insert(op)
		}
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

// group is a list of instructions of one block, in program order, that the pass fuses
// into one loop.
type group struct {
	x       *expander
	kernels []*kernel
	// frees are instructions between the kernels that free queue entries. They move after
	// the loop. Freeing an entry later never changes what is read from it.
	frees []*ir.Op
}

// fuser finds the groups of instructions of the function f.
type fuser struct {
	f      *ir.Op
	target ir.Target
	// clock predicts times, or is nil.
	clock passes.Clock
	// times caches the predicted times of single instructions.
	times map[*ir.Op]duration
}

// groups returns the groups of instructions of the function that can be fused. Each group
// has at least two instructions.
func (u *fuser) groups() []*group {
	var all []*group
	for op := range u.f.Walk() {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				all = append(all, u.blockGroups(b)...)
			}
		}
	}
	return all
}

// blockGroups returns the groups of instructions of the block b that can be fused.
// Operations between two instructions of a group access no memory, so the instructions
// may move past these operations.
func (u *fuser) blockGroups(b *ir.Block) []*group {
	var all []*group
	g := &group{x: &expander{target: u.target}}
	end := func() {
		if len(g.kernels) > 1 {
			all = append(all, g)
		}
		g = &group{x: &expander{target: u.target}}
	}
	for op := range b.Ops() {
		k := plan(g.x, op, u.target)
		switch {
		case k != nil && g.accepts(k) && u.pays(g, k):
			g.kernels = append(g.kernels, k)
		case k != nil:
			end()
			if k = plan(g.x, op, u.target); !k.conflicts() {
				g.kernels = append(g.kernels, k)
			}
		case len(g.kernels) > 0 && sem.QueueEntryOf(op).Act == sem.QueueFree:
			g.frees = append(g.frees, op)
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
	p, ok := kernels.Run(x, op)
	if !ok {
		p, _ = reductions.Run(x, op)
	}
	return p.kernel
}

// accessesNothing reports whether the operation op neither accesses memory nor orders
// other operations. The fusion may then move tile instructions from one side of op to the
// other.
func accessesNothing(op *ir.Op) bool {
	_, allocates := op.Def().Sem.(sem.AllocTile)
	return allocates || op.HasTrait(ir.Pure) || op.HasTrait(ir.ConstantLike)
}

// conflicts reports whether the tile instruction of k cannot be executed by one loop over
// registers, because its result overlaps an operand. A store in one iteration of this
// loop could then overwrite bytes that a later iteration has to load.
func (k *kernel) conflicts() bool {
	out := k.output()
	return slices.ContainsFunc(k.touches(), func(t touch) bool { return !t.write && t.meets(out) && !t.same(out) })
}

// accepts reports whether the instruction with the plan k can be added to the fused loop
// of the group. It must iterate over the same registers or over the same lines, must not
// conflict with the other instructions, and must leave enough vector registers.
func (g *group) accepts(k *kernel) bool {
	if len(g.kernels) == 0 {
		return !k.conflicts()
	}
	first := g.kernels[0]
	if !sameSpace(first, k) {
		if k.slim = k.fitsSlim(first); !k.slim {
			return false
		}
	}
	all := append(g.kernels[:len(g.kernels):len(g.kernels)], k)
	stages, perTile := stagesOf(all), 1
	space := (&group{kernels: all}).space()
	columns := slices.ContainsFunc(all, func(k *kernel) bool { return k.cols != nil })
	reloads := len(stages) > 1 && !space.unrolls()
	if columns && !space.unrolls() {
		return false
	}
	if columns || len(stages) > 1 && !reloads {
		perTile = int(space.perLine())
	}
	if k.conflicts() || registers(all, perTile) > vectorRegisters {
		return false
	}
	for i := range all {
		for _, e := range all[:i] {
			if !all[i].joins(e, all[:i], reloads) {
				return false
			}
		}
	}
	return !reloads || !crosses(stages)
}

// joins reports whether the kernel k can share a loop with the earlier kernel e. If both
// access the same bytes, their accesses must have the same elements at the same addresses:
// a register of one kernel then depends only on the register of the other one with the
// same index.
//
// There are two more rules. If the loop loads a tile only once, k may store to bytes that
// e has loaded before, if it computes with the result of e. A kernel must not store the
// element of a line that e loads from memory. The parameter before contains all kernels
// before k, and reloads reports that each stage of the loop loads its tiles again.
func (k *kernel) joins(e *kernel, before []*kernel, reloads bool) bool {
	for _, t := range e.touches() {
		for _, u := range k.touches() {
			switch {
			case !t.meets(u):
			case !t.same(u):
				if reloads || t.write || t.perLine || t.repeated || u.perLine || !k.uses(e) || !trails(u.o, t.o) {
					return false
				}
			case t.perLine && !t.write && !written(t.place(), before[:slices.Index(before, e)]):
				return false
			}
		}
	}
	return true
}

// written reports whether one of the kernels writes the element of each line at the given
// place.
func written(at place, ks []*kernel) bool {
	return slices.ContainsFunc(ks, func(k *kernel) bool {
		out := k.output()
		return out.perLine && out.place() == at
	})
}

// crosses reports whether a kernel of one stage accesses a tile that a kernel of an earlier
// stage has written. The registers of all elements of a line would have to remain.
func crosses(stages [][]*kernel) bool {
	out := map[place]bool{}
	for _, stage := range stages {
		for _, k := range stage {
			if slices.ContainsFunc(k.touches(), func(t touch) bool { return !t.perLine && out[t.place()] }) {
				return true
			}
		}
		for _, k := range stage {
			if t := k.output(); !t.perLine {
				out[t.place()] = true
			}
		}
	}
	return false
}

// uses reports whether the kernel k computes with the result of another instruction,
// whose plan is the parameter other. If it does, each register that k stores depends on
// registers that the other instruction has loaded.
func (k *kernel) uses(other *kernel) bool {
	return !other.output().perLine && slices.ContainsFunc(k.n.ins, func(o *operand) bool { return o.place() == other.out.place() })
}

// registers returns the number of vector registers that the fused loop of the kernels ks
// needs. It counts the registers of loop-invariant values, the registers per tile, given by
// the parameter perTile, and a reserve of spareRegisters.
func registers(ks []*kernel, perTile int) int {
	places := map[place]int{}
	n := spareRegisters
	for _, k := range ks {
		n += k.keeps
		for _, t := range k.touches() {
			if places[t.place()] = perTile; t.perLine {
				places[t.place()] = 1
			}
		}
	}
	for _, k := range places {
		n += k
	}
	return n
}

// trails considers a loop that, in each iteration, loads a register of one tile (the
// parameter in) and then stores a register of another tile (the parameter out). It
// reports whether the loop never overwrites bytes that it still has to load. This is
// certain if two conditions hold. The tile out does not start after the tile in. The
// distances between its elements and between its lines are not larger than those of the
// tile in.
func trails(out, in *operand) bool {
	x, known := analysis.BytesOf(out.value)
	y, both := analysis.BytesOf(in.value)
	return known && both && x.Space == y.Space && x.Root == y.Root && !out.window && !in.window && out.byCols() == in.byCols() &&
		x.From <= y.From && out.size <= in.size && out.pitch*out.size <= in.pitch*in.size
}

// sameSpace reports whether two instructions, given by their plans, have the same
// iteration space: they iterate over the same lines of tiles, and over the same registers
// within a line.
func sameSpace(a, b *kernel) bool {
	return a.n.lanes == b.n.lanes && a.n.byCols == b.n.byCols && sameExtents(a.over, b.over)
}

// sameExtents reports whether two tiles provably have the same valid region.
func sameExtents(a, b *operand) bool {
	same, _ := sameRegion(a, b)
	return same
}

// space returns the iteration space of the loop into which the instructions of the group
// are fused. It lists the tiles that all these instructions read and write.
func (g *group) space() *nest {
	n := *g.kernels[0].n
	n.ins, n.outs, n.written = nil, nil, nil
	for _, k := range g.kernels {
		if k.slim {
			n.flat = n.flat && n.lines.n == 1
			continue
		}
		n.flat = n.flat && k.n.flat
		n.ins, n.outs = append(n.ins, k.n.ins...), append(n.outs, k.n.outs...)
	}
	for _, k := range g.kernels {
		n.written = append(n.written, k.out)
	}
	return &n
}

// omitted returns the set of those instructions in the group whose results need not be
// stored in their tiles. The fused loop holds these results in registers. A result need
// not be stored if a later instruction of the group overwrites the same tile, or if no
// instruction of the function f reads the tile after the group.
func (g *group) omitted(f *ir.Op) map[*ir.Op]bool {
	omitted := map[*ir.Op]bool{}
	last := g.kernels[len(g.kernels)-1].op
	for i, k := range g.kernels {
		b, known := analysis.BytesOf(k.out.value)
		u := &unread{f: f, writer: k, bytes: b}
		if g.replaced(i) || known && b.Space == sem.UB && u.after(last) != read {
			omitted[k.op] = true
		}
	}
	return omitted
}

// replaced reports whether a later instruction of the group overwrites the result of the
// instruction with index i.
func (g *group) replaced(i int) bool {
	mine := g.kernels[i].output()
	return slices.ContainsFunc(g.kernels[i+1:], func(k *kernel) bool { return k.output().same(mine) })
}
