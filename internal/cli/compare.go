package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	fn "ptogo/dialect/func"
	"ptogo/ir"
	"ptogo/ir/num"
)

// comparison is one --expect: what argument n must hold after the run.
type comparison struct {
	arg        string // how the command line names it: a number or a name
	n          int
	path       string
	rtol, atol float64
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
func (c *comparison) resolve(kernel *ir.Op) {
	n, err := strconv.Atoi(c.arg)
	if err != nil {
		params := fn.Body(kernel).Args()
		n = slices.IndexFunc(params, func(p *ir.Value) bool { return p.Name() == strings.TrimPrefix(c.arg, "%") })
		if n < 0 {
			n = len(params)
		}
	}
	c.n = n
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
func (c comparison) check(w io.Writer, a *array) (ok bool, err error) {
	want, err := readFitting(c.path, a.elem, comparable)
	if err != nil {
		return false, err
	}
	bytes, n := a.size()
	wide, m := want.size()
	if m != n {
		return false, fmt.Errorf("%s holds %s, argument %d has %d", c.path, ir.Count(m, "element"), c.n, n)
	}
	f, _ := ir.FormatOf(a.elem)
	exact, _ := ir.FormatOf(want.elem)
	var worst []difference
	count := 0
	for i := range n {
		x, y := num.Load(f, a.data[i*bytes:]), num.Load(exact, want.data[i*wide:])
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
			worst = insertWorst(worst, difference{i, number(f, x, -1), number(exact, y, -1), d})
		}
	}
	if count == 0 {
		fmt.Fprintf(w, "argument %d equals %s: %d elements\n", c.n, c.path, n)
		return true, nil
	}
	fmt.Fprintf(w, "argument %d differs from %s in %d of %d elements; the worst:\n", c.n, c.path, count, n)
	for _, d := range worst {
		fmt.Fprintf(w, "  [%s]  got %s, expected %s, off by %g\n", a.position(d.i), d.got, d.want, d.size)
	}
	return false, nil
}

// comparable reports whether data of one element type can be what another must
// be near to: floats of any types, since numpy has fewer than kernels.
func comparable(have, want ir.Type) bool {
	f, _ := ir.FormatOf(have)
	g, _ := ir.FormatOf(want)
	return holds(have, want) || f.IsFloat() && g.IsFloat()
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

// position returns the index of element i in every dimension.
func (a *array) position(i int) string {
	idx := make([]string, len(a.shape))
	for k := len(a.shape) - 1; k >= 0; k-- {
		idx[k] = strconv.Itoa(i % int(a.shape[k]))
		i /= int(a.shape[k])
	}
	return strings.Join(idx, ", ")
}
