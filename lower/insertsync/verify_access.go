// This file simulates memory accesses and compares each with the preceding ones.

package insertsync

import (
	"slices"

	"ptogo/dialect/memref"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// access is a memory access that has happened on the simulated execution path.
type access struct {
	*touch
	epoch order.Epoch
	seq   int
	// rounds are the iterations of the loops around the access.
	rounds []roundAt
	// read is set for a write after another access has read or overwritten some of its
	// bytes.
	read bool
	// late is set for a write if the other vector core, which executes the same code, may
	// later overwrite it with older contents.
	late bool
	// all, if not nil, is a loop of which the simulation skips iterations. The access
	// then represents the access of all skipped iterations.
	all   *ir.Op
	scope *vectorScope
	inner inScope
}

// spaceKey identifies a group of accesses that can conflict. It consists of the memory
// space and the root, the value from which the address is computed. Accesses with
// different roots refer to different objects.
type spaceKey struct {
	space sem.Space
	root  *ir.Value
}

// sameAccess is a key for the list of earlier accesses that a simulation stores, the
// history. If two accesses have equal keys, the history only needs the later one. In a
// vector function, data dependences through registers can order each access differently.
// There, the key therefore includes the operation, so that the accesses of different
// operations stay separate.
type sameAccess struct {
	samePlace
	part    viewPart
	scope   *vectorScope
	inScope *ir.Op
	all     *ir.Op
	core    int32
}

// viewPart is a rectangular part of a tensor view with known indices: for each dimension
// the first index and the number of indices. It is empty for locations that are not a part
// of a view.
type viewPart struct {
	view *ir.Value
	rank int
	dims [pto.ViewRank]struct{ from, size int64 }
}

// part returns the part of a tensor view that the location p describes. The bool result is
// false if an index is not known.
func (p *location) part() (part viewPart, ok bool) {
	if part.rank = len(p.dims); part.rank > len(part.dims) {
		return part, false
	}
	if part.rank > 0 {
		part.view = p.view
	}
	for i, d := range p.dims {
		if part.dims[i].from, ok = d.from.constant(); !ok {
			return part, false
		}
		part.dims[i].size = d.size
	}
	return part, true
}

// vectorScope is the state of one execution of a vector function (vecscope) on the
// simulated path.
type vectorScope struct {
	order order.Scope
	// of maps each access in the scope to its last execution.
	of map[*ir.Op]inScope
	// from is the number of instructions that the vector unit executed before the scope.
	from uint32
}

// inScope describes an access inside a vector function, in the form in which package
// ptogo/dialect/pto/order compares accesses. The field class is one of four classes:
// loads and stores of the vector unit, and loads and stores of the scalar unit. The field
// n is the number of the access among the accesses of its class. The field start counts,
// for each class, the accesses that are complete when this access starts.
type inScope struct {
	class order.AccessClass
	n     uint32
	start order.Seen
}

// instruction simulates the memory accesses of an operation and compares each with the
// preceding accesses.
func (r *runner) instruction(op *ir.Op) {
	if sem.QueueEntryOf(op).Act != 0 {
		if r.team != nil {
			r.entry(op, func() { r.accessesOf(op) })
			return
		}
		r.queueBefore(op)
		defer r.queueAfter(op)
	}
	r.accessesOf(op)
}

// accessesOf simulates the memory accesses of an operation.
func (r *runner) accessesOf(op *ir.Op) {
	if pto.InfoOf(op.Def()) == nil && simtBody(op) == nil {
		r.foreign(op)
		return
	}
	if _, ok := op.Def().Sem.(sem.CommNotify); ok {
		r.announced(op)
	}
	r.otherParties(op)
	before := len(r.t.taken)
	n := &node{op: op}
	r.t.accesses(n)
	if len(n.touches) == 0 {
		if order.LineOf(pto.PipeFor(op, r.target)) == order.NoLine && slices.ContainsFunc(pto.Effects(op), func(e pto.Effect) bool { return reachesMemory(e.Value) }) {
			r.undecide(op, "pipe", "the static proof cannot determine the pipe of '%s'", op.Name())
		}
		return
	}
	r.accessed[op] = true
	m := ptoanalysis.MacroOf(op, r.target)
	if m == nil || r.scope != nil {
		r.group(n.touches, n.touches[0].pipe)
		return
	}
	r.inside(op, r.t.taken[before:])
	for i, s := range m.Steps {
		p := order.LineOf(s.Pipe)
		if i > 0 {
			r.hand(order.LineOf(m.Steps[i-1].Pipe), p)
		}
		var own []*touch
		for _, x := range n.touches {
			if x.pipe == p {
				own = append(own, x)
			}
		}
		r.group(own, p)
	}
	if m.Back {
		r.hand(order.LineOf(m.Steps[len(m.Steps)-1].Pipe), order.LineOf(m.Steps[0].Pipe))
	}
}

// otherParties records that the effect of an instruction depends on other cores or
// blocks, which the proof does not simulate.
func (r *runner) otherParties(op *ir.Op) {
	switch kind := op.Def().Sem.(type) {
	case sem.QueueEntry:
		if r.team == nil {
			r.otherCores(op)
		}
		return
	case sem.CommNotify, sem.CommWait:
		r.otherCores(op)
		return
	case sem.Query:
		if r.team != nil {
			return
		}
		if kind.What == sem.BlockIdx {
			r.acrossCores(op, "accesses of different blocks are not compared")
			return
		}
	}
	if op.Effects().Has(effect.Waits | effect.WaitsAcross | effect.TellsCores) {
		r.otherCores(op)
	}
}

// foreign handles an operation of another dialect. If it accesses memory of the device,
// the proof cannot decide the function, and foreign records that.
func (r *runner) foreign(op *ir.Op) {
	if !op.HasTrait(ir.Pure) && slices.ContainsFunc(op.Operands(), reachesMemory) {
		r.undecide(op, "foreign", "the static proof does not analyze the memory accesses of '%s'", op.Name())
	}
}

// reachesMemory reports whether a value refers to global memory or to a local memory of a
// core. It returns false for memory that the function allocates on its own stack.
func reachesMemory(v *ir.Value) bool {
	if pto.SpaceOf(v.Type()) == sem.NoSpace {
		return false
	}
	for op := v.Op(); op != nil; op = v.Op() {
		if op.Is(memref.Alloc) || op.Is(memref.Alloca) {
			return false
		}
		if op.NumOperands() == 0 {
			break
		}
		v = op.Operand(0)
	}
	return true
}

// announced reports stores that can still be incomplete when the core raises a signal in
// global memory. A core that receives the signal expects to read the stored data.
func (r *runner) announced(op *ir.Op) {
	for l, x := range r.stores[r.at] {
		if x == nil || r.core.Announced(x.epoch) {
			continue
		}
		f := r.find(op, x.op, "announced", ir.Warning, "'%s' may raise its signal before the data that '%s' on %s stores%s is in memory: a core that waits for the signal may read old data",
			op.Name(), x.op.Name(), order.Line(l).Pipe(), nameOf(x))
		if f == nil {
			continue
		}
		f.check = "race"
		f.note(x.op.Loc(), "it is stored here%s", roundText(x.rounds))
		fix := "pto.barrier <PIPE_ALL>"
		if order.Line(l) == order.Scalar {
			fix = "pto.cmo.cacheinvalid all #pto.address_space<gm>"
		}
		f.note(ir.Loc{}, "insert %s and pto.fence.barrier_all #pto.fence_scope<gm> before %s", fix, op.Loc().Line())
	}
}

// hand simulates that the pipe in the parameter to waits until the pipe in the parameter
// from has completed all the work issued to it so far.
func (r *runner) hand(from, to order.Line) {
	var c order.Clock
	r.core.Release(from, &c)
	r.core.Acquire(to, &c)
}

// group adds the accesses xs to the simulated path, reads before writes, and compares
// each access with the preceding ones. The accesses belong to one execution of an
// instruction on pipe p.
func (r *runner) group(xs []*touch, p order.Line) {
	if len(xs) == 0 {
		return
	}
	op := xs[0].op
	if r.scope != nil {
		p = order.Vector
	}
	if p == order.NoLine {
		return
	}
	r.seq++
	now := access{epoch: r.core.Step(p), seq: r.seq, rounds: append([]roundAt(nil), r.rounds...), scope: r.scope}
	if r.scope != nil {
		now.inner = r.stepScope(xs)
	}
	xs = append(xs, r.leftOut(op, xs)...)
	var all []*access
	for _, write := range []bool{false, true} {
		for _, x := range xs {
			if x.write == write && !x.source && !(r.at == onSecond && ownMemory(x)) && (r.team == nil || x.space == sem.GM) {
				if !r.twoCores && (p == order.Fix && x.space == sem.UB || p == order.MTE3 && x.space == sem.L1) {
					r.otherCores(op)
				}
				a := now
				a.touch, a.all = x, r.standsFor(x)
				r.compare(&a)
				all = append(all, &a)
				if _, signal := op.Def().Sem.(sem.CommNotify); write && x.space == sem.GM && !signal && !op.Is(isabase.StDev) {
					r.stores[r.at][p] = &a
				}
			}
		}
	}
	for _, a := range all { // what it reads itself must not hide who has read before
		r.remember(a)
	}
}

// stepScope records the accesses xs of one instruction in a vector function. It assigns a
// number to them and returns it with their class: load or store, of the vector or the
// scalar unit. Package order uses these numbers to decide which accesses of a vector
// function are ordered. The accesses follow the loads whose results the instruction uses,
// which stepScope records as well.
func (r *runner) stepScope(xs []*touch) inScope {
	s := r.scope
	class := order.VectorLoad
	if xs[0].pipe == order.Scalar {
		class = order.ScalarLoad
	}
	for _, x := range xs {
		if x.write {
			class = class&^1 + 1
		}
	}
	var start, carried order.Seen
	for _, op := range r.readers(xs[0].op) {
		if d, ok := s.of[op]; ok {
			start.Join(d.start)
			carried[d.class] = max(carried[d.class], d.n)
		}
	}
	n, start := s.order.Step(class, start, carried)
	in := inScope{class, n, start}
	s.of[xs[0].op] = in
	return in
}

// leftOut returns additional accesses that represent op in the skipped iterations of the
// loops around it. xs contains the accesses of op in the current iteration. The result is
// nil if the simulation does not skip iterations after the current one.
func (r *runner) leftOut(op *ir.Op, xs []*touch) []*touch {
	if r.skipped() == nil {
		return nil
	}
	n := &node{op: op}
	r.static.accesses(n)
	var wide []*touch
	for _, x := range n.touches {
		varies := false
		for i := len(r.rounds) - 1; i >= 0 && r.rounds[i].op.Encloses(op); i-- {
			l := loopOf(r.rounds[i].op)
			varies = varies || r.rounds[i].last && x.variesIn(l)
			x.location = l.outside(x.location)
			if r.rounds[i].last && !r.skippedOutside(i) {
				break
			}
		}
		if varies {
			x.location = r.settled(x.location)
			x.chain = wideMark
			wide = append(wide, x)
		}
	}
	return wide
}

// wideMark marks an access that represents several iterations of a loop. It is the value
// of the field chain of such an access.
var wideMark = []int32{-1}

// standsFor returns a loop if the access x represents several iterations of it, and nil
// otherwise. The simulation does not execute all iterations of a long loop. The accesses
// in the last simulated iteration therefore also represent those of the iterations that
// are skipped.
func (r *runner) standsFor(x *touch) *ir.Op {
	if len(x.chain) > 0 {
		return r.skipped()
	}
	return nil
}

// skipped searches the current loops for those in their last simulated iteration; the
// simulation does not execute the iterations after it. skipped returns the outermost of
// these loops, or nil if there is none.
func (r *runner) skipped() *ir.Op {
	for _, x := range r.rounds {
		if x.last {
			return x.op
		}
	}
	return nil
}

// skippedOutside reports whether the simulation skips iterations after the current one in
// one of the i outermost loops.
func (r *runner) skippedOutside(i int) bool {
	for _, x := range r.rounds[:i] {
		if x.last {
			return true
		}
	}
	return false
}

// variesIn reports whether the location can differ between iterations of loop l.
func (p *location) variesIn(l *loop) bool {
	has := func(s sum) bool {
		for _, t := range s.terms {
			if l.has(t.v) {
				return true
			}
		}
		return !s.ok
	}
	for _, d := range p.dims {
		if has(d.from) {
			return true
		}
	}
	return has(p.from) || p.ring != nil && has(p.ring.index) || p.view != nil && l.has(p.view)
}

// settled returns the location p with the unknown values in its offset and in its indices
// replaced by the numbers that these values have on the current execution path.
func (r *runner) settled(p location) location {
	put := func(s sum) sum {
		all := number(s.c)
		all.ok = s.ok
		for _, t := range s.terms {
			all = all.plus(r.x.of(t.v), t.k)
		}
		return all
	}
	p.from = put(p.from)
	dims := make([]indexRange, len(p.dims))
	for i, d := range p.dims {
		dims[i] = indexRange{put(d.from), d.size, d.count}
	}
	p.dims = dims
	return p.wholeRing()
}

// compare checks an access against the preceding accesses of all objects (allocations or
// parameters) that can overlap the object which the access refers to.
func (r *runner) compare(x *access) {
	if x.root == nil {
		for k, list := range r.past {
			if k.space == x.space {
				r.against(x, list)
			}
		}
	} else {
		r.against(x, r.past[spaceKey{x.space, x.root}])
		r.against(x, r.past[spaceKey{x.space, nil}])
	}
}

// against checks the access x against a list of preceding accesses and reports conflicts
// that are not ordered.
func (r *runner) against(x *access, list []*access) {
	for _, e := range list {
		if r.team != nil && e.epoch.Core == x.epoch.Core { // the proof of the kernel compares them
			continue
		}
		if !e.write && !x.write || e.atomic && x.atomic || e.epoch == x.epoch || x.all != nil && e.inside(x.all) || e.all != nil && x.inside(e.all) {
			continue
		}
		why := r.ordered(e, x)
		r.delay(e, x, why)
		if why != inOrder && (when{}).overlaps(&e.location, &x.location) {
			r.race(e, x, why)
		}
		if r.rules.OrderedWrites(e.epoch.Line) && e.write && !e.read && (when{}).overlaps(&e.location, &x.location) {
			e.read = true
		}
	}
}

// inside reports whether the access happened inside the given loop.
func (x *access) inside(loop *ir.Op) bool {
	for _, at := range x.rounds {
		if at.op == loop {
			return true
		}
	}
	return false
}

// remember adds the access x to the history of accesses on the simulated path. If the
// history contains an older access by the same pipe and core to the same bytes, and both
// are reads or both are writes, x replaces it.
func (r *runner) remember(x *access) {
	k := spaceKey{x.space, x.root}
	c, known := x.from.constant()
	part, certain := x.part()
	if known && certain && !x.atomic {
		key := sameAccess{samePlace: samePlace{x.space, x.root, nil, c, x.size, x.width, x.pitch, x.epoch.Line, x.write, false}, part: part, scope: x.scope, all: x.all, core: x.epoch.Core}
		if x.scope != nil {
			key.inScope = x.op
		}
		if i, seen := r.last[key]; seen {
			r.past[k][i] = x
			return
		}
		r.last[key] = len(r.past[k])
	}
	r.past[k] = append(r.past[k], x)
}

// relation is the result of comparing two accesses. It states that the accesses are in
// order, or which kind of order is missing.
type relation uint8

const (
	// inOrder means that synchronization, or the hardware, orders the two accesses.
	inOrder relation = iota
	// unordered means that the two accesses can happen in any order.
	unordered
	// reloaded means that only the in-order execution of a pipe separates two loads into
	// the same memory, and that the data of the first load is never read.
	reloaded
	// staleLoad means that the scalar unit may read old data that its cache holds.
	staleLoad
	// unwritten means that the data which the scalar unit stored may still be in its
	// cache, so that the later access does not see it.
	unwritten
)

// ordered determines whether the earlier access e is complete when access x starts. It
// returns inOrder if program order or synchronization ensures it. Otherwise it returns
// the kind of order that is missing.
func (r *runner) ordered(e, x *access) relation {
	same := e.epoch.Line == x.epoch.Line && e.epoch.Core == x.epoch.Core
	switch {
	case r.twins(e, x):
		return inOrder
	case same && e.scope != nil && e.scope == x.scope:
		return r.orderedInScope(e, x)
	case same && r.rules.InOrder(x.epoch.Line):
		return r.cached(e, x)
	case r.core.Over(e.epoch, x.epoch.Line):
		return r.cached(e, x)
	case r.paired(e, x):
		return r.orderedInPair(e, x)
	case same && e.write && x.write && r.rules.OrderedWrites(x.epoch.Line):
		if !e.read && x.space != sem.GM && contains(&x.location, &e.location) {
			return reloaded
		}
		return inOrder
	}
	return unordered
}

// contains reports whether all bytes of b certainly are in a.
func contains(a, b *location) bool {
	d, ok := b.from.plus(a.from, -1).constant()
	return ok && a.root == b.root && a.size > 0 && b.size > 0 && a.width == 0 && d >= 0 && d+b.size <= a.size
}

// readers returns the load instructions whose results op uses, directly or through
// computations.
func (p *proof) readers(op *ir.Op) []*ir.Op {
	ops, known := p.loads[op]
	if !known {
		ops = ptoanalysis.Readers(op)
		p.loads[op] = ops
	}
	return ops
}

// orderedInScope compares two accesses of one execution of a vector function: the earlier
// access e and the access x. The accesses are in order if a mem_bar is between them, if x
// uses data that e has loaded, or if both belong to the scalar unit.
func (r *runner) orderedInScope(e, x *access) relation {
	switch {
	case isScalar(e.inner.class) && isScalar(x.inner.class):
		return inOrder
	case x.inner.start[e.inner.class] >= e.inner.n:
		return inOrder
	case slices.Contains(r.readers(x.op), e.op):
		return inOrder
	}
	return unordered
}

// cached compares two accesses that flags or barriers order, one of them by the scalar
// unit. The data cache of the scalar unit can still make the later access see old data.
// The result is the kind of this cache hazard, or inOrder if there is none.
func (r *runner) cached(e, x *access) relation {
	if x.space != sem.GM || !e.write || (e.epoch.Line == order.Scalar) == (x.epoch.Line == order.Scalar) {
		return inOrder
	}
	switch {
	case e.epoch.Line == order.Scalar && !r.cores[e.epoch.Core].Stored(e.epoch, r.core.Known(x.epoch.Line)):
		return unwritten
	case x.epoch.Line == order.Scalar && !x.write && !r.core.Sees(e.epoch):
		return staleLoad
	}
	return inOrder
}
