package term

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/tools/testsize"
)

// formats are the integer formats of programs, by width.
var formats = map[int]num.Format{1: num.I1, 8: num.I8, 16: num.I16, 32: num.I32, 64: num.I64}

// widths are the widths of random terms.
var widths = []int{1, 8, 16, 32, 64}

// unknownFn is a function for Assignment.Opaque that depends on all its arguments.
func unknownFn(seed uint64) func(name string, w int, args []Int) Int {
	return func(name string, w int, args []Int) Int {
		h := fnv.New64a()
		h.Write([]byte(name))
		v := h.Sum64() ^ seed
		for _, a := range args {
			v = (v ^ a.lo ^ uint64(a.hi)<<7) * 0x9E3779B97F4A7C15
			v ^= v >> 31
		}
		return Int{int64(v * 77), v}
	}
}

// gen creates random terms together with their values, which it computes independently
// of the constructors: by package scalar.
type gen struct {
	r     *rand.Rand
	p     *Pool
	width []int // the widths that it uses
	easy  bool  // the second operand of wide functions is usually constant
	vars  []Term
	a     Assignment
	pool  map[int][]sample // earlier terms by width
}

// sample is a term and its value.
type sample struct {
	t Term
	v Int
}

func newGen(r *rand.Rand, widths ...int) *gen {
	g := &gen{r: r, p: NewPool(), width: widths, pool: map[int][]sample{}}
	g.a = Assignment{Vars: map[Term]Int{}, Opaque: unknownFn(r.Uint64())}
	return g
}

// number returns a random value of w bits, often one near a bound.
func (g *gen) number(w int) Int {
	var v Int
	switch g.r.IntN(6) {
	case 0:
		v = IntOf(int64(g.r.IntN(5)) - 2)
	case 1:
		v = pow2(g.r.IntN(w)).add(IntOf(int64(g.r.IntN(3)) - 1))
	case 2:
		v = IntOf(int64(g.r.IntN(200)))
	case 3:
		v = pow2(w - 1).sub(IntOf(int64(g.r.IntN(3))))
	default:
		v = Int{int64(g.r.Uint64()), g.r.Uint64()}
	}
	return v.wrap(w)
}

// variable returns a variable and a value that its declaration permits.
func (g *gen) variable(w int) sample {
	if len(g.vars) > 3 && g.r.IntN(2) == 0 {
		for range 4 {
			if v := g.vars[g.r.IntN(len(g.vars))]; v.Width() == w {
				return sample{v, g.a.Vars[v]}
			}
		}
	}
	name := string(rune('a' + len(g.vars)%26))
	var v Term
	val := g.number(w)
	if w > 1 && g.r.IntN(2) == 0 {
		lo := int64(g.r.IntN(40)) - 20
		if w == 64 && g.r.IntN(4) == 0 {
			lo = int64(g.r.Uint64())
		}
		hi := lo + int64(g.r.IntN(80))
		if w > 8 {
			hi = lo + g.r.Int64N(int64(1)<<g.r.IntN(w-1))
		}
		if hi < lo {
			lo, hi = 0, 1
		}
		r := Range{Lo: lo, Hi: hi, Multiple: []int64{0, 1, 2, 3, 8}[g.r.IntN(5)]}
		if r.Hi-r.Lo < r.Multiple {
			r.Multiple = 1
		}
		v = g.p.VarIn(name, w, r)
		d := v.n.decl
		val = IntOf(lo)
		if d.kind != declNone {
			steps := first(d.hi.sub(d.lo).quoRem(d.multiple)).add(one)
			val = d.lo.add(d.multiple.mul(UintOf(g.r.Uint64()).mod(steps)))
		}
		val = val.wrap(w)
	} else {
		v = g.p.Var(name, w)
	}
	g.vars = append(g.vars, v)
	g.a.Vars[v] = val
	return sample{v, val}
}

func (g *gen) pickWidth() int { return g.width[g.r.IntN(len(g.width))] }

// term returns a random term of width w.
func (g *gen) term(w, depth int) sample {
	if l := g.pool[w]; len(l) > 0 && g.r.IntN(5) == 0 {
		return l[g.r.IntN(len(l))]
	}
	s := g.fresh(w, depth)
	g.pool[w] = append(g.pool[w], s)
	return s
}

func (g *gen) fresh(w, depth int) sample {
	p := g.p
	if depth <= 0 {
		if g.r.IntN(3) == 0 {
			v := g.number(w)
			return sample{p.ConstInt(w, v), v}
		}
		return g.variable(w)
	}
	switch k := g.r.IntN(12); {
	case k < 7:
		return g.function(w, depth)
	case k == 7:
		c, x, y := g.term(1, depth-1), g.term(w, depth-1), g.term(w, depth-1)
		v := y.v
		if c.v == one {
			v = x.v
		}
		return sample{p.Ite(c.t, x.t, y.t), v}
	case k == 8 && w == 1:
		return g.floats(depth)
	case k >= 8 && w == 1:
		return g.comparison(depth)
	}
	return g.cast(w, depth)
}

func (g *gen) function(w, depth int) sample {
	fns := []*scalar.Fn{scalar.Add, scalar.Sub, scalar.Mul, scalar.Add, scalar.Sub, scalar.Mul, scalar.DivS, scalar.DivU, scalar.FloorDivS,
		scalar.CeilDivS, scalar.CeilDivU, scalar.RemS, scalar.RemU, scalar.MaxS, scalar.MaxU, scalar.MinS, scalar.MinU,
		scalar.And, scalar.Or, scalar.Xor, scalar.Not, scalar.Neg, scalar.Shl, scalar.ShrS, scalar.ShrU, scalar.MulHiS, scalar.Carry, scalar.Abs,
		scalar.AbsDiff, scalar.Rem, scalar.Div, scalar.Fmod, scalar.FloorDiv, scalar.CeilDiv, scalar.Max, scalar.Min, scalar.Shr, scalar.MulHi, scalar.MulAdd, scalar.Fma, scalar.MulHiU, scalar.PopCount, scalar.LeadingZeros}
	fn := fns[g.r.IntN(len(fns))]
	args := make([]Term, fn.Arity)
	bits := make([]uint64, fn.Arity)
	for i := range args {
		s := g.term(w, depth-1)
		easy := w >= 32 && g.easy && g.r.IntN(8) != 0 // few products and quotients of unknowns
		if i == 1 && (easy || g.r.IntN(3) == 0) {
			v := g.number(w)
			s = sample{g.p.ConstInt(w, v), v}
		}
		args[i], bits[i] = s.t, s.v.lo
	}
	f := formats[w]
	if u := f.Unsigned(); g.r.IntN(4) == 0 && fn.Sign == scalar.ByFormat {
		f = u
	}
	t := g.p.Fn(fn, f, args...)
	v, err := fn.Eval(f, bits...)
	if err != nil || !Known(fn, f) {
		return sample{t, Eval(t, g.a)}
	}
	return sample{t, UintOf(v)}
}

func (g *gen) comparison(depth int) sample {
	w := g.pickWidth()
	x, y := g.term(w, depth-1), g.term(w, depth-1)
	rel := scalar.Relation{On: scalar.Order(g.r.IntN(8)), Sign: scalar.Sign(1 + g.r.IntN(2))}
	return sample{g.p.Compare(rel, x.t, y.t), truth(rel.Holds(formats[w], x.v.lo, y.v.lo))}
}

// floats compares the bits of floats by an unknown order.
func (g *gen) floats(depth int) sample {
	fs := []num.Format{num.F16, num.BF16, num.F32, num.F64}
	f := fs[g.r.IntN(len(fs))]
	x, y := g.term(f.Bits(), depth-1), g.term(f.Bits(), depth-1)
	on := scalar.Order(g.r.IntN(16))
	t := g.p.CmpF(f, on, x.t, y.t)
	return sample{t, Eval(t, g.a)}
}

func (g *gen) cast(w, depth int) sample {
	from := g.pickWidth()
	x := g.term(from, depth-1)
	signed := g.r.IntN(2) == 0
	v := x.v
	if signed {
		v = v.signed(from)
	}
	return sample{g.p.Resize(x.t, w, signed), v.wrap(w)}
}

// TestValues compares the values of simplified terms with the functions of package scalar,
// and with the values that a term can have.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		ws := widths
		if i%2 == 0 {
			ws = []int{widths[i/2%len(widths)]}
		}
		g := newGen(r, ws...)
		for range 4 {
			s := g.term(g.pickWidth(), 1+r.IntN(4))
			if v := Eval(s.t, g.a); v != s.v {
				t.Fatalf("program %d: %s = %s, want %s, with %v", i, s.t, v, s.v, g.a.Vars)
			}
		}
		checkAbs(t, g)
	}
}

// checkAbs fails if a term has a value that its abs excludes.
func checkAbs(t *testing.T, g *gen) {
	t.Helper()
	e := newEval(g.a)
	for _, list := range g.p.table {
		for _, n := range list {
			if n.op == opVar && !g.has(n) {
				continue
			}
			v := e.value(n)
			if v != v.wrap(int(n.w)) || !n.abs.contains(int(n.w), v) {
				t.Fatalf("%s (op %d, width %d) = %s is not in %+v", Term{n}, n.op, n.w, v, n.abs)
			}
		}
	}
}

func (g *gen) has(n *node) bool { _, ok := g.a.Vars[Term{n}]; return ok }

// contains reports whether the unsigned value v is in a.
func (a *abs) contains(w int, v Int) bool {
	s := v.signed(w)
	return !v.less(a.ulo) && !a.uhi.less(v) && !s.less(a.slo) && !a.shi.less(s) &&
		v.and(a.zeros) == zero && v.not().and(a.ones) == zero
}

// TestSubstitute compares the value of a term after a substitution with its value under a
// changed assignment.
func TestSubstitute(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 5000 {
		g := newGen(r, widths...)
		s := g.term(g.pickWidth(), 4)
		with, b := map[Term]Term{}, Assignment{Vars: map[Term]Int{}, Opaque: g.a.Opaque}
		for v, val := range g.a.Vars {
			b.Vars[v] = val
		}
		for v := range g.a.Vars {
			if v.n.decl.kind == declNone && r.IntN(2) == 0 {
				u := g.term(v.Width(), 2)
				with[v] = u.t
			}
		}
		for v, u := range with {
			b.Vars[v] = Eval(u, g.a)
		}
		if got, want := Eval(g.p.Substitute(s.t, with), g.a), Eval(s.t, b); got != want && !floats(s.t) {
			t.Fatalf("term %d: %s with %v = %s, want %s", i, s.t, with, got, want)
		}
	}
}

// floats reports whether t compares floats. The unknown order of the tests is not
// symmetric, but Substitute can exchange the floats.
func floats(t Term) bool {
	found := false
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		found = found || n.op == opOrder
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(t.n)
	return found
}

// TestPlanted asks for facts that hold under a random assignment, so the answer is never
// no.
func TestPlanted(t *testing.T) {
	count := 5000
	if testsize.All() {
		count = 40_000
	}
	for i := range count {
		planted(t, uint64(i), 1+i%5)
	}
}

// FuzzPlanted is TestPlanted with random seeds.
func FuzzPlanted(f *testing.F) {
	f.Add(uint64(1), 2)
	f.Fuzz(func(t *testing.T, seed uint64, n int) { planted(t, seed, min(max(n, 1), 8)) })
}

func planted(t *testing.T, seed uint64, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	ws := widths
	if seed%2 == 0 {
		ws = []int{widths[r.IntN(len(widths))]}
	}
	g := newGen(r, ws...)
	var facts []Term
	for range n {
		for _, f := range g.facts() {
			if Eval(f, g.a) == zero {
				f = g.p.Not(f)
			}
			facts = append(facts, f)
		}
	}
	b := Budget{Cases: 16, Clauses: 5000, Conflicts: 50}
	if a := g.p.Possible(b, facts...); a == No && !slices.ContainsFunc(facts, floats) {
		t.Fatalf("seed %d: answer is no, but the facts hold for %v: %v", seed, g.a.Vars, facts)
	}
}
