// This file computes shadows: the float64 values that accompany elements in a launch with
// Lineage.Shadows. docs/numerics.md explains their use.

package runtime

import (
	"encoding/binary"
	"math"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
	"ptogo/runtime/shadow"
)

// Shadows use the storage and the routines of expressions: a token names an entry of
// Lineage.Exprs, whose 128 bits are a shadow.Shadow. An element without an entry is exact.
// Every value is known, so that branches, addresses, masks and indices follow the elements
// that the target computes. An instruction that is not followed leaves old tokens at the
// elements that it overwrites. Shadow.Fits recognizes these.

// settled is one element that an instruction writes. The field v is its symbolic value,
// which includes the shadow of the element (its value in float64). The other fields are
// its location: the element has n bytes, starting at byte offset at of the memory r.
type settled struct {
	r  *traced
	v  value
	at int
	n  int
}

// shadowed reports whether the value v has a separate shadow. A shadow is the float64
// result of the same computation without rounding to the element format. If shadowed
// returns false, the shadow has the same value as v. Callers must first check that v is
// known, because an unknown value has an expression instead of a shadow.
func (v *value) shadowed() bool { return v.h.Hi != 0 }

// withShadow returns one element of the memory r together with its shadow: the result of
// the same computation in float64. The element has n bytes, and its byte offset is the
// parameter at.
func (x *tracer) withShadow(r *traced, at, n int) value {
	if n == 4 {
		w0, w1 := binary.LittleEndian.Uint32(r.p[0][at:]), binary.LittleEndian.Uint32(r.p[1][at:])
		if w0 == w1 && w1 == binary.LittleEndian.Uint32(r.p[2][at:]) && w1 == binary.LittleEndian.Uint32(r.p[3][at:]) {
			return knownValue(uint64(binary.LittleEndian.Uint32(r.real[at:])))
		}
	}
	bits := num.Load(wordFormats[n], r.real[at:at+n])
	k := r.p.token(at)
	if k.Known() || k == expr.Unwritten || r.p.token(at+n-1) != k+expr.Token(n-1) {
		return knownValue(bits)
	}
	return x.shadowOf(k, bits)
}

// shadowOf returns a traced value for an element with the given bits. The token k
// identifies the expression of the element; the result has the shadow (value in float64)
// of this expression. shadowOf ignores a shadow that belongs to different bits, because
// the memory has then been overwritten since the shadow was computed.
func (x *tracer) shadowOf(k expr.Token, bits uint64) value {
	v := knownValue(bits)
	if k&7 != 0 || !x.t.Valid(k) || k == expr.Unwritten {
		return v
	}
	h := x.t.From(k)
	if s := shadowIn(h); s.Fits(bits) {
		v.h = h
	}
	return v
}

// shadowIn decodes a hash of the expression table as a shadow. A shadow is the float64
// value that accompanies an element, with the instruction that caused most of its error.
func shadowIn(h expr.Hash) shadow.Shadow {
	return shadow.Shadow{Value: math.Float64frombits(h.Lo), Tag: h.Hi}
}

// entry encodes the shadow s (value in float64, with its origin) as an entry of the
// expression table, from which shadowIn decodes it.
func entry(s shadow.Shadow) expr.Hash { return expr.Hash{Lo: math.Float64bits(s.Value), Hi: s.Tag} }

// number returns v as an operand of a float function on elements of format f. The result
// contains the number that the target computes with, and its shadow (the value without
// rounding to lower precision), both as float64.
func (v *value) number(f num.Format) shadow.Number {
	if v.derived {
		return shadow.Number{Local: math.Float64frombits(v.bits), Value: math.Float64frombits(v.h.Lo), Origin: uint32(v.h.Hi), Flags: v.flags, ULP: v.ulp}
	}
	local := num.Decode(f, v.bits)
	n := shadow.Number{Local: local, Value: local, Flags: shadow.Class(local)}
	if s := shadowIn(v.h); v.h.Hi != 0 && s.Format() == f {
		n.Value, n.Origin = s.Value, s.Origin()
	}
	return n
}

// derivedValue returns a value of format f for n, a result that an instruction has just
// computed in float64. The value is not rounded to format f yet; this happens when it is
// stored.
func derivedValue(f num.Format, n *shadow.Number) value {
	return value{
		h: expr.Hash{Lo: math.Float64bits(n.Value), Hi: uint64(n.Origin)}, bits: math.Float64bits(n.Local),
		known: true, derived: true, f: f, flags: n.Flags, ulp: n.ULP,
	}
}

// element returns the bits of v in its element format. An instruction result that has not
// been stored yet (v.derived) is a float64; element rounds it to the format v.f.
func (v *value) element() uint64 {
	if v.derived {
		return num.Encode(v.f, math.Float64frombits(v.bits), num.NearestEven, false)
	}
	return v.bits
}

// inFloat64 returns fn as a function on float64 that does not round to a narrower format.
// It returns nil if fn is not defined on floats.
func inFloat64(fn *scalar.Fn) func(a, b, c float64) float64 {
	if fn.FltBits == nil {
		return fn.Flt
	}
	return func(a, b, c float64) float64 {
		return math.Float64frombits(fn.FltBits(num.F64, math.Float64bits(a), math.Float64bits(b), math.Float64bits(c)))
	}
}

// roundsToInteger reports whether fn rounds a float to an integral value. For such a
// function, the result counts as exact and becomes its own shadow (value in float64),
// because rounding to an integer is a decision of the program, not an error.
func roundsToInteger(fn *scalar.Fn) bool {
	for _, r := range scalar.Integral {
		if fn == r {
			return true
		}
	}
	return false
}

// hasPole reports whether the mathematically exact result of fn is infinite although its
// operands are finite, for example for a division by zero. The parameter in contains the
// operands.
func hasPole(fn *scalar.Fn, in []shadow.Number) bool {
	switch fn {
	case scalar.Div, scalar.DivRecip:
		return in[1].Local == 0
	case scalar.Recip, scalar.Rsqrt, scalar.Log, scalar.Log2, scalar.Log10:
		return in[0].Local == 0
	case scalar.Log1p:
		return in[0].Local == -1
	}
	return false
}

// applied computes the function f on the elements in the parameter args, in a run that
// measures rounding errors. It computes f on the shadows (values in float64) of these
// elements too. The difference of the two results is the accumulated error.
func (x *tracer) applied(f *tracedFn, args *[3]value) value {
	n := f.fn.Arity
	if !f.f.IsFloat() {
		bits, err := f.fn.Eval3(f.f, args[0].element(), args[1].element(), args[2].element())
		if err != nil {
			return value{}
		}
		return knownValue(bits)
	}
	if f.fn == scalar.Copy {
		return args[0]
	}
	if f.real == nil {
		return value{}
	}
	var in [3]shadow.Number
	inexact, flags, ulp := 0, shadow.Flags(0), f.ulp
	for i := range n {
		in[i] = args[i].number(f.f)
		flags |= in[i].Flags &^ shadow.Pole
		ulp = max(ulp, in[i].ULP)
		if !in[i].Exact() {
			inexact++
		}
	}
	y := shadow.Number{Local: f.real(in[0].Local, in[1].Local, in[2].Local), Flags: flags, ULP: ulp}
	if hasPole(f.fn, in[:n]) {
		y.Flags |= shadow.Pole
	}
	y.Value = y.Local
	if inexact > 0 {
		y.Value = f.real(in[0].Value, in[1].Value, in[2].Value)
		y.Origin = originOf(f, in[:n], y.Local, inexact)
	}
	line := x.shadows.At(x.t.At)
	if f.rounds {
		if y.Value != y.Local {
			x.shadows.Event(line, shadow.Decision)
		}
		y.Value = y.Local
	}
	x.shadows.Applied(line, f.fn, f.f, in[:n], &y)
	return derivedValue(f.f, &y)
}

// originOf returns the number of the instruction at which the dominant error of a result
// began. The parameter in holds the operands of the function f, each with an origin. The
// dominant operand is the one whose error changes the result of f most. The parameter y
// is the result for the rounded operands, and inexact is the number of operands with an
// error.
func originOf(f *tracedFn, in []shadow.Number, y float64, inexact int) (origin uint32) {
	most := -1.0
	for i := range in {
		if in[i].Exact() {
			continue
		}
		if inexact == 1 {
			return in[i].Origin
		}
		var args [3]float64
		for k := range in {
			args[k] = in[k].Local
		}
		args[i] = in[i].Value
		if by := math.Abs(f.real(args[0], args[1], args[2]) - y); by > most || by != by {
			most, origin = by, in[i].Origin
		}
	}
	return origin
}

// converted applies the conversion c to v and to its shadow (value in float64), in a run
// that measures rounding errors. A conversion between floats does not change the shadow.
// A float that becomes an integer has no error afterwards.
func (x *tracer) converted(c *tracedConversion, v value) value {
	switch {
	case !v.known:
		return v
	case !c.from.IsFloat() && !c.to.IsFloat():
		return knownValue(num.Convert(c.from, c.to, v.bits, c.r, c.sat))
	case !c.to.IsFloat():
		bits := num.Convert(c.from, c.to, v.element(), c.r, c.sat)
		n := v.number(c.from)
		line := x.shadows.At(x.t.At)
		if !n.Exact() && num.Convert(num.F64, c.to, math.Float64bits(n.Value), c.r, c.sat) != bits {
			x.shadows.Event(line, shadow.Decision)
		}
		if got := num.Decode(c.to, bits); n.Local-n.Local != 0 || math.Abs(got-n.Local) >= 1 {
			x.shadows.Event(line, shadow.Saturated)
		}
		return knownValue(bits)
	case !c.from.IsFloat():
		local := num.Decode(c.from, v.bits)
		return derivedValue(c.to, &shadow.Number{Local: local, Value: local})
	}
	n := v.number(c.from)
	if !v.derived {
		x.shadows.Narrowed(x.shadows.At(x.t.At), c.from, c.to, &n)
	}
	return derivedValue(c.to, &n)
}

// compared returns the result, 1 or 0, of comparing the known elements a and b. If the
// comparison of their shadows (values in float64) has another result, compared records
// that the outcome depends on rounding errors.
func (x *tracer) compared(rel scalar.Relation, f num.Format, a, b *value) value {
	holds := rel.Holds(f, a.element(), b.element())
	if x.shadows != nil && f.IsFloat() && (a.shadowed() || b.shadowed()) {
		u, v := a.number(f), b.number(f)
		if rel.Holds(num.F64, math.Float64bits(u.Value), math.Float64bits(v.Value)) != holds {
			x.shadows.Event(x.shadows.At(x.t.At), shadow.Decision)
		}
	}
	return knownValue(uint64(bit(holds)))
}

// reduced returns the sum, product, maximum or minimum of the values xs. It also computes
// the result from their shadows (values in float64). It combines the shadows from first
// to last, although the target uses another order. The order of float64 operations
// changes the result much less than the rounding errors that the shadows are meant to
// measure.
func (f *tracedFn) reduced(x *tracer, xs []value) value {
	if !f.f.IsFloat() {
		return knownValue(0) // integers are exact
	}
	if len(xs) == 1 {
		return xs[0]
	}
	y := xs[0].number(f.f)
	size, relIn, worst := math.Abs(y.Local), relativeError(&y), math.Abs(y.Local-y.Value)
	for i := range xs[1:] {
		in := xs[1+i].number(f.f)
		y.Local = f.real(y.Local, in.Local, 0)
		y.Value = f.real(y.Value, in.Value, 0)
		y.Flags |= in.Flags
		size += math.Abs(in.Local)
		if !in.Exact() {
			relIn = max(relIn, relativeError(&in))
			if by := math.Abs(in.Local - in.Value); by > worst {
				worst, y.Origin = by, in.Origin
			}
		}
	}
	if f.fn == scalar.Add {
		x.shadows.Summed(x.shadows.At(x.t.At), size, relIn, &y)
	}
	return derivedValue(f.f, &y)
}

// relativeError returns the absolute error of n divided by the magnitude of its shadow
// (its value in float64). It returns 0 for exact and for infinite elements.
func relativeError(n *shadow.Number) float64 {
	if n.Exact() || n.Value == 0 || n.Local-n.Local != 0 {
		return 0
	}
	return math.Abs(n.Local-n.Value) / math.Abs(n.Value)
}

// scaled returns the matrix element v multiplied by 2 to the power of exponent, which v
// shares with other elements of its group. In symbolic expressions, the multiplication is
// an application of the uninterpreted function fn.
func (x *tracer) scaled(fn *expr.Fn, v, exponent value) value {
	if x.shadows == nil {
		return x.named(fn, v, exponent)
	}
	if !v.known || !v.derived {
		return v
	}
	n, by := v.number(v.f), num.Decode(num.F8E8M0, exponent.bits)
	n.Local, n.Value = n.Local*by, n.Value*by
	return derivedValue(v.f, &n)
}

// rounded returns the matrix element v after the rounding that a control register
// selects. The parameter fn is the operator that represents this rounding in symbolic
// expressions. The shadow (value in float64) is not rounded, so that the error of this
// rounding counts as an error of the product.
func (x *tracer) rounded(fn *expr.Fn, v value) value {
	if x.shadows == nil {
		return x.named(fn, v)
	}
	return v
}

// shadows computes the sums of a matrix product twice: from the elements, and from their
// shadows (the values of the same computation in float64). Both use float64. The product
// has rows x cols elements, and each sum has k terms. The functions l and r return
// elements of the left and of the right operand. The function start returns the initial
// value of a sum, and the function give receives each result.
func (h *chain) shadows(x *tracer, rows, cols, k int, l, r, start func(i, j int) value, give func(i, j int, v value)) {
	f := h.add.f
	if !f.IsFloat() {
		for i := range rows {
			for j := range cols {
				give(i, j, knownValue(0)) // integers are exact
			}
		}
		return
	}
	left, right := newFactors(f, rows, k, l), newFactors(f, cols, k, func(j, n int) value { return r(n, j) })
	worst := left
	if right.worst > left.worst {
		worst = right
	}
	x.shadows.At(x.t.At).Adds = true
	for i := range rows {
		for j := range cols {
			v := start(i, j)
			y := v.number(f)
			before := math.Abs(y.Local - y.Value)
			local := dot(left.row(left.local, i), right.row(right.local, j))
			value := local
			if !left.exact || !right.exact {
				value = dot(left.row(left.value, i), right.row(right.value, j))
			}
			if math.Abs(local-value) > before || y.Origin == 0 {
				y.Origin = worst.origin
			}
			y.Local, y.Value = y.Local+local, y.Value+value
			y.Flags |= left.flags | right.flags
			result := derivedValue(f, &y)
			give(i, j, result)
		}
	}
}

// factors holds the elements of one operand of a matrix product, as rows of k elements
// each, and the shadow (value in float64) of each element.
type factors struct {
	k            int
	local, value []float64
	exact        bool
	flags        shadow.Flags
	// worst is the largest relative error of an element, and origin the instruction
	// number at which that error began.
	worst  float64
	origin uint32
}

// newFactors reads one operand of a matrix product: its elements in format f, together
// with their shadows (values in float64). The operand has the given number of rows, and
// each row has k elements. The last parameter is a function that returns element n of row
// i.
func newFactors(f num.Format, rows, k int, at func(i, n int) value) *factors {
	m := &factors{k: k, local: make([]float64, rows*k), exact: true}
	for i := range rows {
		for n := range k {
			v := at(i, n)
			e := v.number(f)
			m.local[i*k+n] = e.Local
			m.flags |= e.Flags
			if !e.Exact() && m.exact {
				m.exact = false
				m.value = make([]float64, rows*k)
				copy(m.value, m.local)
			}
			if m.exact {
				continue
			}
			m.value[i*k+n] = e.Value
			if rel := relativeError(&e); rel > m.worst {
				m.worst, m.origin = rel, e.Origin
			}
		}
	}
	if m.exact {
		m.value = m.local
	}
	return m
}

// row returns the k numbers in row i of a matrix. The first argument contains the whole
// matrix, row by row: either the elements of the operand or their shadows (values in
// float64).
func (m *factors) row(of []float64, i int) []float64 { return of[i*m.k : (i+1)*m.k] }

// dot returns the dot product of a and b, which have equal length. It adds four partial
// sums in parallel, which is faster than one.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	n := len(a) &^ 3
	b = b[:len(a)]
	for i := 0; i < n; i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for i := n; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

// settle stores the shadows (values in float64) of the results of an instruction, after
// the instruction has written the elements.
func (x *tracer) settle() {
	line := x.shadows.Begin(x.t.At)
	for i := range x.settled {
		s := &x.settled[i]
		v := &s.v
		switch {
		case v.derived && v.f.Bytes() == s.n:
			bits := num.Load(v.f, s.r.real[s.at:])
			y := v.number(v.f)
			if now := x.shadows.Perturbed(v.f, &y, bits); now != bits {
				bits = now
				num.Store(v.f, s.r.real[s.at:], bits)
			}
			if e, ok := x.shadows.Result(line, v.f, bits, &y); ok {
				s.r.p.set(s.at, s.n, x.t.New(entry(e)))
				continue
			}
		case v.derived || !v.known:
			line.Unfollowed++
		case v.shadowed():
			s.r.p.set(s.at, s.n, x.t.New(v.h))
			continue
		}
		s.r.p.known(s.at, s.n)
	}
	x.settled = x.settled[:0]
}

// settledScalar stores the shadow of v (its value in float64) in the expression table,
// and returns the number (token) of the table entry. It returns 0 if v has no shadow. The
// value v is a scalar result of an instruction. The parameter bits points to the bits of
// this result. In a perturbed run, which changes results randomly within their documented
// error, settledScalar replaces these bits. The parameter line collects the errors of the
// instruction.
func (x *tracer) settledScalar(line *shadow.Line, v value, bits *uint64) expr.Token {
	switch {
	case v.derived:
		y := v.number(v.f)
		*bits = x.shadows.Perturbed(v.f, &y, *bits)
		if e, ok := x.shadows.Result(line, v.f, *bits, &y); ok {
			return x.t.New(entry(e))
		}
	case v.shadowed():
		return x.t.New(v.h)
	case !v.known:
		line.Unfollowed++
	}
	return 0
}

// withoutShadows returns a step that computes only the results of an instruction. The
// results get no shadows (values in float64), so its float results count as exact.
func (p *planner) withoutShadows(op *ir.Op) step {
	s := p.plain
	isFloat := func(v *ir.Value) bool {
		f, ok := ir.FormatOf(ir.ElementType(v.Type()))
		return ok && f.IsFloat()
	}
	if !slices.ContainsFunc(op.Operands(), isFloat) && !slices.ContainsFunc(op.Results(), isFloat) {
		return s // integers are exact
	}
	return func(fr *frame) *Fault {
		if f := s(fr); f != nil {
			return f
		}
		fr.core.lin.shadows.Begin(op).Unfollowed++
		return nil
	}
}

// shadowedCast compiles a scalar conversion into a step, the function that executes it,
// for a run that measures rounding errors. The step converts the bits and also the
// shadow, the float64 value that accompanies the scalar.
func (p *planner) shadowedCast(op *ir.Op, c *tracedConversion) step {
	s, a, d := p.plain, p.slot(op.Operand(0)), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		x := fr.core.lin
		x.t.At = op
		v := x.convert(c, x.scalar(fr, a))
		if f := s(fr); f != nil {
			return f
		}
		x.setScalar(fr, d, v)
		return nil
	}
}

// throughFixpipe returns the result of converting the element v in a copy out of the
// accumulator, together with its shadow (its value in float64). The parameter c describes
// the conversion. The function each converts the bits of an element. If simple is set,
// the conversion only rounds; if not, it also scales, clips or applies ReLU. The result
// has no shadow if it is an integer, or if each column has a scaling factor of its own.
func (x *tracer) throughFixpipe(c *storeConversion, simple bool, each elementFunc, v value) value {
	switch {
	case !v.known:
		return v
	case c.to.IsInt():
		return knownValue(each(v.element(), 0))
	}
	n := v.number(c.from)
	if !c.from.IsFloat() {
		n.Local = num.Decode(c.from, v.bits)
		n.Value = n.Local
	}
	if !simple {
		if c.columns != nil || c.slopes != nil {
			return value{}
		}
		n.Local, n.Value = c.exactly(n.Local), c.exactly(n.Value)
	}
	return derivedValue(c.to, &n)
}

// The method exactly returns the result that a copy out of the accumulator has for the
// element x, without rounding. It applies the scaling and the activation of the copy in
// float64.
func (c *storeConversion) exactly(x float64) float64 {
	if c.quant.Scaled {
		x *= float64(c.factor)
	}
	if x < 0 && c.relu == sem.ScalarRelu {
		x *= float64(c.slope)
	} else if x < 0 && c.relu != sem.NoRelu {
		x = 0
	}
	if c.clips {
		x = math.Min(x, c.clip)
	}
	return x
}

// Shadow returns the shadow (value in float64) of an element of format f in the buffer of
// argument number arg. The parameter at is the byte offset of the element. Shadow is
// called after a launch with Lineage.Shadows. The result ok is false if the element has
// no shadow, because it is exact.
func (l *Lineage) Shadow(arg, at int, f num.Format) (s shadow.Shadow, ok bool) {
	b := l.buffers[arg]
	x := &tracer{t: l.Exprs, shadows: l.Shadows}
	v := x.withShadow(&traced{b.Data, *b.planes}, at, f.Bytes())
	s = shadowIn(v.h)
	return s, v.shadowed() && s.Format() == f
}
