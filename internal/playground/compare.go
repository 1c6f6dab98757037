// This file compares results with expressions, files and other kernels.

package playground

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ptogo/internal/numexpr"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
)

// Comparison is the difference between an argument after the run and its expected
// contents.
type Comparison struct {
	// Against describes the expected contents.
	Against string `json:"against"`
	// Array is the index of the argument in the arrays of the response, or -1.
	Array    int `json:"array"`
	Elements int `json:"elements"`
	// Count is the number of elements outside the tolerance.
	Count int `json:"count"`
	// First is the first element outside the tolerance, and Worst are those with the
	// largest errors.
	First *Element  `json:"first,omitempty"`
	Worst []Element `json:"worst,omitempty"`
	// Abs is the largest absolute error, as text.
	Abs string `json:"largest_error"`
	// Errors is the file with the absolute errors as float64.
	Errors string `json:"errors"`
	// Text is an additional finding: the first instruction that differs, or the verdict
	// of a proof.
	Text string `json:"text,omitempty"`
	// Outcome is equal, within, differs, error or, for proofs, not decided.
	Outcome string `json:"outcome"`
}

// Element is an element in which an argument differs from its expected contents.
type Element struct {
	// At is the index of the element in each dimension.
	At   string `json:"at"`
	Got  string `json:"got"`
	Want string `json:"want"`
	// Writer is the instruction that wrote the element last.
	Writer string `json:"writer,omitempty"`
}

// comparer compares a run with what its request expects.
type comparer struct {
	// q is the request.
	q *runRequest
	// r is the program and its arguments.
	r *launched
	// origins records, per argument, which instruction wrote each element.
	origins map[int]*debug.Origin
	// want are the expected contents.
	want []expected
	// failed are the comparisons that could not be performed.
	failed []Comparison
	// diff compares the instructions with those of other, or is nil.
	diff *debug.Diff
	// other is the second kernel, or nil.
	other *kernel.Program
}

// expected is the array that an argument must contain after the run.
type expected struct {
	// against describes where the array comes from, for messages. arg is the index of the
	// argument, and tol is the tolerance.
	against string
	arg     int
	array   *kernel.Array
	tol     debug.Tolerance
}

// mostTraced is the size of an argument, in elements, up to which a comparison records
// which instruction wrote each element.
const mostTraced = 1 << 20

// newComparer returns a comparer for the buffers of a finished run. q is the request, and
// r holds the program that ran with its arguments. The expected contents come from q and
// from the launch options in the response a; the parameter in contains the files that
// these options name. If a comparison is impossible, newComparer adds a note to a.
func newComparer(q *runRequest, r *launched, a *RunAnswer, in Files) *comparer {
	c := &comparer{q: q, r: r, origins: map[int]*debug.Origin{}}
	for _, e := range a.Launch.Expect {
		c.expectFile(e, a, in)
	}
	if strings.TrimSpace(q.Expression) != "" {
		c.expectExpression()
	}
	if strings.TrimSpace(q.Other) != "" {
		c.runOther(a)
	}
	for _, w := range c.want {
		if _, n := r.args[w.arg].Array.Size(); n <= mostTraced && c.origins[w.arg] == nil {
			c.origins[w.arg] = debug.NewOrigin(w.arg, r.args[w.arg].Array)
		}
	}
	return c
}

// listeners returns the listeners that must observe the run.
func (c *comparer) listeners() (list []runtime.Listener) {
	for _, o := range c.origins {
		list = append(list, o)
	}
	if c.diff != nil {
		list = append(list, c.diff)
	}
	return list
}

// fail records that a comparison could not be performed, because of the error err. The
// parameter against names what the results should have been compared with.
func (c *comparer) fail(against string, err error) {
	c.failed = append(c.failed, Comparison{Against: against, Array: -1, Outcome: "error", Text: ir.Visible(err.Error())})
}

// parameter returns the index of the pointer parameter with the given name or number, or
// -1.
func (c *comparer) parameter(name string) int {
	for i, p := range c.r.prog.Params() {
		if p.IsPointer() && (strings.TrimPrefix(name, "%") == p.Name || name == strconv.Itoa(i) || name == nameOf(p, i)) {
			return i
		}
	}
	return -1
}

// expectFile adds a comparison of a pointer parameter, after the run, with the contents
// of a file. text has the form N=PATH,rtol=X,atol=Y, where N is the name or number of the
// pointer parameter, and rtol and atol are tolerances. The last argument contains the
// files of the request. If it does not contain the file PATH, expectFile adds a note to
// the response a instead of an error, because the command in a program may name files
// that only its author has.
func (c *comparer) expectFile(text string, a *RunAnswer, in Files) {
	name, rest, _ := strings.Cut(text, "=")
	parts := strings.Split(rest, ",")
	content, loaded := in[parts[0]]
	arg := c.parameter(name)
	if !loaded || arg < 0 {
		a.Notes = append(a.Notes, "not compared: "+ir.Visible(text))
		return
	}
	var tol debug.Tolerance
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(p, "=")
		x, _ := strconv.ParseFloat(value, 64)
		switch key {
		case "rtol":
			tol.Rel = x
		case "atol":
			tol.Abs = x
		}
	}
	array, err := kernel.ReadNpy(content)
	if err == nil {
		_, have := c.r.args[arg].Array.Size()
		if _, want := array.Size(); have != want {
			err = fmt.Errorf("the file has %d elements, but the argument has %d elements", want, have)
		}
	}
	if err != nil {
		c.fail(parts[0], err)
		return
	}
	if kernel.SameBits(array.Elem, c.r.args[arg].Array.Elem) {
		array.Elem = c.r.args[arg].Array.Elem
	}
	c.want = append(c.want, expected{parts[0], arg, array, tol})
}

// tolerances are the relative and absolute tolerances with which results of each number
// format are compared.
var tolerances = map[num.Format]debug.Tolerance{num.F32: {Rel: 1e-4, Abs: 1e-5}, num.F16: {Rel: 2e-3, Abs: 2e-3}, num.BF16: {Rel: 2e-2, Abs: 2e-2}}

// toleranceOf returns the tolerance for results of an element type.
func toleranceOf(elem ir.Type) debug.Tolerance {
	f, _ := ir.FormatOf(elem)
	if t, ok := tolerances[f]; ok || !f.IsFloat() {
		return t
	}
	return debug.Tolerance{Rel: 0.1, Abs: 0.1}
}

// expectExpression evaluates the formula in the request of the user. Names in the formula
// denote kernel parameters and have the contents that the arguments had before the run.
// The formula computes the expected contents of kernel parameters, which it assigns by
// name; a result without a name is the expected content of the last pointer parameter.
// For each of them, expectExpression adds a comparison with the contents after the run.
func (c *comparer) expectExpression() {
	const against = "expression"
	names := map[string]*numexpr.Array{}
	params := c.r.prog.Params()
	for i, p := range params {
		names[nameOf(p, i)] = c.input(i)
	}
	results, err := numexpr.Eval(c.q.Expression, names)
	if err != nil {
		if e, ok := errors.AsType[*numexpr.Error](err); ok {
			line := 1 + strings.Count(c.q.Expression[:min(e.Offset, len(c.q.Expression))], "\n")
			err = fmt.Errorf("line %d: %s", line, e.Text)
		}
		c.fail(against, err)
		return
	}
	found := false
	for i, p := range params {
		result := results[nameOf(p, i)]
		if result == nil && i == c.lastPointer() {
			result = results[""]
		}
		if result == nil || !p.IsPointer() {
			continue
		}
		found = true
		have := c.r.args[i].Array
		if _, n := have.Size(); n != len(result.Data) {
			c.fail(against, fmt.Errorf("the expression for %s has shape %v, but the argument has shape %v", nameOf(p, i), result.Shape, have.Shape))
			continue
		}
		array := kernel.Zeros(ir.F64, have.Shape...)
		for k, x := range result.Data {
			binary.LittleEndian.PutUint64(array.Data[8*k:], math.Float64bits(x))
		}
		c.want = append(c.want, expected{against, i, array, toleranceOf(have.Elem)})
	}
	if !found {
		c.fail(against, errors.New("the expression assigns no pointer parameter of the kernel, such as y = x * 2"))
	}
}

// lastPointer returns the index of the last kernel parameter that is a pointer, or -1 if
// the kernel has no pointer parameter.
func (c *comparer) lastPointer() int {
	last := -1
	for i, p := range c.r.prog.Params() {
		if p.IsPointer() {
			last = i
		}
	}
	return last
}

// input returns argument i of the first rank (simulated device), with its contents before
// the run.
func (c *comparer) input(i int) *numexpr.Array {
	a, p := c.r.args[i], c.r.prog.Params()[i]
	if a.Array == nil {
		f, _ := ir.FormatOf(p.Type)
		return &numexpr.Array{Data: []float64{num.Decode(f, a.Value.Bits)}}
	}
	x := &numexpr.Array{}
	for _, extent := range a.Array.Shape {
		x.Shape = append(x.Shape, int(extent))
	}
	_, n := a.Array.Size()
	x.Data = make([]float64, n)
	for k := range x.Data {
		x.Data[k] = a.Array.Float(k)
	}
	return x
}

// otherName is the name of the second kernel's text.
const otherName = "other.pto"

// runOther runs the second kernel of the request with the same arguments as the first
// kernel. It records the results of the second kernel's instructions, to compare them
// with those of the first one. It also adds the final contents of the second kernel's
// buffers to the expected contents of the first kernel's buffers. If the second kernel
// cannot be run, runOther records the reason.
func (c *comparer) runOther(a *RunAnswer) {
	src := &ir.Source{Name: otherName, Text: c.q.Other}
	o := kernel.Options{Arch: a.Launch.Target, Kernel: a.Launch.Kernel, Arguments: len(a.Launch.Args)}
	other, err := kernel.Load(src, o)
	if err != nil && o.Kernel != "" {
		o.Kernel = ""
		other, err = kernel.Load(src, o)
	}
	if err == nil && len(other.Params()) != len(c.r.prog.Params()) {
		err = fmt.Errorf("the second kernel has %s, but the first kernel has %d", ir.Count(len(other.Params()), "parameter"), len(c.r.prog.Params()))
	}
	if err != nil {
		c.fail("second kernel", err)
		return
	}
	diff := debug.NewDiff(c.r.prog, other, debug.Tolerance{})
	plan, err := other.Plan(runtime.Options{Blocks: a.Blocks, Ranks: a.Ranks, MaxSteps: maxSteps, Listeners: []runtime.Listener{&diff.Other}})
	values, arrays := c.r.fresh()
	if err == nil {
		err = plan.Run(values...)
	}
	if err != nil {
		c.fail("second kernel", err)
		return
	}
	c.diff, c.other = diff, other
	for i, array := range arrays {
		if array != nil && i < len(c.r.prog.Params()) && !slices.Equal(array.Data, c.r.start[i]) {
			c.want = append(c.want, expected{"second kernel", i, array, toleranceOf(array.Elem)})
		}
	}
}

// compare executes all comparisons after the run. It adds their results to the response
// a, and the files that they produce to the map in the parameter out.
func (c *comparer) compare(a *RunAnswer, out Files) {
	a.Comparisons = append(a.Comparisons, c.failed...)
	for _, w := range c.want {
		a.Comparisons = append(a.Comparisons, c.one(w, a, out))
	}
	if c.diff == nil {
		return
	}
	var text bytes.Buffer
	c.diff.Report(&text)
	outcome := "equal"
	if c.diff.First != nil {
		outcome = "differs"
	}
	a.Comparisons = append(a.Comparisons, Comparison{Against: "second kernel, instruction by instruction", Array: -1, Outcome: outcome, Text: text.String()}, c.prove(a))
}

// one compares the contents of the buffer with argument index w.arg after the run with
// the expected contents w. It returns a description of the difference. It also adds a
// file with the error of each element to out. The parameter a is the response, which
// lists the buffers that the browser can display.
func (c *comparer) one(w expected, a *RunAnswer, out Files) Comparison {
	have := c.r.args[w.arg].Array
	d := debug.Compare(have, w.array, w.tol, true)
	r := Comparison{Against: w.against, Array: -1, Elements: d.Elements, Count: d.Count, Outcome: "equal", Errors: fmt.Sprintf("%d.errors", len(out))}
	for i := range a.Arrays {
		if a.Arrays[i].File == fmt.Sprintf("%d.npy", w.arg) {
			r.Array = i
		}
	}
	if d.Abs.At >= 0 && d.Abs.Value != 0 {
		r.Abs, r.Outcome = strconv.FormatFloat(d.Abs.Value, 'g', 4, 64), "within"
	}
	if d.Count > 0 {
		r.Outcome = "differs"
		first := Element{At: debug.Position(have, d.First), Got: number(have, d.First), Want: number(w.array, d.First), Writer: c.writer(w.arg, d.First)}
		r.First = &first
		for _, e := range d.Worst {
			r.Worst = append(r.Worst, Element{At: debug.Position(have, e.At), Got: e.Got, Want: e.Want, Writer: c.writer(w.arg, e.At)})
		}
	}
	data := make([]byte, 8*min(len(d.Errors), maxShown))
	for i := range len(data) / 8 {
		binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(d.Errors[i]))
	}
	out[r.Errors] = data
	return r
}

// number returns element i of the array a as text with 9 significant digits.
func number(a *kernel.Array, i int) string { return strconv.FormatFloat(a.Float(i), 'g', 9, 64) }

// writer returns a description of the instruction that last wrote an element of an
// argument. arg is the index of the argument, and at is the index of the element.
func (c *comparer) writer(arg, at int) string {
	if o := c.origins[arg]; o != nil {
		return o.Describe(at)
	}
	return ""
}

// maxExpressions is the maximum number of expressions in a proof. Each needs 16 bytes.
const maxExpressions = 1 << 22

// prove proves or disproves that both kernels of the request compute the same results for
// all contents of the buffers. The parameter a is the response to the request; prove uses
// its numbers of blocks and ranks. It returns the verdict as a comparison.
func (c *comparer) prove(a *RunAnswer) Comparison {
	r := Comparison{Against: "second kernel, for all data", Array: -1}
	o := equiv.Options{Run: runtime.Options{Blocks: a.Blocks, Ranks: a.Ranks, MaxSteps: maxSteps}, MostExpressions: maxExpressions}
	values, _ := c.r.fresh()
	params := c.r.prog.Params()
	for i, v := range values {
		p := params[i%len(params)]
		o.Args = append(o.Args, v.(runtime.Arg))
		o.Names = append(o.Names, "%"+nameOf(p, i%len(params)))
		elem := p.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Elems = append(o.Elems, elem)
	}
	v, err := equiv.Compare(sideOf(c.r.prog), sideOf(c.other), o)
	switch {
	case err != nil:
		r.Outcome, r.Text = "not decided", ir.Visible(err.Error())
	case v.Outcome == equiv.Equivalent:
		r.Outcome, r.Text = "equal", "equivalent: "+v.Extent(&o)
	case v.Outcome == equiv.Differs:
		r.Outcome, r.Text = "differs", v.Difference(&o)
	default:
		r.Outcome, r.Text = "not decided", v.Why
	}
	return r
}

// sideOf returns the program p as a Side, one of the two programs that a proof of
// equivalence compares.
func sideOf(p *kernel.Program) equiv.Side {
	return equiv.Side{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features}
}
