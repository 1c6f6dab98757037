// This file follows the memory accesses of instructions and records them.

package syncproof

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
	"ptogo/ir/term"
)

// record is an instruction with its accesses, at a point of a checking pass. The terms in
// it are those of an arbitrary round of the loops around it.
type record struct {
	seq    int
	thread *thread
	op     *ir.Op
	frames []frame
	// groups are the groups of which the instruction is or will be part, innermost first,
	// and at is its position in the text.
	groups []int32
	at     int32
	line   order.Line
	touch  []Touch
	facts  []term.Term
	// start is what is complete when the instruction starts.
	start clock
	// fresh is what the data cache of the scalar unit has seen.
	fresh clock
	// scope is what is complete according to the rules of a vector function, class is the
	// class of the access.
	scope clock
	class order.AccessClass
	// vector is the vector function around the access, and depth the number of loops around
	// that function.
	vector *ir.Op
	depth  int
}

// instruction follows the memory accesses of op. It returns false if the path ends.
func (x *prover) instruction(c *cursor, op *ir.Op, s *state) bool {
	if pto.InfoOf(op.Def()) == nil && ptoanalysis.CalleeOf(op) == nil {
		if isForeign(op) {
			x.fail(op, "foreign", "the static proof does not analyze the memory accesses of '%s'", op.Name())
		}
		return true
	}
	if x.communicates(op) {
		x.others(op)
	}
	if sem.QueueEntryOf(op).Act != 0 && len(x.threads) > 1 {
		return x.entry(c, op, s, func() bool { x.accesses(c, op, s); return true })
	}
	x.accesses(c, op, s)
	return true
}

// communicates reports whether op has effects on cores that the proof does not follow.
func (x *prover) communicates(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case sem.CommNotify, sem.CommWait:
		return true
	case sem.Query:
		return false
	case sem.QueueEntry:
		return len(x.threads) == 1
	}
	return op.Effects().Has(effect.Waits | effect.WaitsAcross | effect.TellsCores)
}

// isForeign reports whether op is an operation of another dialect that accesses memory of the
// device.
func isForeign(op *ir.Op) bool {
	return pto.InfoOf(op.Def()) == nil && !op.HasTrait(ir.Pure) && slices.ContainsFunc(op.Operands(), refers) && reachesMemory(op)
}

// Unexamined reports whether op can access memory of the device in a way that the proof does
// not examine: as an operation of another dialect, or in a function without a body.
func Unexamined(op *ir.Op) bool {
	if !op.Is(fn.Call) {
		return !op.HasTrait(ir.Terminator) && len(op.Regions()) == 0 && ptoanalysis.CalleeOf(op) == nil && isForeign(op)
	}
	f := ptoanalysis.CalleeOf(op)
	return (f == nil || fn.Body(f) == nil) && slices.ContainsFunc(op.Operands(), refers)
}

// reachesMemory reports whether op, which is not an instruction, accesses memory of the
// device.
func reachesMemory(op *ir.Op) bool {
	return slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool {
		for refers(v) {
			d := v.Op()
			if d == nil || d.NumOperands() == 0 {
				return d == nil || pto.InfoOf(d.Def()) != nil
			}
			v = d.Operand(0)
		}
		return false
	})
}

// accesses follows the accesses of op, step by step if several pipes execute it.
func (x *prover) accesses(c *cursor, op *ir.Op, s *state) {
	all := c.th.memory.Accesses(op)
	if len(all) == 0 {
		if order.LineOf(pto.PipeFor(op, x.Target)) == order.NoLine && slices.ContainsFunc(pto.Effects(op), func(e pto.Effect) bool { return refers(e.Value) }) {
			x.fail(op, "pipe", "the static proof cannot determine the pipe of '%s'", op.Name())
		}
		return
	}
	m := ptoanalysis.MacroOf(op, x.Target)
	if m == nil || s.scope != nil {
		x.access(c, op, all, all[0].Line, 0, s)
		return
	}
	x.uses(c, op, m, s)
	for i, step := range m.Steps {
		l := order.LineOf(step.Pipe)
		if i > 0 {
			s.acquire(c.th.n, l, s.release(c.th.n, order.LineOf(m.Steps[i-1].Pipe)))
		}
		var own []Touch
		for _, t := range all {
			if t.Line == l {
				own = append(own, t)
			}
		}
		x.access(c, op, own, l, int32(i), s)
	}
	if last := len(m.Steps) - 1; m.Back && last > 0 {
		s.acquire(c.th.n, order.LineOf(m.Steps[0].Pipe), s.release(c.th.n, order.LineOf(m.Steps[last].Pipe)))
	}
}

// uses checks that no event is raised that op, which several pipes execute, uses itself.
func (x *prover) uses(c *cursor, op *ir.Op, m *ptoanalysis.Macro, s *state) {
	inner := func(src, dst sem.Pipe) {
		for id := range m.Events {
			if _, raised := s.flags[flagKey{c.th.n, src, dst, int64(id)}]; raised {
				x.fail(op, "inside", "'%s' itself uses event %d from %s to %s, which may be raised", op.Name(), id, src, dst)
			}
		}
	}
	for i := 1; i < len(m.Steps); i++ {
		inner(m.Steps[i-1].Pipe, m.Steps[i].Pipe)
	}
	if last := len(m.Steps) - 1; m.Back && last > 0 {
		inner(m.Steps[last].Pipe, m.Steps[0].Pipe)
	}
}

// mostSubSteps is the largest number of steps of one instruction.
const mostSubSteps = 16

// access follows the accesses of one step of op on line l.
func (x *prover) access(c *cursor, op *ir.Op, touch []Touch, l order.Line, sub int32, s *state) {
	if len(touch) == 0 {
		return
	}
	if s.scope != nil {
		l = order.Vector
	}
	if l == order.NoLine {
		return
	}
	at, core := x.position(op)+sub, c.th.n
	r := &record{
		seq: len(x.records), thread: c.th, op: op, frames: c.frames, at: at, line: l, touch: touch,
	}
	if x.checking {
		r.groups = x.groupsAround(c)
		r.facts, r.start = s.facts, slices.Clone(s.cores[core].start[l])
		if l == order.Scalar {
			if !x.scalarAccess {
				x.fail(op, "cache", "the proof did not expect an access by the scalar unit")
			}
			r.fresh = slices.Clone(s.cores[core].fresh)
		}
	}
	if s.scope != nil {
		x.inScope(c, r, s)
	}
	s.step(laneOf(core, l), x.groupAt(c), at)
	if l == order.Scalar && slices.ContainsFunc(touch, func(t Touch) bool { return t.Write && t.Space == sem.GM }) {
		s.step(lane(core*lanesPerCore+stored), x.groupAt(c), at)
	}
	if x.checking {
		x.records = append(x.records, r)
	}
}

// inScope follows an access inside a vector function. It starts after the accesses that a
// mem_bar orders before it, and after those whose data it uses with all that these had
// waited for.
func (x *prover) inScope(c *cursor, r *record, s *state) {
	class := order.VectorLoad
	if r.touch[0].Line == order.Scalar {
		class = order.ScalarLoad
	}
	if slices.ContainsFunc(r.touch, func(t Touch) bool { return t.Write }) {
		class++
	}
	k := s.scope
	start := slices.Clone(k.behind[class])
	for _, op := range x.readers(r.op) {
		if from, ok := k.of[op]; ok {
			start.join(from)
		}
	}
	if class >= order.ScalarLoad {
		start[order.ScalarLoad], start[order.ScalarStore] = nil, nil
	}
	r.class, r.scope, r.vector, r.depth = class, slices.Clone(start), s.scope.op, s.scope.depth
	g := x.groupAt(c)
	m := missing{g.id, g.loop, 0, r.at - 1}
	s.eachInScope(func(c clock) { c[class] = c[class].with(m) })
	k.known[class].join(start)
	for _, op := range x.readers(r.op) {
		if x.lastUse[op] == r.op && op.Block() == r.op.Block() { // no later round uses the load
			delete(k.of, op)
		}
	}
	if x.lastUse[r.op] != nil {
		own := start
		own[class] = own[class].with(m)
		k.of[r.op] = own
	}
}

// readers returns the instructions from whose loads of the same round the operands of op are
// computed. Values that a loop or branch carries can come from another round, so they do not
// count.
func (x *prover) readers(op *ir.Op) []*ir.Op {
	ops, known := x.loads[op]
	if known {
		return ops
	}
	seen := map[*ir.Op]bool{}
	var visit func(o *ir.Op)
	visit = func(o *ir.Op) {
		for _, v := range o.Operands() {
			d := v.Op()
			if d == nil || seen[d] || len(d.Regions()) > 0 || refers(v) || ir.Is[pto.PtrType](v.Type()) {
				continue
			}
			seen[d] = true
			if pto.InfoOf(d.Def()) != nil && slices.ContainsFunc(d.Operands(), refers) {
				ops = append(ops, d)
			}
			visit(d)
		}
	}
	visit(op)
	x.loads[op] = ops
	return ops
}

// group is a set of instructions of one core whose order in the text is their order in
// time, except for rounds of one loop: a block in a loop, or everything of a function that
// is outside of loops. When an outermost loop ends, its groups become part of the group of
// the function.
type group struct{ id, loop int32 }

// groupKey identifies a group. The body is nil for the group of a function.
type groupKey struct {
	thread int
	ctx    int32
	body   *body
}

// groupOf returns the group of a block in a loop, or of the instructions of a function
// outside of loops, in a context of calls.
func (x *prover) groupOf(t *thread, ctx, loop int32, b *body) group {
	if loop == outside {
		b = nil
	}
	k := groupKey{t.n, ctx, b}
	n, ok := x.groups[k]
	if !ok {
		n = int32(len(x.groups) + 1)
		x.groups[k] = n
	}
	return group{n, loop}
}

// groupAt returns the group of the next instruction of a cursor.
func (x *prover) groupAt(c *cursor) group { return x.groupOf(c.th, c.ctx, c.loop(), c.body) }

// groupsAround returns the groups of which the next instruction of a cursor is or will be
// part.
func (x *prover) groupsAround(c *cursor) []int32 {
	list := []int32{x.groupAt(c).id}
	if c.loop() != outside {
		list = append(list, x.groupOf(c.th, c.ctx, outside, nil).id)
	}
	return list
}

// position returns the position of op in the text of its function.
func (x *prover) position(op *ir.Op) int32 {
	if p, ok := x.positions[op]; ok {
		return p
	}
	f := op.ParentOf(fn.Func)
	n := int32(0)
	for o := range f.Walk() {
		n += mostSubSteps
		x.positions[o] = n
	}
	return x.positions[op]
}
