package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
)

// comparison is one --expect: what argument n must hold after the run.
type comparison struct {
	arg        string // how the command line names it: a number or a name
	n          int
	path       string
	rtol, atol float64
	want       *kernel.Array
}

// parseExpect reads N=PATH[,rtol=X,atol=Y]. Without tolerances the elements
// must be equal; NaN equals NaN.
func parseExpect(text string) (comparison, error) {
	bad := fmt.Errorf("'%s' is no expectation: write N=PATH[,rtol=X,atol=Y]", text)
	arg, rest, ok := strings.Cut(text, "=")
	if !ok || arg == "" || arg[0] == '-' {
		return comparison{}, bad
	}
	parts := strings.Split(rest, ",")
	c := comparison{arg: arg, path: parts[0]}
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(p, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < 0 {
			return c, bad
		}
		switch key {
		case "rtol":
			c.rtol = v
		case "atol":
			c.atol = v
		default:
			return c, bad
		}
	}
	return c, nil
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

// difference is one element that is not what it should be.
type difference struct {
	i         int
	got, want string
	size      float64
}

// worstShown is how many of the worst differences a report lists.
const worstShown = 5

// check compares an argument with its file and reports differences.
func (c comparison) check(w io.Writer, a *kernel.Array) bool {
	want := c.want
	bytes, n := a.Size()
	wide, _ := want.Size()
	f, _ := ir.FormatOf(a.Elem)
	exact, _ := ir.FormatOf(want.Elem)
	var worst []difference
	count := 0
	for i := range n {
		x, y := num.Load(f, a.Data[i*bytes:]), num.Load(exact, want.Data[i*wide:])
		if f == exact && x == y {
			continue
		}
		d, differ := c.differ(num.Decode(f, x), num.Decode(exact, y))
		if f.IsInt() && d == 0 { // neighbours that are one and the same float64
			d = math.Abs(float64(int64(x - y)))
			differ = d > c.tolerance(num.Decode(exact, y))
		}
		if differ {
			count++
			worst = insertWorst(worst, difference{i, kernel.FormatNumber(f, x, -1), kernel.FormatNumber(exact, y, -1), d})
		}
	}
	if count == 0 {
		fmt.Fprintf(w, "argument %d equals %s: %d elements\n", c.n, c.path, n)
		return true
	}
	fmt.Fprintf(w, "argument %d differs from %s in %d of %d elements; the worst:\n", c.n, c.path, count, n)
	for _, d := range worst {
		fmt.Fprintf(w, "  [%s]  got %s, expected %s, off by %g\n", position(a, d.i), d.got, d.want, d.size)
	}
	return false
}

// comparable reports whether data of one element type can be what another must
// be near to: floats of any types, since numpy has fewer than kernels.
func comparable(have, want ir.Type) bool {
	f, _ := ir.FormatOf(have)
	g, _ := ir.FormatOf(want)
	return kernel.SameBits(have, want) || f.IsFloat() && g.IsFloat()
}

// differ reports whether x is not y within the tolerances, and by how much.
func (c comparison) differ(x, y float64) (float64, bool) {
	switch {
	case math.IsNaN(x) && math.IsNaN(y), x == y:
		return 0, false
	case math.IsNaN(x) || math.IsNaN(y):
		return math.Inf(1), true
	}
	d := math.Abs(x - y)
	return d, !(d <= c.tolerance(y)) || math.IsInf(y, 0)
}

// tolerance is how far from y an element may be.
func (c comparison) tolerance(y float64) float64 { return c.atol + c.rtol*math.Abs(y) }

// insertWorst keeps the largest differences, the first ones among equals.
func insertWorst(worst []difference, d difference) []difference {
	i := len(worst)
	for i > 0 && worst[i-1].size < d.size {
		i--
	}
	if i == worstShown {
		return worst
	}
	worst = append(worst, difference{})
	copy(worst[i+1:], worst[i:])
	worst[i] = d
	return worst[:min(len(worst), worstShown)]
}

// position writes the index of element i in every dimension.
func position(a *kernel.Array, i int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(a.Position(i)), " ", ", "), "[]")
}
