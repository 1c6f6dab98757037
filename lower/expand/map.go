// This file expands elementwise instructions.

package expand

import (
	"fmt"
	"slices"
	"strconv"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// mapping plans the expansion of a TileMap instruction. Such an instruction applies a
// sequence of elementwise functions; the operands of a function are tiles, scalars and
// the result of the function before it.
type mapping struct {
	x   *expander
	dst *operand
	// elem is the element type in which the functions are computed.
	elem ir.Type
	// ins are the operands by name, and steps are the functions in the order in which
	// they apply.
	ins   map[string]*input
	steps []step
}

// input is an operand of an elementwise function in the expansion of tile instructions.
// It is a tile or a scalar.
type input struct {
	// tile is the tile operand, or nil if the operand is a scalar.
	tile *operand
	// scalar is the scalar operand, which is combined with every element.
	scalar *ir.Value
	// as is the type to which the scalar is converted.
	as ir.Type
	// one reports that the operand is the constant 1.
	one bool
	// factor reports that the function multiplies by the reciprocal of the scalar.
	factor bool
	// reg is a register with the scalar in all lanes. It is nil unless an instruction
	// needs the scalar in a register.
	reg *ir.Value
}

// step is one elementwise function in the expansion of a tile instruction, which applies
// several steps in sequence. The field args contains the operand names of the step. The
// name "" refers to the result of the previous step.
type step struct {
	fn   *scalar.Fn
	args []string
	// by is the vector instruction that computes the step.
	by Instruction
	// above reports that the step keeps its first operand wherever this operand is
	// greater than 0.
	above bool
}

// tileMap plans the expansion of op, which applies elementwise functions to tiles (kind
// TileMap). It returns the plan, or the reason why op has none.
func (x *expander) tileMap(op *ir.Op, kind sem.TileMap) (*kernel, string) {
	m := &mapping{x: x, ins: map[string]*input{}}
	var why string
	if m.dst, why = x.tile(destination(op)); why != "" {
		return nil, why
	}
	m.elem = m.dst.info.Elem
	names := kind.Args
	if names == nil {
		names = sources(op)
	}
	m.steps = m.split(kind.For(op, x.target), names)
	for _, then := range kind.Then {
		args := []string{""}
		if then.Arg != "" {
			args = append(args, then.Arg)
		}
		m.steps = append(m.steps, step{fn: then.Fn, args: args})
	}
	for i := range m.steps {
		if why := m.resolve(&m.steps[i]); why != "" {
			return nil, why
		}
	}
	var tiles []*operand
	for _, s := range m.steps {
		for _, name := range s.args {
			if in := m.ins[name]; in != nil && in.tile != nil && !slices.Contains(tiles, in.tile) {
				tiles = append(tiles, in.tile)
			}
		}
	}
	n, why := x.nest(m.dst, tiles, []*operand{m.dst})
	if why != "" {
		return nil, why
	}
	k := &kernel{op: op, n: n, over: m.dst, out: m.dst, prepare: m.prepare, keeps: len(m.ins)}
	k.line = func(n *nest, _ *line) func(p *point) {
		return func(p *point) { m.point(n, p, tiles) }
	}
	if !slices.ContainsFunc(append(tiles, m.dst), func(o *operand) bool { return !o.isSlim() }) {
		k.each = func(n *nest, l *line) { m.first(n, l, tiles) }
	}
	return k, ""
}

// split returns the vector instructions, as steps, that compute the function fn of the
// operands args. Most functions need one step. A fused function such as MulAdd has no
// vector instruction, so it becomes two steps: Mul and Add. The reciprocal of a float
// becomes a division of 1, because the public compiler has no instruction for it. The
// function ShlWide or ShrWide, a shift by a count modulo 32, becomes a shift by the count
// modulo the lane width, if both shifts certainly have the same result.
func (m *mapping) split(fn *scalar.Fn, args []string) []step {
	f, _ := ir.FormatOf(m.elem)
	switch {
	case fn == scalar.MulAdd:
		return []step{{fn: scalar.Mul, args: args[:2]}, {fn: scalar.Add, args: []string{"", args[2]}}}
	case fn == scalar.FmaRelu:
		return []step{{fn: scalar.Fma, args: args}, {fn: scalar.Relu, args: []string{""}}}
	case fn == scalar.PreluAbove && f.IsFloat():
		return []step{{fn: scalar.Mul, args: args, above: true}}
	case fn == scalar.Recip && f.IsFloat():
		m.ins[constantOne] = &input{one: true}
		return []step{{fn: scalar.Div, args: []string{constantOne, args[0]}}}
	case fn == scalar.ShlWide && m.countsLanes(f, args[1]):
		return []step{{fn: scalar.Shl, args: args}}
	case fn == scalar.ShrWide && m.countsLanes(f, args[1]):
		return []step{{fn: scalar.Shr, args: args}}
	}
	return []step{{fn: fn, args: args}}
}

// constantOne is an operand name that represents the constant 1. No operand of an
// instruction is named "1", so the name is unambiguous.
const constantOne = "1"

// countsLanes reports whether a vector instruction can expand a shift. The tile
// instruction uses the shift count modulo 32, but the vector instruction uses it modulo
// the lane width of format f. The string is the name of the operand with the shift count.
// Both are certain to agree for lanes of 32 bits, and for constant counts below the
// width.
func (m *mapping) countsLanes(f num.Format, count string) bool {
	if f.Bits() == 32 {
		return true
	}
	n, ok := arith.ConstantInt(m.x.op.Arg(count))
	return ok && n >= 0 && n < int64(f.Bits())
}

// destination returns the name of the operand that the instruction op writes.
func destination(op *ir.Op) string {
	for _, a := range op.Form().Operands {
		if a.Role == ir.Out || a.Role == ir.InOut {
			return a.Name
		}
	}
	return ""
}

// sources returns the names of the operands that the instruction op only reads.
func sources(op *ir.Op) []string {
	var names []string
	for _, a := range op.Form().Operands {
		if a.Role == ir.In && op.Arg(a.Name) != nil {
			names = append(names, a.Name)
		}
	}
	return names
}

// resolve looks up the operands of the step s and selects the vector instruction that
// computes the step. It returns "", or the reason why no instruction can compute it.
func (m *mapping) resolve(s *step) string {
	var scalars [3]ir.Type
	for i, name := range s.args {
		in, why := m.input(name)
		if why != "" {
			return why
		}
		switch {
		case in != nil && in.one:
			scalars[i] = m.elem
		case in == nil || in.scalar == nil:
		case (s.fn == scalar.Shl || s.fn == scalar.Shr) && i == 1:
			scalars[i], in.as = ir.I16, ir.I16
		case pto.SameElement(in.scalar.Type(), m.elem):
			scalars[i], in.as = in.scalar.Type(), m.elem
		case canConvert(in.scalar, m.elem):
			scalars[i], in.as = ir.WithoutSign(m.elem), m.elem
		default:
			return fmt.Sprintf("\"%s\" is %s, which must be converted to %s first", name, in.scalar.Type(), m.elem)
		}
	}
	if s.fn == scalar.DivRecip && len(s.args) == 2 && !scalars[1].IsZero() {
		s.fn, m.ins[s.args[1]].factor = s.fn.Rest, true
	}
	if s.fn == scalar.Copy {
		return ""
	}
	by, ok := VectorOf(s.fn, m.elem, scalars, m.x.target)
	if !ok {
		return fmt.Sprintf("no vector instruction computes %s on %s", s.fn, m.elem)
	}
	s.by = by
	return ""
}

// canConvert reports whether the scalar v can be converted to the element type elem. It
// accepts constants, and values for which one operation of the dialect arith performs the
// same conversion as the tile instruction.
func canConvert(v *ir.Value, elem ir.Type) bool {
	from, ok := ir.FormatOf(v.Type())
	to, ok2 := ir.FormatOf(elem)
	_, constant := arith.ConstantAttr(v)
	return ok && ok2 && (constant || to.IsFloat() && pto.Floats.Has(elem) && (from.IsFloat() || from.Bits() >= 8))
}

// input returns a description of the operand with the given name, which is a tile or a
// scalar. If registers cannot hold the operand, it returns the reason as a string. The
// name "" refers to the result of the previous step. For this name, the description is
// nil and the string is "".
func (m *mapping) input(name string) (*input, string) {
	if name == "" || m.ins[name] != nil {
		return m.ins[name], ""
	}
	v := m.x.op.Arg(name)
	if v != nil && !pto.IsTile(v.Type()) {
		m.ins[name] = &input{scalar: v}
		return m.ins[name], ""
	}
	for _, in := range m.ins {
		if in.tile != nil && in.tile.value == v {
			m.ins[name] = in // one register serves both
			return in, ""
		}
	}
	t, why := m.x.tile(name)
	if why == "" && t.info.Elem != m.elem {
		why = fmt.Sprintf("the elements of \"%s\" are %s, but those of the result are %s", name, t.info.Elem, m.elem)
	}
	if why != "" {
		return nil, why
	}
	m.ins[name] = &input{tile: t}
	return m.ins[name], ""
}

// prepare emits the loop-invariant code: conversions of scalars, reciprocals and
// registers with the same value in all lanes.
func (m *mapping) prepare() {
	x := m.x
	for _, s := range m.steps {
		for _, name := range s.args {
			in := m.ins[name]
			switch {
			case in != nil && in.one:
				in.scalar = x.one(m.elem)
			case in == nil || in.scalar == nil:
				continue
			default:
				in.scalar = x.converted(in.scalar, in.as)
			}
			if in.factor {
				in.scalar, in.factor = x.reciprocal(in.scalar), false
			}
			switch {
			case s.fn == scalar.Copy:
				in.reg = x.duplicate(m.elem, in.scalar)
			case s.by.broadcast:
				in.reg = x.broadcast(m.elem, in.scalar)
			}
		}
	}
}

// one returns the constant 1 of the float type elem.
func (x *expander) one(elem ir.Type) *ir.Value {
	f, _ := ir.FormatOf(elem)
	return x.number(elem, num.Encode(f, 1, num.NearestEven, false))
}

// point emits the code for one vector register of elements, at the point p of the loop
// nest. The code loads the elements of the source tiles, applies all steps of the
// elementwise function (one vector instruction each), and stores the result.
func (m *mapping) point(n *nest, p *point, tiles []*operand) {
	regs := map[*operand]*ir.Value{}
	for _, t := range tiles {
		regs[t] = n.load(t, p)
	}
	n.loaded()
	var v *ir.Value
	for _, s := range m.steps {
		v = m.apply(s, n.mask(m.elem, p), v, regs)
	}
	n.store(m.dst, p, v)
}

// first emits the code for the element of the line l, in the first lane of a register.
func (m *mapping) first(n *nest, l *line, tiles []*operand) {
	regs := map[*operand]*ir.Value{}
	for _, t := range tiles {
		regs[t] = m.x.firsts[t.linePlace()]
		if regs[t] == nil {
			regs[t] = n.repeat(t, l, "BRC_B"+strconv.FormatInt(8*t.size, 10))
		}
	}
	var v *ir.Value
	for _, s := range m.steps {
		v = m.apply(s, m.x.maskOf(pto.LaneBits(m.elem), 1), v, regs)
	}
	n.storeFirst(m.dst, l, v)
}

// apply emits the step s for the lanes that the mask selects, and returns the result of
// the step. The parameter before is the result of the preceding step. regs maps each tile
// operand to the register with its loaded elements.
func (m *mapping) apply(s step, mask, before *ir.Value, regs map[*operand]*ir.Value) *ir.Value {
	var args [3]*ir.Value
	for i, name := range s.args {
		switch in := m.ins[name]; {
		case in == nil:
			args[i] = before
		case in.tile != nil:
			args[i] = regs[in.tile]
		case s.by.broadcast || s.fn == scalar.Copy:
			args[i] = in.reg
		default:
			args[i] = in.scalar
		}
	}
	if s.fn == scalar.Copy {
		return args[0]
	}
	v := m.x.compute(s.by, m.elem, mask, args)
	if s.above {
		above := m.x.at.Op(isavector.VCmpS, []*ir.Value{args[0], m.x.number(m.elem, 0), mask}, []ir.Type{mask.Type()}, ir.NamedAttr{Name: "cmp_mode", Attr: ir.Str("gt")})
		v = m.x.choose(args[0], v, above.Result(0))
	}
	return v
}

// compute inserts a vector instruction and returns its result, a register with lanes of
// type elem. The parameter by describes the instruction, and args are its operands.
// selected is the mask of the active lanes.
func (x *expander) compute(by Instruction, elem ir.Type, selected *ir.Value, args [3]*ir.Value) *ir.Value {
	return computeAt(x.at, by, elem, selected, args)
}

// computeAt inserts one instruction with the given builder, and returns its result, a
// register with lanes of type elem. The second parameter describes the instruction. The
// parameter args holds its operands, and selected is the mask of the active lanes.
func computeAt(at *ir.Builder, by Instruction, elem ir.Type, selected *ir.Value, args [3]*ir.Value) *ir.Value {
	var vs []*ir.Value
	for _, n := range by.operands {
		if n == mask {
			vs = append(vs, selected)
		} else {
			vs = append(vs, args[n])
		}
	}
	return at.Op(by.Def, vs, []ir.Type{pto.VregType(elem)}).Result(0)
}

// reciprocal emits the factor with which A5 replaces a division by the scalar v by a
// multiplication. The factor is the rounded reciprocal of v; if v is +0 or -0, it is
// +infinity.
func (x *expander) reciprocal(v *ir.Value) *ir.Value {
	t := v.Type()
	f, _ := ir.FormatOf(t)
	number := func(bits uint64) *ir.Value {
		a, _ := ir.NumberAttr(t, bits)
		return arith.Materialize(x.before, a)
	}
	if a, ok := arith.ConstantAttr(v); ok {
		if _, bits, ok := a.NumberBits(); ok {
			return number(scalar.DivRecip.OfScalar(f, bits))
		}
	}
	infinity, _ := num.Inf(f, false)
	one := num.Encode(f, 1, num.NearestEven, false)
	r := x.before.Op(arith.DivF, []*ir.Value{number(one), v}, []ir.Type{t}).Result(0)
	zero := x.before.Op(arith.CmpF, []*ir.Value{v, number(0)}, []ir.Type{ir.I1}, arith.FloatPredicate("oeq")).Result(0)
	return x.before.Op(arith.Select, []*ir.Value{zero, number(infinity), r}, []ir.Type{t}).Result(0)
}
