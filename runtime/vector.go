// This file defines vector registers and plans elementwise vector instructions.

package runtime

import (
	"unsafe"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// vreg is a vector register of 256 bytes. Its type is an array of 64-bit words, so that
// lanes of any width are aligned.
type vreg [pto.VectorBytes / 8]uint64

// bytes returns the contents of the register as bytes in memory order.
func (v *vreg) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), pto.VectorBytes)
}

// start returns a pointer to the first byte of the register, for assembly loops.
func (v *vreg) start() *byte { return (*byte)(unsafe.Pointer(v)) }

// vecOperand is an operand of a vector instruction: a register, or a scalar that is used
// for all lanes.
type vecOperand struct {
	at slot
	// scalar means that the operand is a scalar, which is used for all lanes.
	scalar bool
	// conv converts the bits of a scalar operand to the width of a lane. It is nil if
	// this is not necessary.
	conv func(bits uint64) uint64
}

// vecOperand returns a description of the operand v of a vector instruction, with which a
// step reads the lanes of v. The operand is a register, or a scalar that counts as equal
// lanes. Format f is the format of the lanes.
func (p *planner) vecOperand(v *ir.Value, f num.Format) vecOperand {
	o := vecOperand{at: p.slot(v), scalar: p.classOf(v.Type()) == scalarClass}
	if from, _ := ir.FormatOf(v.Type()); o.scalar && from.IsInt() && from.Signed() && from.Bits() < f.Bits() {
		o.conv = func(bits uint64) uint64 { return uint64(num.Int(from, bits)) }
	}
	return o
}

// laneFormat returns the number format of the lanes of register type t. It reports an
// error at op and returns false if the runtime cannot compute with it.
func (p *planner) laneFormat(op *ir.Op, t ir.Type) (num.Format, bool) {
	f := p.types[t].format
	if f.Bits() < 8 { // also if f is num.Invalid
		p.errorf(op, "computes with operands of type %s, which pto-run does not support", t)
		return f, false
	}
	return f, true
}

// vecMap compiles op into a step, the function that executes it. The step applies a
// scalar function to each lane of vector registers.
func (p *planner) vecMap(op *ir.Op, kind sem.VecMap) step {
	f, ok := p.laneFormat(op, op.Result(0).Type())
	if !ok {
		return nil
	}
	row, ok := p.rows(op, kind.Fn, f)
	if !ok {
		return nil
	}
	m := &vecMap{op: op, row: row, loop: p.registerLoop(kind.Fn, f), dst: p.slot(op.Result(0)), size: f.Bytes(), format: f}
	if f.IsInt() {
		m.divisor = kind.Fn.Divisor
	}
	for _, v := range kind.Inputs(op) {
		m.ins = append(m.ins, p.vecOperand(v, f))
	}
	if on := sem.MaskOf(op); on.Given() {
		m.mask, m.masked = p.slot(on.Value), true
	}
	if len(m.ins) != kind.Fn.Arity {
		p.errorf(op, "has %d operands for the function %s, which expects %d", len(m.ins), kind.Fn, kind.Fn.Arity)
		return nil
	}
	if kind.Fn.Arity == 2 && m.masked && m.divisor == 0 && !m.ins[0].scalar && !m.ins[1].scalar {
		return m.exec2
	}
	return m.exec
}

// registerLoop returns a vectorized loop of package kernels. The loop applies fn to a
// complete register with lanes of format f. For many functions and formats, package
// kernels has no such loop; the method Exists of the result then returns false.
func (p *planner) registerLoop(fn *scalar.Fn, f num.Format) kernels.Whole {
	if f.IsFloat() && !fn.Supports(f) {
		f = wordFormats[f.Bytes()]
	}
	l, ok := kernels.Of(fn, reading(fn, f), kernels.Best)
	if !ok || p.opts.FlushDenormals {
		return kernels.Whole{}
	}
	return l.Whole(pto.VectorBytes)
}

// vecMap executes an elementwise instruction on vector registers.
type vecMap struct {
	op  *ir.Op
	row rowFunc
	// loop is the vectorized loop for complete registers, if there is one.
	loop   kernels.Whole
	ins    []vecOperand
	dst    slot
	mask   slot
	masked bool
	// size is the size of a lane in bytes.
	size   int
	format num.Format
	// divisor is the position, from 1, of an operand that must not be zero in selected
	// lanes, or 0 for none.
	divisor int
}

// exec2 executes the most frequent variant of the instruction: two register operands and
// a mask.
func (m *vecMap) exec2(fr *frame) *Fault {
	d, a, b := &fr.v[m.dst], &fr.v[m.ins[0].at], &fr.v[m.ins[1].at]
	if m.loop.Exists() {
		m.loop.Run(d.start(), a.start(), b.start())
	} else if err := m.row(d.bytes(), a.bytes(), b.bytes(), nil); err != nil {
		return faultAt(m.op, "fails: %s", err)
	}
	fr.m[m.mask].clear(d, m.size)
	return nil
}

// exec applies the function to all lanes and then clears the lanes that the mask does not
// select. It returns a fault for a zero divisor in a selected lane.
func (m *vecMap) exec(fr *frame) *Fault {
	var rows [3][]byte
	for i, in := range m.ins {
		if !in.scalar && !(m.masked && i == m.divisor-1) {
			rows[i] = fr.v[in.at].bytes()
			continue
		}
		rows[i] = fr.core.scratch[i][:pto.VectorBytes]
		if in.scalar {
			x := fr.x[in.at]
			if in.conv != nil {
				x = in.conv(x)
			}
			fill(rows[i], m.size, x)
			continue
		}
		divisor := &as[vreg](rows[i])[0]
		*divisor = fr.v[in.at]
		fr.m[m.mask].clear(divisor, m.size)
		fr.m[m.mask].ones(divisor, m.size)
	}
	d := &fr.v[m.dst]
	if err := m.row(d.bytes(), rows[0], rows[1], rows[2]); err != nil {
		return faultAt(m.op, "fails: %s", err)
	}
	if m.masked {
		fr.m[m.mask].clear(d, m.size)
	}
	return nil
}

// vecExtended compiles op into a step, the function that executes it. The step computes a
// function of each lane that has two results, such as the low and the high half of a
// product.
func (p *planner) vecExtended(op *ir.Op, kind sem.VecExtended) step {
	f, ok := p.laneFormat(op, op.Result(0).Type())
	if !ok {
		return nil
	}
	a, b, m := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(sem.MaskOf(op).Value)
	low, high := rowsOf(kind.Low, f), rowsOf(kind.High, f)
	d, e := p.slot(op.Result(0)), p.slot(op.Result(1))
	return func(fr *frame) *Fault {
		x, y := fr.v[a].bytes(), fr.v[b].bytes()
		for i, row := range [2]rowFunc{low, high} {
			out := &fr.v[[2]slot{d, e}[i]]
			if err := row(out.bytes(), x, y, nil); err != nil {
				return faultAt(op, "fails: %s", err)
			}
			fr.m[m].clear(out, f.Bytes())
		}
		return nil
	}
}

// vecCarry compiles op into a step, the function that executes it. The step adds or
// subtracts vector lanes with a carry for each lane. A subtraction adds the complement of
// the second operand, so a carry of 1 means that no borrow is needed.
func (p *planner) vecCarry(op *ir.Op, kind sem.VecCarry) step {
	f, ok := p.laneFormat(op, op.Result(0).Type())
	if !ok {
		return nil
	}
	if f.Bytes() != 4 {
		p.errorf(op, "adds or subtracts lanes of type %s with a carry, which pto-run does not support", f)
		return nil
	}
	a, b := p.slot(op.Operand(0)), p.slot(op.Operand(1))
	var carryIn slot
	if kind.CarryIn {
		carryIn = p.slot(op.Operand(2))
	}
	active := p.slot(op.Operand(op.NumOperands() - 1))
	d, carryOut := p.slot(op.Result(0)), p.slot(op.Result(1))
	return func(fr *frame) *Fault {
		x, y := as[uint32](fr.v[a].bytes()), as[uint32](fr.v[b].bytes())
		out := as[uint32](fr.v[d].bytes())
		m := fr.m[active]
		var carries mask
		for i := range out {
			if !m.has(i, 4) {
				out[i] = 0
				continue
			}
			sum := uint64(x[i])
			if kind.Sub {
				sum += uint64(^y[i])
			} else {
				sum += uint64(y[i])
			}
			if kind.CarryIn && fr.m[carryIn].has(i, 4) || kind.Sub && !kind.CarryIn {
				sum++
			}
			out[i] = uint32(sum)
			if sum>>32 != 0 {
				carries.set(i, 4)
			}
		}
		fr.m[carryOut] = carries
		return nil
	}
}
