// This file implements the symbolic execution of mask instructions in equivalence proofs,
// for masks that depend on
// inputs.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// bits returns the value of each bit of the mask in slot m: the bit, or its expression
// if it depends on symbolic inputs.
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

// tracedMaskLogic compiles sem.MaskLogic, a logical operation on masks. Each bit of a
// mask has its own expression.
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
		if f := s(fr); f != nil {
			return f
		}
		x.settleMask(fr, d)
		return nil
	}
}

// settleMask replaces bits of the mask in slot at that are known without their value by
// the bits that the instruction has computed. Such bits exist only with definedness.
func (x *tracer) settleMask(fr *frame, at slot) {
	t := fr.lin.m[at]
	if !x.definedness || t == nil {
		return
	}
	all := true
	for i := range t {
		if v := &t[i]; x.isKnown(v) {
			*v = knownValue(uint64(bit(fr.m[at].has(i, 1))))
		} else {
			all = false
		}
	}
	if all {
		fr.lin.m[at] = nil
	}
}

// tracedMaskRearrange compiles sem.MaskRearrange, an instruction that moves mask bits.
// If an operand depends on symbolic inputs, the step first executes the instruction on
// masks with known bits, to determine where each bit moves.
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

// moveBits finds out how the step s moves mask bits, and moves the symbolic bits in the
// same way. The parameter from contains the symbolic bits of the operands. The parameters
// ins and outs are the slots (frame indices) of the operand and result masks.
//
// moveBits numbers the bits of all operands from 1. It runs s once for each binary digit
// of these numbers. In each run, an operand bit is set if its number has this digit. For
// each result bit, the digits from all runs form the number of the operand bit from which
// it was copied. The number 0 means that the result bit is always zero.
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

// tracedMaskLoad compiles sem.MaskLoad, a load of a mask from memory. The expression of
// a mask bit selects one bit of a loaded byte.
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
		if !x.definedness && x.unknown(&r) == nil {
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
		x.settleMask(fr, d)
		return nil
	}
}

// tracedMaskStore compiles sem.MaskStore, a store of a mask to memory. The expression
// of a byte combines the expressions of its eight mask bits.
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
				if v := x.byteOf(&eight); x.isKnown(&v) {
					r.p.known(i, 1)
				} else {
					r.p.set(i, 1, x.t.New(v.h))
				}
			}
		}
		return s(fr)
	}
}
