package passes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ptogo/ir"
)

// ErrReported is what Run returns when diagnostics already say what is wrong.
var ErrReported = errors.New("errors have been reported")

// Context is what one run of a pass on one operation gets to work with.
type Context struct {
	// Features widen what is legal on the target.
	Features ir.Features
	// Diags receives what the pass has to say.
	Diags *ir.Diags
	// Seed, if not 0, shuffles orders that must not matter.
	Seed uint64

	step    *Step
	target  ir.Target // what the user chose, or 0 for what the program says
	targets map[*ir.Op]ir.Target
	counts  []int64
}

// Target returns the profile that op is compiled for.
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

// Bool returns the value of a Flag.
func (c *Context) Bool(name string) bool { return c.Text(name) == "true" }

// Int returns the value of a Number.
func (c *Context) Int(name string) int64 {
	n, _ := strconv.ParseInt(c.Text(name), 10, 64) // checked when it was set
	return n
}

// Text returns the value of a Word.
func (c *Context) Text(name string) string {
	i := c.step.Pass.option(name)
	if i < 0 {
		panic("BUG: pass " + c.step.Pass.Name + " has no option " + name)
	}
	return c.step.values[i]
}

// List returns the value of Words.
func (c *Context) List(name string) []string {
	s := c.Text(name)
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// Count adds n to a statistic of the pass.
func (c *Context) Count(stat string, n int) {
	i := c.step.Pass.stat(stat)
	if i < 0 {
		panic("BUG: pass " + c.step.Pass.Name + " has no statistic " + stat)
	}
	c.counts[i] += int64(n)
}

// Errorf reports that op stands in the way of the pass.
func (c *Context) Errorf(op *ir.Op, format string, args ...any) *ir.Diag {
	return c.say(ir.Error, op, format, args...)
}

// Warnf reports something that may not be what the user wants.
func (c *Context) Warnf(op *ir.Op, format string, args ...any) *ir.Diag {
	return c.say(ir.Warning, op, format, args...)
}

// Remarkf reports what the pass did.
func (c *Context) Remarkf(op *ir.Op, format string, args ...any) *ir.Diag {
	return c.say(ir.Remark, op, format, args...)
}

func (c *Context) say(sev ir.Severity, op *ir.Op, format string, args ...any) *ir.Diag {
	return c.Diags.Add(sev, op.Loc(), "'"+op.Name()+"' op "+fmt.Sprintf(format, args...))
}
