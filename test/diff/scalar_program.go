package diff

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/tools/cpptest"
)

// Random programs of scalar arithmetic on numbers at edges, within branches, loops and
// functions. What the IR leaves undefined is left out: division by zero, shifts by the
// width and more, floats that no integer holds.

// scalarTypes are the element types of the kernel's buffers, in the order of its
// parameters. A program reads two elements of each buffer, and stores its most recent
// values.
var scalarTypes = []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.F32, ir.F16}

const (
	scalarSteps  = 40
	scalarValues = 28 // of a type, at most, that are stored
	scalarRoom   = 64 // elements of a buffer
)

var (
	integers = []string{"i8", "i16", "i32", "i64", "index"}
	floats   = []string{"f32", "f16"}
	anyType  = append(append([]string{"i1"}, integers...), floats...)
)

// scalarForm is a group of operations with the same syntax.
type scalarForm struct {
	weight int
	// ops holds the names of the operations, separated by blanks.
	ops   string
	types []string
	write func(g *scalarMaker, in scope, op, t string)
}

var scalarForms = []scalarForm{
	{30, "addi subi muli andi ori xori minsi maxsi minui maxui", integers, (*scalarMaker).binary},
	{8, "shli shrsi shrui", integers, (*scalarMaker).shift},
	{10, "divsi divui remsi remui ceildivsi ceildivui floordivsi", integers, (*scalarMaker).divide},
	{8, "eq ne slt sle sgt sge ult ule ugt uge", integers, (*scalarMaker).compare},
	{5, "oeq one olt ole ogt oge ueq une ult ule ugt uge ord uno", floats, (*scalarMaker).compare},
	{6, "select", anyType, (*scalarMaker).choose},
	{6, "extsi extui", []string{"i1", "i8", "i16", "i32"}, (*scalarMaker).widen},
	{3, "trunci", []string{"i16", "i32", "i64"}, (*scalarMaker).narrow},
	{3, "index_cast index_castui", integers[:4], (*scalarMaker).toIndex},
	{3, "index_cast index_castui", integers[:4], (*scalarMaker).fromIndex},
	{5, "sitofp uitofp", integers[:4], (*scalarMaker).toFloat},
	{10, "addf subf mulf divf maximumf minimumf maxnumf minnumf", floats, (*scalarMaker).binary},
	{2, "negf", floats, (*scalarMaker).negate},
	{2, "truncf", []string{"f32"}, func(g *scalarMaker, in scope, op, t string) { g.cast(in, op, t, "f16") }},
	{2, "extf", []string{"f16"}, func(g *scalarMaker, in scope, op, t string) { g.cast(in, op, t, "f32") }},
}

// scope holds the names of the values that are visible at the current point of the
// program. The key is the type of the values, and the map element lists their names.
type scope map[string][]string

// inner returns a copy of the scope for a nested region. Values that are added to the
// copy are not visible after the region.
func (in scope) inner() scope {
	s := maps.Clone(in)
	for t := range s {
		s[t] = slices.Clip(s[t])
	}
	return s
}

type scalarMaker struct {
	r     *rand.Rand
	text  strings.Builder
	names int
	// functions holds the texts of the functions that the kernel calls. These functions
	// contain no calls.
	functions []string
}

// line adds an operation with one result of type t to the program and returns the name of
// the result. The text of the operation is the result of formatting args with format. If
// the scope is not nil, line adds the name to it, so that later operations can use the
// value.
func (g *scalarMaker) line(in scope, t, format string, args ...any) string {
	g.names++
	name := fmt.Sprintf("%%v%d", g.names)
	fmt.Fprintf(&g.text, "  %s = %s\n", name, fmt.Sprintf(format, args...))
	if in != nil {
		in[t] = append(in[t], name)
	}
	return name
}

func (g *scalarMaker) constant(t string, n int) string {
	return g.line(nil, t, "arith.constant %d : %s", n, t)
}

// pick returns the name of a value of type t: usually a recent one, sometimes a new
// constant.
func (g *scalarMaker) pick(in scope, t string) string {
	known := in[t]
	if len(known) == 0 || g.r.IntN(8) == 0 {
		if t == "i1" {
			return g.line(in, t, "arith.constant %v", g.r.IntN(2) == 0)
		}
		f := scalarFormat(t)
		return g.line(in, t, "arith.constant %s : %s", constantText(f, value(g.r, f)), t)
	}
	late := max(0, len(known)-8)
	return known[late+g.r.IntN(len(known)-late)]
}

func scalarFormat(t string) num.Format {
	if t == "index" {
		return num.I64
	}
	f, _ := num.ParseFormat(t)
	return f
}

func (g *scalarMaker) binary(in scope, op, t string) {
	a, b := g.pick(in, t), g.pick(in, t)
	g.line(in, t, "arith.%s %s, %s : %s", op, a, b, t)
}

// shift adds a shift operation to the program. op is the name of the operation, and t is
// the type of its operands. The shift count is a constant less than the width of t,
// because larger counts are undefined.
func (g *scalarMaker) shift(in scope, op, t string) {
	a, by := g.pick(in, t), g.constant(t, g.r.IntN(scalarFormat(t).Bits()))
	g.line(in, t, "arith.%s %s, %s : %s", op, a, by, t)
}

// divide adds the division op of two values of type t to the program. Additional
// operations avoid the undefined cases: a zero divisor, and the smallest integer divided
// by -1.
func (g *scalarMaker) divide(in scope, op, t string) {
	divisors := []int{1, 2, 3, 7, -2, -3, -7, 5, 100, 127}
	a, by := g.pick(in, t), g.constant(t, divisors[g.r.IntN(len(divisors))])
	g.line(in, t, "arith.%s %s, %s : %s", op, a, by, t)
}

func (g *scalarMaker) compare(in scope, predicate, t string) {
	op := "cmpi"
	if slices.Contains(floats, t) {
		op = "cmpf"
	}
	a, b := g.pick(in, t), g.pick(in, t)
	g.line(in, "i1", "arith.%s %s, %s, %s : %s", op, predicate, a, b, t)
}

func (g *scalarMaker) choose(in scope, op, t string) {
	c, a, b := g.pick(in, "i1"), g.pick(in, t), g.pick(in, t)
	g.line(in, t, "arith.%s %s, %s, %s : %s", op, c, a, b, t)
}

func (g *scalarMaker) cast(in scope, op, from, to string) {
	a := g.pick(in, from)
	g.line(in, to, "arith.%s %s : %s to %s", op, a, from, to)
}

func (g *scalarMaker) widen(in scope, op, t string) {
	wider := integers[slices.Index(integers, t)+1 : 4] // i1 is none of them
	g.cast(in, op, t, wider[g.r.IntN(len(wider))])
}

func (g *scalarMaker) narrow(in scope, op, t string) {
	narrower := append([]string{"i1"}, integers[:slices.Index(integers, t)]...)
	g.cast(in, op, t, narrower[g.r.IntN(len(narrower))])
}

func (g *scalarMaker) toIndex(in scope, op, t string)   { g.cast(in, op, t, "index") }
func (g *scalarMaker) fromIndex(in scope, op, t string) { g.cast(in, op, "index", t) }
func (g *scalarMaker) toFloat(in scope, op, t string)   { g.cast(in, op, t, "f32") }

func (g *scalarMaker) negate(in scope, op, t string) {
	g.line(in, t, "arith.%s %s : %s", op, g.pick(in, t), t)
}

// add adds a random operation to the program. The parameter in is the scope that contains
// its operands. Some operations have regions, unless depth, the number of enclosing
// regions, is at least 2.
func (g *scalarMaker) add(in scope, depth int) {
	if depth < 2 && g.r.IntN(20) == 0 {
		regions := []func(scope, string, int){g.branch, g.loop, g.while}
		if depth == 0 { // what is called calls nothing
			regions = append(regions, g.call)
		}
		regions[g.r.IntN(len(regions))](in, anyType[g.r.IntN(len(anyType))], depth)
		return
	}
	all := 0
	for _, f := range scalarForms {
		all += f.weight
	}
	n := g.r.IntN(all)
	for _, f := range scalarForms {
		if n -= f.weight; n < 0 {
			ops := strings.Fields(f.ops)
			f.write(g, in, ops[g.r.IntN(len(ops))], f.types[g.r.IntN(len(f.types))])
			return
		}
	}
}

func (g *scalarMaker) branch(in scope, t string, depth int) {
	c := g.pick(in, "i1")
	name := fmt.Sprintf("%%b%d", g.names)
	fmt.Fprintf(&g.text, "  %s = scf.if %s -> (%s) {\n", name, c, t)
	g.region(in.inner(), t, depth)
	g.text.WriteString("  } else {\n")
	g.region(in.inner(), t, depth)
	g.text.WriteString("  }\n")
	in[t] = append(in[t], name)
}

// loop adds a counted loop that carries a value of type t. It has a few iterations,
// possibly zero. The parameter in is the scope that contains its operands, and depth is
// the number of enclosing regions.
func (g *scalarMaker) loop(in scope, t string, depth int) {
	from, to, step := g.constant("index", g.r.IntN(6)-3), g.constant("index", g.r.IntN(7)), g.constant("index", 1+g.r.IntN(2))
	first := g.pick(in, t)
	name := fmt.Sprintf("l%d", g.names)
	fmt.Fprintf(&g.text, "  %%%s = scf.for %%%s_i = %s to %s step %s iter_args(%%%s_a = %s) -> (%s) {\n", name, name, from, to, step, name, first, t)
	inner := in.inner()
	inner["index"] = append(inner["index"], "%"+name+"_i")
	inner[t] = append(inner[t], "%"+name+"_a")
	g.region(inner, t, depth)
	g.text.WriteString("  }\n")
	in[t] = append(in[t], "%"+name)
}

// while adds a loop with a few iterations that computes values before it tests its
// condition, and carries a value of type t. The parameter in is the scope that contains
// its operands, and depth is the number of enclosing regions.
func (g *scalarMaker) while(in scope, t string, depth int) {
	first, zero, rounds, one := g.pick(in, t), g.constant("i32", 0), g.constant("i32", g.r.IntN(5)), g.constant("i32", 1)
	name := fmt.Sprintf("%%w%d", g.names)
	fmt.Fprintf(&g.text, "  %s:2 = scf.while (%s_x = %s, %s_n = %s) : (%s, i32) -> (%s, i32) {\n", name, name, first, name, zero, t, t)
	x := g.from(in, t, name+"_x", depth)
	more := g.line(nil, "i1", "arith.cmpi slt, %s_n, %s : i32", name, rounds)
	fmt.Fprintf(&g.text, "  scf.condition(%s) %s, %s_n : %s, i32\n  } do {\n  ^bb0(%s_y: %s, %s_m: i32):\n", more, x, name, t, name, t, name)
	y := g.from(in, t, name+"_y", depth)
	next := g.line(nil, "i32", "arith.addi %s_m, %s : i32", name, one)
	fmt.Fprintf(&g.text, "  scf.yield %s, %s : %s, i32\n  }\n", y, next, t)
	in[t] = append(in[t], name+"#0")
	in["i32"] = append(in["i32"], name+"#1")
}

// from adds random operations to the program in a new scope, such as the body of a loop.
// The new scope contains the values of the enclosing scope (the parameter in). It also
// contains the value with the name arg, a block argument of type t. depth is the number
// of regions that enclose the new scope. from returns the name of a value of type t,
// which can be any such value in the new scope.
func (g *scalarMaker) from(in scope, t, arg string, depth int) string {
	inner := in.inner()
	inner[t] = append(inner[t], arg)
	g.add(inner, depth+1)
	return g.pick(inner, t)
}

// call adds a new function to the program. It also adds a call of this function, whose
// result has the type t. The body of the new function consists of several blocks, which
// branch to each other. The parameter in is the scope at the position of the call. The
// last parameter is unused; all generators have it.
func (g *scalarMaker) call(in scope, t string, _ int) {
	c, x, y := g.pick(in, "i1"), g.pick(in, t), g.pick(in, "i32")
	name := fmt.Sprintf("h%d", len(g.functions))
	g.line(in, t, "func.call @k_%s(%s, %s, %s) : (i1, %s, i32) -> %s", name, c, x, y, t, t)
	f := &scalarMaker{r: g.r}
	fmt.Fprintf(&f.text, "func.func private @k_%s(%%c: i1, %%x: %s, %%y: i32) -> %s {\n", name, t, t)
	top := scope{"i1": {"%c"}, "i32": {"%y"}}
	top[t] = append(top[t], "%x")
	for range 4 {
		f.add(top, 1)
	}
	fmt.Fprintf(&f.text, "  cf.cond_br %s, ^one(%s : %s), ^other(%s : %s)\n", f.pick(top, "i1"), f.pick(top, t), t, f.pick(top, t), t)
	for _, block := range []string{"one", "other"} {
		fmt.Fprintf(&f.text, "^%s(%%%s: %s):\n", block, block, t)
		fmt.Fprintf(&f.text, "  cf.br ^end(%s : %s)\n", f.from(top, t, "%"+block, 0), t)
	}
	fmt.Fprintf(&f.text, "^end(%%end: %s):\n  return %%end : %s\n}\n", t, t)
	g.functions = append(g.functions, f.text.String())
}

// region adds a few operations to a nested region, and ends the region by yielding a
// value of type t. The parameter in is the scope with the values that are visible before
// the region, and depth is the number of enclosing regions.
func (g *scalarMaker) region(in scope, t string, depth int) {
	for range 1 + g.r.IntN(3) {
		g.add(in, depth+1)
	}
	fmt.Fprintf(&g.text, "  scf.yield %s : %s\n", g.pick(in, t), t)
}

// scalarProgram generates a random kernel @k with the functions that it calls.
func scalarProgram(r *rand.Rand) string {
	g := &scalarMaker{r: r}
	var params []string
	for _, t := range scalarTypes {
		params = append(params, fmt.Sprintf("%%%s: !pto.ptr<%s>", t, t))
	}
	fmt.Fprintf(&g.text, "func.func @k(%s) attributes {pto.kernel} {\n", strings.Join(params, ", "))
	in := scope{}
	for _, elem := range scalarTypes {
		t := elem.String()
		for i := range 2 {
			g.line(in, t, "pto.load_scalar %%%s[%s] : !pto.ptr<%s> -> %s", t, g.constant("index", i), t, t)
		}
	}
	for range scalarSteps {
		g.add(in, 0)
	}
	for _, x := range slices.Clone(in["i1"]) {
		g.line(in, "i8", "arith.extui %s : i1 to i8", x)
	}
	for _, x := range slices.Clone(in["index"]) {
		g.line(in, "i64", "arith.index_cast %s : index to i64", x)
	}
	for _, elem := range scalarTypes {
		t := elem.String()
		made := in[t][2:]
		for i, x := range made[max(0, len(made)-scalarValues):] {
			fmt.Fprintf(&g.text, "  pto.store_scalar %s, %%%s[%s] : !pto.ptr<%s>, %s\n", x, t, g.constant("index", 2+i), t, t)
		}
	}
	g.text.WriteString("  return\n}\n")
	return g.text.String() + strings.Join(g.functions, "")
}

// scalarArgs returns buffers with random contents as arguments of the kernel.
func scalarArgs(r *rand.Rand) (args []cpptest.Arg) {
	for _, t := range scalarTypes {
		f := scalarFormat(t.String())
		data := make([]byte, scalarRoom*f.Bytes())
		for i := range 2 {
			num.Store(f, data[i*f.Bytes():], value(r, f))
		}
		args = append(args, cpptest.Arg{Elem: t, Data: data})
	}
	return args
}
