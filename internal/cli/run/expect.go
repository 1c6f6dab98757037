// This file implements pto-run --expect.

package run

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// expectMode compares the results of a run with expected contents (--expect).
type expectMode struct {
	// specs are the values of --expect.
	specs []string
	// plot is the file for heat maps of the errors (--expect-plot).
	plot string
}

// define declares --expect-plot in fs.
func (m *expectMode) define(fs *pflag.FlagSet) {
	fs.StringVar(&m.plot, "expect-plot", "", "draw the errors of each --expect as a heat map into the SVG file `FILE`")
}

// checkPlot returns an error if --expect-plot is used without --expect.
func (m *expectMode) checkPlot(*runFlags) error {
	if m.plot != "" && len(m.specs) == 0 {
		return errors.New("--expect-plot needs --expect, such as --expect y=want.npy")
	}
	return nil
}

// check returns an error if a value of --expect is malformed.
func (m *expectMode) check(*runFlags) error {
	for _, e := range m.specs {
		if _, err := parseExpect(e); err != nil {
			return err
		}
	}
	return nil
}

// expectations has the contents that the arguments of a launch must have after the run.
type expectations struct {
	list []comparison
	// again runs the kernels once more on the initial contents of the arguments, as its
	// parameter describes. The run is stopped at the time in the field until. again is nil
	// if the kernels cannot run again.
	again func(r *check.Run) error
	until time.Time
}

// read reads the expected contents of the arguments of l before the run, and returns an exit
// code. The parameter what describes the arguments that --expect can name.
func (m *expectMode) read(l *launch, what string) int {
	var list []comparison
	for _, e := range m.specs {
		c, _ := parseExpect(e) // check has read it
		list = append(list, c)
	}
	list, err := ofRanks(list, l.params, l.ranks)
	if err != nil {
		return l.Usage("%v", err)
	}
	for i := range list {
		c := &list[i]
		if c.n >= len(l.args) || l.args[c.n].Array == nil {
			return l.Usage("--expect %s must name %s", c.arg, what)
		}
		if l.prog == nil { // a graph
			c.name = "buffer " + ir.Visible(l.params[c.n%len(l.params)].Name) + onRank(c.n/len(l.params), l.ranks)
		}
		if err := c.read(l.args[c.n].Array, l.MaxMemory); err != nil {
			return l.Fail("%v", err)
		}
	}
	l.expect.list = list
	return exit.OK
}

// repeat prepares running the kernels of l once more.
func (e *expectations) repeat(l *launch) {
	f := &l.flags
	e.again = repeat(l.prog, l.args, runtime.Options{Blocks: f.blocks, Ranks: f.ranks, FlushDenormals: f.flush, Stop: e.tooLate})
}

// compare compares kernel arguments with their expected contents, and draws heat
// maps of the errors if requested. It returns the exit code.
func (e *expectations) compare(l *launch) int {
	code := exit.OK
	var maps []debug.HeatMap
	for i := range e.list {
		c := &e.list[i]
		a := l.args[c.n].Array
		d, writer := c.check(l.Out, a, func() *debug.Origin { return e.origin(l, c.n) })
		result := report.TestResult{Kind: "compare", Name: c.name + ", against " + c.path}
		if d.Count > 0 {
			code = exit.Compare
			result.Failure = fmt.Sprintf("%d of %d elements differ", d.Count, d.Elements)
			result.Diag = c.mismatch(a, d, writer)
		}
		l.TellResult(result)
		maps = append(maps, debug.HeatMap{Title: fmt.Sprintf("%s, against %s", c.name, c.path), Array: a, Difference: d})
	}
	if path := l.flags.expect.plot; path != "" {
		if err := files.WriteFile(path, debug.SVG(maps), l.Out); err != nil {
			return l.Fail("%v", err)
		}
	}
	return code
}

// longestSearch is the time limit for finding the instruction that wrote a wrong
// element.
const longestSearch = time.Minute

// tooLate checks the time limit of the search for the instruction that wrote an element.
// It returns the reason to stop the search if the limit is exceeded, and "" otherwise.
func (e *expectations) tooLate() string {
	if time.Now().After(e.until) {
		return "lasts too long"
	}
	return ""
}

// origin runs the kernels again to find which instructions wrote the elements of
// argument n. It returns nil if the run fails or exceeds its time limit, and for graphs,
// which cannot run again.
func (e *expectations) origin(l *launch, n int) *debug.Origin {
	if e.again == nil {
		return nil
	}
	e.until = time.Now().Add(longestSearch)
	o := debug.NewOrigin(n, l.args[n].Array)
	if err := e.again(&check.Run{Fill: l.flags.fill, Listener: o}); err != nil {
		return nil
	}
	return o
}

// comparison is one --expect option: the contents that a kernel argument must have
// after the run, and the tolerance.
type comparison struct {
	// arg is the number or name of the argument on the command line, optionally followed
	// by @ and a rank.
	arg string
	// n is the index of the argument in the list of the arguments of all ranks.
	n int
	// name is the name of the argument in messages.
	name string
	// path is the file with the expected contents, and want is the array in it.
	path string
	// tolerance is the difference up to which floats count as equal.
	tolerance debug.Tolerance
	want      *kernel.Array
}

// parseExpect parses the value of --expect, N=PATH[,rtol=X,atol=Y]. Without tolerances,
// elements must be equal, where NaN equals NaN.
func parseExpect(text string) (comparison, error) {
	bad := fmt.Errorf("'%s' is not a value for --expect: write N=PATH[,rtol=X,atol=Y]", text)
	arg, rest, ok := strings.Cut(text, "=")
	if !ok || arg == "" || arg[0] == '-' {
		return comparison{}, bad
	}
	c := comparison{arg: arg}
	var err error
	if c.path, c.tolerance, err = withTolerance(rest); err != nil {
		return c, bad
	}
	return c, nil
}

// withTolerance parses a text of the form PATH[,rtol=X,atol=Y] into the path and the
// relative and absolute tolerances.
func withTolerance(text string) (path string, tol debug.Tolerance, err error) {
	parts := strings.Split(text, ",")
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(p, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < 0 || key != "rtol" && key != "atol" {
			return "", tol, fmt.Errorf("'%s' is not a tolerance: write rtol=X or atol=Y", p)
		}
		if key == "rtol" {
			tol.Rel = v
		} else {
			tol.Abs = v
		}
	}
	return parts[0], tol, nil
}

// ofRanks resolves which arguments the comparisons in list refer to. A comparison that
// names no rank (simulated device) becomes one comparison for each rank; the parameter
// ranks is their number.
func ofRanks(list []comparison, params []kernel.Param, ranks int) (all []comparison, err error) {
	for _, c := range list {
		arg, rank, one := strings.Cut(c.arg, "@")
		first, last := 0, max(ranks, 1)-1
		if one {
			if first, err = strconv.Atoi(rank); err != nil || first < 0 || first > last {
				return nil, fmt.Errorf("--expect %s: '%s' is not a rank: the launch has %s, numbered from 0", c.arg, rank, ir.Count(last+1, "rank"))
			}
			last = first
		}
		for r := first; r <= last; r++ {
			c, n := c, argumentNumber(arg, params)
			c.n, c.name = r*len(params)+n, fmt.Sprintf("argument %d", n)
			if n >= len(params) {
				c.n = math.MaxInt
			}
			if ranks > 1 {
				c.name += fmt.Sprintf(" of rank %d", r)
			}
			c.path = data.Place{Rank: r}.OfRank(c.path)
			all = append(all, c)
		}
	}
	return all, nil
}

// argumentNumber returns the index of a kernel argument. The parameter arg is the number
// or the name of the argument, and params holds the parameters of the kernel. If the
// argument does not exist, the result is an index past the last one.
func argumentNumber(arg string, params []kernel.Param) int {
	n, err := strconv.Atoi(arg)
	if err != nil {
		n = slices.IndexFunc(params, func(p kernel.Param) bool { return p.Name == strings.TrimPrefix(arg, "%") })
		if n < 0 {
			n = len(params)
		}
	}
	return n
}

// read reads the file with the expected contents before the kernel runs, and checks
// that its type and shape match the array a.
func (c *comparison) read(a *kernel.Array, limit limit.Memory) (err error) {
	if c.want, err = data.ReadArray(c.path, a.Elem, limit.Read, comparable); err != nil {
		return fmt.Errorf("--expect %s: %w", c.arg, err)
	}
	_, n := a.Size()
	if _, m := c.want.Size(); m != n {
		return fmt.Errorf("--expect %s: file %s contains %s, but %s has %d elements", c.arg, c.path, ir.Count(m, "element"), c.name, n)
	}
	if have, want := extents(a.Shape), extents(c.want.Shape); len(have) > 1 && len(want) > 1 && !slices.Equal(have, want) {
		return fmt.Errorf("--expect %s: file %s has the shape %s, but %s has the shape %s; save the file in the shape of the argument, or with one dimension",
			c.arg, c.path, shapeText(want), c.name, shapeText(have))
	}
	return nil
}

// extents returns a shape without dimensions of size 1. Arrays are comparable if their
// extents are equal: an array of shape 1x16 can be compared with one of shape 16.
func extents(shape []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(shape), func(d int64) bool { return d == 1 })
}

// shapeText formats the dimensions of an array with an x between them, as in 16x64.
func shapeText(shape []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", "x")
}

// check compares the array a with its expected contents and prints the differences. The
// function origin returns the instructions that wrote the elements, or nil if these
// instructions are unknown. The result writer is the one that wrote the worst element, or else
// the first one that differs, or nil.
func (c comparison) check(w io.Writer, a *kernel.Array, origin func() *debug.Origin) (d *debug.Difference, writer *ir.Op) {
	d = debug.Compare(a, c.want, c.tolerance, true)
	if d.Count == 0 {
		fmt.Fprintf(w, "%s equals %s: %d elements%s\n", c.name, c.path, d.Elements, d.Within())
		return d, nil
	}
	fmt.Fprintf(w, "%s differs from %s in %d of %d elements; the worst:\n", c.name, c.path, d.Count, d.Elements)
	d.Report(w, a)
	if o := origin(); o != nil {
		o.Report(w, a, d)
		if writer = o.Writer(d.Worst[0].At); writer == nil {
			writer = o.Writer(d.First)
		}
	}
	return d, writer
}

// mismatch returns the difference d of the array a as a diagnostic about the instruction writer.
// If writer is nil, the diagnostic has no location.
func (c comparison) mismatch(a *kernel.Array, d *debug.Difference, writer *ir.Op) *ir.Diag {
	worst := d.Worst[0]
	diag := &ir.Diag{Severity: ir.Error, Op: writer, Text: fmt.Sprintf("%s differs in %d of %d elements; the worst, [%s], is %s instead of %s",
		c.name, d.Count, d.Elements, debug.Position(a, worst.At), worst.Got, worst.Want)}
	if writer != nil {
		diag.Loc = writer.Loc()
	}
	return diag
}

// comparable reports whether array elements can be compared with expected elements. The
// parameter have is the type of the array elements, and want is the type of the expected
// ones. Two floats of any types can be compared, because numpy has fewer types than
// kernels.
func comparable(have, want ir.Type) bool {
	f, _ := ir.FormatOf(have)
	g, _ := ir.FormatOf(want)
	return kernel.SameBits(have, want) || f.IsFloat() && g.IsFloat()
}
