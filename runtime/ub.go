package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// The registers that select the elements of instructions on rows of the
// unified buffer. Registers start as zero, which must select all: the mask is
// kept inverted.
const (
	ubMaskRegister  = "UB_MASK"
	ubCountRegister = "UB_COUNT"
)

// What one step works on, in blocks of 32 bytes, and how many steps there can
// be: the count has 8 bits.
const (
	ubBlocks    = 8
	mostRepeats = 255
)

// ubRow is an operand of such an instruction: the address, and how many blocks
// lie from block to block and from step to step.
type ubRow struct {
	place
	ptr         slot
	block, step func(fr *frame) uint64
}

// ubMap executes an elementwise function on rows.
type ubMap struct {
	op          *ir.Op
	fn          *scalar.Fn // nil copies
	f           num.Format
	dst         ubRow
	src         []ubRow
	scalar      func(fr *frame) uint64 // the last argument, if not nil
	repeat      func(fr *frame) uint64
	mask, count int // registers
}

// ubMap plans an elementwise function on rows.
func (p *planner) ubMap(op *ir.Op, kind sem.UbMap) step {
	f, ok := ir.FormatOf(ir.ElementType(op.Arg("dst").Type()))
	if !ok || kind.Fn != nil && !kind.Fn.Supports(f) {
		p.errorf(op, "works on %s, which cannot be executed", op.Arg("dst").Type())
		return nil
	}
	u := &ubMap{
		op: op, fn: kind.Fn, f: f, dst: p.ubRow(op, "dst", writes), repeat: p.number(op, "repeat"),
		mask: p.register(ubMaskRegister), count: p.register(ubCountRegister),
	}
	for _, name := range []string{"src", "src0", "src1"} {
		if op.Arg(name) != nil {
			u.src = append(u.src, p.ubRow(op, name, reads))
		}
	}
	if kind.Scalar != "" {
		u.scalar = p.number(op, kind.Scalar)
	}
	return u.exec
}

func (p *planner) ubRow(op *ir.Op, name string, how access) ubRow {
	return ubRow{
		place: place{op: op, name: name, how: how, space: sem.UB}, ptr: p.slot(op.Arg(name)),
		block: p.number(op, name+"BlockStride"), step: p.number(op, name+"RepeatStride"),
	}
}

// exec computes each step as a whole: what it writes, it does not read.
func (u *ubMap) exec(fr *frame) *Fault {
	size := u.f.Bytes()
	lanes := ubBlocks * blockBytes / size
	mask, repeat := fr.core.ubMask(u.mask), u.repeat(fr)
	if repeat > mostRepeats {
		return faultAt(u.op, "repeats %d times, but at most %d are possible", int64(repeat), mostRepeats)
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
			return uint64(lane) < left && (counts || lane < 128 && mask[lane/64]>>(lane%64)&1 != 0)
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
				to, f := u.dst.at(fr, step, lane*size, size)
				if f != nil {
					return f
				}
				num.Store(u.f, to, results[lane])
			}
		}
	}
	return nil
}

// lane computes the element at a byte of a step.
func (u *ubMap) lane(fr *frame, step uint64, at int) (uint64, *Fault) {
	var x [3]uint64
	for i := range u.src {
		from, f := u.src[i].at(fr, step, at, u.f.Bytes())
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

// at returns the memory of the element at a byte of a step.
func (r *ubRow) at(fr *frame, step uint64, at, size int) ([]byte, *Fault) {
	addr := fr.x[r.ptr]
	if addr%blockBytes != 0 {
		return nil, r.misaligned(addr, blockBytes)
	}
	blocks := step*r.step(fr) + uint64(at/blockBytes)*r.block(fr)
	return r.bytes(fr.core, addr+blocks*blockBytes+uint64(at%blockBytes), size)
}

// ubMask returns the mask: a bit for each of 128 lanes, or a count.
func (c *core) ubMask(number int) register {
	r := c.registers[number]
	return register{^r[0], ^r[1]}
}

// setUbMask plans setting the mask.
func (p *planner) setUbMask(op *ir.Op) step {
	number, low, high := p.register(ubMaskRegister), p.number(op, "mask0"), p.number(op, "mask1")
	return func(fr *frame) *Fault {
		fr.core.registers[number] = register{^low(fr), ^high(fr)}
		return nil
	}
}

// ubMaskMode plans making the mask a count, or bits again.
func (p *planner) ubMaskMode(kind sem.UbMaskMode) step {
	number, value := p.register(ubCountRegister), uint64(0)
	if kind.Count {
		value = 1
	}
	return func(fr *frame) *Fault {
		fr.core.registers[number] = register{value}
		return nil
	}
}
