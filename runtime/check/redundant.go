// This file finds synchronization that is unnecessary.

package check

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// units partitions the synchronization of a launch into units. A unit is synchronization
// that can only be removed as a whole. It consists of the raises and waits that consume
// each other's signals, of all acquires and releases of a buffer token, or of a barrier.
//
// A unit is redundant under two conditions: all accesses that must not race are ordered
// without it, and each event is still raised only after its previous wait. To check this,
// the checker executes the launch again. For each unit, it runs one more machine that
// ignores the unit.
type units struct {
	// parent is the union-find structure over sites (operations).
	parent map[int32]int32
	// what is the description of each site's unit in messages.
	what map[int32]string
	// order lists the sites in the order of their first events.
	order []int32
	// buffer maps the number of a buffer token to the first site that uses it.
	buffer map[int]int32
}

// newUnits returns an empty set of units. A unit is a set of synchronization operations
// that can only be removed together.
func newUnits() *units {
	return &units{parent: map[int32]int32{}, what: map[int32]string{}, buffer: map[int]int32{}}
}

// find returns the number of the operation that represents a unit. A unit is a set of
// synchronization operations that can only be removed together. s is the number of any
// operation of the unit.
func (u *units) find(s int32) int32 {
	for u.parent[s] != s {
		u.parent[s] = u.parent[u.parent[s]]
		s = u.parent[s]
	}
	return s
}

// see adds the operation with number s to the units, unless it belongs to a unit already.
// A unit is a set of synchronization operations that can only be removed together. The
// new unit contains only s, and the parameter what describes the unit in messages.
func (u *units) see(s int32, what string) {
	if _, ok := u.parent[s]; !ok {
		u.parent[s], u.what[s] = s, what
		u.order = append(u.order, s)
	}
}

// join merges two units into one: the unit of operation a and the unit of operation b. A
// unit is a set of synchronization operations that can only be removed together.
func (u *units) join(a, b int32) {
	if a, b = u.find(a), u.find(b); a != b {
		u.parent[max(a, b)] = min(a, b)
	}
}

// add assigns a synchronization operation to a unit: a set of operations that can only be
// removed together. s is the site of the operation, and e is the event of its execution.
// A wait joins the unit of the operation that raised its flag; the parameter ch is the
// state of this flag. Operations on the same buffer token form one unit.
func (u *units) add(e *runtime.Event, s *site, ch *channel) {
	if e.Step > 0 {
		return
	}
	switch e.Kind {
	case runtime.FlagSet, runtime.FlagWait:
		k := e.Links[0].Channel
		u.see(s.id, fmt.Sprintf("event %d from %s to %s", k.ID, k.Src, k.Dst))
		if e.Kind == runtime.FlagWait && ch.last.site != 0 {
			u.join(s.id, ch.last.site)
		}
	case runtime.BufferGet, runtime.BufferRelease:
		n := bufferOf(e)
		u.see(s.id, fmt.Sprintf("buffer %d", n))
		if first, ok := u.buffer[n]; ok {
			u.join(s.id, first)
		} else {
			u.buffer[n] = s.id
		}
	case runtime.PipeBarrier:
		if e.Pipe != sem.PipeAll || !atEnd(s.op) {
			u.see(s.id, fmt.Sprintf("the barrier of %s", e.Pipe))
		}
	case runtime.MemoryBarrier:
		u.see(s.id, fmt.Sprintf("the barrier \"%s\"", e.Order))
	}
}

// atEnd reports whether op is the last operation before a return. Compilers end kernels
// with a barrier that protects the next kernel. The checker does not report this barrier
// as redundant.
func atEnd(op *ir.Op) bool {
	next := op.Next()
	return next != nil && next.Is(fn.Return)
}

// all returns the units, sets of synchronization operations that can only be removed
// together. Each unit is a list of the numbers of its sites (operations). The units and
// the sites in them are in the order of their first events.
func (u *units) all() [][]int32 {
	of := map[int32][]int32{}
	var roots []int32
	for _, s := range u.order {
		r := u.find(s)
		if of[r] == nil {
			roots = append(roots, r)
		}
		of[r] = append(of[r], s)
	}
	var all [][]int32
	for _, r := range roots {
		all = append(all, of[r])
	}
	return all
}

// trial is a simulation of a launch that ignores some synchronization operations, those
// in the field gone. It shows whether these operations are needed.
type trial struct {
	m    *machine
	gone map[int32]bool
	// broken means that an access became unordered, so that the ignored units are needed.
	broken bool
}

// Redundant reports which synchronization of the launch can be removed. It tests the
// units of synchronization; a unit, such as a barrier, can only be removed as a whole.
// The function run must execute the launch again with the original arguments and send its
// events to the listener l. If this function returns an error, Redundant returns the same
// error.
func (c *Checker) Redundant(run func(l runtime.Listener) error) error {
	candidates := c.units.all()
	var alone [][]int32
	if err := c.try(candidates, nil, run, func(i int) { alone = append(alone, candidates[i]) }); err != nil {
		return err
	}
	slices.SortFunc(alone, func(a, b []int32) int { return c.sites.all[a[0]].op.Loc().Compare(c.sites.all[b[0]].op.Loc()) })
	together := map[int32]bool{}
	for _, u := range alone {
		ok := len(together) == 0
		if !ok {
			if err := c.try([][]int32{u}, together, run, func(int) { ok = true }); err != nil {
				return err
			}
		}
		if ok {
			for _, s := range u {
				together[s] = true
			}
		}
		c.tellRedundant(u, ok)
	}
	return nil
}

// try tests in a single execution of the launch which units of synchronization can be
// removed. A unit is a set of synchronization operations, given by their numbers, that
// can only be removed together. us lists the units. gone contains the operations that are
// already removed. The function run executes the launch with the given listener. A unit
// can be removed if all accesses that must not race are still ordered without it. For
// each such unit us[i], try calls free(i).
func (c *Checker) try(us [][]int32, gone map[int32]bool, run func(l runtime.Listener) error, free func(i int)) error {
	t := &trials{c: c}
	for _, u := range us {
		x := &trial{gone: map[int32]bool{}}
		for s := range gone {
			x.gone[s] = true
		}
		for _, s := range u {
			x.gone[s] = true
		}
		t.all = append(t.all, x)
	}
	if err := run(t); err != nil {
		return err
	}
	for i, x := range t.all {
		if !x.broken {
			free(i)
		}
	}
	return nil
}

// trials is a listener that receives the events of one launch and forwards them to
// several trials: simulations that ignore different synchronization operations.
type trials struct {
	c   *Checker
	all []*trial
}

// Begin creates the state of happens-before analysis for each trial, a simulated run
// without some synchronization operations. It implements runtime.Listener.
func (t *trials) Begin(l *runtime.Launch) {
	for _, x := range t.all {
		x.m = newMachine(l, t.c.rules, t.c.sites)
		x.m.skip = func(s int32) bool { return x.gone[s] }
		x.m.racy = func(h *hazard) {
			if t.c.hazards[t.c.key(h)] == nil {
				x.broken = true
			}
		}
	}
}

// End does nothing. It implements runtime.Listener.
func (t *trials) End(*runtime.Fault) {}

// Event passes event e to the trials, each of which simulates the launch without some
// synchronization. It skips each broken trial, which has already shown that its
// synchronization is needed. Event implements runtime.Listener.
func (t *trials) Event(e *runtime.Event) {
	s := t.c.sites.site(e.Op)
	for _, x := range t.all {
		if x.broken {
			continue
		}
		x.m.event(e, s)
		if (e.Kind == runtime.FlagSet || e.Kind == runtime.SignalSet) && !x.gone[s.id] {
			x.broken = x.broken || t.unordered(x, e, s)
		}
	}
}

// unordered tests a rule of flags in the trial x, a simulation without some
// synchronization operations. A flag must not be raised before the previous wait for it
// is complete. The event e raises a flag at the operation s. unordered returns true if
// the trial violates this rule, unless the checker has already found the same violation
// in the complete launch.
func (t *trials) unordered(x *trial, e *runtime.Event, s *site) bool {
	for i := range e.Links {
		ch := x.m.channel(channelKey{e.Links[i].Channel, e.Step > 0})
		back := 1
		if e.Kind == runtime.SignalSet {
			back = 15
		}
		if k := ch.Raised(); k > back && !ch.Behind(k-back, ch.Newest()) && t.c.found[findingKey{Sync, "reuse", s.id, ch.waiter}] == nil {
			return true
		}
	}
	return false
}

// tellRedundant adds a report about the redundant unit u, a set of synchronization
// operations. together states whether u can be removed together with the units of earlier
// reports. If it is false, the report says that only one of them can be removed, because
// they order the same accesses.
func (c *Checker) tellRedundant(u []int32, together bool) {
	first := c.sites.all[u[0]]
	r := &Report{Check: Redundant, Severity: ir.Remark, Class: "redundant", Loc: first.op.Loc()}
	r.Text = c.units.what[u[0]] + " is redundant: all accesses are ordered without it"
	for _, s := range u[1:] {
		r.note(c.sites.all[s].op.Loc(), "so this can also be removed")
	}
	if !together {
		r.note(ir.Loc{}, "do not remove it together with those above: it orders the same accesses")
	}
	c.reports = append(c.reports, r)
}
