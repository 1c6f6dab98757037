// This file builds the tree of blocks and accesses that the analysis works on.

package insertsync

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// touch is one memory access of an instruction on a pipe.
type touch struct {
	location
	pipe   line
	write  bool
	atomic bool
	// source means that other accesses wait for this one, but that the access itself
	// never waits.
	source bool
	// frees means that the instruction frees a slot of a queue. The instruction waits for
	// earlier accesses of the slot. Later accesses of the core do not wait for it,
	// because the queue itself orders the next entry of the slot.
	frees bool
	op    *ir.Op
	// value is the operand through which the instruction reaches the memory.
	value *ir.Value
	// pos is the position of the instruction in the program text.
	pos int32
	// same is a positive number that accesses to the same location share if only the last
	// of them matters (see samePlace), or 0.
	same int32
	// chain are the blocks around the instruction, from the innermost one outwards, up to
	// but excluding the block that is analyzed.
	chain []int32
	// covered is the set of pipes that the instruction has waited for since the start of
	// the analyzed block, so that all work of these pipes before the block is complete.
	// inside is the set of pipes that it has waited for since the start of the outermost
	// block of chain.
	covered, inside uint8
	// hoists is the set of hoisted flags that the instruction has waited for since the
	// start of the analyzed block, one bit each. hoistsInside is the set that it has
	// waited for since the start of the outermost block of chain.
	hoists, hoistsInside uint64
}

// node is an element of a block in the analysis. It represents an instruction that
// accesses memory, or a loop or branch that contains such instructions.
type node struct {
	op     *ir.Op
	bodies []*blk
	// touches are the accesses of the instruction, or of all instructions in the nested
	// blocks.
	touches []*touch
	// first and last are the range of text positions of the node.
	first, last int32
	// lastOf is, for each pipe, the text position of its last instruction in the node.
	lastOf [lines]int32
	pipes  uint8
	// snap and enter are indices into the snapshots that an abstract execution (type
	// walk) takes before the node. snap is the index into walk.snaps, and enter the index
	// into walk.enters.
	snap, enter int32
	// hands lists pairs of pipes, for an instruction that several pipes execute. Within
	// the instruction, the second pipe of a pair waits for the first one.
	hands [][2]line
	// stop marks a call of a function: all work must be complete before it, and is
	// complete after it.
	stop bool
	// bar is the pipe of a barrier that the program already contains, if isBar is set.
	bar   sem.Pipe
	isBar bool
}

// blk is a sequence of nodes (instructions, loops and branches). It corresponds to a
// block of the program; sections in that block are inlined, not nested.
type blk struct {
	id    int32
	op    *ir.Op // the operation around it
	block *ir.Block
	// loop is the loop whose body this block is, or nil.
	loop *loop
	// top reports that no other work precedes the block on the core, or that a barrier of
	// all pipes precedes it.
	top bool
	// walled means that the order in which the program runs this block is not analyzed,
	// as in a control flow graph. Such a block begins with a barrier of all pipes.
	walled      bool
	nodes       []*node
	first, last int32
	edges       []*edge
	// given are edges (required orders) that hold although the function has no
	// synchronization for them.
	given []*edge
	// exit is, for each pipe, the work that the pipe has waited for at the end of the
	// block. exitOf is, for each pipe, the work that is complete once the pipe has
	// completed all its instructions. Both include only work inside the block. They are
	// computed for nested blocks.
	exit, exitOf [lines]know
	// run is the abstract execution of the block that computed the fields exit and
	// exitOf.
	run *walk
	// copies is the number of loop iterations that an abstract execution of the block
	// simulates.
	copies int32
	// snaps and enters are the numbers of snapshots that an abstract execution needs (see
	// node).
	snaps  int32
	enters int32 // nodes with blocks
	pipes  uint8 // of all nodes
	parent *blk
	// at is the index of the node of parent that contains this block.
	at int
}

// tree is the state of the construction of an analysis tree. The tree consists of the
// nodes (instructions, loops and branches) and the blocks of a function, on which the
// analysis works.
type tree struct {
	*resolver
	target ir.Target
	// unit is the kind of core that is analyzed, if sections or attributes determine it.
	unit sem.Unit
	// mixed means that each instruction outside of sections determines which kind of core
	// executes it.
	mixed bool
	blks  int32
	pos   int32
	// calls are the functions that run instructions on a pipe.
	calls map[*ir.Op]bool
	taken []taken
	same  map[samePlace]int32
	// level is the number of loops and branches around the operation in its portion.
	level int
	// cuts means that the tree is cut into portions, which portions lists.
	cuts     bool
	portions []*portion
}

// mostLevels limits the loops and branches in each other that are analyzed together. The
// analysis of a block needs time for each access inside of it, so it would need quadratic
// time for blocks in each other.
const mostLevels = 24

// portion is a part of a function that is analyzed by itself. All earlier work is complete
// when it starts, and all its work is complete before anything after it starts.
type portion struct {
	*blk
	// taken are the events that instructions of the portion use themselves.
	taken []taken
}

// blk builds and returns the block of the analysis that represents the program block b.
// The block b is in a region of the operation owner.
func (t *tree) blk(b *ir.Block, owner *ir.Op) *blk {
	t.blks++
	k := &blk{id: t.blks, op: owner, block: b}
	t.pos++
	k.first = t.pos
	t.open(k, b)
	t.pos++
	k.last = t.pos
	return k
}

// open adds the nodes for the operations of the program block b to the block k of the
// tree. A section that runs on the analyzed kind of core gets no node of its own. The
// operations in it become nodes of k too, because this kind of core always executes them.
func (t *tree) open(k *blk, b *ir.Block) {
	for op := range b.Ops() {
		if n := t.node(op); n != nil {
			for _, inner := range n.bodies {
				inner.parent, inner.at = k, len(k.nodes)
			}
			k.nodes = append(k.nodes, n)
			continue
		}
		if s, ok := op.Def().Sem.(sem.Scope); ok && s.Kind.Inline() && t.runs(s.Kind) && !op.Region(0).Empty() {
			t.open(k, op.Region(0).Entry())
		}
	}
}

// runs reports whether the analyzed kind of core executes a section of kind k.
func (t *tree) runs(k sem.ScopeKind) bool {
	switch k {
	case sem.CubeSection:
		return t.unit&sem.CubeUnit != 0
	case sem.VectorSection:
		return t.unit&sem.VectorUnit != 0
	}
	return true
}

// inSection reports whether op is inside a cube or vector section.
func inSection(op *ir.Op) bool {
	return op.ParentOf(isabase.SectionCube) != nil || op.ParentOf(isabase.SectionVector) != nil
}

// node builds the node for an operation. It returns nil if the operation accesses no
// memory and contains no synchronization.
func (t *tree) node(op *ir.Op) *node {
	t.pos++
	n := &node{op: op, first: t.pos}
	if t.mixed && ptoanalysis.UnitFor(op, t.target)&t.unit == 0 {
		return nil
	}
	s, scope := op.Def().Sem.(sem.Scope)
	switch {
	case scope && s.Kind.Inline():
		return nil
	case scope && len(op.Regions()) > 0:
		t.asOne(n)
	case isBarrier(op):
		n.bar, n.isBar = pto.PipeFor(op, t.target), true
		t.pos++
		n.last = t.pos
		return n
	case helperBody(op) != nil:
		t.callee(n, helperBody(op))
	case op.Is(fn.Call) && simtBody(op) == nil:
		if !t.calls[ptoanalysis.CalleeOf(op)] {
			return nil
		}
		n.stop = true
		t.taken = append(t.taken, eventsIn(ptoanalysis.CalleeOf(op), t.target, n.first, map[*ir.Op]bool{})...)
		t.pos++
		n.last = t.pos
		return n
	case len(op.Regions()) > 0 && t.cuts && t.level == mostLevels:
		return t.cut(n)
	case len(op.Regions()) > 0:
		t.level++
		t.compound(n)
		t.level--
	default:
		t.accesses(n)
	}
	t.pos++
	n.last = t.pos
	if len(n.touches) == 0 && len(n.bodies) == 0 {
		return nil
	}
	// What stands outside of the sections runs on cores of both kinds.
	n.stop = t.unit != sem.AnyUnit && !t.mixed && len(n.bodies) == 0 && !inSection(op)
	t.number(n.touches)
	for _, x := range n.touches {
		n.pipes |= 1 << x.pipe
		n.lastOf[x.pipe] = max(n.lastOf[x.pipe], x.pos)
	}
	return n
}

// cut makes the operation of n, a loop or branch, a portion of its own. It returns the node
// that represents it in the portion around it, or nil if it accesses no memory.
func (t *tree) cut(n *node) *node {
	level, used, at := t.level, t.taken, len(t.portions)
	t.blks++
	k := &portion{blk: &blk{id: t.blks, op: n.op.Parent(), block: n.op.Block(), first: t.pos}}
	t.portions = append(t.portions, k)
	t.level, t.taken = 0, nil
	inner := t.node(n.op)
	k.taken = t.taken
	t.level, t.taken = level, used
	if inner == nil {
		t.portions = t.portions[:at]
		return nil
	}
	for _, b := range inner.bodies {
		b.parent = k.blk
	}
	t.pos++
	k.nodes, k.last = []*node{inner}, t.pos
	n.stop, n.last = true, t.pos
	t.taken = append(t.taken, taken{pos: n.first, every: true})
	return n
}

// isBarrier reports whether op is a barrier that specifies its pipe.
func isBarrier(op *ir.Op) bool {
	_, ok := op.Def().Sem.(sem.Barrier)
	return ok && !sem.NamesNoPipe(op)
}

// compound adds blocks to the node n of the analysis tree, whose operation n.op is a loop
// or a branch. It adds one block for each basic block in the regions of the operation.
func (t *tree) compound(n *node) {
	walled := n.op.Def().Sem == scf.ConditionalLoop
	for _, r := range n.op.Regions() {
		walled = walled || !r.Empty() && r.Entry() != r.Last()
	}
	for _, r := range n.op.Regions() {
		for b := range r.Blocks() {
			k := t.blk(b, n.op)
			k.walled = walled
			if !walled && n.op.HasTrait(ir.LoopLike) {
				k.loop = loopOf(n.op)
			}
			if len(k.nodes) > 0 {
				n.bodies = append(n.bodies, k)
			}
		}
	}
}

// asOne changes n, the node of a call of a vector function. The node becomes a single
// instruction of the vector pipe that has all memory accesses in the function body.
func (t *tree) asOne(n *node) {
	for b := range n.op.Region(0).Blocks() {
		for _, x := range t.flat(b) {
			x.pos, x.op, x.pipe = n.first, n.op, order.Vector
			n.touches = append(n.touches, x)
		}
	}
}

// flat returns the accesses of the program block b and of the blocks nested in it. The
// location of an access in a loop is widened to the bytes of all iterations.
func (t *tree) flat(b *ir.Block) []*touch {
	var all []*touch
	for op := range b.Ops() {
		leaf := &node{op: op}
		t.accesses(leaf)
		all = append(all, leaf.touches...)
		for _, r := range op.Regions() {
			for inner := range r.Blocks() {
				xs := t.flat(inner)
				if op.HasTrait(ir.LoopLike) {
					l := loopOf(op)
					for _, x := range xs {
						x.location = l.outside(x.location)
					}
				}
				all = append(all, xs...)
			}
		}
	}
	return all
}

// accesses adds the memory accesses of a single instruction to its node.
func (t *tree) accesses(n *node) {
	if body := simtBody(n.op); body != nil {
		t.callee(n, body)
		return
	}
	if pto.InfoOf(n.op.Def()) == nil {
		return
	}
	p := order.LineOf(pto.PipeFor(n.op, t.target))
	if m := ptoanalysis.MacroOf(n.op, t.target); m != nil {
		t.macro(n, m)
		return
	}
	if p == order.NoLine {
		return
	}
	if _, fence := n.op.Def().Sem.(sem.MemoryFence); fence {
		t.fence(n)
		return
	}
	for _, e := range pto.Effects(n.op) {
		t.access(n, p, e.Value, e.Kind)
	}
	t.slots(n, p)
}

// slots adds the accesses of a queue instruction to slots in local memory. A pop counts
// as a write of the entry, because the entry is available when the consuming pipe p has
// waited for it. An instruction that frees a slot counts as a write of this slot, because
// it must follow all reads of the entry. If the readers use a copy of the entry, the free
// instruction needs no order, and slots adds no access for it.
func (t *tree) slots(n *node, p line) {
	switch sem.QueueEntryOf(n.op).Act {
	case sem.QueuePop:
		for _, v := range n.op.Results() {
			if pto.SpaceOf(v.Type()) != sem.GM {
				t.access(n, p, v, pto.Writes)
			}
		}
	case sem.QueueFree:
		if buffer := t.queues().Buffer(n.op); buffer != nil && !t.queues().Copies(n.op, t.target) {
			pl := location{space: isasync.TakenInto(n.op), root: buffer}
			n.touches = append(n.touches, &touch{location: pl, pipe: p, write: true, frees: true, op: n.op, pos: n.first})
		}
	}
}

// access adds an access to node n: pipe p reads or writes, or both, the memory of operand
// v.
func (t *tree) access(n *node, p line, v *ir.Value, kind pto.EffectKind) {
	if _, sets := n.op.Def().Sem.(sem.TileSet); sets {
		kind = pto.Writes
	}
	for _, pl := range t.places(v) {
		pl = packed(n.op, v, t.element(n.op, v, t.reach(n.op, v, t.target, pl)))
		if kind&pto.Reads != 0 {
			n.touches = append(n.touches, &touch{location: pl, pipe: p, op: n.op, value: v, pos: n.first})
		}
		if kind&pto.Writes != 0 {
			n.touches = append(n.touches, &touch{location: pl, pipe: p, write: true, atomic: atomic(n.op), op: n.op, value: v, pos: n.first})
		}
	}
}

// element narrows the location p of the tile v to the single element that op, a tgetval
// or tsetval instruction, accesses.
func (r *resolver) element(op *ir.Op, v *ir.Value, p location) location {
	switch op.Def().Sem.(type) {
	case sem.TileGet, sem.TileSet:
	default:
		return p
	}
	t, ok := pto.TileOf(v.Type())
	size := int64(pto.ByteSize(t.Elem))
	if !ok || !p.from.ok || p.width != 0 || size == 0 || pto.FP4.Has(t.Elem) {
		return p
	}
	p.from, p.size = p.from.plus(r.number(op.Arg("offset")), size), size
	return p
}

// packed returns the location p of the operand v of op. If op stores a column to v, the
// location is one run of bytes, whatever the strides of the view are.
func packed(op *ir.Op, v *ir.Value, p location) location {
	if v != op.Arg("dst") || !isatile.PacksColumn(op) {
		return p
	}
	if p.size > 0 { // the start of the part is known
		t, _ := pto.TileArg(op, "src")
		p.size = t.Rows * int64(pto.ByteSize(t.Elem))
	}
	p.width, p.pitch, p.view, p.dims = 0, 0, nil, nil
	return p
}

// macro adds the accesses of a macro instruction, which several pipes execute. The
// instruction orders these pipes itself, with events that other instructions must not
// raise at the same time.
func (t *tree) macro(n *node, m *ptoanalysis.Macro) {
	for _, s := range m.Steps {
		p := order.LineOf(s.Pipe)
		for _, name := range s.Reads {
			for _, v := range n.op.Args(name) {
				t.access(n, p, v, pto.Reads)
			}
		}
		for _, name := range s.Writes {
			for _, v := range n.op.Args(name) {
				t.access(n, p, v, pto.Writes)
			}
		}
	}
	for _, e := range macroEvents(m, n.first) {
		t.taken, n.hands = append(t.taken, e), append(n.hands, e.pair)
	}
}

// taken is a range of event IDs between a pair of pipes that the program itself already
// uses. The instruction at text position pos uses these IDs, or calls a function that
// uses them. The pass must therefore not assign these IDs to its own flags at this
// position.
type taken struct {
	pair        [2]line
	from, count int64
	pos         int32
	// every means all events of all pairs of pipes.
	every bool
}

// macroEvents returns the event IDs that the hardware uses within the macro instruction
// m. Several pipes execute such an instruction, and these events order the pipes. The
// parameter pos is the text position of the instruction.
func macroEvents(m *ptoanalysis.Macro, pos int32) (all []taken) {
	for i := 1; i < len(m.Steps); i++ {
		pair := [2]line{order.LineOf(m.Steps[i-1].Pipe), order.LineOf(m.Steps[i].Pipe)}
		all = append(all, taken{pair: pair, count: int64(m.Events), pos: pos})
	}
	if last := len(m.Steps) - 1; m.Back && last > 0 {
		all = append(all, taken{pair: [2]line{order.LineOf(m.Steps[last].Pipe), order.LineOf(m.Steps[0].Pipe)}, count: int64(m.Events), pos: pos})
	}
	return all
}

// fence adds an operation on the data cache of the scalar unit to node n. dcci must
// follow earlier writes and precede later reads of its memory, so it counts as both a
// read and a write. dsb completes preceding stores.
func (t *tree) fence(n *node) {
	if n.op.Is(isasync.Dsb) {
		n.touches = append(n.touches, &touch{location: location{space: sem.GM}, pipe: order.Scalar, write: true, source: true, op: n.op, pos: n.first})
	}
	for _, v := range n.op.Operands() {
		if pto.SpaceOf(v.Type()) == sem.GM {
			t.access(n, order.Scalar, v, pto.Reads|pto.Writes)
		}
	}
}

// atomic reports whether op adds to memory atomically instead of overwriting it.
func atomic(op *ir.Op) bool {
	a, ok := ir.AttrAs[ir.EnumAttr](op.Attr("atomicType"))
	return ok && a.Value != 0
}

// loopOf returns the description of a loop for the analysis, with bounds if they are
// constant.
func loopOf(op *ir.Op) *loop {
	l := &loop{op: op}
	if op.Def().Sem != scf.CountedLoop {
		return l
	}
	l.iv = op.Region(0).Entry().Arg(0)
	l.step, _ = arith.ConstantInt(op.Arg("step"))
	lo, ok1 := arith.ConstantInt(op.Arg("lowerBound"))
	hi, ok2 := arith.ConstantInt(op.Arg("upperBound"))
	if ok1 && ok2 && l.step > 0 && lo < hi {
		l.lo, l.hi, l.bounded = lo, lo+(hi-1-lo)/l.step*l.step, true
	}
	return l
}

// carried returns the initial value of the loop-carried argument v, and the value that
// the body yields for the next iteration. Both are nil if v is not such an argument of a
// counted loop.
func carried(op *ir.Op, v *ir.Value) (init, next *ir.Value) {
	if op.Def().Sem != scf.CountedLoop || v.Index() == 0 {
		return nil, nil
	}
	i := v.Index() - 1
	inits := op.Args("initArgs")
	y := op.Region(0).Entry().Terminator()
	if i >= len(inits) || y == nil || i >= y.NumOperands() {
		return nil, nil
	}
	return inits[i], y.Operand(i)
}

// carriedResult considers v, a result of op. If op is a counted loop that carries v from
// iteration to iteration, carriedResult returns two values: init is the value before the
// first iteration, and next is the value that the body yields for the next iteration. In
// all other cases both are nil.
func carriedResult(op *ir.Op, v *ir.Value) (init, next *ir.Value) {
	if op.Def().Sem != scf.CountedLoop || v.Index() >= len(op.Args("initArgs")) {
		return nil, nil
	}
	return carried(op, op.Region(0).Entry().Arg(v.Index()+1))
}
