// This file defines the greedy rewrite driver.

package passes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/ir"
)

// Rewrite contains the patterns and options for the rewrite driver.
type Rewrite struct {
	Patterns []ir.Pattern
	// Fold enables folding, removal of dead operations and merging of equal
	// constants.
	Fold bool
	// MaxIterations limits how many times all operations are visited. 0 means 10, and a
	// negative number means no limit.
	MaxIterations int
	// MaxRewrites limits the changes in one iteration. 0 means a default limit that only
	// patterns which undo each other reach. A negative number means no limit.
	MaxRewrites int
	// BottomUp makes the driver visit the last operation first.
	BottomUp bool
	// Between, if not nil, is called after each iteration. It returns whether it
	// changed the program, which causes another iteration.
	Between func() bool
	// Fired, if not nil, receives the number of changes by each pattern.
	Fired map[string]int
}

// Result states what the rewrite driver has done: whether it changed the program, and why
// it stopped.
type Result struct {
	// Changed reports whether the program changed.
	Changed bool
	// Converged reports whether the last iteration changed nothing.
	Converged bool
	// Endless reports that the driver stopped because the patterns seem to undo each
	// other.
	Endless bool
	// Cycle contains the names of the patterns that changed something in the last
	// iteration.
	Cycle []string
	// Folded, Removed and Applied are the numbers of folds, removals and pattern
	// applications.
	Folded, Removed, Applied int
}

// Rewrite applies patterns to all operations inside op until nothing changes. If that
// does not happen within the limits, it returns an error that names the patterns.
func (c *Context) Rewrite(op *ir.Op, patterns ...ir.Pattern) error {
	res := c.Apply(op, Rewrite{Patterns: patterns})
	if !res.Converged {
		return res.Err()
	}
	return nil
}

// Err returns the error for a rewrite that did not converge; it names the patterns that
// changed the program in the last iteration.
func (r Result) Err() error {
	return fmt.Errorf("the rewriting does not terminate; it keeps changing these operations: %s", strings.Join(r.Cycle, ", "))
}

// Apply runs the rewrite driver on all operations inside op with the given options. It
// does not replace op itself.
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

// driver is the state of one run of the rewrite driver, which applies patterns until
// nothing changes.
type driver struct {
	c *Context
	// how are the patterns and options.
	how Rewrite
	// root is the operation whose contents are rewritten.
	root *ir.Op
	// byDef maps a definition to the patterns that apply to it. The patterns under nil
	// apply to every operation.
	byDef map[*ir.Def][]*ir.Pattern
	rw    ir.Rewriter
	// work are the operations to visit.
	work *worklist
	// ops is the reusable buffer of fill.
	ops []*ir.Op
	// consts merges the constants of the function that is being processed.
	consts *constants
	res    Result
	// recent are the kinds of changes in the current iteration.
	recent map[string]bool
	// steps is the number of changes in the current iteration, and limit its maximum; a
	// negative limit means no bound.
	steps int
	// limit is the maximum number of changes in one iteration, or negative if there is no
	// limit.
	limit int
}

// run repeats iterations until one of them changes nothing. A change may enable another
// one at an operation that has left the worklist; the next iteration finds it.
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

// endless is the limit for the number of changes per operation. Only patterns that undo
// each other's changes reach this number, so the driver reports an endless rewrite.
const endless = 1000

// iteration visits all operations once. If a change affects an operation that has already
// been visited, iteration visits it once more. The result changed reports whether the
// program changed. The result noEnd reports that the number of changes reached the
// default limit.
func (d *driver) iteration() (changed, noEnd bool) {
	d.work, d.consts, d.recent, d.steps = newWorklist(d.c.Seed), newConstants(), map[string]bool{}, 0
	n := 0
	for _, part := range d.parts() {
		if part != d.root && part.Block() == nil { // an earlier part removed it
			continue
		}
		// Parts are isolated, so a constant of one part must not be used in
		// another.
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

// parts returns the isolated operations directly inside the root, such as functions.
// Isolated operations share no values, so the driver can process them one after the
// other. Its tables of values then need space for one operation only. If the root also
// contains operations that are not isolated, the result is the root alone.
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

// fill adds all operations that are nested in an operation, the parameter part, to the
// worklist of operations to which patterns are applied. It returns their number. Before
// this, it merges equal constants, so that patterns find a single value for each
// constant.
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

// isConstant reports whether an operation only defines a constant.
func isConstant(op *ir.Op) bool {
	return op.HasTrait(ir.ConstantLike) && op.NumResults() == 1 && op.NumOperands() == 0
}

// mergeConstant replaces a constant by an equal one that is recorded already and returns
// true. Otherwise it records the constant and returns false.
func (d *driver) mergeConstant(op *ir.Op) bool {
	first := d.consts.keep(op)
	if first == op {
		return false
	}
	d.rw.Replace(op, first.Result(0))
	d.done("merge of constants")
	return true
}

// done records one change of the program. The parameter what is the kind of the change:
// the name of a pattern, or that of another step such as folding.
func (d *driver) done(what string) {
	d.steps++
	d.recent[what] = true
}

// noteChanged adds an operation to the worklist once more, because its patterns may match
// after a change. The rewriter calls it after each change.
func (d *driver) noteChanged(op *ir.Op) {
	if op != d.root && d.work != nil {
		d.work.push(op)
	}
}

// noteRemoved removes the operation op from the tables of the driver. The rewriter calls
// it when it erases op.
func (d *driver) noteRemoved(op *ir.Op) {
	d.consts.forget(op)
	if d.work != nil {
		d.work.drop(op)
	}
}

// visit makes the first change that is possible at op. It tries erasing first, then
// folding, then patterns, because each step reduces the work for the next.
func (d *driver) visit(op *ir.Op) {
	d.rw.Builder = *ir.Before(op)
	d.rw.Target = d.c.Target(op)
	if d.how.Fold {
		if IsDead(op) {
			d.c.logf("%s: removes '%s', whose results are not used", op.Loc(), op.Name())
			d.rw.Erase(op)
			d.res.Removed++
			d.done("removal of dead operations")
			return
		}
		if isConstant(op) {
			d.mergeConstant(op)
			return
		}
		at, name := op.Loc(), op.Name()
		if d.fold(op) {
			d.c.logf("%s: folds '%s'", at, name)
			d.res.Folded++
			return
		}
		d.sortOperands(op)
	}
	if !d.apply(d.byDef[op.Def()], op) {
		d.apply(d.byDef[nil], op)
	}
}

// apply tries the patterns ps in order until one changes the program, and reports whether
// one did.
func (d *driver) apply(ps []*ir.Pattern, op *ir.Op) bool {
	for _, p := range ps {
		at, name := op.Loc(), op.Name() // the pattern may erase op
		if !p.Do(&d.rw, op) {
			continue
		}
		d.c.logf("%s: pattern '%s' changes '%s'", at, p.Name, name)
		d.res.Applied++
		if d.how.Fired != nil {
			d.how.Fired[p.Name]++
		}
		d.done(p.Name)
		return true
	}
	return false
}

// fold replaces op by the constants or values that its results equal. It reports whether
// it replaced op. Every result needs a replacement, because an operation cannot be
// replaced in part.
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

// sortOperands exchanges the operands of a commutative operation if the first is a
// constant, because patterns expect a constant as the second operand.
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

// isConstantValue reports whether a constant operation defines v.
func isConstantValue(v *ir.Value) bool { return v.Op() != nil && isConstant(v.Op()) }
