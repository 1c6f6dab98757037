package lower_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"ptogo/dialect/arith"
	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// machine executes programs of either level without knowing what instructions
// compute: a tile is the history that led to it. What instructions look at is
// written down, and must be the same at both levels.
type machine struct {
	env   map[*ir.Value]any // uint64 for a tile, storage for a buffer, int64 for a number
	slots map[*ir.Op]*cell  // what an allocation reserves, every time the same
	at    map[int64]*cell   // what lies at an address; all tiles are equally large
	dice  *rand.Rand        // answers to test.cond
	turns int
	keeps bool
	seen  []uint64
}

// storage is a buffer or a part of one.
type storage interface {
	get() uint64
	set(x uint64)
	root() *cell
}

type cell struct{ x uint64 }

func (c *cell) get() uint64  { return c.x }
func (c *cell) set(x uint64) { c.x = x }
func (c *cell) root() *cell  { return c }

type part struct{ of storage }

func (p part) get() uint64  { return hash("view", p.of.get()) }
func (p part) set(x uint64) { p.of.set(hash("part", p.of.get(), x)) }
func (p part) root() *cell  { return p.of.root() }

func hash(name string, xs ...uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, name, xs)
	return h.Sum64()
}

// outOfTurns ends a program that has been watched long enough.
type outOfTurns struct{}

// observe runs the function @main and returns what its instructions look at.
func observe(module *ir.Op, seed uint64) []uint64 { return watch(module, seed, false) }

// watch is observe; keeps means that an allocation that runs again still holds
// what it held.
func watch(module *ir.Op, seed uint64, keeps bool) (seen []uint64) {
	m := &machine{env: map[*ir.Value]any{}, slots: map[*ir.Op]*cell{}, at: map[int64]*cell{}, dice: rand.New(rand.NewPCG(seed, 1)), turns: 300, keeps: keeps}
	defer func() {
		if x := recover(); x != nil {
			if _, ok := x.(outOfTurns); !ok {
				panic(x)
			}
			seen = m.seen
		}
	}()
	f := ir.LookupSymbol(module, ir.Symbol("main"))
	var params []any
	ins, _ := fn.TypeOf(f)
	for i, t := range ins {
		x := hash("parameter", uint64(i))
		if ir.Is[pto.TileBuf](t) {
			params = append(params, &cell{x})
		} else {
			params = append(params, x)
		}
	}
	results := m.call(f, params)
	for _, r := range results {
		m.seen = append(m.seen, r.(uint64))
	}
	for i := int(numParams(module)); i < len(params); i++ {
		m.seen = append(m.seen, params[i].(*cell).x)
	}
	return m.seen
}

// numParams is how many parameters @main has at Level 1; those after them
// hold its results. The generator writes it down.
func numParams(module *ir.Op) int64 {
	n, _ := ir.LookupSymbol(module, ir.Symbol("main")).Attr("params").AsInt()
	return n
}

func (m *machine) call(f *ir.Op, params []any) []any {
	b := fn.Body(f)
	m.pass(b.Args(), params)
	end := m.region(f.Region(0))
	return m.all(end.Operands())
}

func (m *machine) pass(to []*ir.Value, from []any) {
	for i, v := range to {
		m.env[v] = from[i]
	}
}

func (m *machine) all(vs []*ir.Value) []any {
	xs := make([]any, len(vs))
	for i, v := range vs {
		xs[i] = m.env[v]
	}
	return xs
}

// region runs a region until a terminator leaves it.
func (m *machine) region(r *ir.Region) *ir.Op {
	b := r.Entry()
	for {
		for op := range b.Ops() {
			if !op.HasTrait(ir.Terminator) {
				m.op(op)
			}
		}
		end := b.Terminator()
		if len(end.Successors()) == 0 {
			return end
		}
		i := 0
		if end.Def().Sem == cf.ByCondition && m.env[end.Operand(0)].(int64) == 0 {
			i = 1
		}
		from, to := end.SuccRange(i)
		values := m.all(end.Operands()[from:to])
		b = end.Successors()[i]
		m.pass(b.Args(), values)
	}
}

func (m *machine) op(op *ir.Op) {
	switch kind := op.Def().Sem.(type) {
	case scalar.Literal:
		m.env[op.Result(0)], _ = arith.ConstantInt(op.Result(0))
		return
	case scalar.Choice:
		i := 1
		if m.env[op.Operand(0)].(int64) == 0 {
			i = 2
		}
		m.env[op.Result(0)] = m.env[op.Operand(i)]
		return
	case scf.Control:
		m.control(op, kind)
		return
	case scalar.Elementwise, scalar.Comparison:
		m.fold(op)
		return
	}
	switch {
	case op.Is(fn.Call):
		m.pass(op.Results(), m.call(ir.LookupSymbol(op, op.Attr("callee")), m.all(op.Operands())))
	case op.Is(testCond):
		if m.turns--; m.turns == 0 {
			panic(outOfTurns{})
		}
		m.env[op.Result(0)] = m.dice.Int64N(2)
	case op.Is(isatile.AllocTile) && op.Arg("addr") != nil:
		at := m.env[op.Arg("addr")].(int64)
		if m.at[at] == nil {
			m.at[at] = &cell{hash("undefined")}
		}
		m.env[op.Result(0)] = m.at[at] // whatever was there stays
	case op.Is(isatile.AllocTile):
		c := m.slots[op]
		if c == nil {
			c = &cell{}
			m.slots[op] = c
		}
		if !m.keeps {
			c.x = hash("undefined") // whatever was there is gone
		}
		m.env[op.Result(0)] = c
	case op.Is(testNote):
		m.seen = append(m.seen, uint64(m.env[op.Operand(0)].(int64)))
	case op.Is(testView):
		if s, ok := m.env[op.Operand(0)].(storage); ok {
			m.env[op.Result(0)] = part{s}
		} else {
			m.env[op.Result(0)] = hash("view", m.env[op.Operand(0)].(uint64))
		}
	case op.Is(testUse):
		if s, ok := m.env[op.Operand(0)].(storage); ok {
			m.seen = append(m.seen, s.get())
		} else {
			m.seen = append(m.seen, m.env[op.Operand(0)].(uint64))
		}
	case op.Form().Level == ir.SSA:
		m.values(op)
	default:
		m.buffers(op)
	}
}

func (m *machine) control(op *ir.Op, kind scf.Control) {
	switch kind {
	case scf.CountedLoop:
		lb, ub, step := m.env[op.Operand(0)].(int64), m.env[op.Operand(1)].(int64), m.env[op.Operand(2)].(int64)
		carried := m.all(op.Operands()[3:])
		for i := lb; i < ub; i += step {
			m.pass(op.Region(0).Entry().Args(), append([]any{i}, carried...))
			carried = m.all(m.region(op.Region(0)).Operands())
		}
		m.pass(op.Results(), carried)
	case scf.ConditionalLoop:
		carried := m.all(op.Operands())
		for {
			m.pass(op.Region(0).Entry().Args(), carried)
			end := m.region(op.Region(0))
			values := m.all(end.Operands())
			if values[0].(int64) == 0 {
				m.pass(op.Results(), values[1:])
				return
			}
			m.pass(op.Region(1).Entry().Args(), values[1:])
			carried = m.all(m.region(op.Region(1)).Operands())
		}
	case scf.TwoWay:
		r := op.Region(0)
		if m.env[op.Operand(0)].(int64) == 0 {
			r = op.Region(1)
		}
		if !r.Empty() {
			m.pass(op.Results(), m.all(m.region(r).Operands()))
		}
	case scf.Once:
		m.pass(op.Results(), m.all(m.region(op.Region(0)).Operands()))
	}
}

// values executes an instruction at Level 1.
func (m *machine) values(op *ir.Op) {
	var in []uint64
	for _, v := range op.Operands() {
		in = append(in, m.env[v].(uint64))
	}
	switch {
	case op.Is(testMake):
		m.env[op.Result(0)] = hash("make", madeBy(op))
	case op.Is(testTwo):
		m.env[op.Result(0)], m.env[op.Result(1)] = hash("x", in...), hash("y", in...)
	default:
		m.env[op.Result(0)] = hash(op.Name(), in...)
	}
}

func madeBy(op *ir.Op) uint64 {
	n, _ := op.Attr("number").AsInt()
	return uint64(n)
}

// buffers executes an instruction at Level 2. One that is not element by
// element and writes what it reads gives rubbish.
func (m *machine) buffers(op *ir.Op) {
	var in []uint64
	rubbish := false
	dst := m.env[op.Operand(op.NumOperands()-1)].(storage)
	for i, a := range op.Form().Operands {
		for from, to := op.ArgRange(i); from < to; from++ {
			s := m.env[op.Operand(from)].(storage)
			switch a.Role {
			case ir.In:
				in = append(in, s.get())
				rubbish = rubbish || !op.Is(testMap) && m.writes(op, s.root())
			case ir.InOut:
				in = append(in, s.get())
			}
		}
	}
	name := op.Name()
	if rubbish {
		name = "rubbish"
	}
	switch {
	case op.Is(testMake):
		dst.set(hash("make", madeBy(op)))
	case op.Def().Sem == any(sem.TileMove{}):
		dst.set(in[0])
	case op.Is(testTwo):
		x := m.env[op.Operand(1)].(storage)
		if x.root() == dst.root() {
			name = "rubbish"
		}
		if name == "rubbish" {
			x.set(hash(name))
			dst.set(hash(name))
			return
		}
		x.set(hash("x", in...))
		dst.set(hash("y", in...))
	default:
		dst.set(hash(name, in...))
	}
}

// writes reports whether op writes to c.
func (m *machine) writes(op *ir.Op, c *cell) bool {
	for i, a := range op.Form().Operands {
		for from, to := op.ArgRange(i); from < to; from++ {
			if a.Role != ir.In && m.env[op.Operand(from)].(storage).root() == c {
				return true
			}
		}
	}
	return false
}

// fold computes an operation on numbers as folding does.
func (m *machine) fold(op *ir.Op) {
	in := make([]ir.Attr, op.NumOperands())
	for i, v := range op.Operands() {
		in[i] = ir.IntAttr(v.Type(), m.env[v].(int64))
	}
	out := op.Def().Fold(op, in)
	if out[0].Value != nil {
		m.env[op.Result(0)] = m.env[out[0].Value]
		return
	}
	m.env[op.Result(0)], _ = out[0].Const.AsInt()
}
