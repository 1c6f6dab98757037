// This file translates functions into executable steps and assigns slots to values.

package runtime

import (
	"cmp"
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/ir"
)

// planner translates functions into steps. It resolves names and types, so that execution
// only uses slots.
type planner struct {
	module *ir.Op
	opts   Options
	target ir.Target
	diags  *ir.Diags
	// failed means that an error has been reported.
	failed bool
	// types describes the types of all values of the module.
	types map[ir.Type]valueType
	// together means that blocks wait for each other, so they must run interleaved.
	together bool
	// divide means that one kernel runs on a cube core and on a vector core (see
	// divided).
	divide bool

	funcs map[*ir.Op]*function
	order []*function // every function, in the order it was first needed
	// store allocates local memory for tiles without an address.
	store storage
	// registers numbers the special registers by name.
	registers map[string]int
	// queues numbers the queues by name; found are the queues of the program (queuesOf).
	queues map[isasync.QueueName]int
	found  *isasync.Queues // of the program; see queuesOf
	// signals are the signals between cores of the program (reach).
	signals *analysis.Signals
	// reserved are the addresses of reserved buffers.
	reserved map[*ir.Op]uint64

	// plain is the step of the operation for which withLineage builds a step with
	// expressions.
	plain step

	// declares means that the program declares tiles that queues fill later.
	declares bool

	// cur is the function that is being planned, and at the operation in it.
	cur   *function // being planned
	at    *ir.Op    // the operation of cur that is being planned
	slots map[*ir.Value]slot

	// links note the signals that operations raise or wait for, for listeners.
	links map[*ir.Op]func(fr *frame, r *recorder)
	// copied are the parts of tiles that copies to and from memory touch.
	copied map[*ir.Op]regionRule
}

// newPlanner returns the planner for a module.
func newPlanner(module *ir.Op, o Options, diags *ir.Diags) *planner {
	p := &planner{module: module, opts: o, target: o.Target, diags: diags, funcs: map[*ir.Op]*function{}, registers: map[string]int{},
		queues: map[isasync.QueueName]int{}, reserved: map[*ir.Op]uint64{}}
	p.declares = declares(module)
	if p.target == 0 {
		p.target = ir.TargetOf(module)
	}
	if !littleEndian() {
		p.errorf(module, "cannot be executed on this machine, which is not little-endian")
	}
	return p
}

// errorf reports an error that prevents the execution of op.
func (p *planner) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	p.failed = true
	return p.diags.Error(op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
}

// function returns the plan of a function. finish completes the plan later, because
// functions may be recursive.
func (p *planner) function(op *ir.Op) *function {
	if f := p.funcs[op]; f != nil {
		return f
	}
	f := &function{op: op, index: len(p.order)}
	p.funcs[op] = f
	p.order = append(p.order, f)
	return f
}

// guarded runs finish. It converts a panic, which is a bug in this package, into an error
// at the operation that was being planned.
func (p *planner) guarded() {
	done := false
	defer func() {
		if !done {
			op := p.at
			if op == nil {
				op = p.module
			}
			f := broken(op, recover())
			d := p.errorf(op, "%s", f.Text)
			d.Note(f.Notes[0].Loc, f.Notes[0].Text)
		}
	}()
	p.finish()
	done = true
}

// finish plans the requested functions and all functions that they call.
func (p *planner) finish() {
	p.types = valueTypes(p.module)
	p.store.occupied = analysis.OccupiedBy(analysis.Reached(p.ops()))
	for i := 0; i < len(p.order); i++ {
		p.body(p.order[i])
	}
	p.propagateTogether()
	p.store.check(p)
}

// ops returns the functions requested so far.
func (p *planner) ops() []*ir.Op {
	var ops []*ir.Op
	for _, f := range p.order {
		ops = append(ops, f.op)
	}
	return ops
}

// propagateTogether marks every function that calls a function in which work items
// exchange values. All work items of such a caller must also advance together.
func (p *planner) propagateTogether() {
	for changed := true; changed; {
		changed = false
		for _, f := range p.order {
			if !f.collective && slices.ContainsFunc(f.calls, func(c *function) bool { return c.collective }) {
				f.collective, changed = true, true
			}
		}
	}
}

// body plans one function. The parameters and then the results occupy its first slots, so
// a caller can compute their positions from the function type.
func (p *planner) body(f *function) {
	p.cur, p.slots = f, map[*ir.Value]slot{}
	entry := fn.Body(f.op)
	if entry == nil {
		p.errorf(f.op, "@%s has no body to execute", fn.Name(f.op))
		return
	}
	for _, a := range entry.Args() {
		p.slot(a)
	}
	_, outs := fn.TypeOf(f.op)
	results := make([]home, len(outs))
	for i, t := range outs {
		results[i] = p.fresh(f.op, t)
	}
	f.body = p.region(f.op, f.op.Region(0), func(ret *ir.Op) moves {
		from := make([]home, len(outs))
		for i := range outs {
			from[i] = p.home(ret.Operand(i))
		}
		return p.moves(from, results)
	})
	if p.listening() {
		f.homes = p.slots
	}
}

// classOf returns the class of values of a type.
func (p *planner) classOf(t ir.Type) class { return p.types[t].class }

// elemSize returns the size in bytes of an element of v, or of the element type that v
// points to.
func (p *planner) elemSize(v *ir.Value) int { return p.types[v.Type()].elem }

// layoutOf returns the layout of a tile type. It reports an error at op if the runtime
// does not support the type.
func (p *planner) layoutOf(op *ir.Op, t ir.Type) *layout {
	x := p.types[t]
	if x.layout == nil {
		p.errorf(op, "works on %s, %s", t, cmp.Or(x.unfit, "which pto-run cannot execute"))
	}
	return x.layout
}

// home is the storage location of a value in a frame.
type home struct {
	class class
	at    slot
}

// fresh allocates a slot for a value of type t that op uses.
func (p *planner) fresh(op *ir.Op, t ir.Type) home {
	x := p.types[t]
	switch {
	case x.class == noClass && ir.Is[pto.Tile](t):
		p.errorf(op, "works on a Level-1 tile, %s, which must become a tile_buf before execution", t)
	case x.class == noClass:
		p.errorf(op, "has a value of type %s, which pto-run cannot execute", t)
	}
	if x.class == rowClass {
		return home{x.class, p.freshRow(x.row)}
	}
	at := p.cur.size[x.class]
	p.cur.size[x.class]++
	return home{x.class, at}
}

// freshRow allocates a slot for a logical vector of the given size.
func (p *planner) freshRow(bytes int) slot {
	at := p.cur.size[rowClass]
	p.cur.size[rowClass]++
	p.cur.rows = append(p.cur.rows, bytes)
	return at
}

// slot returns the slot of a value and allocates it on first use.
func (p *planner) slot(v *ir.Value) slot {
	if at, ok := p.slots[v]; ok {
		return at
	}
	op := v.Op()
	if op == nil {
		op = v.Block().Parent()
	}
	at := p.fresh(op, v.Type()).at
	p.slots[v] = at
	return at
}

// home returns the class and slot of a value.
func (p *planner) home(v *ir.Value) home { return home{p.classOf(v.Type()), p.slot(v)} }

// homes returns the class and slot of each value.
func (p *planner) homes(vs []*ir.Value) []home {
	hs := make([]home, len(vs))
	for i, v := range vs {
		hs[i] = p.home(v)
	}
	return hs
}

// share gives a value the slot of another one, whose last use is at the definition of
// the value.
func (p *planner) share(v, other *ir.Value) { p.slots[v] = p.slot(other) }

// moves returns copies from one list of homes to another that behave as if they happened
// at the same time. It sorts them so that no copy overwrites the source of a later one,
// and breaks cycles with a temporary slot.
func (p *planner) moves(from, to []home) moves {
	var todo, done moves
	for i := range from {
		if from[i] != to[i] {
			todo = append(todo, move{from[i].class, from[i].at, to[i].at})
		}
	}
	for len(todo) > 0 {
		i := slices.IndexFunc(todo, func(m move) bool {
			return !slices.ContainsFunc(todo, func(o move) bool { return o != m && o.class == m.class && o.from == m.to })
		})
		if i < 0 {
			first := &todo[0]
			spare := p.spare(first.class, first.from)
			done = append(done, move{first.class, first.from, spare})
			first.from = spare
			continue
		}
		done = append(done, todo[i])
		todo = slices.Delete(todo, i, i+1)
	}
	return done
}

// spare allocates a temporary slot of class c. For logical vectors, it has the size of
// the slot like.
func (p *planner) spare(c class, like slot) slot {
	if c == rowClass {
		return p.freshRow(p.cur.rows[like])
	}
	at := p.cur.size[c]
	p.cur.size[c]++
	return at
}

// steps plans the operations of a block. end is the terminator, which is not included.
func (p *planner) steps(b *ir.Block) (steps block, end *ir.Op) {
	steps.op = b.Parent()
	for op := range b.Ops() {
		if op.HasTrait(ir.Terminator) {
			return steps, op
		}
		if s := p.step(op); s != nil {
			steps.steps, steps.ops = append(steps.steps, s), append(steps.ops, op)
		}
	}
	return steps, nil
}
