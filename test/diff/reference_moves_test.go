package diff

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// rearrange interprets an instruction that moves, repeats or combines the lanes of a
// register.
func (r *reference) rearrange(op *ir.Op, kind any) error {
	switch kind := kind.(type) {
	case sem.VecReduce:
		return r.reduce(op, kind)
	case sem.VecHistogram:
		return r.histogram(op, kind)
	case sem.VecSelect:
		_, size := lanesOf(op.Result(0).Type())
		a, b, m := r.register(op.Arg("src0")), r.register(op.Arg("src1")), r.mask(op.Arg("mask"))
		for i := range a {
			if !m[i/size*size] {
				a[i] = b[i]
			}
		}
		r.set(op.Result(0), &a)
	case sem.VecBroadcast:
		r.broadcast(op)
	case sem.VecIndex:
		f, size := lanesOf(op.Result(0).Type())
		fn := scalar.Add
		if textOf(op, "order") == "DESC" {
			fn = scalar.Sub
		}
		var out bytes256
		for i := range len(out) / size {
			k := num.Convert(num.I32, f, uint64(i), num.NearestEven, false)
			x, _ := fn.Eval2(f, r.scalar(op.Operand(0))&f.Mask(), k)
			out.put(i, size, x)
		}
		r.set(op.Result(0), &out)
	case sem.VecRearrange:
		return r.moveLanes(op, kind.Kind)
	}
	return nil
}

func (r *reference) broadcast(op *ir.Op) {
	_, size := lanesOf(op.Result(0).Type())
	m := r.maskOf(op)
	var out bytes256
	for i := range len(out) / size {
		from := 0
		if textOf(op, "position") == "HIGHEST" {
			from = len(out)/size - 1
		}
		if x, ok := r.env[op.Operand(0)].(*bytes256); ok && m[i*size] {
			out.put(i, size, x.lane(from, size))
		} else if m[i*size] {
			out.put(i, size, r.scalar(op.Operand(0)))
		}
	}
	r.set(op.Result(0), &out)
}

// reduce interprets a reduction of the selected lanes, in their order.
func (r *reference) reduce(op *ir.Op, kind sem.VecReduce) error {
	from, in := lanesOf(op.Operand(0).Type())
	to, width := lanesOf(op.Result(0).Type())
	src, m := r.register(op.Operand(0)), r.maskOf(op)
	lanes := len(src) / in
	per := map[sem.Placement]int{sem.PerBlock: 32 / in, sem.PerPair: 2}[kind.Into]
	if per == 0 {
		per = lanes
	}
	var out bytes256
	for g := range lanes / per {
		if kind.Op == sem.ReduceSum && to.IsFloat() {
			out.put(g, width, treeSum(from, to, &src, &m, g*per, per))
			continue
		}
		acc := neutral(kind.Op, to)
		for i := g * per; i < (g+1)*per; i++ {
			if m[i*in] {
				x := num.Convert(from, to, src.lane(i, in), num.NearestEven, false)
				acc, _ = map[sem.ReduceOp]*scalar.Fn{sem.ReduceSum: scalar.Add, sem.ReduceMax: scalar.Max, sem.ReduceMin: scalar.Min}[kind.Op].Eval2(to, acc, x)
			}
		}
		out.put(g, width, acc)
	}
	var equal bits256
	first := -1
	for i := range lanes {
		if m[i*in] && num.Same(from, src.lane(i, in), out.lane(0, width)) {
			equal[i*in] = true
			if first < 0 {
				first = i
			}
		}
	}
	if kind.Into == sem.IntoIndexed && first >= 0 {
		out.put(1, width, uint64(first))
	}
	r.set(op.Result(0), &out)
	if kind.Into == sem.IntoMasked {
		r.set(op.Result(1), &equal)
	}
	return nil
}

// treeSum returns the sum of n lanes, starting at lane first: it adds the sums of both
// halves recursively in f32 and rounds once at the end. Lanes outside the mask count as
// 0.
func treeSum(from, to num.Format, src *bytes256, m *bits256, first, n int) uint64 {
	var sum func(at, n int) float32
	sum = func(at, n int) float32 {
		if n > 1 {
			return sum(at, n/2) + sum(at+n/2, n/2)
		}
		if !m[at*from.Bytes()] {
			return 0
		}
		return float32(num.Decode(from, src.lane(at, from.Bytes())))
	}
	return num.Encode(to, float64(sum(first, n)), num.NearestEven, false)
}

// neutral returns the bits of the neutral element of a reduction, such as 0 for a sum.
func neutral(op sem.ReduceOp, f num.Format) uint64 {
	if op == sem.ReduceSum {
		return 0
	}
	if f.IsFloat() {
		sign := 1
		if op == sem.ReduceMax {
			sign = -1
		}
		return num.Encode(f, math.Inf(sign), num.NearestEven, false)
	}
	switch {
	case op == sem.ReduceMax && f.Signed():
		return f.SignBit()
	case op == sem.ReduceMax:
		return 0
	case f.Signed():
		return f.SignBit() - 1
	}
	return f.Mask()
}

func (r *reference) histogram(op *ir.Op, kind sem.VecHistogram) error {
	acc, src, m := r.register(op.Arg("acc")), r.register(op.Arg("source")), r.mask(op.Arg("mask"))
	half := r.scalar(op.Arg("bin")) & math.MaxUint32
	if half > 1 {
		return errors.New("there are two halves")
	}
	for b := range 128 {
		n := uint64(0)
		for i, x := range src {
			bin := int(half)*128 + b
			if m[i] && (int(x) == bin || kind.Cumulative && int(x) < bin) {
				n++
			}
		}
		acc.put(b, 2, acc.lane(b, 2)+n)
	}
	r.set(op.Result(0), &acc)
	return nil
}

// moveLanes interprets a rearrangement of lanes: it computes the source lane of each
// result lane.
func (r *reference) moveLanes(op *ir.Op, kind sem.Rearrangement) error {
	_, size := lanesOf(op.Operand(0).Type())
	a, n := r.register(op.Operand(0)), pto.VectorBytes/size
	upper := textOf(op, "part") == "HIGHER"
	var low, high bytes256
	switch kind {
	case sem.Interleave, sem.Deinterleave:
		b := r.register(op.Operand(1))
		both := append(append([]byte(nil), a[:]...), b[:]...)
		for k := range 2 * n {
			from := k/2 + k%2*n // in turns
			if kind == sem.Deinterleave {
				from = 2*(k%n) + k/n
			}
			to := &low
			if k >= n {
				to = &high
			}
			copy(to[k%n*size:][:size], both[from*size:][:size])
		}
		if op.NumResults() == 1 && upper {
			low = high
		}
		if op.NumResults() == 2 {
			r.set(op.Result(1), &high)
		}
	case sem.Compact, sem.CountBefore:
		m, k := r.maskOf(op), 0
		for i := range n {
			if kind == sem.CountBefore {
				low.put(i, size, uint64(k))
			}
			if m[i*size] {
				if kind == sem.Compact {
					low.put(k, size, a.lane(i, size))
				}
				k++
			}
		}
		if kind == sem.Compact {
			r.compacted = k * size
		}
	case sem.Narrow:
		for i := range n {
			to := i
			if upper {
				to += n
			}
			low.put(to, size/2, a.lane(i, size))
		}
	case sem.WidenSigned, sem.WidenZero:
		for i := range n / 2 {
			from := i
			if r.scalar(op.Operand(1)) != 0 {
				from += n / 2
			}
			x := a.lane(from, size)
			if kind == sem.WidenSigned {
				x = uint64(int64(x<<(64-8*size)) >> (64 - 8*size))
			}
			low.put(i, 2*size, x)
		}
	case sem.Permute:
		index := r.register(op.Operand(1))
		for i := range n {
			low.put(i, size, a.lane(int(index.lane(i, size)%uint64(n)), size))
		}
	case sem.Window, sem.ShiftLanes:
		last := op.NumOperands() - 1
		both := make([]byte, 2*pto.VectorBytes)
		lower := r.register(op.Operand(last - 1))
		copy(both, lower[:])
		if kind == sem.Window {
			copy(both[pto.VectorBytes:], a[:])
		}
		for i := range n {
			if k := i + int(int16(r.scalar(op.Operand(last)))); k >= 0 && k < 2*n {
				copy(low[i*size:][:size], both[k*size:])
			}
		}
	case sem.Reinterpret:
		low = a
	default:
		return errors.New("has no reference")
	}
	r.set(op.Result(0), &low)
	return nil
}

// masks interprets an instruction that creates a mask from other masks or from numbers.
func (r *reference) masks(op *ir.Op, kind any) error {
	var out bits256
	switch kind := kind.(type) {
	case sem.MaskPattern:
		return r.pattern(op, kind.Bits/8)
	case sem.MaskTail:
		lanes, size := pto.VectorBytes*8/kind.Bits, kind.Bits/8
		n := int(int32(r.scalar(op.Operand(0))))
		if kind.Loop {
			n = int(int32(r.scalar(op.Operand(1)))) - int(int16(r.scalar(op.Operand(0))))*lanes
		} else {
			r.set(op.Result(1), uint64(max(n-lanes, 0)))
		}
		for i := range lanes {
			out[i*size] = i < n
		}
	case sem.MaskLogic:
		a, b, by := r.mask(op.Operand(0)), r.mask(op.Operand(1)), r.mask(op.Operand(op.NumOperands()-1))
		for i := range out {
			switch kind.Op {
			case sem.MaskAnd:
				out[i] = a[i] && b[i] && by[i]
			case sem.MaskOr:
				out[i] = (a[i] || b[i]) && by[i]
			case sem.MaskXor:
				out[i] = a[i] != b[i] && by[i]
			case sem.MaskNot:
				out[i] = !a[i] && by[i]
			case sem.MaskSel:
				out[i] = a[i] && by[i] || b[i] && !by[i]
			}
		}
	case sem.MaskRearrange:
		return r.moveBits(op, kind)
	}
	r.set(op.Result(0), &out)
	return nil
}

func (r *reference) pattern(op *ir.Op, size int) error {
	name := textOf(op, "pattern")
	lanes := pto.VectorBytes / size
	on := map[string]func(i int) bool{
		"PAT_ALL": func(int) bool { return true }, "PAT_ALLF": func(int) bool { return false },
		"PAT_H": func(i int) bool { return i < lanes/2 }, "PAT_Q": func(i int) bool { return i < lanes/4 },
		"PAT_M3": func(i int) bool { return i%3 == 0 }, "PAT_M4": func(i int) bool { return i%4 == 0 },
	}[name]
	if n, ok := strings.CutPrefix(name, "PAT_VL"); ok {
		k, err := strconv.Atoi(n)
		if err != nil {
			return err
		}
		on = func(i int) bool { return i < k }
	}
	if on == nil {
		return errors.New("unknown pattern " + name)
	}
	var out bits256
	for i := range lanes {
		out[i*size] = on(i)
	}
	r.set(op.Result(0), &out)
	return nil
}

// moveBits interprets a rearrangement of the bits of masks.
func (r *reference) moveBits(op *ir.Op, kind sem.MaskRearrange) error {
	a := r.mask(op.Operand(0))
	upper := textOf(op, "part") == "HIGHER"
	const n = pto.VectorBytes
	var out, high bits256
	switch kind.Kind {
	case sem.Interleave, sem.Deinterleave:
		b, size := r.mask(op.Operand(1)), kind.Bits/8
		lanes := n / size
		both := append(append([]bool(nil), a[:]...), b[:]...)
		for k := range 2 * lanes {
			from := k/2 + k%2*lanes
			if kind.Kind == sem.Deinterleave {
				from = 2*(k%lanes) + k/lanes
			}
			if k < lanes {
				out[k*size] = both[from*size]
			} else {
				high[(k-lanes)*size] = both[from*size]
			}
		}
		r.set(op.Result(1), &high)
	case sem.Narrow:
		for i := range n / 2 {
			to := i
			if upper {
				to += n / 2
			}
			out[to] = a[2*i]
		}
	case sem.WidenZero:
		for i := range n / 2 {
			from := i
			if upper {
				from += n / 2
			}
			out[2*i] = a[from]
		}
	case sem.Reinterpret:
		out = a
	default:
		return errors.New("has no reference")
	}
	r.set(op.Result(0), &out)
	return nil
}
