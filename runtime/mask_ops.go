// This file compiles instructions on mask registers.

package runtime

import (
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// maskPattern compiles op into a step, a function that creates a mask from a named
// pattern such as PAT_ALL.
func (p *planner) maskPattern(op *ir.Op, kind sem.MaskPattern) step {
	name := sem.PatternName(op)
	m, ok := pattern(name, kind.Bits/8)
	if !ok {
		p.errorf(op, "uses the mask pattern %q, which pto-run does not support", name)
		return nil
	}
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.m[d] = m; return nil }
}

// pattern returns the mask of a named pattern such as PAT_ALL. The bool result is false
// for an unknown name.
func pattern(name string, laneBytes int) (mask, bool) {
	lanes := pto.VectorBytes / laneBytes
	switch name {
	case "PAT_ALL":
		return first(lanes, laneBytes), true
	case "PAT_ALLF":
		return mask{}, true
	case "PAT_H":
		return first(lanes/2, laneBytes), true
	case "PAT_Q":
		return first(lanes/4, laneBytes), true
	case "PAT_M3":
		return multiples(3, laneBytes), true
	case "PAT_M4":
		return multiples(4, laneBytes), true
	}
	if n, ok := strings.CutPrefix(name, "PAT_VL"); ok {
		if k, err := strconv.Atoi(n); err == nil {
			return first(k, laneBytes), true
		}
	}
	return mask{}, false
}

// multiples returns a mask that selects the lanes 0, n, 2n, and so on.
func multiples(n, laneBytes int) mask {
	var m mask
	for i := 0; i < pto.VectorBytes/laneBytes; i += n {
		m.set(i, laneBytes)
	}
	return m
}

// maskTail compiles op into a step, a function that creates a mask of the first n lanes,
// for the last iteration of a loop. In one variant, n is a counter operand, and the step
// also returns the counter minus the number of lanes of a register. In the other variant,
// the step computes n from the iteration number and the total number of elements.
func (p *planner) maskTail(op *ir.Op, kind sem.MaskTail) step {
	size := kind.Bits / 8
	lanes := pto.VectorBytes / size
	in, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	if kind.Loop {
		bound := p.slot(op.Operand(1))
		return func(fr *frame) *Fault {
			fr.m[d] = first(int(int32(fr.x[bound]))-int(int16(fr.x[in]))*lanes, size)
			return nil
		}
	}
	rest := p.slot(op.Result(1))
	return func(fr *frame) *Fault {
		n := int(int32(fr.x[in]))
		fr.m[d] = first(n, size)
		fr.x[rest] = uint64(max(n-lanes, 0))
		return nil
	}
}

// maskLogic compiles op into a step, the Go function that executes it. The step combines
// masks bit by bit. The last operand is usually the mask of the instruction: in bits that
// it does not select, the result is zero. For a selection between two masks, the last
// operand has another purpose: it determines from which of the two masks each bit comes.
func (p *planner) maskLogic(op *ir.Op, kind sem.MaskLogic) step {
	a, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	b, by := p.slot(op.Operand(1)), p.slot(op.Operand(op.NumOperands()-1))
	var word func(a, b, by uint64) uint64
	switch kind.Op {
	case sem.MaskAnd:
		word = func(a, b, by uint64) uint64 { return a & b & by }
	case sem.MaskOr:
		word = func(a, b, by uint64) uint64 { return (a | b) & by }
	case sem.MaskXor:
		word = func(a, b, by uint64) uint64 { return (a ^ b) & by }
	case sem.MaskNot:
		word = func(a, _, by uint64) uint64 { return ^a & by }
	case sem.MaskSel:
		word = func(a, b, by uint64) uint64 { return a&by | b&^by }
	default:
		p.errorf(op, "cannot be executed by pto-run yet")
		return nil
	}
	return func(fr *frame) *Fault {
		x, y, z := &fr.m[a], &fr.m[b], &fr.m[by]
		for i := range x {
			fr.m[d][i] = word(x[i], y[i], z[i])
		}
		return nil
	}
}

// maskRearrange compiles op into a step, a function that moves mask bits, for example an
// interleave of two masks.
func (p *planner) maskRearrange(op *ir.Op, kind sem.MaskRearrange) step {
	a, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	upper := sem.UpperHalf(op)
	switch kind.Kind {
	case sem.Interleave, sem.Deinterleave:
		b, e := p.slot(op.Operand(1)), p.slot(op.Result(1))
		shuffle := interleave
		if kind.Kind == sem.Deinterleave {
			shuffle = deinterleave
		}
		size := kind.Bits / 8
		return func(fr *frame) *Fault {
			fr.m[d], fr.m[e] = shuffle(&fr.m[a], &fr.m[b], size)
			return nil
		}
	case sem.Narrow:
		return func(fr *frame) *Fault { fr.m[d] = halve(fr.m[a], upper); return nil }
	case sem.WidenZero:
		return func(fr *frame) *Fault { fr.m[d] = double(fr.m[a], upper); return nil }
	case sem.Reinterpret:
		return func(fr *frame) *Fault { fr.m[d] = fr.m[a]; return nil }
	}
	p.errorf(op, "cannot be executed by pto-run yet")
	return nil
}

// interleave alternates the lanes of the masks a and b. The result low is the first half
// of the interleaved lanes, and the result high is the second half.
func interleave(a, b *mask, laneBytes int) (low, high mask) {
	lanes := pto.VectorBytes / laneBytes
	out := [2]*mask{&low, &high}
	for i := range lanes {
		if a.has(i, laneBytes) {
			out[2*i/lanes].set(2*i%lanes, laneBytes)
		}
		if b.has(i, laneBytes) {
			out[2*i/lanes].set(2*i%lanes+1, laneBytes)
		}
	}
	return low, high
}

// deinterleave separates the lanes of the concatenation of the masks a and b. The
// parameter size is the size of a lane in bytes. The result low contains the lanes with
// even numbers, and the result high contains those with odd numbers.
func deinterleave(a, b *mask, size int) (low, high mask) {
	lanes := pto.VectorBytes / size
	out := [2]*mask{&low, &high}
	for k, in := range [2]*mask{a, b} {
		for i := range lanes {
			if in.has(i, size) {
				out[i%2].set(k*lanes/2+i/2, size)
			}
		}
	}
	return low, high
}

// halve moves the even bits (0, 2, 4, ...) of m to the lower half of the result, or to
// the upper half if upper is set. The remaining half of the result is zero.
func halve(m mask, upper bool) mask {
	var out mask
	for i := range pto.VectorBytes / 2 {
		if m.has(2*i, 1) {
			out.set(i+half(upper), 1)
		}
	}
	return out
}

// The function double spreads half of the bits of mask m over a complete mask: bit i of
// this half becomes bit 2*i of the result. It uses the upper half of m if upper is set,
// and the lower half if it is not. The odd bits of the result are zero.
func double(m mask, upper bool) mask {
	var out mask
	for i := range pto.VectorBytes / 2 {
		if m.has(i+half(upper), 1) {
			out.set(2*i, 1)
		}
	}
	return out
}

// half returns the number of the first bit in the lower half of a mask, or in the upper
// half if upper is set.
func half(upper bool) int {
	if upper {
		return pto.VectorBytes / 2
	}
	return 0
}

// imageBytes is the number of bytes that a mask occupies in memory, one bit per byte of a
// vector register.
const imageBytes = pto.VectorBytes / 8

// maskAccess describes the memory operand of op, an instruction that loads or stores a
// mask, for the step that executes op. The parameter how states whether op reads or
// writes memory. If immediate is set, the offset of op is a constant, which counts units;
// the parameter unit is the number of bytes of a unit.
func (p *planner) maskAccess(op *ir.Op, how access, immediate bool, unit int) *vecAccess {
	mem := p.vecAccess(op, sem.PointerAccessOf(op), how, 1)
	if mem != nil {
		mem.scale = 1
		if immediate {
			mem.scale = uint64(unit)
		}
	}
	return mem
}

// maskLoad compiles op into a step, a function that loads a mask from memory. A mask has
// one bit for each byte of a vector register. The load can also read half as many bits
// and use each of them twice, or read twice as many bits and use every second one.
func (p *planner) maskLoad(op *ir.Op, kind sem.MaskLoad) step {
	image := sem.MaskImageOf(op)
	n, unit := imageBytes, imageBytes
	switch image {
	case sem.ImageTwice:
		n, unit = imageBytes/2, imageBytes/2
	case sem.ImageHalf:
		n = 2 * imageBytes
	}
	mem := p.maskAccess(op, reads, kind.Immediate, unit)
	if mem == nil {
		return nil
	}
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, n)
		if f != nil {
			return f
		}
		var low, high mask
		k := copy(low.image(), b)
		copy(high.image(), b[k:])
		switch image {
		case sem.ImageTwice: // each bit twice
			wide := double(low, false)
			for i := range wide {
				low[i] = wide[i] | wide[i]<<1
			}
		case sem.ImageHalf: // every second bit
			x, y := halve(low, false), halve(high, true)
			for i := range low {
				low[i] = x[i] | y[i]
			}
		}
		fr.m[d] = low
		return nil
	}
}

// maskStore compiles op into a step, a function that stores a mask to memory. A mask has
// one bit for each byte of a vector register. The store writes all bits, or only every
// second bit.
func (p *planner) maskStore(op *ir.Op, kind sem.MaskStore) step {
	packed := sem.MaskImageOf(op) == sem.ImagePacked
	n := imageBytes
	if packed {
		n /= 2
	}
	mem := p.maskAccess(op, writes, kind.Immediate, n)
	if mem == nil {
		return nil
	}
	from := p.slot(sem.VectorAccessOf(op).Value.Value)
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, n)
		if f != nil {
			return f
		}
		m := fr.m[from]
		if packed {
			m = halve(m, false)
		}
		copy(b, m.image())
		return nil
	}
}
