// This file decides whether fusion is profitable.

package expand

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// pays reports whether it is profitable to add the instruction with the plan k to the
// group g. With a clock, three conditions must hold. The vector unit needs fewer cycles for
// the fused loop than for separate loops. The operations around the loop do not end later:
// the fused loop stores its first result later than a separate loop. The fused loop starts
// later by at most the cycles that it saves, because it waits for the loads of all its
// operands. It does not start later if k shares no tile with the group.
//
// Without a clock, pays compares numbers of instructions.
func (u *fuser) pays(g *group, k *kernel) bool {
	if len(g.kernels) == 0 {
		return true
	}
	if u.clock == nil {
		return g.fewer(k)
	}
	both := &group{kernels: append(g.kernels[:len(g.kernels):len(g.kernels)], k)}
	together, first := both.task(u.loop(both.ops())), g.task(u.loop(g.ops()))
	saved := first.busy + u.duration(k.op).busy - together.busy
	if saved <= 0 {
		return false
	}
	ops := u.around(k.op)
	fused, separate := u.schedule(ops, together), u.schedule(ops, first)
	later := fused.start[g.kernels[0].op] - separate.start[g.kernels[0].op]
	return fused.end <= separate.end && (later <= 0 || later <= saved && g.shares(k))
}

// shares reports whether the instruction with the plan k accesses a tile that also an
// instruction of the group accesses.
func (g *group) shares(k *kernel) bool {
	places := map[place]bool{}
	for _, o := range g.kernels {
		for _, t := range o.n.tiles() {
			places[t.place()] = true
		}
	}
	return slices.ContainsFunc(k.n.tiles(), func(t *operand) bool { return places[t.place()] })
}

// ops returns the instructions of the group.
func (g *group) ops() []*ir.Op {
	var ops []*ir.Op
	for _, k := range g.kernels {
		ops = append(ops, k.op)
	}
	return ops
}

// task returns the loop of the group as a task of the vector unit that lasts the given
// number of cycles.
func (g *group) task(cycles float64) task {
	return task{ops: g.ops(), pipe: sem.PipeV, duration: duration{busy: cycles}}
}

// loop returns the predicted time of one loop that executes the instructions ops, in
// cycles. It emits the loop, and erases it again.
func (u *fuser) loop(ops []*ir.Op) float64 {
	if t, ok := u.times[ops[0]]; ok && len(ops) == 1 {
		return t.busy
	}
	g := &group{x: &expander{target: u.target}}
	for _, op := range ops {
		k := plan(g.x, op, u.target)
		k.slim = len(g.kernels) > 0 && !sameSpace(g.kernels[0], k)
		g.kernels = append(g.kernels, k)
	}
	last := ops[len(ops)-1]
	before := last.Prev()
	g.x.op = last
	switch k := g.kernels[0]; {
	case len(ops) == 1 && k.cols != nil:
		k.cols.columns(k.n)
	case len(ops) == 1:
		g.x.emit(k.n, k)
	default:
		g.x.omitted = g.omitted(u.f)
		g.x.emit(g.space(), g.kernels...)
	}
	cycles, _ := u.clock.Cycles(last.Prev())
	for last.Prev() != before {
		last.Prev().Erase()
	}
	return cycles
}

// duration is for how many cycles an instruction occupies its pipe, and how many cycles
// later its result arrives.
type duration struct{ busy, rest float64 }

// duration returns the predicted duration of op. The duration of a tile instruction that
// can be fused is that of a loop of its own.
func (u *fuser) duration(op *ir.Op) duration {
	if t, ok := u.times[op]; ok {
		return t
	}
	var t duration
	if plan(&expander{target: u.target}, op, u.target) != nil {
		t.busy = u.loop([]*ir.Op{op})
	} else {
		t.busy, t.rest = u.clock.Cycles(op)
	}
	u.times[op] = t
	return t
}

// task is work of one pipe that executes instructions.
type task struct {
	ops  []*ir.Op
	pipe sem.Pipe
	duration
}

// mostAround limits how many operations before and after an instruction the prediction
// considers.
const mostAround = 48

// around returns the tile instructions, copies and scalar accesses around op, in program
// order. The search ends at operations with regions, which can be loops.
func (u *fuser) around(op *ir.Op) []*ir.Op {
	first, last := op, op
	for n := 0; n < mostAround && first.Prev() != nil && len(first.Prev().Regions()) == 0; n++ {
		first = first.Prev()
	}
	for n := 0; n < mostAround && last.Next() != nil && len(last.Next().Regions()) == 0; n++ {
		last = last.Next()
	}
	var ops []*ir.Op
	for ; first != last.Next(); first = first.Next() {
		info := pto.InfoOf(first.Def())
		if info == nil {
			continue
		}
		pipe := pto.PipeFor(first, u.target)
		if pipe == sem.PipeS && len(info.Access) > 0 || pipe != sem.PipeS && pipe != sem.NoPipe && first.Form().Level == ir.DPS {
			ops = append(ops, first)
		}
	}
	return ops
}

// schedule returns the predicted schedule of the instructions ops. Each pipe executes its
// instructions in order, and an instruction waits for the instructions of other pipes
// with which it shares bytes. loop is a task that executes several of the instructions.
func (u *fuser) schedule(ops []*ir.Op, loop task) *timeline {
	s := &timeline{free: map[sem.Pipe]float64{}, start: map[*ir.Op]float64{}}
	last := loop.ops[len(loop.ops)-1]
	for _, op := range ops {
		switch {
		case op == last:
			s.add(loop)
		case !slices.Contains(loop.ops, op):
			s.add(task{ops: []*ir.Op{op}, pipe: pto.PipeFor(op, u.target), duration: u.duration(op)})
		}
	}
	return s
}

// timeline is the predicted schedule of tasks on the pipes of a core.
type timeline struct {
	// free is the time at which each pipe can start its next task. The scalar pipe starts
	// the tasks of all pipes.
	free map[sem.Pipe]float64
	// start is the start of each task, by its first instruction.
	start map[*ir.Op]float64
	done  []finished
	// pipe is the pipe of the last task, and run is the index in done of the first access
	// of the consecutive tasks of this pipe.
	pipe sem.Pipe
	run  int
	// end is the time at which all tasks are complete.
	end float64
}

// finished is an access of a task that the timeline contains, and the time at which the
// task is complete.
type finished struct {
	pipe  sem.Pipe
	at    float64
	bytes analysis.Bytes
	// known reports that the bytes are known. write reports a write.
	known, write bool
}

// add appends the task t to the timeline. Consecutive tasks of a pipe count as complete when
// the last of them is complete, because pto-insert-sync sets one flag after all of them.
func (s *timeline) add(t task) {
	if t.pipe != s.pipe {
		s.pipe, s.run = t.pipe, len(s.done)
	}
	var uses []finished
	at := max(s.free[t.pipe], s.free[sem.PipeS])
	for _, op := range t.ops {
		for n, a := range op.OperandArgs() {
			v := op.Operand(n)
			if pto.SpaceOf(v.Type()) != sem.UB || a.Role == ir.Scratch {
				continue
			}
			b, known := within(v)
			uses = append(uses, finished{pipe: t.pipe, bytes: b, known: known, write: a.Role == ir.Out})
		}
	}
	for _, d := range s.done {
		for _, u := range uses {
			if d.pipe != t.pipe && (d.write || u.write) && (!d.known || !u.known || d.bytes.Meets(u.bytes)) {
				at = max(at, d.at)
			}
		}
	}
	s.start[t.ops[0]], s.free[t.pipe] = at, at+t.busy
	done := at + t.busy + t.rest
	s.end = max(s.end, done)
	s.done = append(s.done, uses...)
	for i := s.run; i < len(s.done); i++ {
		s.done[i].at = done
	}
}

// fewer reports whether it is profitable to add k, the plan of the loop for one more
// instruction, to the group. It is not profitable if the fused loop has more vector
// instructions than the loop of the group and the loop of k have together. This happens
// if one of the two loops can process all elements of a tile as a single row, but the
// fused loop must process each row separately. The last register of each row is then not
// full.
func (g *group) fewer(k *kernel) bool {
	if k.slim {
		return false // it has one instruction for each line
	}
	both := append(g.kernels[:len(g.kernels):len(g.kernels)], k)
	return instructions(both) <= instructions(g.kernels)+instructions([]*kernel{k})
}

// instructions estimates how many vector instructions the fused loop of the plans ks
// executes for one line: a row, a column, or all elements of a contiguous tile. For each
// vector register, it counts one computation and one store for each tile instruction, and
// one load for each tile that the loop reads and has not stored before. If the length of
// the line is unknown, the result is the count for one register.
func instructions(ks []*kernel) float64 {
	flat, n := true, 0
	known := map[place]bool{}
	for _, k := range ks {
		flat = flat && k.n.flat
		for _, o := range k.n.ins {
			if !known[o.place()] {
				known[o.place()] = true
				n++
			}
		}
		known[k.out.place()] = true
		n += 2
	}
	length, lanes := ks[0].n.length.n, ks[0].n.lanes
	switch {
	case length == ir.Dynamic:
		return float64(n)
	case flat:
		return float64(n) * float64(length) / float64(lanes)
	}
	return float64(n) * float64(pto.CeilDiv(length, lanes))
}
