// This file compiles elementwise functions and conversions of logical vectors.

package runtime

import (
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// rowMap compiles op into a step, the function that executes it. The step applies a
// scalar function to each lane of logical vectors.
func (p *planner) rowMap(op *ir.Op, kind sem.VecMap) step {
	v := op.Result(0)
	t := p.rowType(op, v)
	row, ok := p.rowFn(op, kind.Fn, t)
	if !ok {
		return nil
	}
	m := &rowMap{op: op, row: row, d: p.slot(v), size: t.size, by: p.selection(op, v)}
	for _, in := range kind.Inputs(op) {
		m.ins = append(m.ins, p.rowOperand(in, t))
	}
	if len(m.ins) != kind.Fn.Arity {
		p.errorf(op, "has %d operands for the function %s, which expects %d", len(m.ins), kind.Fn, kind.Fn.Arity)
		return nil
	}
	return m.exec
}

// rowFn returns a loop that applies fn to lanes of type t. It reports an error at op and
// returns false if the runtime does not support fn on these lanes.
func (p *planner) rowFn(op *ir.Op, fn *scalar.Fn, t rowType) (rowFunc, bool) {
	if t.f == num.I1 {
		return rowsOf(fn, t.f), true
	}
	if t.per > 1 || fn.Divisor > 0 && t.f.IsInt() {
		p.errorf(op, "applies the function %s to elements of type %s, which pto-run does not support", fn, op.Result(0).Type())
		return nil, false
	}
	return p.rows(op, fn, t.numbers())
}

// rowMap executes an elementwise function on logical vectors.
type rowMap struct {
	op   *ir.Op
	row  rowFunc
	ins  []rowOperand
	d    slot
	size int
	by   selection
}

// exec computes all lanes of the result with the scalar function of the instruction.
// Afterwards it overwrites the lanes of the result that the mask of the instruction does
// not select. They become zero or the contents of another operand, as the instruction
// requires. exec returns a fault if the scalar function fails, for example because of a
// division by zero.
func (m *rowMap) exec(fr *frame) *Fault {
	var rows [3][]byte
	for i := range m.ins {
		rows[i] = m.ins[i].get(fr)
	}
	d := fr.r[m.d]
	if err := m.row(d, rows[0], rows[1], rows[2]); err != nil {
		return faultAt(m.op, "fails: %s", err)
	}
	m.by.rest(fr, d, m.size)
	return nil
}

// rowExtended compiles op into a step, the function that executes it. The step applies a
// function with two results to each lane of logical vectors. An example is a product with
// a low and a high half. The step interprets signless lanes as signed.
func (p *planner) rowExtended(op *ir.Op, kind sem.VecExtended) step {
	t := p.rowType(op, op.Result(0))
	parts := [2]*rowMap{}
	for i, fn := range []*scalar.Fn{kind.Low, kind.High} {
		v := op.Result(i)
		parts[i] = &rowMap{op: op, row: rowsOf(fn, t.f), d: p.slot(v), size: t.size, by: p.selection(op, v),
			ins: []rowOperand{p.rowOperand(op.Operand(0), t), p.rowOperand(op.Operand(1), t)}}
	}
	return func(fr *frame) *Fault {
		if f := parts[0].exec(fr); f != nil {
			return f
		}
		return parts[1].exec(fr)
	}
}

// rowCarry compiles op into a step, a function that adds logical vectors with a carry in
// each lane. It reports an error for lanes that do not have 32 bits.
func (p *planner) rowCarry(op *ir.Op, kind sem.VecCarry) step {
	v := op.Result(0)
	if t := p.rowType(op, v); t.size != 4 || kind.Sub {
		p.errorf(op, "adds or subtracts lanes of type %s with a carry, which pto-run does not support", v.Type())
		return nil
	}
	a, b, by := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.selection(op, v)
	d, carry := p.slot(v), p.slot(op.Result(1))
	in := carry
	if kind.CarryIn {
		in = p.slot(sem.CarryOf(op).Value)
	}
	return func(fr *frame) *Fault {
		x, y, out := as[uint32](fr.r[a]), as[uint32](fr.r[b]), as[uint32](fr.r[d])
		for i := range out {
			sum := uint64(x[i]) + uint64(y[i])
			if kind.CarryIn {
				sum += uint64(fr.r[in][i])
			}
			out[i] = uint32(sum)
			fr.r[carry][i] = bit(by.on(fr, i) && sum>>32 != 0)
		}
		by.rest(fr, fr.r[d], 4)
		return nil
	}
}

// rowWiden compiles op into a step, a function on logical vectors. The step converts the
// operands to the wider lane format of the result, and afterwards computes a function of
// them in each lane.
func (p *planner) rowWiden(op *ir.Op, kind sem.VecWiden) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	row, ok := p.rowFn(op, kind.Fn, to)
	if !ok {
		return nil
	}
	widen := converter(from.f, to.f, num.NearestEven, false)
	a, b, d, by := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(v), p.selection(op, v)
	x, y := p.freshRow(to.bytes()), p.freshRow(to.bytes())
	return func(fr *frame) *Fault {
		widen(fr.r[x], fr.r[a])
		widen(fr.r[y], fr.r[b])
		if err := row(fr.r[d], fr.r[x], fr.r[y], nil); err != nil {
			return faultAt(op, "fails: %s", err)
		}
		by.rest(fr, fr.r[d], to.size)
		return nil
	}
}

// rowCompare compiles op into a step, a function that compares lanes of logical vectors
// and returns the results as a mask.
func (p *planner) rowCompare(op *ir.Op, _ sem.LaneCompare) step {
	rel, ok := lanemap.Relation(op)
	if !ok {
		p.errorf(op, "has an unknown comparison predicate, which pto-run does not support")
		return nil
	}
	v := op.Result(0)
	t := p.rowType(op, op.Operand(0))
	a, b := p.rowOperand(op.Operand(0), t), p.rowOperand(op.Operand(1), t)
	d, by, f := p.slot(v), p.selection(op, v), t.f
	return func(fr *frame) *Fault {
		x, y, out := a.get(fr), b.get(fr), fr.r[d]
		for i := range out {
			out[i] = bit(by.on(fr, i) && rel.Holds(f, num.Load(f, x[i*t.size:]), num.Load(f, y[i*t.size:])))
		}
		return nil
	}
}

// rowConvert compiles op into a step, a function that converts the lanes of a logical
// vector to another number format.
func (p *planner) rowConvert(op *ir.Op, _ sem.LaneConvert) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	r, sat := lanemap.Rounding(op)
	a, d, by := p.slot(op.Operand(0)), p.slot(v), p.selection(op, v)
	convert := rowConverter(from, to, r, sat)
	return func(fr *frame) *Fault {
		convert(fr.r[d], fr.r[a])
		by.rest(fr, fr.r[d], to.size)
		return nil
	}
}

// rowConverter returns a function that converts lanes of the source type (the parameter
// from) to the destination type (the parameter to). A lane can pack two numbers. The
// function rounds in mode r and saturates if sat is set.
func rowConverter(from, to rowType, r num.Rounding, sat bool) convertFunc {
	if from.f.Bits() >= 8 && to.f.Bits() >= 8 {
		return laneConverter(from.numbers(), to.numbers(), r, sat)
	}
	return func(d, a []byte) {
		for i := range from.lanes * from.per {
			x := num.Convert(from.f, to.f, loadNumber(from.f, a, i), r, sat)
			storeNumber(to.f, d, i, x)
		}
	}
}

// loadNumber returns the bits of number i in row. In 4-bit formats, a byte contains two
// numbers.
func loadNumber(f num.Format, row []byte, i int) uint64 {
	if f.Bits() == 4 {
		return num.Nibble(row, i)
	}
	return num.Load(f, row[i*f.Bytes():])
}

// storeNumber stores bits as number i of row. In 4-bit formats, a byte contains two
// numbers.
func storeNumber(f num.Format, row []byte, i int, bits uint64) {
	if f.Bits() == 4 {
		num.SetNibble(row, i, bits)
		return
	}
	num.Store(f, row[i*f.Bytes():], bits)
}
