// This file executes the vector instructions of A2/A3, which work directly on the
// unified buffer.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// ubRow is an operand of an A2/A3 vector instruction that works directly on the unified
// buffer. The instruction repeats its operation several times; each repetition processes
// eight blocks of 32 bytes. The field ptr is the index of the operand's address in the
// frame. The function block computes the distance between the blocks of a repetition, and
// step the distance between two repetitions; both distances are in blocks of 32 bytes.
type ubRow struct {
	pointee
	ptr         slot
	block, step func(fr *frame) uint64
}

// ubMap executes an elementwise A2/A3 vector instruction, which reads and writes the
// unified buffer directly.
type ubMap struct {
	op *ir.Op
	// fn is the function to apply to each element; nil copies elements.
	fn  *scalar.Fn
	f   num.Format
	dst ubRow
	src []ubRow
	// scalar, if not nil, returns the scalar operand, which is the last argument of fn.
	scalar func(fr *frame) uint64
	// repeat returns the number of repeats; a repeat processes eight blocks of 32 bytes.
	repeat func(fr *frame) uint64
	// mask and count are the numbers of the special registers for the mask and for the
	// mask mode.
	mask, count int
}

// ubMap compiles op into a step, a function that executes an elementwise instruction on
// the unified buffer (A2/A3).
func (p *planner) ubMap(op *ir.Op, _ sem.UbMap) step {
	d := sem.UbRowsOf(op)
	to := d.Dst.Start.Type()
	f, ok := ir.FormatOf(ir.ElementType(to))
	if !ok || d.Fn != nil && !d.Fn.Supports(f) {
		p.errorf(op, "has an operand of type %s, but this instruction does not support elements of this type", to)
		return nil
	}
	u := &ubMap{
		op: op, fn: d.Fn, f: f, dst: p.ubRow(op, d.Dst, writes), repeat: p.number(d.Repeat),
		mask: p.register(sem.RegUbMask), count: p.register(sem.RegUbCount),
	}
	for _, row := range d.Src {
		u.src = append(u.src, p.ubRow(op, row, reads))
	}
	if d.Scalar.Given() {
		u.scalar = p.number(d.Scalar)
	}
	return u.exec
}

// ubRow returns the data through which steps access the unified buffer operand that r
// describes. The parameter how states whether op reads or writes the operand.
func (p *planner) ubRow(op *ir.Op, r sem.UbRow, how access) ubRow {
	return ubRow{
		pointee: pointee{op: op, name: r.Start.Name, how: how, space: sem.UB}, ptr: p.slot(r.Start.Value),
		block: p.number(r.Block), step: p.number(r.Step),
	}
}

// exec executes the instruction, which repeats its operation on successive blocks of the
// unified buffer. Within one repetition, it reads all operands before it writes. It
// returns a fault if there are too many repetitions or an access is out of bounds.
func (u *ubMap) exec(fr *frame) *Fault {
	size := u.f.Bytes()
	lanes := sem.UbBlocks * blockBytes / size
	mask, repeat := fr.core.ubMask(u.mask), u.repeat(fr)
	if repeat > sem.UbSteps {
		return faultAt(u.op, "repeats %d times, but must repeat at most %d times", int64(repeat), sem.UbSteps)
	}
	left := uint64(lanes) // of the step
	counts := fr.core.registers[u.count][0] != 0
	if counts {
		repeat = (mask[0] + uint64(lanes) - 1) / uint64(lanes)
	}
	results := fr.core.words(lanes)
	for step := range repeat {
		if counts {
			left = min(uint64(lanes), mask[0]-step*uint64(lanes))
		}
		on := func(lane int) bool {
			return uint64(lane) < left && (counts || lane < sem.UbMaskLanes && mask[lane/64]>>(lane%64)&1 != 0)
		}
		for lane := range lanes {
			if on(lane) {
				var f *Fault
				if results[lane], f = u.lane(fr, step, lane*size); f != nil {
					return f
				}
			}
		}
		for lane := range lanes {
			if on(lane) {
				to, f := u.dst.element(fr, step, lane*size, size)
				if f != nil {
					return f
				}
				num.Store(u.f, to, results[lane])
			}
		}
	}
	return nil
}

// lane computes one element of the result. step is the number of the repetition of the
// instruction, and at is the byte offset of the element within this repetition.
func (u *ubMap) lane(fr *frame, step uint64, at int) (uint64, *Fault) {
	var x [3]uint64
	for i := range u.src {
		from, f := u.src[i].element(fr, step, at, u.f.Bytes())
		if f != nil {
			return 0, f
		}
		x[i] = num.Load(u.f, from)
	}
	if u.scalar != nil {
		x[len(u.src)] = u.scalar(fr) & u.f.Mask()
	}
	if u.fn == nil {
		return x[0], nil
	}
	y, err := u.fn.Eval3(u.f, x[0], x[1], x[2])
	if err != nil {
		return 0, faultAt(u.op, "fails: %s", err)
	}
	return y, nil
}

// element returns the size bytes of one element of the operand. The instruction repeats
// its computation several times: the parameter step is the number of the repetition, and
// at is the byte offset of the element within this repetition. It returns a fault if the
// bytes are out of bounds or the operand is not aligned to 32 bytes.
func (r *ubRow) element(fr *frame, step uint64, at, size int) ([]byte, *Fault) {
	addr := fr.x[r.ptr]
	if addr%blockBytes != 0 {
		return nil, r.misaligned(addr, blockBytes)
	}
	blocks := step*r.step(fr) + uint64(at/blockBytes)*r.block(fr)
	return r.bytes(fr.core, addr+blocks*blockBytes+uint64(at%blockBytes), size)
}

// ubMask returns the vector mask of A2/A3: one bit for each of 128 lanes, or a number of
// lanes, depending on the mask mode. number is the number of the mask register. The
// register is stored inverted, so that its initial value zero selects all lanes.
func (c *core) ubMask(number int) register {
	r := c.registers[number]
	return register{^r[0], ^r[1]}
}

// setUbMask compiles op into a step, a function that sets the vector mask register of
// A2/A3.
func (p *planner) setUbMask(op *ir.Op) step {
	d := sem.UbMaskOf(op)
	number, low, high := p.register(sem.RegUbMask), p.number(d[0]), p.number(d[1])
	return func(fr *frame) *Fault {
		fr.core.registers[number] = register{^low(fr), ^high(fr)}
		return nil
	}
}

// ubMaskMode compiles op into a step, a function that selects the mask mode of A2/A3: one
// bit per lane, or a number of lanes.
func (p *planner) ubMaskMode(_ *ir.Op, kind sem.UbMask) step {
	number, value := p.register(sem.RegUbCount), uint64(0)
	if kind.Set == sem.UbCountOn {
		value = 1
	}
	return func(fr *frame) *Fault {
		fr.core.registers[number] = register{value}
		return nil
	}
}

// ubMask compiles op into a step, a function that sets the vector mask register of A2/A3,
// or its mode.
func (p *planner) ubMask(op *ir.Op, kind sem.UbMask) step {
	if kind.Set == sem.UbMaskBits {
		return p.setUbMask(op)
	}
	return p.ubMaskMode(op, kind)
}
