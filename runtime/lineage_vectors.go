package runtime

import (
	"ptogo/dialect/pto"
	isavmi "ptogo/dialect/pto/isa/vmi"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// Expressions of the lanes of vector registers, and of masks.

// laneInput is an operand of lanes: a register, or a scalar that all lanes have.
type laneInput struct {
	vecOperand
	size int
}

func (p *planner) laneInput(v *ir.Value, f num.Format) laneInput {
	return laneInput{p.vecOperand(v, f), f.Bytes()}
}

// lanes is an operand while an instruction executes.
type lanes struct {
	traced
	all value
	one bool
}

func (o *laneInput) of(fr *frame, x *tracer) lanes {
	if !o.scalar {
		return lanes{traced: fr.vector(o.at)}
	}
	v := x.scalar(fr, o.at)
	if v.known {
		if o.conv != nil {
			v.bits = o.conv(v.bits)
		}
		v.bits &= ^uint64(0) >> (64 - 8*o.size)
	}
	return lanes{all: v, one: true}
}

func (l *lanes) at(x *tracer, i, size int) value {
	if l.one {
		return l.all
	}
	return x.get(&l.traced, i*size, size)
}

// on is lane i of a mask: known, or an expression.
func (fr *frame) on(m slot, i, size int) value {
	if t := fr.lin.m[m]; t != nil {
		return t[i*size]
	}
	return knownValue(uint64(bit(fr.m[m].has(i, size))))
}

// masked is v where a lane is on, else zero.
func (x *tracer) masked(on, v value) value {
	if on.known && on.bits != 0 {
		return v
	}
	return x.choose(on, v, knownValue(0))
}

// maskOr is the mask of an instruction, if it has one.
type maskOr struct {
	at    slot
	given bool
}

func (p *planner) maskOf(op *ir.Op) maskOr {
	if on := sem.MaskOf(op); on.Given() {
		return maskOr{p.slot(on.Value), true}
	}
	return maskOr{}
}

func (m maskOr) on(fr *frame, i, size int) value {
	if !m.given {
		return knownValue(1)
	}
	return fr.on(m.at, i, size)
}

// off reports whether a lane is known to be off.
func (v *value) off() bool { return v.known && v.bits == 0 }

func (p *planner) tracedVecMap(op *ir.Op, kind sem.VecMap) step {
	return p.tracedLanes(op, kind.Fn, kind.Inputs(op))
}

func (p *planner) tracedVecRound(op *ir.Op, _ sem.VecRound) step {
	fn, _ := sem.IntegralOf(op)
	return p.tracedLanes(op, fn, sem.VecMap{Fn: fn}.Inputs(op))
}

// tracedLanes is the routine of a function of lanes under a mask.
func (p *planner) tracedLanes(op *ir.Op, fn *scalar.Fn, inputs []*ir.Value) step {
	f := p.types[op.Result(0).Type()].format
	call, size := p.tracedFn(fn, f), f.Bytes()
	var ins []laneInput
	for _, v := range inputs {
		ins = append(ins, p.laneInput(v, f))
	}
	mask, d := p.maskOf(op), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		var in [3]lanes
		for i := range ins {
			in[i] = ins[i].of(fr, x)
		}
		p := fr.lin.planes(d)
		for i := range pto.VectorBytes / size {
			on := mask.on(fr, i, size)
			if on.off() {
				x.put(p, i*size, size, on)
				continue
			}
			var args [3]value
			for k := range ins {
				args[k] = in[k].at(x, i, size)
			}
			x.put(p, i*size, size, x.masked(on, x.apply(call, &args)))
		}
		return nil
	})
}

// planes are the planes of a register.
func (t *frameTrace) planes(at slot) *planes {
	p := new(planes)
	for k := range p {
		p[k] = t.v[at][k].bytes()
	}
	return p
}

func (p *planner) tracedVecExtended(op *ir.Op, kind sem.VecExtended) step {
	f := p.types[op.Result(0).Type()].format
	calls, size := [2]*tracedFn{p.tracedFn(kind.Low, f), p.tracedFn(kind.High, f)}, f.Bytes()
	a, b, mask := p.laneInput(op.Operand(0), f), p.laneInput(op.Operand(1), f), p.maskOf(op)
	d := [2]slot{p.slot(op.Result(0)), p.slot(op.Result(1))}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v := a.of(fr, x), b.of(fr, x)
		for k, call := range calls {
			p := fr.lin.planes(d[k])
			for i := range pto.VectorBytes / size {
				x.put(p, i*size, size, x.masked(mask.on(fr, i, size), x.apply(call, &[3]value{u.at(x, i, size), v.at(x, i, size)})))
			}
		}
		return nil
	})
}

// tracedVecCarry is the routine of sums with carries: each lane of the sum, and each carry,
// is one function of the operands.
func (p *planner) tracedVecCarry(op *ir.Op, kind sem.VecCarry) step {
	a, b, m := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(op.NumOperands()-1))
	in := slot(0)
	if kind.CarryIn {
		in = p.slot(op.Operand(2))
	}
	d, carry, s := p.slot(op.Result(0)), p.slot(op.Result(1)), p.plain
	sum, over := expr.Named("sum with carry %v %v", kind.Sub, kind.CarryIn), expr.Named("carry of sum %v %v", kind.Sub, kind.CarryIn)
	const size = 4
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		x.t.At, x.out = op, x.out[:0]
		u, v, p := fr.vector(a), fr.vector(b), fr.lin.planes(d)
		carries, depends := new(maskTrace), false
		for i := range carries {
			carries[i] = knownValue(0)
		}
		for i := range pto.VectorBytes / size {
			on := fr.on(m, i, size)
			args := []value{x.get(&u, i*size, size), x.get(&v, i*size, size), knownValue(0)}
			if kind.CarryIn {
				args[2] = fr.on(in, i, size)
			}
			y, c := knownValue(0), knownValue(0)
			if !on.off() && !(args[0].known && args[1].known && args[2].known && on.known) {
				y, c, depends = x.masked(on, x.named(sum, args...)), x.masked(on, x.named(over, args...)), true
			} else if !on.off() {
				c = value{bits: 2, known: true} // what the step finds
			}
			x.put(p, i*size, size, y)
			carries[i*size] = c
		}
		if f := s(fr); f != nil {
			return f
		}
		x.commit()
		fr.lin.m[carry] = nil
		if depends {
			for i := range pto.VectorBytes / size {
				if c := &carries[i*size]; c.known && c.bits == 2 {
					c.bits = uint64(bit(fr.m[carry].has(i, size)))
				}
			}
			fr.lin.m[carry] = carries
		}
		return nil
	}
}

// tracedVecBroadcast is the routine of sem.VecBroadcast.
func (p *planner) tracedVecBroadcast(op *ir.Op, _ sem.VecBroadcast) step {
	from, d, size := op.Operand(0), p.slot(op.Result(0)), p.elemSize(op.Result(0))
	at, lane := p.slot(from), 0
	if sem.LastLane(op) {
		lane = pto.VectorBytes/size - 1
	}
	isVector, mask := p.classOf(from.Type()) == vectorClass, maskOr{}
	if op.NumOperands() > 1 {
		mask = maskOr{p.slot(op.Operand(1)), true}
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		var v value
		if isVector {
			r := fr.vector(at)
			v = x.get(&r, lane*size, size)
		} else {
			v = x.scalar(fr, at)
		}
		p := fr.lin.planes(d)
		for i := range pto.VectorBytes / size {
			x.put(p, i*size, size, x.masked(mask.on(fr, i, size), v))
		}
		return nil
	})
}

func (p *planner) tracedVecCompare(op *ir.Op, _ sem.VecCompare) step {
	f := p.types[op.Operand(0).Type()].format
	pred, _, _ := sem.LanePredicate(op)
	rel := pred.Relation()
	fn, size := comparisonFn(rel, f), f.Bytes()
	a, b := p.laneInput(op.Operand(0), f), p.laneInput(op.Operand(1), f)
	m, d, s := p.slot(op.Operand(2)), p.slot(op.Result(0)), p.plain
	return func(fr *frame) *Fault {
		x := fr.core.lin
		x.t.At = op
		u, v := a.of(fr, x), b.of(fr, x)
		out, depends := new(maskTrace), false
		for i := range out {
			out[i] = knownValue(0)
		}
		for i := range pto.VectorBytes / size {
			on := fr.on(m, i, size)
			if on.off() {
				continue
			}
			y := x.masked(on, x.compare(fn, rel, f, u.at(x, i, size), v.at(x, i, size)))
			depends = depends || !y.known
			out[i*size] = y
		}
		if f := s(fr); f != nil {
			return f
		}
		fr.lin.m[d] = nil
		if depends {
			fr.lin.m[d] = out
		}
		return nil
	}
}

func (p *planner) tracedVecSelect(op *ir.Op, _ sem.VecSelect) step {
	o := sem.LaneChoiceOf(op)
	a, b, m, d, size := p.slot(o.First.Value), p.slot(o.Second.Value), p.slot(o.Mask.Value), p.slot(op.Result(0)), p.elemSize(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v, p := fr.vector(a), fr.vector(b), fr.lin.planes(d)
		for i := range pto.VectorBytes / size {
			x.put(p, i*size, size, x.choose(fr.on(m, i, size), x.get(&u, i*size, size), x.get(&v, i*size, size)))
		}
		return nil
	})
}

// zeroedNaN names what laneConverter does to NaN, or is nil.
func zeroedNaN(from, to num.Format, sat bool) *expr.Fn {
	if !sat || !from.IsFloat() || !to.IsFloat() || to.Bits() != 16 {
		return nil
	}
	return expr.Named("NaN to zero %s", to)
}

// convertLane converts a lane as laneConverter does.
func (x *tracer) convertLane(c *tracedConversion, zero *expr.Fn, v value) value {
	y := x.convert(c, v)
	switch {
	case zero == nil:
	case !y.known:
		y = x.named(zero, y)
	case num.IsNaN(c.to, y.bits):
		y = knownValue(0)
	}
	return y
}

func (p *planner) tracedVecConvert(op *ir.Op, kind sem.VecConvert) step {
	c, ok := p.conversion(op, op.Operand(0).Type(), op.Result(0).Type())
	if !ok {
		return p.plain
	}
	if c.from.Bits() == 4 || c.to.Bits() == 4 {
		return p.unfollowed(op, "converts pairs of numbers")
	}
	r, sat := sem.LaneRounding(op)
	conv, zero := p.tracedConversion(c.from, c.to, r, sat), zeroedNaN(c.from, c.to, sat)
	var pre *tracedFn
	var ins []laneInput
	if kind.Pre != nil {
		pre = p.tracedFn(kind.Pre, c.from)
		for _, v := range op.Operands() {
			if p.classOf(v.Type()) != maskClass {
				ins = append(ins, p.laneInput(v, c.from))
			}
		}
	} else {
		ins = []laneInput{p.laneInput(op.Operand(0), c.from)}
	}
	mask, d := p.maskOf(op), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		var in [3]lanes
		for i := range ins {
			in[i] = ins[i].of(fr, x)
		}
		p := fr.lin.planes(d)
		if c.in > c.out { // the other lanes become zero
			for i := 0; i < pto.VectorBytes; i += c.out {
				x.put(p, i, c.out, knownValue(0))
			}
		}
		for i := range c.lanes() {
			from, to := i, i
			if c.in < c.out {
				from = c.source(i)
			} else if c.in > c.out {
				to = i*(c.in/c.out) + c.place
			}
			on := mask.on(fr, from, c.in)
			if on.off() {
				x.put(p, to*c.out, c.out, on)
				continue
			}
			var args [3]value
			for k := range ins {
				args[k] = in[k].at(x, from, c.in)
			}
			if pre != nil {
				args[0] = x.apply(pre, &args)
			}
			x.put(p, to*c.out, c.out, x.masked(on, x.convertLane(conv, zero, args[0])))
		}
		return nil
	})
}

func (p *planner) tracedVecWiden(op *ir.Op, kind sem.VecWiden) step {
	c, ok := p.conversion(op, op.Operand(0).Type(), op.Result(0).Type())
	if !ok {
		return p.plain
	}
	if c.in == c.out {
		c.place = 0
	}
	call, conv := p.tracedFn(kind.Fn, c.to), p.tracedConversion(c.from, c.to, num.NearestEven, false)
	a, b, d, mask := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0)), p.maskOf(op)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v, p := fr.vector(a), fr.vector(b), fr.lin.planes(d)
		for i := range pto.VectorBytes / c.out {
			from := c.source(i)
			on := mask.on(fr, from, c.in)
			if c.from == c.to {
				on = mask.on(fr, i, c.out)
			}
			if on.off() {
				x.put(p, i*c.out, c.out, on)
				continue
			}
			y, z := x.get(&u, from*c.in, c.in), x.get(&v, from*c.in, c.in)
			if c.from != c.to {
				y, z = x.convert(conv, y), x.convert(conv, z)
			}
			x.put(p, i*c.out, c.out, x.masked(on, x.apply(call, &[3]value{y, z})))
		}
		return nil
	})
}

func (p *planner) tracedVecReduce(op *ir.Op, kind sem.VecReduce) step {
	from, to := p.types[op.Operand(0).Type()].format, p.types[op.Result(0).Type()].format
	fn, neutral := neutralOf(kind.Op, to)
	per := pto.VectorBytes / from.Bytes()
	switch kind.Into {
	case sem.IntoFirst:
	case sem.PerBlock:
		per = blockBytes / from.Bytes()
	case sem.PerPair:
		per = 2
	case sem.IntoIndexed, sem.IntoMasked:
		return p.tracedExtreme(op, kind)
	}
	sums := fn == scalar.Add && to.IsFloat()
	wide := to
	if sums {
		wide = num.F32
	}
	call := p.tracedFn(fn, wide)
	widen, narrow := p.tracedConversion(from, wide, num.NearestEven, false), p.tracedConversion(wide, to, num.NearestEven, false)
	a, m, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	n, out := from.Bytes(), to.Bytes()
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		v, p := fr.vector(a), fr.lin.planes(d)
		for at := 0; at < pto.VectorBytes; at += out {
			x.put(p, at, out, knownValue(0))
		}
		element := func(k int) value {
			y := x.get(&v, k*n, n)
			if from != wide {
				y = x.convert(widen, y)
			}
			return y
		}
		for g := range pto.VectorBytes / n / per {
			var y value
			if sums {
				xs := make([]value, per)
				for k := range xs {
					on := fr.on(m, g*per+k, n)
					if on.off() {
						xs[k] = on
					} else {
						xs[k] = x.masked(on, element(g*per+k))
					}
				}
				f := func(a, b value) value { return x.apply(call, &[3]value{a, b}) }
				y = scalar.Reduce(scalar.Sequence{Of: scalar.InPairs}, xs, f, f)
				if to != wide {
					y = x.convert(narrow, y)
				}
			} else {
				y = knownValue(neutral)
				for k := g * per; k < (g+1)*per; k++ {
					if on := fr.on(m, k, n); !on.off() {
						y = x.choose(on, x.apply(call, &[3]value{y, element(k)}), y)
					}
				}
			}
			x.put(p, g*out, out, y)
		}
		return nil
	})
}

func (p *planner) tracedVecRearrange(op *ir.Op, kind sem.VecRearrange) step {
	switch kind.Kind {
	case sem.WidenSigned:
		return p.knownStep(op, p.plain)
	case sem.Permute:
		return p.moveStep(op, p.plain, op.Operand(1))
	}
	return p.moveStep(op, p.plain)
}

func (p *planner) tracedVecGather(op *ir.Op, _ sem.VecGather) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

func (p *planner) tracedVecScatter(op *ir.Op, _ sem.VecScatter) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

// opaqueVectors is the routine of kinds that must know all of their operands.
func opaqueVectors[S ir.Meaning](p *planner, op *ir.Op, _ S) step { return p.knownStep(op, p.plain) }

// bits returns all bits of a mask.
func (fr *frame) bits(m slot) *maskTrace {
	if t := fr.lin.m[m]; t != nil {
		return t
	}
	t := new(maskTrace)
	for i := range t {
		t[i] = knownValue(uint64(bit(fr.m[m].has(i, 1))))
	}
	return t
}

var maskNames = map[sem.LogicOp]*scalar.Fn{sem.MaskAnd: scalar.And, sem.MaskOr: scalar.Or, sem.MaskXor: scalar.Xor, sem.MaskNot: scalar.Not}

// tracedMaskLogic is the routine of sem.MaskLogic.
func (p *planner) tracedMaskLogic(op *ir.Op, kind sem.MaskLogic) step {
	a, b, by, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(op.NumOperands()-1)), p.slot(op.Result(0))
	var call *tracedFn
	if fn := maskNames[kind.Op]; fn != nil {
		call = p.tracedFn(fn, num.I1)
	}
	s := p.plain
	return func(fr *frame) *Fault {
		if fr.lin.m[a] == nil && fr.lin.m[b] == nil && fr.lin.m[by] == nil {
			fr.lin.m[d] = nil
			return s(fr)
		}
		x := fr.core.lin
		x.t.At = op
		u, v, w := fr.bits(a), fr.bits(b), fr.bits(by)
		out := new(maskTrace)
		for i := range out {
			if call == nil {
				out[i] = x.choose(w[i], u[i], v[i])
			} else {
				y := x.apply(call, &[3]value{u[i], v[i]})
				out[i] = x.masked(w[i], y)
			}
		}
		fr.lin.m[d] = out
		return s(fr)
	}
}

// tracedMaskRearrange is the routine of sem.MaskRearrange: an unknown mask moves as
// the numbers of its bits do, in binary.
func (p *planner) tracedMaskRearrange(op *ir.Op, _ sem.MaskRearrange) step {
	ins, outs := p.slotsOf(op.Operands()), p.slotsOf(op.Results())
	s := p.plain
	return func(fr *frame) *Fault {
		known := true
		var from []*maskTrace
		for i, v := range op.Operands() {
			if p.classOf(v.Type()) != maskClass {
				return s(fr)
			}
			known = known && fr.lin.m[ins[i]] == nil
			from = append(from, fr.bits(ins[i]))
		}
		if known {
			for _, d := range outs {
				fr.lin.m[d] = nil
			}
			return s(fr)
		}
		return moveBits(fr, from, ins, outs, s)
	}
}

// moveBits moves the bits of masks: s runs once for each bit of a number that is 1 plus
// the number of the bit among those of all operands; 0 is what stays off.
func moveBits(fr *frame, from []*maskTrace, ins, outs []slot, s step) *Fault {
	saved := make([]mask, len(ins))
	for i, at := range ins {
		saved[i] = fr.m[at]
	}
	numbers := make([][256]int, len(outs))
	for b := 0; 1<<b <= 256*len(ins); b++ {
		for i, at := range ins {
			var m mask
			for k := range 256 {
				if (256*i+k+1)>>b&1 != 0 {
					m.set(k, 1)
				}
			}
			fr.m[at] = m
		}
		if f := s(fr); f != nil {
			return f
		}
		for o, at := range outs {
			for k := range 256 {
				numbers[o][k] |= int(bit(fr.m[at].has(k, 1))) << b
			}
		}
	}
	for i, at := range ins {
		fr.m[at] = saved[i]
	}
	if f := s(fr); f != nil {
		return f
	}
	for o, at := range outs {
		out := new(maskTrace)
		for k, n := range numbers[o] {
			if out[k] = knownValue(0); n > 0 {
				out[k] = from[(n-1)/256][(n-1)%256]
			}
		}
		fr.lin.m[at] = out
	}
	return nil
}

// tracedMaskLoad is the routine of sem.MaskLoad: bits of bytes.
func (p *planner) tracedMaskLoad(op *ir.Op, kind sem.MaskLoad) step {
	n, unit := imageBytes, imageBytes
	image := sem.MaskImageOf(op)
	switch image {
	case sem.ImageTwice:
		n, unit = imageBytes/2, imageBytes/2
	case sem.ImageHalf:
		n = 2 * imageBytes
	}
	mem := p.maskAccess(op, reads, kind.Immediate, unit)
	known, s, d := p.knownStep(op, func(*frame) *Fault { return nil }), p.plain, p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		if f := known(fr); f != nil {
			return f
		}
		x := fr.core.lineageOf()
		b, f := mem.next(fr, n)
		if f != nil {
			return s(fr)
		}
		r := x.region(b)
		if x.unknown(&r) == nil {
			fr.lin.m[d] = nil
			return s(fr)
		}
		bits := make([]value, 8*n)
		for i := range bits {
			bits[i] = x.bitOf(x.get(&r, i/8, 1), i%8)
		}
		out := new(maskTrace)
		for i := range out {
			switch image {
			case sem.ImageTwice:
				out[i] = bits[i/2]
			case sem.ImageHalf:
				out[i] = bits[2*i]
			default:
				out[i] = bits[i]
			}
		}
		if f := s(fr); f != nil {
			return f
		}
		fr.lin.m[d] = out
		return nil
	}
}

// tracedMaskStore is the routine of sem.MaskStore.
func (p *planner) tracedMaskStore(op *ir.Op, kind sem.MaskStore) step {
	packed := sem.MaskImageOf(op) == sem.ImagePacked
	n := imageBytes
	if packed {
		n /= 2
	}
	mem := p.maskAccess(op, writes, kind.Immediate, n)
	known, s := p.knownStep(op, func(*frame) *Fault { return nil }), p.plain
	from := p.slot(sem.VectorAccessOf(op).Value.Value)
	return func(fr *frame) *Fault {
		bits := fr.bits(from)
		trace := fr.lin.m[from]
		fr.lin.m[from] = nil
		f := known(fr)
		fr.lin.m[from] = trace
		if f != nil {
			return f
		}
		x := fr.core.lineageOf()
		b, f := mem.next(fr, n)
		if f == nil {
			r := x.region(b)
			for i := range n {
				var eight [8]value
				for k := range eight {
					at := 8*i + k
					if packed {
						at *= 2
					}
					eight[k] = bits[at]
				}
				if v := x.byteOf(&eight); v.known {
					r.p.known(i, 1)
				} else {
					r.p.set(i, 1, x.t.New(v.h))
				}
			}
		}
		return s(fr)
	}
}

// Expressions of the lanes of vmi values.

func tracedRows() rows {
	return rows{
		routine.Makes((*planner).tracedRowMap),
		routine.Makes((*planner).tracedRowConvert),
		routine.Makes((*planner).tracedRowCompare),
		routine.Makes((*planner).tracedRowReduce),
		routine.Makes((*planner).tracedRowWiden),
		routine.Makes(movesData[sem.LaneLoad]),
		routine.Makes(movesData[sem.LaneStore]),
		routine.Makes((*planner).tracedRowChoice),
		routine.Makes((*planner).tracedRowExtended),
		routine.Makes((*planner).tracedRowRearrange),
		routine.Makes((*planner).tracedRowGather),
		routine.Makes((*planner).tracedRowScatter),
		routine.Makes(movesData[sem.PermuteBy]),
		routine.Makes((*planner).tracedGroupBroadcast),
		routine.Makes(describes[sem.GroupIndex]),
		routine.Makes(describes[sem.PrefixMask]),
		routine.Makes(describes[sem.MaskTail]),
		routine.Makes(describes[scalar.Literal]),
		routine.Makes(movesData[sem.Relayout]),
		routine.Makes(movesData[sem.Parts]),
		routine.Makes(movesData[sem.LaneChannels]),
	}
}

// rowLane is an operand of lanes of a row.
type rowLane struct {
	rowOperand
	scalar bool
}

func (p *planner) rowLane(v *ir.Value, r rowType) rowLane {
	o := p.rowOperand(v, r)
	return rowLane{o, o.size > 0}
}

func (o *rowLane) of(fr *frame, x *tracer) lanes {
	if !o.scalar {
		return lanes{traced: fr.tracedRow(o.at)}
	}
	v := x.scalar(fr, o.from)
	if v.known {
		if o.conv != nil {
			v.bits = o.conv(v.bits)
		}
		v.bits &= ^uint64(0) >> (64 - 8*o.size)
	}
	return lanes{all: v, one: true}
}

// select applies what an instruction does to lanes that are not selected.
func (s *selection) lane(fr *frame, x *tracer, i, size int, v value) value {
	if !s.masked {
		return v
	}
	m := fr.tracedRow(s.mask)
	on := x.get(&m, i, 1)
	rest := knownValue(0)
	if s.kept {
		o := fr.tracedRow(s.other)
		rest = x.get(&o, i*size, size)
	}
	return x.choose(on, v, rest)
}

func (p *planner) tracedRowMap(op *ir.Op, kind sem.VecMap) step {
	v := op.Result(0)
	t := p.rowType(op, v)
	if t.per > 1 {
		return p.unfollowed(op, "computes pairs of numbers")
	}
	f := t.numbers()
	if t.f == num.I1 {
		f = num.I1
	}
	call := p.tracedFn(kind.Fn, f)
	var ins []rowLane
	for _, in := range kind.Inputs(op) {
		ins = append(ins, p.rowLane(in, t))
	}
	by, d := p.selection(op, v), p.slot(v)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		var in [3]lanes
		for i := range ins {
			in[i] = ins[i].of(fr, x)
		}
		for i := range t.lanes {
			var args [3]value
			for k := range ins {
				args[k] = in[k].at(x, i, t.size)
			}
			x.put(&fr.lin.r[d], i*t.size, t.size, by.lane(fr, x, i, t.size, x.apply(call, &args)))
		}
		return nil
	})
}

func (p *planner) tracedRowWiden(op *ir.Op, kind sem.VecWiden) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	if from.per > 1 || to.per > 1 {
		return p.unfollowed(op, "computes pairs of numbers")
	}
	call, widen := p.tracedFn(kind.Fn, to.numbers()), p.tracedConversion(from.f, to.f, num.NearestEven, false)
	a, b, d, by := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(v), p.selection(op, v)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, w := fr.tracedRow(a), fr.tracedRow(b)
		for i := range to.lanes {
			y := x.apply(call, &[3]value{x.convert(widen, x.get(&u, i*from.size, from.size)), x.convert(widen, x.get(&w, i*from.size, from.size))})
			x.put(&fr.lin.r[d], i*to.size, to.size, by.lane(fr, x, i, to.size, y))
		}
		return nil
	})
}

func (p *planner) tracedRowConvert(op *ir.Op, _ sem.LaneConvert) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	if from.f.Bits() < 8 || to.f.Bits() < 8 {
		return p.unfollowed(op, "converts pairs of numbers")
	}
	r, sat := isavmi.LaneRounding(op)
	conv, zero := p.tracedConversion(from.numbers(), to.numbers(), r, sat), zeroedNaN(from.f, to.f, sat)
	a, d, by := p.slot(op.Operand(0)), p.slot(v), p.selection(op, v)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u := fr.tracedRow(a)
		for i := range to.lanes {
			x.put(&fr.lin.r[d], i*to.size, to.size, by.lane(fr, x, i, to.size, x.convertLane(conv, zero, x.get(&u, i*from.size, from.size))))
		}
		return nil
	})
}

func (p *planner) tracedRowCompare(op *ir.Op, _ sem.LaneCompare) step {
	rel, ok := isavmi.LaneRelation(op)
	if !ok {
		return p.plain
	}
	v := op.Result(0)
	t := p.rowType(op, op.Operand(0))
	if t.per > 1 {
		return p.unfollowed(op, "compares pairs of numbers")
	}
	fn := comparisonFn(rel, t.f)
	a, b := p.rowLane(op.Operand(0), t), p.rowLane(op.Operand(1), t)
	d, by := p.slot(v), p.selection(op, v)
	by.kept = false
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, w := a.of(fr, x), b.of(fr, x)
		for i := range t.lanes {
			x.put(&fr.lin.r[d], i, 1, by.lane(fr, x, i, 1, x.compare(fn, rel, t.f, u.at(x, i, t.size), w.at(x, i, t.size))))
		}
		return nil
	})
}

func (p *planner) tracedRowReduce(op *ir.Op, kind sem.GroupReduce) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	if from.per > 1 || to.per > 1 {
		return p.unfollowed(op, "reduces pairs of numbers")
	}
	f := from.numbers()
	fn, neutral := neutralOf(kind.Op, f)
	call, per := p.tracedFn(fn, f), from.lanes/to.lanes
	a, d, by := p.slot(op.Operand(0)), p.slot(v), p.selection(op, op.Operand(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u := fr.tracedRow(a)
		var m traced
		if by.masked {
			m = fr.tracedRow(by.mask)
		}
		for g := range to.lanes {
			acc := knownValue(neutral)
			for i := g * per; i < (g+1)*per; i++ {
				on := knownValue(1)
				if by.masked {
					on = x.get(&m, i, 1)
				}
				if !on.off() {
					acc = x.choose(on, x.apply(call, &[3]value{acc, x.get(&u, i*from.size, from.size)}), acc)
				}
			}
			if from.size != to.size && !acc.known {
				return fr.core.undecided(op, &acc, "reduces lanes into others of another width")
			}
			x.put(&fr.lin.r[d], g*to.size, to.size, acc)
		}
		return nil
	})
}

func (p *planner) tracedRowChoice(op *ir.Op, kind scalar.Choice) step {
	if p.classOf(op.Operand(0).Type()) != rowClass {
		return p.tracedChoice(op, kind)
	}
	t := p.rowType(op, op.Result(0))
	m, yes, no, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(2)), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		on, u, v := fr.tracedRow(m), fr.tracedRow(yes), fr.tracedRow(no)
		for i := range t.lanes {
			x.put(&fr.lin.r[d], i*t.size, t.size, x.choose(x.get(&on, i, 1), x.get(&u, i*t.size, t.size), x.get(&v, i*t.size, t.size)))
		}
		return nil
	})
}

func (p *planner) tracedRowExtended(op *ir.Op, kind sem.VecExtended) step {
	t := p.rowType(op, op.Result(0))
	a, b := p.rowLane(op.Operand(0), t), p.rowLane(op.Operand(1), t)
	calls := [2]*tracedFn{p.tracedFn(kind.Low, t.f), p.tracedFn(kind.High, t.f)}
	d := [2]slot{p.slot(op.Result(0)), p.slot(op.Result(1))}
	by := [2]selection{p.selection(op, op.Result(0)), p.selection(op, op.Result(1))}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v := a.of(fr, x), b.of(fr, x)
		for k, call := range calls {
			for i := range t.lanes {
				y := x.apply(call, &[3]value{u.at(x, i, t.size), v.at(x, i, t.size)})
				x.put(&fr.lin.r[d[k]], i*t.size, t.size, by[k].lane(fr, x, i, t.size, y))
			}
		}
		return nil
	})
}

func (p *planner) tracedRowRearrange(op *ir.Op, kind sem.VecRearrange) step {
	if kind.Kind == sem.Permute {
		return p.moveStep(op, p.plain, sem.PermutationOf(op).Index.Value)
	}
	return p.moveStep(op, p.plain)
}

func (p *planner) tracedRowGather(op *ir.Op, _ sem.LaneGather) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

func (p *planner) tracedRowScatter(op *ir.Op, _ sem.LaneScatter) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

func (p *planner) tracedGroupBroadcast(op *ir.Op, _ sem.GroupBroadcast) step {
	if p.classOf(op.Operand(0).Type()) == rowClass {
		return p.moveStep(op, p.plain)
	}
	to, a, d := p.rowType(op, op.Result(0)), p.slot(op.Operand(0)), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		v := x.scalar(fr, a)
		for i := range to.lanes {
			x.put(&fr.lin.r[d], i*to.size, to.size, v)
		}
		return nil
	})
}

// tracedExtreme is the routine of reductions that also give where the extreme is: its
// lane, or all lanes that hold it.
func (p *planner) tracedExtreme(op *ir.Op, kind sem.VecReduce) step {
	f := p.types[op.Operand(0).Type()].format
	fn, neutral := neutralOf(kind.Op, f)
	call, n := p.tracedFn(fn, f), f.Bytes()
	same, place := expr.Named("same %s", f), expr.Named("lane of %s %s", fn, f)
	a, m, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	s, equalAt := p.plain, slot(0)
	if kind.Into == sem.IntoMasked {
		equalAt = p.slot(op.Result(1))
	}
	find := func(fr *frame, x *tracer) *maskTrace {
		x.t.At = op
		v, p := fr.vector(a), fr.lin.planes(d)
		for at := 0; at < pto.VectorBytes; at += n {
			x.put(p, at, n, knownValue(0))
		}
		var xs, ons []value
		best, known := knownValue(neutral), true
		for k := range pto.VectorBytes / n {
			on := fr.on(m, k, n)
			y := knownValue(0)
			if !on.off() {
				y = x.get(&v, k*n, n)
				best = x.choose(on, x.apply(call, &[3]value{best, y}), best)
			}
			xs, ons, known = append(xs, y), append(ons, on), known && y.known && on.known
		}
		x.put(p, 0, n, best)
		if kind.Into == sem.IntoIndexed {
			at := knownValue(0)
			if !known {
				at = x.fold(place, append(xs, ons...))
			}
			x.put(p, n, n, at)
			return nil
		}
		if known {
			return nil
		}
		equal := new(maskTrace)
		for i := range equal {
			equal[i] = knownValue(0)
		}
		for k := range xs {
			if !ons[k].off() {
				equal[k*n] = x.masked(ons[k], x.named(same, xs[k], best))
			}
		}
		return equal
	}
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		x.out = x.out[:0]
		equal := find(fr, x)
		if f := s(fr); f != nil {
			return f
		}
		x.commit()
		if kind.Into == sem.IntoMasked {
			fr.lin.m[equalAt] = equal
		}
		return nil
	}
}
