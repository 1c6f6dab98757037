package equiv

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/expr"
)

// Side is one of the two programs, bufferized, and its kernels.
type Side struct {
	Module   *ir.Op
	Kernels  []*ir.Op
	Target   ir.Target
	Features ir.Features
	// Extra are arguments after those that both programs get, such as memory that a pass
	// asks for. They are not compared, and need a launch of one rank.
	Extra []runtime.Arg
	// Blocks is the number of blocks of this program; 0 means that of Options.Run.
	Blocks int
}

// Options are the settings with which both programs run.
type Options struct {
	// Run has the blocks, the ranks and the bounds of the launch.
	Run runtime.Options
	// Args are the arguments of all ranks. Compare changes none of their buffers.
	Args []runtime.Arg
	// Names names the arguments, for messages.
	Names []string
	// Elems are the types of the elements of buffers, for data that shows a difference.
	Elems []ir.Type
	// Known reports whether an argument keeps its data. The verdict then concerns only
	// this data.
	Known func(arg int) bool
	// Modulo selects the differences that do not count, such as the order of sums.
	Modulo expr.Modulo
	// MostExpressions bounds the memory: an expression needs 16 bytes.
	MostExpressions int
	// Trials is the number of runs on numbers that search for a difference after
	// expressions differ; 0 means 12.
	Trials int
}

// Outcome is the outcome of a comparison.
type Outcome uint8

// The outcomes.
const (
	// The outcomes of a comparison.
	NotDecided Outcome = iota
	Equivalent
	Differs
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"not decided", "equivalent", "differs"}[o]
}

// Verdict is the result of a comparison.
type Verdict struct {
	// Outcome is NotDecided, Equivalent or Differs.
	Outcome Outcome
	// Written is, for Equivalent, how many bytes of each argument the programs changed.
	Written []int
	// Why is the reason for NotDecided. For Differs it is the fault, if the second
	// program faults on the data of the arguments.
	Why string
	// Op is the operation that Why is about, in the program with the number Side (0 or
	// 1), or nil.
	Op   *ir.Op
	Side int
	// Inputs are the arguments on which an address or a branch depends, if this is the
	// reason for NotDecided.
	Inputs []int
	// Place is the first element that differs, for Differs; otherwise the first one whose
	// expressions differ, or nil.
	Place *Place
	// Expressions is how many expressions both programs computed.
	Expressions int
}

// Place is an element of an argument that differs.
type Place struct {
	// Arg is the argument, and Byte is the offset of the element in it.
	Arg, Byte int
	// Size is the number of bytes of the element.
	Size int
	// Texts are both expressions.
	Texts [2]string
	// Ops are the instructions that computed the expressions, or nil.
	Ops [2]*ir.Op
	// Values are the bytes of the element in both results, for Differs.
	Values [2][]byte
	// Trial describes the data that shows the difference.
	Trial string
}

// Compare compares two programs that receive the same arguments.
func Compare(a, b Side, o Options) (*Verdict, error) {
	c := &comparison{sides: [2]Side{a, b}, o: o}
	first := expr.New(o.Modulo, o.MostExpressions/2)
	c.tables = [2]*expr.Table{first, first.Beside()}
	if v, err := c.traceBoth(); v != nil || err != nil {
		return v, err
	}
	if c.tables[0].Broken || c.tables[1].Broken {
		return &Verdict{Why: "an instruction changes bytes that it should only move, which is a mistake of this comparison"}, nil
	}
	v := &Verdict{Expressions: c.tables[0].Size() + c.tables[1].Size(), Written: make([]int, len(o.Args))}
	p := c.firstDifference(v.Written)
	if p == nil {
		v.Outcome = Equivalent
		return v, nil
	}
	return c.different(v, p)
}

// comparison is the state of one Compare.
type comparison struct {
	// sides are the two programs.
	sides [2]Side
	// o are the options of the caller.
	o Options
	// tables hold the expressions of the programs. Equal ones have equal hashes.
	tables [2]*expr.Table
	// ends are the states of memory after both runs.
	ends [2]*end
	// defined reports whether an element of the first program depends only on memory that
	// was written. undefined is an element that differs but is not defined.
	defined   func(p *Place) bool
	undefined *Place
}

// end is the state after a launch on expressions.
type end struct {
	lineage *runtime.Lineage
	args    []runtime.Arg
}

// cloneArgs returns arguments with buffers of their own.
func cloneArgs(args []runtime.Arg) []runtime.Arg {
	own := slices.Clone(args)
	for i, a := range own {
		if a.Buf != nil {
			buf := *a.Buf
			buf.Data = slices.Clone(buf.Data)
			own[i].Buf = &buf
		}
	}
	return own
}

// plan plans one of the programs.
func (c *comparison) plan(side int, o runtime.Options) (*runtime.Program, error) {
	var diags ir.Diags
	s := c.sides[side]
	o.Target, o.Features = s.Target, s.Features
	if s.Blocks > 0 {
		o.Blocks = s.Blocks
	}
	p := runtime.Plan(s.Module, s.Kernels, o, &diags)
	if p == nil {
		return nil, fmt.Errorf("%s: %w", sideName(side), ir.Errors(diags.All()))
	}
	return p, nil
}

// sideName names a program in messages.
func sideName(side int) string { return [...]string{"the first program", "the second program"}[side] }

// traceBoth runs both programs on expressions. It returns a verdict if the outcome is
// already certain, and nil if the comparison must continue. The runs share no state but
// the tags of functions, so they run at the same time if there are enough tags.
func (c *comparison) traceBoth() (*Verdict, error) {
	var runs [2]*tracedRun
	for side := range runs {
		r, err := c.prepare(side, c.tables[side])
		if err != nil {
			return nil, err
		}
		runs[side] = r
	}
	if c.tables[0].Crowded() {
		runs[0].run()
		runs[1].run()
	} else {
		var other sync.WaitGroup
		other.Go(runs[1].runElsewhere)
		runs[0].run()
		other.Wait()
	}
	for side, r := range runs {
		switch {
		case r.panicked != nil:
			panic(r.panicked) // where the caller can recover
		case r.err != nil:
			return nil, r.err
		case r.fault != nil:
			return c.undecided(side, r.fault), nil
		case c.tables[side].Full():
			return &Verdict{Why: fmt.Sprintf("%s computes more than %d expressions", sideName(side), c.tables[side].Size()), Side: side}, nil
		}
		c.ends[side] = r.end
	}
	return nil, nil
}

// tracedRun is a launch of one of the programs on expressions. fault, err and panicked
// are set after it.
type tracedRun struct {
	program  *runtime.Program
	end      *end
	fault    *runtime.Fault
	err      error
	panicked any
}

// prepare plans one of the programs for a launch on the expressions of a table.
func (c *comparison) prepare(side int, t *expr.Table) (*tracedRun, error) {
	e := &end{args: cloneArgs(slices.Concat(c.o.Args, c.sides[side].Extra))}
	e.lineage = &runtime.Lineage{Exprs: t, Known: c.known, Name: func(arg int) string { return c.name(arg) }}
	o := c.o.Run
	o.Lineage = e.lineage
	p, err := c.plan(side, o)
	return &tracedRun{program: p, end: e}, err
}

// run runs the program.
func (r *tracedRun) run() {
	err := r.program.Run(r.end.args)
	if f, ok := errors.AsType[*runtime.Fault](err); ok {
		r.fault = f
	} else {
		r.err = err
	}
}

// runElsewhere runs the program in a goroutine of its own.
func (r *tracedRun) runElsewhere() {
	defer func() { r.panicked = recover() }()
	r.run()
}

// run runs one of the programs on the expressions of a table.
func (c *comparison) run(side int, t *expr.Table) (*end, *runtime.Fault, error) {
	r, err := c.prepare(side, t)
	if err != nil {
		return nil, nil, err
	}
	r.run()
	return r.end, r.fault, r.err
}

// known reports whether the data of an argument is fixed; see Options.Known.
func (c *comparison) known(arg int) bool {
	return c.o.Known != nil && arg < len(c.o.Args) && c.o.Known(arg)
}

// name names an argument.
func (c *comparison) name(arg int) string {
	if arg < len(c.o.Names) && c.o.Names[arg] != "" {
		return c.o.Names[arg]
	}
	return fmt.Sprintf("argument %d", arg)
}

// undecided is the verdict of a program that ended with a fault. If the fault is about
// an expression, the program runs again to find the inputs of that.
func (c *comparison) undecided(side int, f *runtime.Fault) *Verdict {
	v := &Verdict{Side: side, Why: fmt.Sprintf("%s: %s", sideName(side), f.Error())}
	if !f.Undecided {
		v.Why = fmt.Sprintf("%s ends with a fault: %s", sideName(side), f.Error())
		if side == 1 && !f.Stopped { // the first one ran to its end on the same data
			v.Outcome = Differs
		}
		return v
	}
	if f.Because == (expr.Hash{}) {
		return v
	}
	t := c.tables[side].Beside() // with the same hashes
	t.Record()
	_, _, _ = c.run(side, t)
	if names := t.Inputs(f.Because); len(names) > 0 {
		for arg := range c.o.Args {
			if slices.Contains(names, c.name(arg)) {
				v.Inputs = append(v.Inputs, arg)
			}
		}
		v.Why += fmt.Sprintf(": it is %s, of %s", t.Text(f.Because, 4), strings.Join(names, ", "))
		if op := t.Line(f.Because); op != nil && op.Loc().Known() {
			v.Why += fmt.Sprintf(" (%s)", op.Loc())
		}
	} else if t.DependsOnUnwritten(f.Because) {
		v.Why += ": it depends on local memory that was never written"
	}
	return v
}

// firstDifference returns the first byte whose expressions differ, or nil. It counts
// the bytes that a program changed.
func (c *comparison) firstDifference(written []int) *Place {
	var first *Place
	a, b := c.ends[0], c.ends[1]
	for arg := range c.o.Args {
		if a.args[arg].Buf == nil || a.args[arg].Context {
			continue
		}
		x, y := a.args[arg].Buf.Data, b.args[arg].Buf.Data
		start := c.o.Args[arg].Buf.Data
		known := c.known(arg)
		for i := range x {
			s, t := a.lineage.Token(arg, i), b.lineage.Token(arg, i)
			switch {
			case s.Known() && t.Known():
				if x[i] == y[i] {
					if !known || x[i] != start[i] {
						written[arg]++
					}
					continue
				}
			case s.Known() || t.Known():
			case c.tables[0].From(s) == c.tables[1].From(t):
				if !c.tables[0].IsInput(s, arg, i) {
					written[arg]++
				}
				continue
			}
			if first == nil {
				first = &Place{Arg: arg, Byte: i, Size: 1}
			}
		}
	}
	return first
}

// Kernels returns the kernels with the given names, or without names all kernels of the
// module.
func Kernels(module *ir.Op, names ...string) []*ir.Op {
	all := runtime.Kernels(module)
	if len(names) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(k *ir.Op) bool { return !slices.Contains(names, fn.Name(k)) })
}
