// This file compares the accesses of a cube kernel and a vector kernel that run together.

package insertsync

import (
	"iter"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A cube kernel and a vector kernel of a module run on the cube core and on both vector
// cores of a block. The proof of each kernel follows one core. The proof of the team
// follows all three cores on one path: a core runs until it waits for a signal or a queue
// entry that another core has not supplied yet, and then the next core runs. The kernels
// have the same arguments, so values that depend on arguments only are equal on all cores,
// and so are the directions of branches that depend on them.
//
// The proof of the team compares accesses to global memory. Queues order the accesses to
// their own slots.

// team is the state of the three cores that the proof of a team follows.
type team struct {
	members []*member
	lanes   map[laneKey]*lane
	queues  *isasync.Queues
}

// laneKey identifies one direction of a queue, for one vector core.
type laneKey struct {
	name isasync.QueueName
	way  int // sem.ToVector or sem.ToCube
	core int32
}

// lane is the state of the entries that a queue transfers to or from one vector core. The
// field pushed holds a clock for each entry that was pushed: the work that was complete
// at the push. The field freed holds a clock for each entry that was freed: the work that
// was complete at that time. The field popped is the number of entries popped so far, and
// claimed is the number of entries for which the producer has claimed a slot.
type lane struct {
	pushed, freed   []*order.Clock
	popped, claimed int
}

// member is the state of one core of a team. The simulation of a team runs one core at a
// time, and a core that waits lets the others run. When the simulation switches to
// another core, the runner saves its fields for the old core in one member and loads
// those for the new core from another one.
type member struct {
	f         *ir.Op
	at        int32
	x         *values
	t, static *tree
	arrays    map[*ir.Value][]sum
	rounds    []roundAt
	depth     int
	// yield lets the other cores run. It returns false if the path has ended.
	yield func(struct{}) bool
	// waits is the operation at which the core waits for another one.
	waits *ir.Op
}

// teamsOf returns pairs of kernels of a module that run together: a cube kernel and a
// vector kernel. It considers only kernels that communicate with other cores. If the
// module has exactly one cube kernel and one vector kernel of this kind, these two are a
// pair. If it has more, two kernels are a pair if one of them names the other one as its
// peer.
func teamsOf(module *ir.Op) (teams [][2]*ir.Op) {
	called := callees(module)
	var cubes, vectors []*ir.Op
	for f := range module.Walk() {
		if !f.Is(fn.Func) || fn.Body(f) == nil || called[f] || ptoanalysis.Unbuffered(f) != nil || !meets(f) {
			continue
		}
		switch ptoanalysis.UnitOf(f) {
		case sem.CubeUnit:
			cubes = append(cubes, f)
		case sem.VectorUnit:
			vectors = append(vectors, f)
		default:
			return nil
		}
	}
	if len(cubes) == 1 && len(vectors) == 1 {
		return [][2]*ir.Op{{cubes[0], vectors[0]}}
	}
	for _, c := range cubes {
		if i := slices.IndexFunc(vectors, func(v *ir.Op) bool { return names(c, v) || names(v, c) }); i >= 0 {
			teams = append(teams, [2]*ir.Op{c, vectors[i]})
			vectors = slices.Delete(vectors, i, i+1)
		}
	}
	return teams
}

// meets reports whether the kernel f interacts with other cores while it runs: through a
// queue, or through signals that it raises or waits for.
func meets(f *ir.Op) bool {
	for op := range f.Walk() {
		if sem.QueueEntryOf(op).Act != 0 || isCross(op) {
			return true
		}
	}
	return false
}

// names reports whether the kernel f contains an attribute peer_func that names the
// kernel peer. The attribute belongs to an instruction that imports the memory of a queue
// from the other kernel.
func names(f, peer *ir.Op) bool {
	for op := range f.Walk() {
		if a := op.Attr("peer_func"); !a.IsZero() && ir.LookupSymbol(f, a) == peer {
			return true
		}
	}
	return false
}

// isCross reports whether op raises or awaits a signal between cores.
func isCross(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case sem.CrossSet, sem.CrossWait:
		return true
	}
	return false
}

// newTeamProof returns the initial state of the proof of two kernels that run together.
func newTeamProof(cube, vector *ir.Op, target ir.Target, calls map[*ir.Op]bool) *proof {
	p := newProof(cube, target, calls)
	p.twoCores, p.pair, p.vector = true, true, vector
	return p
}

// meetAll simulates a cube core and two vector cores that run together. It follows one
// execution path, a choice of branches and trip counts. Each core runs until it waits for
// another core.
func (r *runner) meetAll() {
	r.team = &team{lanes: map[laneKey]*lane{}, queues: isasync.FindQueues(r.f)}
	first := r.newMember(r.f, onCube, r.x)
	for at := onVector; at <= onSecond; at++ {
		x := newValues(r.x.choose)
		x.same, x.fixed = r.x.same, r.x.fixed
		m := r.newMember(r.vector, at, x)
		if at == onSecond { // its unknown values are not those of the first vector core
			for op := range r.vector.Walk() {
				for _, v := range op.Results() {
					x.ran[v] = true
				}
			}
		}
		m.takeArguments(first)
	}
	for _, m := range r.team.members { // before one of them decides on a number alone
		r.resume(m)
		for _, v := range fn.Body(m.f).Args() {
			r.countsBy(v)
		}
	}
	type running struct {
		*member
		next func() (struct{}, bool)
	}
	var live []running
	for _, m := range r.team.members {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			m.yield = yield
			r.region(m.f.Region(0))
		})
		defer stop()
		live = append(live, running{m, next})
	}
	for len(live) > 0 && !r.stopped {
		moved := false
		rest := live[:0]
		for _, m := range live {
			before := r.steps
			r.resume(m.member)
			_, more := m.next()
			moved = moved || !more || r.steps > before
			if more {
				rest = append(rest, m)
			}
		}
		if live = rest; !moved {
			r.undecide(live[0].waits, "meet", "on one of the examined paths, '%s' waits for another core that itself waits, so the static proof does not continue", live[0].waits.Name())
			r.stopped = true
		}
	}
	r.stopped = true // for the cores that have not ended
}

// newMember adds a core to the team and returns it. The team is the group of cores that
// the runner simulates together: one cube core and two vector cores. f is the kernel that
// the core executes. at is the index of the core in the team (onCube, onVector or
// onSecond). x receives the integers that the core computes, as sums of unknown values.
func (r *runner) newMember(f *ir.Op, at int32, x *values) *member {
	queues := func() *isasync.Queues { return r.team.queues }
	m := &member{f: f, at: at, x: x, arrays: map[*ir.Value][]sum{}}
	m.t = &tree{resolver: &resolver{known: map[*ir.Value][]location{}, queues: queues, path: x}, target: r.target, calls: r.calls, unit: unitAt(at)}
	m.static = &tree{resolver: &resolver{known: map[*ir.Value][]location{}, queues: queues}, target: r.target, calls: r.calls, unit: unitAt(at)}
	r.team.members = append(r.team.members, m)
	return m
}

// takeArguments records that all kernels of a team are launched with the same arguments.
// Each argument of the member's kernel receives the symbolic value, and for a pointer
// also the memory location, of the corresponding argument of the first member.
func (m *member) takeArguments(first *member) {
	own, others := fn.Body(m.f).Args(), fn.Body(first.f).Args()
	for i, v := range own {
		if what, ok := ptoanalysis.LaunchParam(v); ok && what == sem.SubBlockIdx {
			m.x.now[v] = number(int64(max(m.at-onVector, 0)))
			continue
		}
		if i >= len(others) {
			continue
		}
		m.x.now[v] = first.x.of(others[i])
		if pto.SpaceOf(v.Type()) != sem.NoSpace {
			m.t.known[v], m.static.known[v] = first.t.places(others[i]), first.static.places(others[i])
		}
	}
}

// resume makes m the core whose operations the runner follows.
func (r *runner) resume(m *member) {
	r.me, r.x, r.t, r.static, r.arrays, r.rounds, r.depth = m, m.x, m.t, m.static, m.arrays, m.rounds, m.depth
	r.switchTo(m.at)
}

// until lets other cores run until the function ready returns true. op is the operation
// that waits. The result is false if the simulated path ends before ready returns true.
func (r *runner) until(op *ir.Op, ready func() bool) bool {
	m := r.me
	for !ready() {
		m.waits, m.rounds, m.depth = op, r.rounds, r.depth
		if !m.yield(struct{}{}) {
			return false
		}
	}
	return true
}

// heard simulates the wait of op for a signal of another core: it lets other cores run
// until they have raised this signal. It returns false if the simulated path ends before
// that. It returns true for an operation that does not wait, or if the number of the
// signal is unknown.
func (r *runner) heard(op *ir.Op) bool {
	s := sem.SignalOf(op)
	id, known := r.number(s.Number)
	if _, waits := op.Def().Sem.(sem.CrossWait); !waits || !known {
		return true
	}
	return r.until(op, func() bool {
		for _, at := range r.partners(s.Reach, id) {
			k := channelKey{sem.NoPipe, sem.NoPipe, id % sem.Signals, at}
			if r.at == onCube {
				k.core += raisedBy
			}
			if ch := r.channels[k]; ch == nil || ch.Pending() == 0 {
				return false
			}
		}
		return true
	})
}

// entry simulates an instruction that pushes, pops or frees a queue entry. It updates the
// simulated queue, and waits if the queue is full or empty. The function act simulates
// the memory accesses that the instruction itself makes, such as the copy into the slot.
func (r *runner) entry(op *ir.Op, act func()) {
	name, known := r.team.queues.NameOf(op)
	q := r.team.queues.Used(op)
	use := sem.QueueUseOf(op)
	if !known || q == nil || use.Act == sem.QueueAlloc {
		r.undecide(op, "queue", "the static proof does not track the queue that '%s' uses", op.Name())
		r.stopped = true
		return
	}
	way := use.Way(unitAt(r.at), sem.ToVector)
	pipes := q.Pipes(way, r.target)
	lanes := r.lanesOf(laneKey{name: name, way: way}, use.Split == 0 && q.OneCore(r.target))
	all := func(ok func(l *lane) bool) func() bool {
		return func() bool {
			for _, l := range lanes {
				if !ok(l) {
					return false
				}
			}
			return true
		}
	}
	switch use.Act {
	case sem.QueuePush:
		if !r.until(op, all(func(l *lane) bool { return int64(l.claimed-len(l.freed)) < q.Slots })) {
			return
		}
		for _, l := range lanes {
			if l.claimed++; int64(l.claimed) > q.Slots {
				r.core.Acquire(order.LineOrScalar(pipes.Reserve), l.freed[int64(l.claimed)-q.Slots-1])
			}
		}
		act()
		c := r.released(order.LineOrScalar(pto.PipeFor(op, r.target)))
		for _, l := range lanes {
			l.pushed = append(l.pushed, c)
		}
	case sem.QueuePop:
		if !r.until(op, all(func(l *lane) bool { return l.popped < len(l.pushed) })) {
			return
		}
		for _, l := range lanes {
			r.core.Acquire(order.LineOrScalar(pipes.Pop), l.pushed[l.popped])
			l.popped++
		}
		act()
	case sem.QueueFree:
		act()
		c := r.released(order.LineOrScalar(pipes.Free))
		for _, l := range lanes {
			l.freed = append(l.freed, c)
		}
	}
}

// released returns a clock with the instructions that are certainly complete when a pipe
// of the current core signals. l is the timeline of this pipe.
func (r *runner) released(l order.Line) *order.Clock {
	c := &order.Clock{}
	r.core.Release(l, c)
	return c
}

// lanesOf returns the lanes of the queue k that an instruction of the current core
// affects. oneCore reports that the cube core exchanges entries with the first vector
// core only.
func (r *runner) lanesOf(k laneKey, oneCore bool) []*lane {
	from, to := r.at, r.at
	if r.at == onCube {
		if from, to = onVector, onSecond; oneCore {
			to = onVector
		}
	}
	var list []*lane
	for k.core = from; k.core <= to; k.core++ {
		if r.team.lanes[k] == nil {
			r.team.lanes[k] = &lane{}
		}
		list = append(list, r.team.lanes[k])
	}
	return list
}
