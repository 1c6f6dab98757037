// This file defines what a pass can access: options, diagnostics, counters and the
// log.

package passes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ptogo/ir"
)

// ErrReported is the error of a pass that has already reported the details as
// diagnostics.
var ErrReported = errors.New("errors have been reported")

// Context connects a pass with the run of a pipeline: it provides the options and the
// target, and receives diagnostics and counts. It belongs to one run of one pass on one
// operation.
type Context struct {
	// Features are options that make more programs legal on the target.
	Features ir.Features
	// Diags receives the diagnostics of the pass.
	Diags *ir.Diags
	// Seed, if not 0, randomizes orders that must not influence the result, for
	// tests.
	Seed uint64

	// step is the pass with its options.
	step *Step
	// target is the target that the user has selected; 0 means that the program selects
	// it.
	target ir.Target
	// targets caches targets by symbol table, because a symbol table selects the target
	// of everything in it.
	targets map[*ir.Op]ir.Target
	// counts are the statistics in the order of Pass.Stats.
	counts []int64
	// clock returns the clock for a target, or is nil.
	clock func(t ir.Target) Clock
	// log receives a text for each change that the pass makes. It is nil if the run has
	// no log.
	log func(pass *Pass, text string)
}

// logf adds a text to the log of the run, if there is a log. The text is formatted as by
// fmt.Sprintf.
func (c *Context) logf(format string, args ...any) {
	if c.log != nil {
		c.log(c.step.Pass, fmt.Sprintf(format, args...))
	}
}

// Quiet returns a context for a trial: it has the options of c, and discards diagnostics,
// statistics and the log.
func (c *Context) Quiet() *Context {
	quiet := *c
	quiet.Diags, quiet.counts, quiet.log = &ir.Diags{}, make([]int64, len(c.counts)), nil
	return &quiet
}

// Target returns the target that op is compiled for.
func (c *Context) Target(op *ir.Op) ir.Target {
	if c.target != 0 {
		return c.target
	}
	table := op
	for p := op.Parent(); p != nil && !table.HasTrait(ir.SymbolTable); p = table.Parent() {
		table = p
	}
	t, ok := c.targets[table]
	if !ok {
		t = ir.TargetOf(table)
		if c.targets == nil {
			c.targets = map[*ir.Op]ir.Target{}
		}
		c.targets[table] = t
	}
	return t
}

// Clock returns the clock for the target of op, or nil if the run has none.
func (c *Context) Clock(op *ir.Op) Clock {
	if c.clock == nil {
		return nil
	}
	return c.clock(c.Target(op))
}

// Bool returns the value of the option with the given name, which must be of kind Flag.
func (c *Context) Bool(name string) bool { return c.Text(name) == "true" }

// Int returns the value of the option with the given name, which must be of kind Number.
func (c *Context) Int(name string) int64 {
	n, _ := strconv.ParseInt(c.Text(name), 10, 64) // valid, because Step.set has checked it
	return n
}

// Text returns the value of the option with the given name as text. It panics if the pass
// does not declare the option.
func (c *Context) Text(name string) string {
	i := c.step.Pass.option(name)
	if i < 0 {
		panic("BUG: pass " + c.step.Pass.Name + " has no option " + name)
	}
	return c.step.values[i]
}

// List returns the values of the option with the given name, which is a list of words, or
// nil if the list is empty.
func (c *Context) List(name string) []string {
	s := c.Text(name)
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// Count adds n to a statistic of the running pass. stat is the name of the statistic.
// Count panics if the pass does not declare the statistic.
func (c *Context) Count(stat string, n int) {
	i := c.step.Pass.stat(stat)
	if i < 0 {
		panic("BUG: pass " + c.step.Pass.Name + " has no statistic " + stat)
	}
	c.counts[i] += int64(n)
}

// Errorf reports that the pass cannot handle op, and returns the diagnostic. The message
// is the result of formatting args with format.
func (c *Context) Errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	return c.say(ir.Error, op, format, args...)
}

// Warnf adds a warning about op and returns it: the pass succeeded, but the result may
// not be what the user wants. The message is the result of formatting args with format.
func (c *Context) Warnf(op *ir.Op, format string, args ...any) *ir.Diag {
	return c.say(ir.Warning, op, format, args...)
}

// Remarkf adds a remark that describes what the pass did with op, and returns the
// diagnostic. The message is the result of formatting args with format.
func (c *Context) Remarkf(op *ir.Op, format string, args ...any) *ir.Diag {
	return c.say(ir.Remark, op, format, args...)
}

// say adds a diagnostic about op with severity sev. Its message starts with the name of
// op, as in the messages of the verifier.
func (c *Context) say(sev ir.Severity, op *ir.Op, format string, args ...any) *ir.Diag {
	d := c.Diags.Add(sev, op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
	d.Op = op
	if sev != ir.Remark {
		d.Code = ir.CodePass
	}
	return d
}
