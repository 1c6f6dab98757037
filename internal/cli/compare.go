package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
)

// comparison is one --expect: what argument n must hold after the run.
type comparison struct {
	arg       string // how the command line names it: a number or a name
	n         int
	path      string
	tolerance debug.Tolerance
	want      *kernel.Array
}

// parseExpect reads N=PATH[,rtol=X,atol=Y]. Without tolerances the elements
// must be equal; NaN equals NaN.
func parseExpect(text string) (comparison, error) {
	bad := fmt.Errorf("'%s' is no expectation: write N=PATH[,rtol=X,atol=Y]", text)
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

// withTolerance reads PATH[,rtol=X,atol=Y].
func withTolerance(text string) (path string, tol debug.Tolerance, err error) {
	parts := strings.Split(text, ",")
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(p, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < 0 || key != "rtol" && key != "atol" {
			return "", tol, fmt.Errorf("'%s' is no tolerance: write rtol=X or atol=Y", p)
		}
		if key == "rtol" {
			tol.Rel = v
		} else {
			tol.Abs = v
		}
	}
	return parts[0], tol, nil
}

// resolve finds the number of the argument; that of none is beyond the last.
func (c *comparison) resolve(params []kernel.Param) {
	n, err := strconv.Atoi(c.arg)
	if err != nil {
		n = slices.IndexFunc(params, func(p kernel.Param) bool { return p.Name == strings.TrimPrefix(c.arg, "%") })
		if n < 0 {
			n = len(params)
		}
	}
	c.n = n
}

// read reads what is expected of an argument, before the kernel runs.
func (c *comparison) read(a *kernel.Array) (err error) {
	if c.want, err = readFitting(c.path, a.Elem, comparable); err != nil {
		return fmt.Errorf("--expect %s: %w", c.arg, err)
	}
	_, n := a.Size()
	if _, m := c.want.Size(); m != n {
		return fmt.Errorf("--expect %s: %s holds %s, argument %d has %d", c.arg, c.path, ir.Count(m, "element"), c.n, n)
	}
	if have, want := extents(a.Shape), extents(c.want.Shape); len(have) > 1 && len(want) > 1 && !slices.Equal(have, want) {
		return fmt.Errorf("--expect %s: %s has the shape %s, but argument %d has %s; save it in the shape of the argument, or with one dimension",
			c.arg, c.path, shapeText(want), c.n, shapeText(have))
	}
	return nil
}

// extents are the extents of a shape but for those of 1. What has only one of
// them is a list of elements, with no shape to compare.
func extents(shape []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(shape), func(d int64) bool { return d == 1 })
}

func shapeText(shape []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", "x")
}

// check compares an argument with its file and reports differences. origin
// finds who wrote the elements, if somebody can.
func (c comparison) check(w io.Writer, a *kernel.Array, origin func() *debug.Origin) (d *debug.Difference) {
	d = debug.Compare(a, c.want, c.tolerance, true)
	if d.Count == 0 {
		fmt.Fprintf(w, "argument %d equals %s: %d elements%s\n", c.n, c.path, d.Elements, d.Within())
		return d
	}
	fmt.Fprintf(w, "argument %d differs from %s in %d of %d elements; the worst:\n", c.n, c.path, d.Count, d.Elements)
	d.Report(w, a)
	if o := origin(); o != nil {
		o.Report(w, a, d)
	}
	return d
}

// comparable reports whether data of one element type can be what another must
// be near to: floats of any types, since numpy has fewer than kernels.
func comparable(have, want ir.Type) bool {
	f, _ := ir.FormatOf(have)
	g, _ := ir.FormatOf(want)
	return kernel.SameBits(have, want) || f.IsFloat() && g.IsFloat()
}
