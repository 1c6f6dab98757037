package passes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/ir"
)

// Rewrite is how the driver applies patterns.
type Rewrite struct {
	Patterns []ir.Pattern
	// Fold also folds, removes what is dead and keeps one of equal constants.
	Fold bool
	// MaxIterations bounds how often all operations are looked at; 0 means 10,
	// negative no bound.
	MaxIterations int
	// MaxRewrites bounds the changes of one iteration; 0 means a number that
	// only patterns that undo each other reach, negative no bound.
	MaxRewrites int
	// BottomUp looks at operations from the last one.
	BottomUp bool
	// Between is run after each iteration; it reports whether it changed
	// something.
	Between func() bool
	// Fired, if not nil, receives how often each pattern applied.
	Fired map[string]int
}

// Result of a rewrite.
type Result struct {
	Changed   bool
	Converged bool
	Endless   bool // stopped since the patterns seem to undo each other
	// Cycle names the patterns that were still at work at the end.
	Cycle []string
	// Folded, Removed and Applied count what was done.
	Folded, Removed, Applied int
}

// Rewrite applies patterns to everything below op until nothing changes. A
// set that never comes to an end is an error that names its patterns.
func (c *Context) Rewrite(op *ir.Op, patterns ...ir.Pattern) error {
	res := c.Apply(op, Rewrite{Patterns: patterns})
	if !res.Converged {
		return res.Err()
	}
	return nil
}

// Err describes a rewrite that found no end.
func (r Result) Err() error {
	return fmt.Errorf("rewriting does not come to an end; still at work: %s", strings.Join(r.Cycle, ", "))
}

// Apply is Rewrite with all its choices. The operation itself stays.
func (c *Context) Apply(op *ir.Op, how Rewrite) Result {
	d := &driver{c: c, how: how, root: op, byDef: map[*ir.Def][]*ir.Pattern{}}
	for i := range how.Patterns {
		p := &how.Patterns[i]
		d.byDef[p.On] = append(d.byDef[p.On], p)
	}
	d.rw.Changed = d.noteChanged
	d.rw.Removed = d.noteRemoved
	d.run()
	return d.res
}

// driver is one rewrite of one operation.
type driver struct {
	c      *Context
	how    Rewrite
	root   *ir.Op
	byDef  map[*ir.Def][]*ir.Pattern // nil: patterns for every operation
	rw     ir.Rewriter
	work   *worklist
	ops    []*ir.Op // memory for fill
	consts *constants
	res    Result
	recent map[string]bool // what was done in the iteration that had no end
	steps  int             // changes in this iteration
	limit  int
}

func (d *driver) run() {
	most := d.how.MaxIterations
	if most == 0 {
		most = 10
	}
	for i := 0; most < 0 || i < most; i++ {
		changed, noEnd := d.iteration()
		if d.how.Between != nil && d.how.Between() {
			changed = true
		}
		d.res.Changed = d.res.Changed || changed
		if !changed {
			d.res.Converged = true
			return
		}
		if noEnd {
			d.res.Endless = true
			break
		}
	}
	d.res.Cycle = slices.Sorted(maps.Keys(d.recent))
}

// endless is the number of changes, for each operation, that no set of
// patterns with an end comes near.
const endless = 1000

func (d *driver) iteration() (changed, noEnd bool) {
	d.work, d.consts, d.recent, d.steps = newWorklist(d.c.Seed), newConstants(), map[string]bool{}, 0
	n := 0
	for _, part := range d.parts() {
		if part != d.root && part.Block() == nil { // removed meanwhile
			continue
		}
		d.consts.reset()
		n += d.fill(part)
		if d.limit = d.how.MaxRewrites; d.limit == 0 {
			d.limit = 10_000 + endless*n
		}
		for op := d.work.pop(); op != nil; op = d.work.pop() {
			d.visit(op)
			if d.limit > 0 && d.steps >= d.limit {
				return true, d.how.MaxRewrites == 0
			}
		}
	}
	return d.steps > 0, false
}

// parts divides what is below the root into parts that see nothing of each
// other, such as functions, so that the lists and tables for one need not hold
// the whole program. Where the root is not made of such, it is the only part.
func (d *driver) parts() []*ir.Op {
	var parts []*ir.Op
	for _, r := range d.root.Regions() {
		for b := range r.Blocks() {
			for op := range b.Ops() {
				if !op.HasTrait(ir.IsolatedFromAbove) {
					return []*ir.Op{d.root}
				}
				parts = append(parts, op)
			}
		}
	}
	if d.how.BottomUp {
		slices.Reverse(parts)
	}
	return parts
}

// fill puts a part with all operations below it, but for the root, on the list
// so that the first one comes out first. Constants come before everything else.
func (d *driver) fill(part *ir.Op) int {
	ops := d.ops[:0]
	for op := range part.Walk() {
		if op == d.root {
			continue
		}
		if d.how.Fold && isConstant(op) && d.mergeConstant(op) {
			continue
		}
		ops = append(ops, op)
	}
	if !d.how.BottomUp {
		slices.Reverse(ops)
	}
	for _, op := range ops {
		d.work.push(op)
	}
	d.ops = ops
	return len(ops)
}

func isConstant(op *ir.Op) bool {
	return op.HasTrait(ir.ConstantLike) && op.NumResults() == 1 && op.NumOperands() == 0
}

// mergeConstant replaces a constant by an equal one that is kept, or keeps it.
func (d *driver) mergeConstant(op *ir.Op) bool {
	first := d.consts.keep(op)
	if first == op {
		return false
	}
	d.rw.Replace(op, first.Result(0))
	d.done("merge of constants")
	return true
}

func (d *driver) done(what string) {
	d.steps++
	d.recent[what] = true
}

func (d *driver) noteChanged(op *ir.Op) {
	if op != d.root && d.work != nil {
		d.work.push(op)
	}
}

func (d *driver) noteRemoved(op *ir.Op) {
	d.consts.forget(op)
	if d.work != nil {
		d.work.drop(op)
	}
}

// visit does the first thing that can be done about op.
func (d *driver) visit(op *ir.Op) {
	d.rw.Builder = *ir.Before(op)
	d.rw.Target = d.c.Target(op)
	if d.how.Fold {
		if IsDead(op) {
			d.rw.Erase(op)
			d.res.Removed++
			d.done("removal of dead operations")
			return
		}
		if isConstant(op) {
			d.mergeConstant(op)
			return
		}
		if d.fold(op) {
			d.res.Folded++
			return
		}
		d.sortOperands(op)
	}
	if !d.apply(d.byDef[op.Def()], op) {
		d.apply(d.byDef[nil], op)
	}
}

// apply tries patterns until one changes something.
func (d *driver) apply(ps []*ir.Pattern, op *ir.Op) bool {
	for _, p := range ps {
		if !p.Do(&d.rw, op) {
			continue
		}
		d.res.Applied++
		if d.how.Fired != nil {
			d.how.Fired[p.Name]++
		}
		d.done(p.Name)
		return true
	}
	return false
}

// fold replaces op by the constants or values that its results equal. It does
// so for all results or none.
func (d *driver) fold(op *ir.Op) bool {
	if op.NumResults() == 0 {
		return false
	}
	folded := arith.Fold(op)
	if len(folded) != op.NumResults() {
		return false
	}
	values := make([]*ir.Value, len(folded))
	for i, f := range folded {
		t := op.Result(i).Type()
		switch {
		case f.Value != nil && f.Value.Type() == t && f.Value != op.Result(i):
			values[i] = f.Value
		case !f.Const.IsZero():
			values[i] = d.consts.get(&d.rw, op, f.Const, t)
		}
		if values[i] == nil {
			return false
		}
	}
	name := op.Name()
	d.rw.Replace(op, values...)
	d.done("fold of " + name)
	return true
}

// sortOperands puts constants to the right, where patterns look for them.
func (d *driver) sortOperands(op *ir.Op) {
	if !op.HasTrait(ir.Commutative) || op.NumOperands() != 2 {
		return
	}
	if l, r := op.Operand(0), op.Operand(1); isConstantValue(l) && !isConstantValue(r) {
		op.SetOperand(0, r)
		op.SetOperand(1, l)
		d.done("order of operands")
	}
}

func isConstantValue(v *ir.Value) bool { return v.Op() != nil && isConstant(v.Op()) }
