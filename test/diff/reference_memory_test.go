package diff

import (
	"errors"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// memory interprets a load or store.
func (r *reference) memory(op *ir.Op, kind any) error {
	switch kind := kind.(type) {
	case sem.MaskLoad:
		return r.loadMask(op, kind.Immediate, kind.Unit)
	case sem.MaskStore:
		return r.storeMask(op, kind.Immediate, kind.Unit)
	case sem.VecLoad:
		return r.load(op)
	case sem.VecStore:
		return r.store(op)
	case sem.VecBlocks:
		return r.blocks(op, kind)
	case sem.VecGather:
		return r.gather(op, kind)
	case sem.VecScatter:
		return r.scatter(op)
	}
	return nil
}

// at returns the n bytes at address addr of the unified buffer, or an error if they are
// outside.
func (r *reference) at(addr uint64, n int) ([]byte, error) {
	if addr+uint64(n) > uint64(len(r.ub)) {
		return nil, errOutside
	}
	return r.ub[addr:][:n], nil
}

// address returns the address that a load or store accesses: the pointer operand ptr plus
// the offset operand, which counts in units of unit bytes. If the instruction returns the
// advanced pointer, the access is at the original pointer.
func (r *reference) address(op *ir.Op, ptr string, unit int) uint64 {
	v := op.Arg(ptr)
	if unit == 0 {
		unit = pto.ByteSize(ir.ElementType(v.Type()))
	}
	at, moved := r.scalar(v), r.scalar(v)
	if by := op.Arg("offset"); by != nil {
		f, _ := ir.FormatOf(by.Type())
		moved += uint64(num.Int(f, r.scalar(by)) * int64(unit))
	}
	for _, v := range op.Results() {
		if ir.Is[pto.PtrType](v.Type()) {
			r.set(v, moved)
			return at
		}
	}
	return moved
}

// maskUnit returns the unit in bytes of the offset operand of a mask access.
func maskUnit(immediate bool, unit, bytes int) int {
	if immediate {
		return bytes
	}
	return max(unit, 1)
}

func (r *reference) loadMask(op *ir.Op, immediate bool, unit int) error {
	dist := textOf(op, "dist")
	n := map[string]int{"NORM": 32, "US": 16, "DS": 64}[dist]
	step := min(n, 32)
	b, err := r.at(r.address(op, "source", maskUnit(immediate, unit, step)), n)
	if err != nil {
		return err
	}
	var out bits256
	for i := range out {
		k := map[string]int{"NORM": i, "US": i / 2, "DS": 2 * i}[dist]
		out[i] = b[k/8]>>(k%8)&1 == 1
	}
	r.set(op.Result(0), &out)
	return nil
}

func (r *reference) storeMask(op *ir.Op, immediate bool, unit int) error {
	n, every := 32, 1
	if textOf(op, "dist") == "PK" {
		n, every = 16, 2
	}
	b, err := r.at(r.address(op, "destination", maskUnit(immediate, unit, n)), n)
	if err != nil {
		return err
	}
	m := r.mask(op.Arg("value"))
	clear(b)
	for i := range 8 * n {
		if m[i*every] {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return nil
}

// registersOf returns the values in vs that are vector registers.
func registersOf(vs []*ir.Value) []*ir.Value {
	var regs []*ir.Value
	for _, v := range vs {
		if ir.Is[pto.VReg](v.Type()) {
			regs = append(regs, v)
		}
	}
	return regs
}

// unitOf returns the size in bytes of the elements that the distribution mode d
// transfers.
func unitOf(d lanemap.Dist, lane int) int {
	if d.Bits > 0 {
		return d.Bits / 8
	}
	return lane
}

// sourceOf returns the memory offset of byte k of the register with index reg after a
// load, or -1 for a zero byte. d is the distribution mode and unit its element size.
func sourceOf(d lanemap.Dist, unit, reg, k int) int {
	i, rest := k/unit, k%unit
	switch d.Pattern {
	case lanemap.OneToAll:
		return rest
	case lanemap.BlockToAll:
		return k % 32
	case lanemap.Repeat:
		return i/d.Factor*unit + rest
	case lanemap.Every:
		return (i*d.Factor+reg)*unit + rest
	case lanemap.Spaced:
		if i%d.Factor != 0 {
			return -1
		}
		return i/d.Factor*unit + rest
	case lanemap.ElementToBlock:
		return k/32*unit + rest
	case lanemap.BlockEvery:
		return (k/32*2+reg)*32 + k%32
	}
	return k
}

func (r *reference) load(op *ir.Op) error {
	d := lanemap.DistOf(op)
	at := r.address(op, "source", 0)
	for reg, v := range registersOf(op.Results()) {
		_, size := lanesOf(v.Type())
		var out bytes256
		for k := range out {
			if from := sourceOf(d, unitOf(d, size), reg, k); from >= 0 {
				b, err := r.at(at+uint64(from), 1)
				if err != nil {
					return err
				}
				out[k] = b[0]
			}
		}
		r.set(v, &out)
	}
	return nil
}

// store interprets a vector store: it writes the register elements that the mask selects
// to the locations that the distribution mode determines.
func (r *reference) store(op *ir.Op) error {
	d := lanemap.DistOf(op)
	at := r.address(op, "destination", 0)
	m := r.maskOf(op)
	for reg, v := range registersOf(op.Operands()) {
		_, size := lanesOf(v.Type())
		unit, value := unitOf(d, size), r.register(v)
		for i := range pto.VectorBytes / unit {
			to, on := i, m[i*unit]
			switch d.Pattern {
			case lanemap.OneToAll:
				on = i == 0
			case lanemap.Every:
				to, on = i*d.Factor+reg, on || d.Pair // pairs do not look at the mask
			case lanemap.Spaced:
				to, on = i/d.Factor, i%d.Factor == 0 && m[i*unit]
			case lanemap.Channels:
				return errors.New("has no reference")
			}
			if !on {
				continue
			}
			b, err := r.at(at+uint64(to*unit), unit)
			if err != nil {
				return err
			}
			copy(b, value[i*unit:])
		}
	}
	return nil
}

// blocks interprets a strided load or store of blocks of 32 bytes.
func (r *reference) blocks(op *ir.Op, kind sem.VecBlocks) error {
	ptr, m := op.Arg("source"), r.maskOf(op)
	if kind.Store {
		ptr = op.Arg("destination")
	}
	stride, repeat := int64(int16(r.scalar(op.Arg("block_stride")))), int64(int16(r.scalar(op.Arg("repeat_stride"))))
	base := r.scalar(ptr) + uint64(32*repeat)
	for _, v := range op.Results() {
		if ir.Is[pto.PtrType](v.Type()) {
			r.set(v, base)
			base = r.scalar(ptr)
		}
	}
	var reg bytes256
	if kind.Store {
		reg = r.register(op.Arg("value"))
	}
	for k := range 8 {
		if !m[32*k] {
			continue
		}
		b, err := r.at(base+uint64(32*stride*int64(k)), 32)
		if err != nil {
			return err
		}
		if kind.Store {
			copy(b, reg[32*k:])
		} else {
			copy(reg[32*k:][:32], b)
		}
	}
	if !kind.Store {
		r.set(op.Result(0), &reg)
	}
	return nil
}

// gather interprets a load of elements, or of blocks of 32 bytes, from the given offsets.
func (r *reference) gather(op *ir.Op, kind sem.VecGather) error {
	_, width := lanesOf(op.Result(0).Type())
	_, index := lanesOf(op.Arg("offsets").Type())
	elem := pto.ByteSize(ir.ElementType(op.Arg("source").Type()))
	base, at, m := r.scalar(op.Arg("source")), r.register(op.Arg("offsets")), r.maskOf(op)
	var out bytes256
	if kind.Unit == sem.GatherBlocks {
		for k := range 8 {
			if !m[4*k] { // a bit for each block, at the place of a 32-bit lane
				continue
			}
			b, err := r.at(base+at.lane(k, index), 32)
			if err != nil {
				return err
			}
			copy(out[32*k:], b)
		}
		r.set(op.Result(0), &out)
		return nil
	}
	for i := range len(out) / width {
		if !m[i*width] {
			continue
		}
		b, err := r.at(base+at.lane(i, index)*uint64(elem), elem)
		if err != nil {
			return err
		}
		copy(out[i*width:], b)
	}
	r.set(op.Result(0), &out)
	return nil
}

// scatter interprets a store of lanes to the given offsets. If two offsets are equal, the
// last lane remains.
func (r *reference) scatter(op *ir.Op) error {
	value, at, m := r.register(op.Arg("value")), r.register(op.Arg("offsets")), r.maskOf(op)
	_, size := lanesOf(op.Arg("value").Type())
	_, index := lanesOf(op.Arg("offsets").Type())
	for i := range pto.VectorBytes / index {
		lane := i * index / size
		if !m[lane*size] {
			continue
		}
		b, err := r.at(r.scalar(op.Arg("destination"))+at.lane(i, index)*uint64(size), size)
		if err != nil {
			return err
		}
		copy(b, value[lane*size:])
	}
	return nil
}
