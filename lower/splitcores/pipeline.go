// This file defines the pass pto-pipeline-cores.

package splitcores

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/passes"
)

// Pipeline is the pass pto-pipeline-cores, which lets the cube core compute later
// iterations of a loop while the vector cores process earlier ones.
var Pipeline = &passes.Pass{
	Name:  "pto-pipeline-cores",
	Title: "PTOPipelineCores",
	Doc: "Pipelines loops across cores: the cube core computes later iterations while the vector cores process earlier iterations." +
		" Run pto-pipeline-cores after pto-split-cores.",
	Anchor: "func.func",
	Options: []passes.Option{
		{Name: "stages", Kind: passes.Number, Default: "2", Doc: "number of loop iterations that overlap, 2 to 8; each queue between the cores needs at least this number of slots"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report which loops are pipelined, and why other loops are not"},
	},
	Stats: []passes.Stat{{Name: "num-loops", Doc: "loops that were pipelined"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		n := c.Int("stages")
		if n < 2 || n > 8 {
			c.Errorf(f, "requires the option stages to be between 2 and 8, but it is %d", n)
			return passes.ErrReported
		}
		if fn.Body(f) == nil || analysis.UnitOf(f) != sem.CubeUnit {
			return nil
		}
		for _, op := range slices.Collect(f.Walk()) {
			if !op.Is(scf.For) || !takesEntries(op) {
				continue
			}
			s, why := newStages(op, n)
			if why != nil {
				if c.Bool("remarks") {
					c.Remarkf(op, "is not pipelined: '%s' op %s", why.op.Name(), why.why).Note(why.op.Loc(), "here")
				}
				continue
			}
			if c.Bool("remarks") {
				c.Remarkf(op, "is pipelined over %d iterations: it pops the queue entries of an iteration after it has pushed the entries of the next %d", n, n-1)
			}
			s.rewrite()
			c.Count("num-loops", 1)
		}
		return nil
	},
}

// takesEntries reports whether the body of a loop pops queue entries outside of nested
// loops.
func takesEntries(loop *ir.Op) bool {
	for op := range loop.Region(0).Entry().Ops() {
		if sem.QueueEntryOf(op).Act == sem.QueuePop {
			return true
		}
	}
	return false
}

// stages is the division of a loop body into two stages. The first stage fills queues and
// does not depend on entries of the same iteration. The second stage starts with popped
// entries and runs some iterations later.
type stages struct {
	loop *ir.Op
	// later is the number of iterations by which the second stage is delayed.
	later int64
	first map[*ir.Op]bool
	// second are the operations of the second stage. Scalars and views that both stages
	// need are in second as well as in first.
	second map[*ir.Op]bool
	// args reports for each loop-carried value whether it belongs to the first stage.
	args []bool
}

// newStages divides the body of a loop into two stages, so that n iterations can overlap.
// The second stage starts with the instructions that use popped queue entries. If the
// division is impossible, newStages returns the reason.
func newStages(loop *ir.Op, n int64) (*stages, *refusal) {
	s := &stages{loop: loop, later: n - 1, first: map[*ir.Op]bool{}, second: map[*ir.Op]bool{}}
	body := slices.Collect(loop.Region(0).Entry().Ops())
	body = body[:len(body)-1]
	for _, op := range body {
		for o := range op.Walk() {
			if e := sem.QueueEntryOf(o); e.Act == 0 && isSync(o) {
				return nil, refuse(o, "synchronizes the cores in each iteration")
			}
		}
	}
	for _, op := range body { // in the order of the text, so that users follow
		if takes(op) || slices.ContainsFunc(s.needs(op), func(d *ir.Op) bool { return s.second[d] }) {
			s.second[op] = true
		}
	}
	for _, op := range slices.Backward(body) {
		if !s.second[op] && (fills(op) || s.first[op]) {
			s.first[op] = true
			for _, d := range s.needs(op) {
				s.first[d] = true
			}
		}
	}
	if len(s.first) == 0 {
		return nil, refuse(loop, "pushes no entry before it pops one")
	}
	for _, op := range slices.Backward(body) {
		if !s.first[op] {
			s.second[op] = true
		}
		if !s.second[op] {
			continue
		}
		for _, d := range s.needs(op) {
			if !s.first[d] || s.second[d] {
				continue
			}
			if !repeats(d) {
				return nil, refuse(d, "supplies a tile to both parts of the iteration, before and after the pop")
			}
			s.second[d] = true
		}
	}
	if why := s.carried(); why != nil {
		return nil, why
	}
	return s, s.apart(body, n)
}

// isSync reports whether op is an instruction for synchronization.
func isSync(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	return info != nil && (info.Group == "sync" || info.Group == "comm")
}

// takes reports whether op, or an operation nested in it, pops or releases queue entries.
func takes(op *ir.Op) bool {
	return contains(op, func(e sem.QueueEntry) bool { return e.Act != 0 && !e.Fills() })
}

// fills reports whether op, or an operation nested in it, pushes queue entries.
func fills(op *ir.Op) bool { return contains(op, sem.QueueEntry.Fills) }

// contains reports whether op, or an operation nested in it, is an instruction on a queue
// entry that satisfies a condition. The second parameter is a function that tests the
// condition.
func contains(op *ir.Op, is func(e sem.QueueEntry) bool) bool {
	for o := range op.Walk() {
		if is(sem.QueueEntryOf(o)) {
			return true
		}
	}
	return false
}

// repeats reports whether op may be copied, so that both stages of the loop (cube core
// and vector cores) can execute it. This is true for operations that only compute scalars
// or views.
func repeats(op *ir.Op) bool {
	return len(op.Regions()) == 0 && op.HasTrait(ir.Pure) && !slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return pto.IsTile(v.Type()) })
}

// needs returns those operations of the loop body that compute operands of op. It also
// considers the operands of operations in regions of op.
func (s *stages) needs(op *ir.Op) []*ir.Op {
	var ds []*ir.Op
	for o := range op.Walk() {
		for _, v := range o.Operands() {
			if d := v.Op(); d != nil && d.Block() == s.loop.Region(0).Entry() && d != op {
				ds = append(ds, d)
			}
		}
	}
	return ds
}

// carried assigns each loop-carried value to the stage that uses it. The first stage is
// the part of an iteration before the first pop, and the second stage is the rest. If
// this is impossible, carried returns the reason, for example that both stages use a
// value.
func (s *stages) carried() *refusal {
	body := s.loop.Region(0).Entry()
	for i, a := range scf.IterArgs(s.loop) {
		var first, second bool
		for u := range a.Uses() {
			if op := u.Owner(); op != body.Terminator() {
				op = body.Ancestor(op)
				first, second = first || s.first[op], second || s.second[op]
			}
		}
		next := body.Terminator().Operand(i)
		if d := next.Op(); d != nil && d.Block() == body {
			first, second = first || s.first[d] && !s.second[d], second || s.second[d] && !s.first[d]
		} else if next.IsBlockArg() && next.Block() == body && next != a {
			return refuse(s.loop, "passes a value to the next iteration in another position")
		}
		if first && second {
			return refuse(s.loop, "carries a value that both parts of an iteration use, before and after the pop")
		}
		s.args = append(s.args, first)
	}
	return nil
}

// apart checks that the first stage of an iteration may run before the second stage of
// earlier iterations. body contains the operations of the loop body. The stages must not
// share a queue or memory that one of them writes, and the queues must have enough slots
// for n iterations. apart returns the reason for a failure, or nil.
func (s *stages) apart(body []*ir.Op, n int64) *refusal {
	pushed, used := map[ir.Attr]*ir.Op{}, []access{}
	for _, op := range body {
		for o := range op.Walk() {
			for _, e := range pto.Effects(o) {
				if e.Space == sem.GM {
					used = append(used, access{op: op, base: baseOf(e.Value), writes: e.Kind&pto.Writes != 0})
				}
			}
			if !sem.QueueEntryOf(o).Fills() {
				continue
			}
			id := o.Attr("id")
			if p := pushed[id]; p != nil && s.first[p] != s.first[op] {
				return refuse(o, "pushes into the queue that the other part of the iteration fills")
			}
			pushed[id] = op
		}
	}
	for _, a := range used {
		for _, b := range used {
			if s.first[a.op] && !s.first[b.op] && a.base == b.base && (a.writes || b.writes) {
				return refuse(b.op, "uses global memory that '%s' of the next iteration also uses, but that would run before it", a.op.Name())
			}
		}
	}
	return s.slots(pushed, n)
}

// slots checks the queues of a loop that is divided into two stages. The cube core
// executes the first stage of an iteration and fills the queues; the vector cores execute
// the second stage later. At most n iterations are between their stages at the same time,
// and each needs a slot in each queue. pushed maps the identifier of each queue to an
// instruction that fills the queue. slots returns the reason for a failure, or nil.
func (s *stages) slots(pushed map[ir.Attr]*ir.Op, n int64) *refusal {
	f := s.loop
	for !f.Is(fn.Func) {
		f = f.Parent()
	}
	for op := range f.Walk() {
		if _, init := op.Def().Sem.(sem.QueueInit); !init {
			continue
		}
		if p := pushed[op.Attr("id")]; p != nil && s.first[p] {
			if q := sem.QueueSetUpOf(op); q.Slots < n {
				return refuse(op, "sets up %d slots, but %d iterations need one each; split with slots=%d", q.Slots, n, n)
			}
		}
	}
	return nil
}

// rewrite builds the loop with two stages. In iteration i of the new loop, the first
// stage executes iteration i of the original loop. The second stage executes iteration i
// - s.later of the original loop. The new loop therefore has s.later additional
// iterations at its end, in which only the second stage runs. In the first s.later
// iterations, only the first stage runs.
func (s *stages) rewrite() {
	old, body := s.loop, s.loop.Region(0).Entry()
	b := ir.Before(old)
	calc := func(b *ir.Builder, def *ir.Def, x, y *ir.Value) *ir.Value {
		return b.Op(def, []*ir.Value{x, y}, []ir.Type{x.Type()}).Result(0)
	}
	lower, upper, step := old.Operand(0), old.Operand(1), old.Operand(2)
	ahead := calc(b, arith.MulI, step, arith.Int(b, step.Type(), s.later))
	begin := calc(b, arith.AddI, lower, ahead)
	state := ir.State{Def: scf.For, Operands: slices.Concat([]*ir.Value{lower, calc(b, arith.AddI, upper, ahead), step}, old.Args("initArgs")), Loc: old.Loc()}
	block := &ir.Block{}
	i := block.AddArg(lower.Type())
	i.SetName(body.Arg(0).Name())
	for _, v := range old.Results() {
		state.Results = append(state.Results, v.Type())
		block.AddArg(v.Type())
	}
	state.Regions = []*ir.Region{ir.NewRegion()}
	state.Regions[0].Append(block)
	loop := b.Create(state)
	at := ir.AtEnd(block, old.Loc())
	next := slices.Clone(block.Args()[1:])
	// The first part, unless all rounds of it are over.
	starts := at.Op(arith.CmpI, []*ir.Value{i, upper}, []ir.Type{ir.I1}, signedLess).Result(0)
	s.part(at, starts, i, s.first, true, next)
	// The second part of an earlier round.
	ends := at.Op(arith.CmpI, []*ir.Value{begin, i}, []ir.Type{ir.I1}, signedLessOrEqual).Result(0)
	s.part(at, ends, i, s.second, false, next, ahead)
	at.Op(scf.Yield, next, nil)
	for k, v := range old.Results() {
		v.ReplaceAllUses(loop.Result(k))
	}
	old.Erase()
}

// signedLess and signedLessOrEqual are predicates of arith.cmpi. The pass uses them in
// the conditions under which the two stages of a loop execute.
var (
	signedLess        = ir.NamedAttr{Name: "predicate", Attr: ir.IntAttr(ir.I64, 2)}
	signedLessOrEqual = ir.NamedAttr{Name: "predicate", Attr: ir.IntAttr(ir.I64, 3)}
)

// part emits one of the two stages of the loop body, as a branch that is executed if cond
// is true. The builder at determines the position of the branch. The set ops contains the
// operations of the stage, and first states whether it is the first stage.
//
// The value i is the counter of the new loop. The second stage runs some iterations later
// than the first. For the second stage, the argument delay contains this number of
// iterations, and the stage uses i minus this number as its loop counter.
//
// The slice next contains the current loop-carried values. part replaces those that this
// stage computes by the results of the branch.
func (s *stages) part(at *ir.Builder, cond, i *ir.Value, ops map[*ir.Op]bool, first bool, next []*ir.Value, delay ...*ir.Value) {
	body := s.loop.Region(0).Entry()
	state := ir.State{Def: scf.If, Operands: []*ir.Value{cond}, Regions: []*ir.Region{ir.NewRegion(), ir.NewRegion()}}
	var mine []int
	for k, v := range s.loop.Results() {
		if s.args[k] == first {
			mine = append(mine, k)
			state.Results = append(state.Results, v.Type())
		}
	}
	branch := at.Create(state)
	then := &ir.Block{}
	branch.Region(0).Append(then)
	in := ir.AtEnd(then, s.loop.Loc())
	values := map[*ir.Value]*ir.Value{body.Arg(0): i}
	if len(delay) > 0 {
		values[body.Arg(0)] = in.Op(arith.SubI, []*ir.Value{i, delay[0]}, []ir.Type{i.Type()}).Result(0)
	}
	for k, a := range body.Args()[1:] {
		values[a] = next[k]
	}
	for op := range body.Ops() {
		if ops[op] {
			in.Insert(op.Clone(values))
		}
	}
	var yields, same []*ir.Value
	for _, k := range mine {
		v := body.Terminator().Operand(k)
		if w, ok := values[v]; ok {
			v = w
		}
		yields, same = append(yields, v), append(same, next[k])
	}
	in.Op(scf.Yield, yields, nil)
	if len(mine) > 0 {
		otherwise := &ir.Block{}
		branch.Region(1).Append(otherwise)
		ir.AtEnd(otherwise, s.loop.Loc()).Op(scf.Yield, same, nil)
	}
	for j, k := range mine {
		next[k] = branch.Result(j)
	}
}
