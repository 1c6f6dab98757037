package numexpr

import (
	"math"
	"slices"

	"ptogo/ir/num"
)

// elementwise maps the name of a function of one number to its Go implementation. The
// evaluator applies the function to each element of an array.
var elementwise = map[string]func(x float64) float64{
	"abs": math.Abs, "exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log2": math.Log2, "log1p": math.Log1p,
	"sqrt": math.Sqrt, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "square": func(x float64) float64 { return x * x },
	"sin": math.Sin, "cos": math.Cos, "tanh": math.Tanh, "erf": math.Erf,
	"sigmoid": func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"relu":    func(x float64) float64 { return math.Max(x, 0) },
	"gelu":    func(x float64) float64 { return x * (1 + math.Erf(x/math.Sqrt2)) / 2 },
	"floor":   math.Floor, "ceil": math.Ceil, "round": math.RoundToEven, "trunc": math.Trunc,
	"sign": func(x float64) float64 { return truth(x > 0) - truth(x < 0) },
}

// pairs maps the name of a function of two numbers to its implementation. The function is
// applied to pairs of elements, with broadcasting.
var pairs = map[string]func(x, y float64) float64{
	"maximum": math.Max, "minimum": math.Min, "pow": math.Pow, "mod": binary["%"],
}

// reductions maps the name of a reduction to its implementation, which reduces the
// elements along one axis to one number.
var reductions = map[string]func(lane []float64) float64{
	"sum": sum, "mean": func(l []float64) float64 { return sum(l) / float64(len(l)) },
	"max": func(l []float64) float64 { return fold(l, math.Inf(-1), math.Max) },
	"min": func(l []float64) float64 { return fold(l, math.Inf(1), math.Min) },
	"prod": func(l []float64) float64 {
		return fold(l, 1, func(x, y float64) float64 { return x * y })
	},
	"var": func(l []float64) float64 {
		m, s := sum(l)/float64(len(l)), 0.0
		for _, x := range l {
			s += (x - m) * (x - m)
		}
		return s / float64(len(l))
	},
	"argmax": func(l []float64) float64 { return float64(first(l, func(x, best float64) bool { return x > best })) },
	"argmin": func(l []float64) float64 { return float64(first(l, func(x, best float64) bool { return x < best })) },
}

// alongs maps the name of a function to its implementation on the elements along one axis
// of an array. The result has as many elements as the input. An example is the cumulative
// sum.
var alongs = map[string]func(lane []float64) []float64{
	"cumsum": func(l []float64) []float64 {
		s := 0.0
		for i, x := range l {
			s += x
			l[i] = s
		}
		return l
	},
	"sort": func(l []float64) []float64 { slices.Sort(l); return l },
	"softmax": func(l []float64) []float64 {
		most, s := fold(l, math.Inf(-1), math.Max), 0.0
		for i, x := range l {
			l[i] = math.Exp(x - most)
			s += l[i]
		}
		for i := range l {
			l[i] /= s
		}
		return l
	},
}

func sum(lane []float64) float64 {
	s := 0.0
	for _, x := range lane {
		s += x
	}
	return s
}

func fold(lane []float64, x float64, f func(x, y float64) float64) float64 {
	for _, y := range lane {
		x = f(x, y)
	}
	return x
}

// first returns the index of the best element of lane. The function better reports
// whether its first argument is better than its second. Among equally good elements,
// first chooses the one with the lowest index. It implements argmax and argmin.
func first(lane []float64, better func(x, best float64) bool) int {
	at := 0
	for i, x := range lane {
		if better(x, lane[at]) {
			at = i
		}
	}
	return at
}

// arguments holds the positional and the named arguments of a call.
type arguments struct {
	list []*Array
	keys map[string]*node
}

func (e *evaluator) call(n *node) (*Array, error) {
	a := arguments{keys: map[string]*node{}}
	for i, arg := range n.args {
		if key := n.keys[i]; key != "" {
			a.keys[key] = arg
			continue
		}
		v, err := e.eval(arg)
		if err != nil {
			return nil, err
		}
		a.list = append(a.list, v)
	}
	need := func(count int) error {
		if len(a.list) != count {
			return n.errorf("the function '%s' has %d arguments, but expects %d", n.text, len(a.list), count)
		}
		return nil
	}
	if f := elementwise[n.text]; f != nil {
		if err := need(1); err != nil {
			return nil, err
		}
		return e.map1(n, a.list[0], f)
	}
	if f := pairs[n.text]; f != nil {
		if err := need(2); err != nil {
			return nil, err
		}
		return e.map2(n, a.list[0], a.list[1], f)
	}
	if f := reductions[n.text]; f != nil {
		return e.reduce(n, &a, f)
	}
	if f := alongs[n.text]; f != nil {
		return e.along(n, &a, f)
	}
	if format, ok := num.ParseFormat(n.text); ok && format != num.Invalid {
		if err := need(1); err != nil {
			return nil, err
		}
		return e.map1(n, a.list[0], func(x float64) float64 {
			return num.Decode(format, num.Encode(format, x, num.NearestEven, false))
		})
	}
	return e.shaping(n, &a, need)
}

// shaping evaluates a call of a function whose result has another shape than its
// arguments, or that combines arrays elementwise, such as reshape, where or clip. The
// parameter need is a function that checks the number of arguments of the call: it
// returns an error unless the call has the given number.
func (e *evaluator) shaping(n *node, a *arguments, need func(int) error) (*Array, error) {
	switch n.text {
	case "where":
		if err := need(3); err != nil {
			return nil, err
		}
		return e.where(n, a.list)
	case "clip":
		if err := need(3); err != nil {
			return nil, err
		}
		low, err := e.map2(n, a.list[0], a.list[1], math.Max)
		if err != nil {
			return nil, err
		}
		return e.map2(n, low, a.list[2], math.Min)
	case "transpose":
		if err := need(1); err != nil {
			return nil, err
		}
		return a.list[0].transpose(), e.spend(n, len(a.list[0].Data))
	case "matmul":
		if err := need(2); err != nil {
			return nil, err
		}
		return e.matmul(n, a.list[0], a.list[1])
	case "reshape":
		if len(a.list) < 2 {
			return nil, n.errorf("'reshape' needs an array and the extents of its new shape")
		}
		return reshape(n, a.list[0], a.list[1:])
	case "zeros", "ones", "arange":
		shape, err := extents(n, a.list)
		if err != nil {
			return nil, err
		}
		out, err := newArray(shape)
		if err != nil {
			return nil, n.errorf("%v", err)
		}
		for i := range out.Data {
			out.Data[i] = map[string]float64{"ones": 1, "arange": float64(i)}[n.text]
		}
		return out, e.spend(n, len(out.Data))
	}
	return nil, n.errorf("unknown function '%s'", n.text)
}

// extents converts scalar arrays to the extents of a shape. It returns an error if one is
// not an integer or too large.
func extents(n *node, list []*Array) (shape []int, err error) {
	for _, a := range list {
		if len(a.Data) != 1 || a.Data[0] != math.Trunc(a.Data[0]) || math.Abs(a.Data[0]) > MaxElements {
			return nil, n.errorf("the extents of a shape must be whole numbers")
		}
		shape = append(shape, int(a.Data[0]))
	}
	return shape, nil
}

func reshape(n *node, a *Array, list []*Array) (*Array, error) {
	shape, err := extents(n, list)
	if err != nil {
		return nil, err
	}
	known, open := 1, -1
	for i, extent := range shape {
		if extent == -1 {
			open = i
			continue
		}
		known *= extent
	}
	if open >= 0 && known > 0 {
		shape[open] = len(a.Data) / known
	}
	if size, err := count(shape); err != nil || size != len(a.Data) {
		return nil, n.errorf("an array of shape %v cannot be reshaped to shape %v", a.Shape, shape)
	}
	return &Array{Shape: shape, Data: a.Data}, nil
}

func (e *evaluator) where(n *node, list []*Array) (*Array, error) {
	shape := list[0].Shape
	for _, a := range list[1:] {
		var err error
		if shape, err = broadcast(shape, a.Shape); err != nil {
			return nil, n.errorf("%v", err)
		}
	}
	out, err := newArray(shape)
	if err != nil {
		return nil, n.errorf("%v", err)
	}
	c, x, y := list[0].expand(shape), list[1].expand(shape), list[2].expand(shape)
	for i := range out.Data {
		if out.Data[i] = y[i]; c[i] != 0 {
			out.Data[i] = x[i]
		}
	}
	return out, e.spend(n, 3*len(out.Data))
}

// axis returns the axis argument of a call, given by position or by name. If it is
// absent, given is false; functions with a default then use the last axis.
func (e *evaluator) axis(n *node, a *arguments) (axis int, given bool, err error) {
	if len(a.list) == 0 {
		return 0, false, n.errorf("the function '%s' requires an array", n.text)
	}
	at := a.keys["axis"]
	switch {
	case at != nil:
		axis, err = e.integer(at)
	case len(a.list) == 2 && len(a.list[1].Data) == 1:
		axis = int(a.list[1].Data[0])
	case len(a.list) == 1:
		return 0, false, nil
	default:
		err = n.errorf("the function '%s' has too many arguments", n.text)
	}
	if err == nil {
		if axis, err = a.list[0].axisOf(axis); err != nil {
			err = n.errorf("%v", err)
		}
	}
	return axis, true, err
}

func (e *evaluator) reduce(n *node, a *arguments, f func(lane []float64) float64) (*Array, error) {
	axis, given, err := e.axis(n, a)
	if err != nil {
		return nil, err
	}
	x := a.list[0]
	if err := e.spend(n, 2*len(x.Data)); err != nil {
		return nil, err
	}
	if !given {
		return scalar(f(x.Data)), nil
	}
	out := x.lanes(axis, func(lane []float64) []float64 { return []float64{f(lane)} })
	keep := a.keys["keepdims"]
	if keep != nil {
		k, err := e.integer(keep)
		if err != nil {
			return nil, err
		}
		if k != 0 {
			return out, nil
		}
	}
	out.Shape = slices.Delete(out.Shape, axis, axis+1)
	return out, nil
}

func (e *evaluator) along(n *node, a *arguments, f func(lane []float64) []float64) (*Array, error) {
	axis, given, err := e.axis(n, a)
	if err != nil {
		return nil, err
	}
	x := a.list[0]
	if len(x.Shape) == 0 {
		return nil, n.errorf("the function '%s' requires an array with at least one dimension", n.text)
	}
	if !given {
		axis = len(x.Shape) - 1
	}
	return x.lanes(axis, f), e.spend(n, 8*len(x.Data))
}
