// This file translates functions into executable steps and assigns slots to values.

package runtime

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// planner compiles the functions of a module into steps, Go functions that execute one
// operation each. It resolves names and types once. The steps then access values by their
// index in a frame, the storage of a call.
type planner struct {
	module *ir.Op
	opts   Options
	target ir.Target
	diags  *ir.Diags
	// failed means that the planner has reported an error, so that the program cannot be
	// executed.
	failed bool
	// types describes the types of all values of the module, for example their size and
	// class.
	types map[ir.Type]valueType
	// together means that blocks wait for each other, so they must run interleaved.
	together bool
	// prints means that a kernel prints.
	prints bool
	// divide means that one kernel runs on two simulated cores, a cube core and a vector
	// core (see divided).
	divide bool

	// funcs maps the functions of the program to their compiled versions.
	funcs map[*ir.Op]*function
	// order contains all compiled functions, in the order in which they were first
	// needed.
	order []*function
	// store allocates local memory for tiles without an address.
	store storage
	// registers assigns numbers to the special registers by name.
	registers map[string]int
	// queues assigns numbers to the queues by name.
	queues map[isasync.QueueName]int
	// found are the queues of the program; see queuesOf.
	found *isasync.Queues
	// signals are the signals that cores of the program exchange (see reach).
	signals *analysis.Signals
	// reserved are the addresses of reserved buffers.
	reserved map[*ir.Op]uint64

	// plain is the step of the current operation without symbolic execution. withLineage
	// builds on it.
	plain step

	// declares means that the program declares tiles that a later pop from a queue
	// defines.
	declares bool

	// cur is the function that is being compiled.
	cur *function
	// at is the operation of cur that is being compiled.
	at *ir.Op
	// slots maps the values of the function cur to their slots (indices in the frame).
	slots map[*ir.Value]slot

	// links adds the signals that an operation raises or waits for to its event, for
	// listeners.
	links map[*ir.Op]func(fr *frame, r *recorder)
	// copied determines the bytes of a tile that a copy to or from global memory
	// accesses.
	copied map[*ir.Op]regionRule
	// written has the accesses of moves from the accumulator to the unified buffers.
	written map[*ir.Op][]tileUse
}

// newPlanner returns a planner (compiler) for a module, which reports errors to diags.
func newPlanner(module *ir.Op, o Options, diags *ir.Diags) *planner {
	p := &planner{module: module, opts: o, target: o.Target, diags: diags, funcs: map[*ir.Op]*function{}, registers: map[string]int{},
		queues: map[isasync.QueueName]int{}, reserved: map[*ir.Op]uint64{}, written: map[*ir.Op][]tileUse{}}
	p.declares = declares(module)
	if p.target == 0 {
		p.target = ir.TargetOf(module)
	}
	if !littleEndian() {
		p.errorf(module, "cannot be executed on this machine, which is not little-endian")
	}
	return p
}

// declares reports whether the program declares a tile without memory that a later pop
// from a queue defines. In such programs, the function withPoppedCheck adds checks that
// no instruction uses the tile before the pop.
func declares(module *ir.Op) bool {
	for op := range module.Walk() {
		if _, ok := op.Def().Sem.(sem.Declare); ok && classOf(op.Result(0).Type()) == tileClass {
			return true
		}
	}
	return false
}

// errorf reports an error that prevents the execution of op. The text continues a
// sentence that starts with the name of op.
func (p *planner) errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	p.failed = true
	return p.diags.Error(op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
}

// function returns the compiled version of the function op. finish compiles its body
// later, because functions may be recursive.
func (p *planner) function(op *ir.Op) *function {
	if f := p.funcs[op]; f != nil {
		return f
	}
	f := &function{op: op, index: len(p.order)}
	p.funcs[op] = f
	p.order = append(p.order, f)
	return f
}

// guarded compiles all requested functions by calling finish. If the compilation panics,
// which is a bug in this package, guarded reports an error at the operation that was
// being compiled.
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

// finish compiles the bodies of all functions whose compilation was requested. It
// continues with the functions that these bodies call.
func (p *planner) finish() {
	p.types = valueTypes(p.module)
	p.store.occupied = analysis.OccupiedBy(analysis.Reached(p.ops()))
	for i := 0; i < len(p.order); i++ {
		p.body(p.order[i])
	}
	p.propagateTogether()
	p.store.check(p)
}

// ops returns the functions of the program whose compilation was requested so far.
func (p *planner) ops() []*ir.Op {
	var ops []*ir.Op
	for _, f := range p.order {
		ops = append(ops, f.op)
	}
	return ops
}

// propagateTogether marks SIMT functions whose work items must run interleaved because
// they exchange values. If a marked function is called by another function,
// propagateTogether marks the caller as well, since the exchange happens during its
// execution.
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

// body compiles one function. Each value of the function gets a slot, an index in the
// storage of a call. The slots of the parameters come first, followed by those of the
// results, in order. A caller can therefore compute these slots from the function type,
// before the function is compiled.
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

// classOf returns the class of values of type t, such as scalar or tile. The storage of a
// call has a separate array for each class.
func (p *planner) classOf(t ir.Type) class { return p.types[t].class }

// elemSize returns the size in bytes of an element of the value v. For a pointer, this is
// the size of the elements in memory.
func (p *planner) elemSize(v *ir.Value) int { return p.types[v.Type()].elem }

// layoutOf returns the memory layout of the tile type t. It reports an error at op and
// returns nil if the runtime does not support the type.
func (p *planner) layoutOf(op *ir.Op, t ir.Type) *layout {
	x := p.types[t]
	if x.layout == nil {
		p.errorf(op, "has an operand or result of type %s, which pto-run does not support%s", t, x.unfit)
	}
	return x.layout
}

// home is the storage location of a value in a frame: the class, which selects an array,
// and the index in it.
type home struct {
	class class
	at    slot
}

// fresh allocates a slot for a value of type t that op uses. It reports an error if the
// runtime does not support the type.
func (p *planner) fresh(op *ir.Op, t ir.Type) home {
	x := p.types[t]
	switch {
	case x.class == noClass && ir.Is[pto.Tile](t):
		p.errorf(op, "has a Level 1 tile of type %s as operand or result, which must become a tile_buf before execution: run pto-bufferize", t)
	case x.class == noClass:
		p.errorf(op, "has a value of type %s, which pto-run does not support", t)
	}
	if x.class == rowClass {
		return home{x.class, p.freshRow(x.row)}
	}
	at := p.cur.size[x.class]
	p.cur.size[x.class]++
	return home{x.class, at}
}

// freshRow allocates a slot for a logical vector with the given number of bytes.
func (p *planner) freshRow(bytes int) slot {
	at := p.cur.size[rowClass]
	p.cur.size[rowClass]++
	p.cur.rows = append(p.cur.rows, bytes)
	p.cur.vectors += int64(bytes)
	return at
}

// slot returns the slot of v, its index in the frame. It allocates the slot on first use.
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

// home returns the storage location of v in a call: its class (such as scalar or tile)
// and its index among the values of the class.
func (p *planner) home(v *ir.Value) home { return home{p.classOf(v.Type()), p.slot(v)} }

// homes returns the storage location of each value in vs: its class (such as scalar or
// tile) and its index among the values of the class.
func (p *planner) homes(vs []*ir.Value) []home {
	hs := make([]home, len(vs))
	for i, v := range vs {
		hs[i] = p.home(v)
	}
	return hs
}

// share makes v use the storage of the value in the parameter other, so that no copy
// between the two is needed. The last use of that value must be at the definition of v.
func (p *planner) share(v, other *ir.Value) { p.slots[v] = p.slot(other) }

// moves returns copies from the storage locations in the list from to the storage
// locations in the list to. The copies have the effect of simultaneous copies: they are
// ordered so that no copy overwrites the source of a later one. A temporary location
// breaks each cycle of copies.
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

// spare allocates a temporary slot of class c. like is the slot of the value that will be
// copied to it. Logical vectors (VMI) have different sizes, so a slot for a logical
// vector gets the size of slot like.
func (p *planner) spare(c class, like slot) slot {
	if c == rowClass {
		return p.freshRow(p.cur.rows[like])
	}
	at := p.cur.size[c]
	p.cur.size[c]++
	return at
}

// steps compiles the operations of block b, except for its terminator, into steps. The
// result end is the terminator, which the caller compiles.
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
