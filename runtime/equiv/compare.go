package equiv

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/expr"
)

// Side is one of the two programs of a comparison, in Level 2 (tiles are buffers), with
// the kernels to run.
type Side struct {
	Module   *ir.Op
	Kernels  []*ir.Op
	Target   ir.Target
	Features ir.Features
	// Extra are additional arguments of this program after the arguments that both
	// programs receive, such as memory that a pass requires. They are not compared, and
	// require a launch with one rank.
	Extra []runtime.Arg
	// Blocks is the number of blocks of this program; 0 means that of Options.Run.
	Blocks int
}

// Options are the settings of a comparison of two programs, with the arguments of both.
type Options struct {
	// Run contains the numbers of blocks and ranks and the limits of the launch.
	Run runtime.Options
	// Args are the arguments of all ranks. Compare does not change their buffers.
	Args []runtime.Arg
	// Names are the names of the arguments in messages.
	Names []string
	// Elems are the element types of the buffers, with which Compare generates data that
	// shows a difference, and the types of the scalars.
	Elems []ir.Type
	// Known reports whether an argument has fixed data instead of arbitrary data. The
	// verdict then holds only for this data.
	Known func(arg int) bool
	// Zeros means that this data is all zeros.
	Zeros bool
	// Modulo selects differences to ignore, such as the order of sums.
	Modulo expr.Modulo
	// MostExpressions limits the number of expressions, and thereby the memory: an
	// expression needs 16 bytes.
	MostExpressions int
	// Trials is the number of runs on random numbers that search for a difference after
	// the expressions of the programs differ; 0 means 12. If Trials is
	// negative, Compare does not search for a difference.
	Trials int
}

// Outcome is the result of a comparison of two programs, without its details.
type Outcome uint8

const (
	// NotDecided, Equivalent and Differs are the outcomes of a comparison. Equivalent is
	// proved for all inputs, and Differs is shown by an example.
	NotDecided Outcome = iota
	Equivalent
	Differs
)

// String returns the outcome as text, for example "equivalent".
func (o Outcome) String() string {
	return [...]string{"not decided", "equivalent", "differs"}[o]
}

// Verdict is the result of a comparison of two programs, with its reason.
type Verdict struct {
	// Outcome is NotDecided, Equivalent or Differs.
	Outcome Outcome
	// Written is the number of bytes of each argument that the programs changed, for the
	// outcome Equivalent.
	Written []int
	// Why is the reason for the outcome NotDecided. For the outcome Differs, it is the
	// fault, if the second program faults on the data of the arguments.
	Why string
	// Op is the operation that caused Why, or nil. Side is the number of its program, 0
	// or 1.
	Op   *ir.Op
	Side int
	// Inputs are the arguments on which an address or a branch depends, if such a
	// dependence is the reason for NotDecided.
	Inputs []int
	// Place is the first element with different values, for the outcome Differs.
	// Otherwise it is the first element whose expressions differ, or nil.
	Place *Place
	// Expressions is the number of expressions that both programs have computed.
	Expressions int
}

// Place identifies an element of an argument that differs between the two programs.
type Place struct {
	// Arg is the number of the argument, and Byte the offset of the element in bytes.
	Arg, Byte int
	// Size is the number of bytes of the element.
	Size int
	// Texts are the expressions of the element in both programs.
	Texts [2]string
	// Ops are the instructions that computed the element in both programs, or nil.
	Ops [2]*ir.Op
	// Values are the bytes of the element in both results, for the outcome Differs.
	Values [2][]byte
	// Trial is a description of the input data that shows the difference.
	Trial string
}

// Compare determines whether two programs compute the same results from the same
// arguments. It runs both on symbolic expressions and compares these. If expressions
// differ, it searches for numbers that show a difference. An error means that a program
// could not be executed.
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

// comparison is the state of one call of Compare.
type comparison struct {
	// sides are the two programs.
	sides [2]Side
	// o are the options of the caller.
	o Options
	// tables contain the expressions of the two programs. Equal expressions have equal
	// hashes in both.
	tables [2]*expr.Table
	// ends are the contents of memory after both symbolic runs.
	ends [2]*end
	// defined reports whether an element of the first program's result depends only on
	// memory that was written. undefined is an element that differs but is not defined.
	defined   func(p *Place) bool
	undefined *Place
}

// end holds the state of the arguments of a kernel at the end of a symbolic run. The
// field args contains the bytes of the arguments, and the field lineage contains the
// expression of each byte.
type end struct {
	lineage *runtime.Lineage
	args    []runtime.Arg
}

// plan compiles one of the two programs (side 0 or 1) for execution with options o.
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

// sideName returns the name of program 0 or 1 in messages.
func sideName(side int) string { return [...]string{"the first program", "the second program"}[side] }

// traceBoth runs both programs on symbolic expressions. It returns a verdict if the
// outcome is already certain, for example if a program faults, and nil if the comparison
// must continue. Both runs assign tags, small numbers that hashes contain, to functions.
// If enough tags are free, the order of the assignments does not matter, and the runs
// execute at the same time. If not, they execute one after the other.
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

// tracedRun is a symbolic run of one of the programs. fault, err and panicked are set
// when it has ended.
type tracedRun struct {
	program  *runtime.Program
	end      *end
	fault    *runtime.Fault
	err      error
	panicked any
}

// prepare compiles one of the two programs for a symbolic run. side is the index of the
// program. The run stores its expressions in the table t.
func (c *comparison) prepare(side int, t *expr.Table) (*tracedRun, error) {
	e := &end{args: runtime.CloneArgs(slices.Concat(c.o.Args, c.sides[side].Extra))}
	e.lineage = &runtime.Lineage{Exprs: t, Known: c.known, Name: func(arg int) string { return c.name(arg) }}
	o := c.o.Run
	o.Lineage = e.lineage
	p, err := c.plan(side, o)
	return &tracedRun{program: p, end: e}, err
}

// run executes the program symbolically and stores its fault or error.
func (r *tracedRun) run() {
	err := r.program.Run(r.end.args)
	if f, ok := errors.AsType[*runtime.Fault](err); ok {
		r.fault = f
	} else {
		r.err = err
	}
}

// runElsewhere executes the program symbolically. The caller starts it in another
// goroutine. If the run panics, runElsewhere stores the value of the panic, so that the
// caller can panic with the same value in its own goroutine.
func (r *tracedRun) runElsewhere() {
	defer func() { r.panicked = recover() }()
	r.run()
}

// run executes one of the two programs symbolically with table t; the parameter side is
// the number of the program, 0 or 1. It returns the contents of memory at the end, the
// fault of the program, or an error.
func (c *comparison) run(side int, t *expr.Table) (*end, *runtime.Fault, error) {
	r, err := c.prepare(side, t)
	if err != nil {
		return nil, nil, err
	}
	r.run()
	return r.end, r.fault, r.err
}

// known reports whether the argument with index arg has fixed data, as the function
// Options.Known states. If it does not, its bytes are symbolic inputs, and the verdict
// holds for all their values.
func (c *comparison) known(arg int) bool {
	return c.o.Known != nil && arg < len(c.o.Args) && c.o.Known(arg)
}

// name returns the name of an argument in messages, for example "argument 0".
func (c *comparison) name(arg int) string {
	if arg < len(c.o.Names) && c.o.Names[arg] != "" {
		return c.o.Names[arg]
	}
	return fmt.Sprintf("argument %d", arg)
}

// undecided returns the verdict for a program that ended with fault f. side states which
// of the two programs it is. The fault may state an expression whose value the program
// would need. In this case, undecided runs the program once more to find the inputs on
// which the expression depends.
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

// firstDifference compares the expressions of all bytes of all buffer arguments after the
// two programs have run. It returns the position of the first byte with different
// expressions, or nil if all expressions agree. It also counts, in written[i], the bytes
// of argument i that the programs have changed.
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
