package numexpr

import (
	"fmt"
	"math"
	"slices"
)

// MaxWork limits the number of arithmetic operations of a program.
const MaxWork = 1 << 31

// Eval evaluates a program in numpy-like syntax; the string is its text. The map contains
// the arrays that the program can use, by name. The result contains the arrays that the
// program assigns, by name. The name "" has the value of the last expression without an
// assignment. An error is an *Error.
func Eval(text string, names map[string]*Array) (map[string]*Array, error) {
	list, err := parse(text)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &Error{0, "expected an expression, found the end"}
	}
	e := &evaluator{inputs: names, assigned: map[string]*Array{}}
	for _, s := range list {
		v, err := e.eval(s.value)
		if err != nil {
			return nil, err
		}
		e.assigned[s.name] = v
	}
	return e.assigned, nil
}

// evaluator holds the values of names and the number of operations executed so far.
type evaluator struct {
	inputs, assigned map[string]*Array
	work             int
}

// constants holds the values of predefined names.
var constants = map[string]float64{"pi": math.Pi, "e": math.E, "inf": math.Inf(1), "nan": math.NaN(), "true": 1, "false": 0}

func (n *node) errorf(format string, args ...any) error {
	return &Error{n.off, fmt.Sprintf(format, args...)}
}

// spend adds work, a number of operations, to the total of the evaluation. It returns an
// error at the node n of the expression if the total exceeds MaxWork.
func (e *evaluator) spend(n *node, work int) error {
	if e.work += work; e.work > MaxWork || work < 0 {
		return n.errorf("the expression exceeds the limit of %d operations", MaxWork)
	}
	return nil
}

func (e *evaluator) eval(n *node) (*Array, error) {
	switch n.kind {
	case "number":
		return scalar(n.x), nil
	case "name":
		return e.name(n)
	case "call":
		return e.call(n)
	case "index":
		return e.index(n)
	}
	args := make([]*Array, len(n.args))
	for i, a := range n.args {
		var err error
		if args[i], err = e.eval(a); err != nil {
			return nil, err
		}
	}
	switch n.kind {
	case "T":
		return args[0].transpose(), e.spend(n, len(args[0].Data))
	case "neg":
		return e.map1(n, args[0], func(x float64) float64 { return -x })
	case "@":
		return e.matmul(n, args[0], args[1])
	}
	return e.map2(n, args[0], args[1], binary[n.kind])
}

func (e *evaluator) name(n *node) (*Array, error) {
	for _, names := range []map[string]*Array{e.assigned, e.inputs} {
		if a := names[n.text]; a != nil {
			return a, nil
		}
	}
	if x, ok := constants[n.text]; ok {
		return scalar(x), nil
	}
	return nil, n.errorf("unknown name '%s'", n.text)
}

func (e *evaluator) map1(n *node, a *Array, f func(x float64) float64) (*Array, error) {
	out := &Array{Shape: a.Shape, Data: make([]float64, len(a.Data))}
	for i, x := range a.Data {
		out.Data[i] = f(x)
	}
	return out, e.spend(n, len(a.Data))
}

func (e *evaluator) map2(n *node, a, b *Array, f func(x, y float64) float64) (*Array, error) {
	shape, err := broadcast(a.Shape, b.Shape)
	if err != nil {
		return nil, n.errorf("%v", err)
	}
	out, err := newArray(shape)
	if err != nil {
		return nil, n.errorf("%v", err)
	}
	x, y := a.expand(shape), b.expand(shape)
	for i := range out.Data {
		out.Data[i] = f(x[i], y[i])
	}
	return out, e.spend(n, len(out.Data))
}

// binary maps an operator to its implementation on two numbers, as numpy defines it on
// floats.
var binary = map[string]func(x, y float64) float64{
	"+":  func(x, y float64) float64 { return x + y },
	"-":  func(x, y float64) float64 { return x - y },
	"*":  func(x, y float64) float64 { return x * y },
	"/":  func(x, y float64) float64 { return x / y },
	"//": func(x, y float64) float64 { return math.Floor(x / y) },
	"%": func(x, y float64) float64 {
		r := math.Mod(x, y)
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r
	},
	"**": math.Pow,
	"<":  func(x, y float64) float64 { return truth(x < y) },
	"<=": func(x, y float64) float64 { return truth(x <= y) },
	">":  func(x, y float64) float64 { return truth(x > y) },
	">=": func(x, y float64) float64 { return truth(x >= y) },
	"==": func(x, y float64) float64 { return truth(x == y) },
	"!=": func(x, y float64) float64 { return truth(x != y) },
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// matmul returns the product of two matrices, or of two stacks of matrices with the same
// leading extents.
func (e *evaluator) matmul(n *node, a, b *Array) (*Array, error) {
	ra, rb := len(a.Shape), len(b.Shape)
	if ra < 2 || ra != rb || !slices.Equal(a.Shape[:ra-2], b.Shape[:rb-2]) || a.Shape[ra-1] != b.Shape[rb-2] {
		return nil, n.errorf("matrices of shapes %v and %v cannot be multiplied", a.Shape, b.Shape)
	}
	rows, depth, cols := a.Shape[ra-2], a.Shape[ra-1], b.Shape[rb-1]
	shape := append(slices.Clone(a.Shape[:ra-1]), cols)
	out, err := newArray(shape)
	if err != nil {
		return nil, n.errorf("%v", err)
	}
	if float64(len(out.Data))*float64(depth) > MaxWork {
		return nil, n.errorf("the expression exceeds the limit of %d operations", MaxWork)
	}
	if err := e.spend(n, len(out.Data)*depth); err != nil {
		return nil, err
	}
	for i := 0; i < len(out.Data)/max(cols, 1); i++ { // rows of all matrices
		x := a.Data[i*depth : (i+1)*depth]
		to, matrix := out.Data[i*cols:(i+1)*cols], i/max(rows, 1)
		for k, f := range x {
			from := b.Data[(matrix*depth+k)*cols:][:cols]
			for j := range to {
				to[j] += f * from[j]
			}
		}
	}
	return out, nil
}

// index evaluates an index expression, such as a[i, from:to:step].
func (e *evaluator) index(n *node) (*Array, error) {
	a, err := e.eval(n.args[0])
	if err != nil {
		return nil, err
	}
	if len(n.args)-1 > len(a.Shape) {
		return nil, n.errorf("an array of shape %v cannot be indexed by %d indices", a.Shape, len(n.args)-1)
	}
	var list []selection
	for i, x := range n.args[1:] {
		s, err := e.selects(x, a.Shape[i])
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return a.take(list), e.spend(n, len(a.Data))
}

// selects evaluates one index or slice for a dimension of the given extent, and returns
// the selected elements.
func (e *evaluator) selects(n *node, extent int) (s selection, err error) {
	if n.kind != "slice" {
		i, err := e.integer(n)
		if i < 0 {
			i += extent
		}
		if err == nil && (i < 0 || i >= extent) {
			err = n.errorf("the index is out of range for a dimension of size %d", extent)
		}
		return selection{i, 1, 1, true}, err
	}
	bounds := [3]int{0, extent, 1}
	for i, part := range n.args {
		if part == nil {
			continue
		}
		x, err := e.integer(part)
		if err != nil {
			return s, err
		}
		if x < 0 && i < 2 {
			x += extent
		}
		if i < 2 {
			x = max(0, min(x, extent))
		}
		bounds[i] = x
	}
	if bounds[2] < 1 {
		return s, n.errorf("the step of a slice must be positive")
	}
	return selection{bounds[0], bounds[2], max(0, (bounds[1]-bounds[0]+bounds[2]-1)/bounds[2]), false}, nil
}

// integer evaluates an expression whose value must be an integer.
func (e *evaluator) integer(n *node) (int, error) {
	a, err := e.eval(n)
	if err != nil {
		return 0, err
	}
	if len(a.Data) != 1 || a.Data[0] != math.Trunc(a.Data[0]) || math.Abs(a.Data[0]) > MaxElements {
		return 0, n.errorf("expected a whole number")
	}
	return int(a.Data[0]), nil
}
