package diff

import (
	"errors"
	"math"
	"math/bits"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// compute interprets an instruction that computes each result lane from operand lanes.
func (r *reference) compute(op *ir.Op, kind any) error {
	switch kind := kind.(type) {
	case sem.VecMap:
		return r.mapped(op, kind)
	case sem.VecExtended:
		for i, fn := range []*scalar.Fn{kind.Low, kind.High} {
			if err := r.apply(op, fn, op.Operands(), op.Result(i)); err != nil {
				return err
			}
		}
	case sem.VecCarry:
		r.carry(op, kind)
	case sem.VecCompare:
		return r.compare(op)
	case sem.VecConvert:
		return r.convert(op, kind)
	case sem.VecWiden:
		return r.widen(op, kind)
	case sem.VecRound:
		r.round(op)
	}
	return nil
}

// round interprets the rounding of lanes to integral values.
func (r *reference) round(op *ir.Op) {
	f, size := lanesOf(op.Result(0).Type())
	src, m := r.register(op.Operand(0)), r.maskOf(op)
	var out bytes256
	for i := range len(out) / size {
		if m[i*size] {
			x := integral(textOf(op, "round_mode"), num.Decode(f, src.lane(i, size)))
			out.put(i, size, num.Encode(f, x, num.NearestEven, false))
		}
	}
	r.set(op.Result(0), &out)
}

// integral rounds x to an integer. mode is the letter of the rounding mode.
func integral(mode string, x float64) float64 {
	down := math.Floor(x)
	switch mode {
	case "A":
		return math.Round(x)
	case "F":
		return down
	case "C":
		return math.Ceil(x)
	case "Z":
		return math.Trunc(x)
	case "H": // halves up
		if x-down >= 0.5 {
			return math.Copysign(down+1, x)
		}
		return down
	case "O": // what is not integral becomes odd
		if x != down && math.Mod(down, 2) == 0 {
			return math.Copysign(down+1, x)
		}
		return down
	}
	return math.RoundToEven(x)
}

func (r *reference) mapped(op *ir.Op, kind sem.VecMap) error {
	ins := op.Operands()
	if kind.Args[0] != "" {
		ins = nil
		for _, name := range kind.Args {
			if name != "" {
				ins = append(ins, op.Arg(name))
			}
		}
	}
	return r.apply(op, kind.Fn, ins, op.Result(0))
}

// asLane returns lane i of the operand v, or the scalar v converted to the format of
// lanes with size bytes.
func (r *reference) asLane(v *ir.Value, i, size int) uint64 {
	if x, ok := r.env[v].(*bytes256); ok {
		return x.lane(i, size)
	}
	f, _ := ir.FormatOf(v.Type())
	if x := r.scalar(v); f.IsInt() && f.Signed() {
		return uint64(num.Int(f, x))
	}
	return r.scalar(v)
}

// formatFor returns the format in which the function fn processes lanes of format f.
// Bitwise functions treat all lanes as unsigned integers.
func formatFor(fn *scalar.Fn, f num.Format) num.Format {
	if fn.Supports(f) {
		return f
	}
	return map[int]num.Format{8: num.U8, 16: num.U16, 32: num.U32, 64: num.U64}[f.Bits()]
}

// apply computes the function fn on lanes of the type of result. It ignores masks among
// the operands ins.
func (r *reference) apply(op *ir.Op, fn *scalar.Fn, ins []*ir.Value, result *ir.Value) error {
	f, size := lanesOf(result.Type())
	m := r.maskOf(op)
	var out bytes256
	for i := range len(out) / size {
		if !m[i*size] {
			continue
		}
		y, err := r.value(fn, formatFor(fn, f), ins, i, size)
		if err != nil {
			return err
		}
		out.put(i, size, y)
	}
	r.set(result, &out)
	return nil
}

func (r *reference) value(fn *scalar.Fn, f num.Format, ins []*ir.Value, i, size int) (uint64, error) {
	var x [3]uint64
	n := 0
	for _, v := range ins {
		if !ir.Is[pto.Mask](v.Type()) {
			x[n] = r.asLane(v, i, size) & f.Mask()
			n++
		}
	}
	return fn.Eval3(f, x[0], x[1], x[2])
}

// carry interprets an addition or subtraction with a carry in each lane.
func (r *reference) carry(op *ir.Op, kind sem.VecCarry) {
	f, size := lanesOf(op.Result(0).Type())
	a, b, m := r.register(op.Operand(0)), r.register(op.Operand(1)), r.mask(op.Arg("mask"))
	var in bits256
	if kind.CarryIn {
		in = r.mask(op.Arg("carry_in"))
	}
	var out bytes256
	var carries bits256
	for i := range len(out) / size {
		if !m[i*size] {
			continue
		}
		x, y, c := a.lane(i, size), b.lane(i, size), uint64(0)
		if kind.Sub { // x - y is x + ^y + 1
			y, c = ^y&f.Mask(), 1
		}
		if kind.CarryIn {
			c = 0
			if in[i*size] {
				c = 1
			}
		}
		sum, over := bits.Add64(x, y, c)
		out.put(i, size, sum&f.Mask())
		carries[i*size] = over != 0 || sum > f.Mask()
	}
	r.set(op.Result(0), &out)
	r.set(op.Result(1), &carries)
}

func (r *reference) compare(op *ir.Op) error {
	f, size := lanesOf(op.Operand(0).Type())
	a, m := r.register(op.Operand(0)), r.maskOf(op)
	mode := textOf(op, "cmp_mode")
	var out bits256
	for i := range pto.VectorBytes / size {
		x, y := a.lane(i, size), r.asLane(op.Operand(1), i, size)&f.Mask()
		holds, err := related(f, mode, x, y)
		if err != nil {
			return err
		}
		out[i*size] = m[i*size] && holds
	}
	r.set(op.Result(0), &out)
	return nil
}

// related reports whether the relation mode holds between two elements of format f. NaN
// is unequal to every number.
func related(f num.Format, mode string, x, y uint64) (bool, error) {
	var less, equal bool
	switch {
	case f.IsFloat():
		a, b := num.Decode(f, x), num.Decode(f, y)
		if a != a || b != b {
			return mode == "ne", nil
		}
		less, equal = a < b, a == b
	case f.Signed():
		less, equal = num.Int(f, x) < num.Int(f, y), x == y
	default:
		less, equal = x < y, x == y
	}
	switch mode {
	case "eq":
		return equal, nil
	case "ne":
		return !equal, nil
	case "lt":
		return less, nil
	case "le":
		return less || equal, nil
	case "gt":
		return !less && !equal, nil
	case "ge":
		return !less, nil
	}
	return false, errors.New("unknown relation " + mode)
}

// partOf returns the index that the attribute part of op selects.
func partOf(op *ir.Op) int {
	switch part := textOf(op, "part"); {
	case part == "ODD":
		return 1
	case len(part) == 2 && part[0] == 'P':
		return int(part[1] - '0')
	}
	return 0
}

// convert interprets a conversion of lanes. If the widths differ, each lane of the wider
// register corresponds to one of several narrow lanes; the attribute part selects which.
func (r *reference) convert(op *ir.Op, kind sem.VecConvert) error {
	from, in := lanesOf(op.Operand(0).Type())
	to, width := lanesOf(op.Result(0).Type())
	if from.Bits() == 4 || to.Bits() == 4 {
		return r.convertPairs(op)
	}
	rnd, m, part := roundingOf(op), r.maskOf(op), partOf(op)
	var out bytes256
	for i := range len(out) / max(in, width) {
		s, d := i, i
		if in < width {
			s = i*(width/in) + part
		}
		if in > width {
			d = i*(in/width) + part
		}
		if !m[s*in] {
			continue
		}
		src := r.env[op.Operand(0)].(*bytes256)
		x := src.lane(s, in)
		if kind.Pre != nil {
			var err error
			if x, err = r.value(kind.Pre, from, op.Operands(), s, in); err != nil {
				return err
			}
		}
		sat := textOf(op, "sat") == "SAT"
		if sat && from.IsFloat() && math.IsNaN(num.Decode(from, x)) {
			out.put(d, width, 0) // in registers NaN saturates to zero
			continue
		}
		out.put(d, width, num.Convert(from, to, x, rnd, sat))
	}
	r.set(op.Result(0), &out)
	return nil
}

// roundingOf returns the rounding mode of the conversion op.
func roundingOf(op *ir.Op) num.Rounding {
	if rnd, ok := num.ParseRounding(textOf(op, "rnd")); ok {
		return rnd
	}
	return num.NearestEven
}

// convertPairs interprets a conversion from or to pairs of 4-bit numbers. It processes
// each pair as a unit: the bytes part, part+4, and so on.
func (r *reference) convertPairs(op *ir.Op) error {
	from, in := lanesOf(op.Operand(0).Type())
	to, width := lanesOf(op.Result(0).Type())
	src, rnd, m := r.register(op.Operand(0)), roundingOf(op), r.maskOf(op)
	wide := max(in, width)
	var out bytes256
	for i := range len(out) / wide {
		b, shift := i/2*4+partOf(op), i%2*4
		if from.Bits() == 4 {
			if m[b] {
				out.put(i, wide, num.Convert(from, to, uint64(src[b])>>shift&15, rnd, false))
			}
		} else if m[i*wide] {
			out[b] |= byte(num.Convert(from, to, src.lane(i, wide), rnd, false) << shift)
		}
	}
	r.set(op.Result(0), &out)
	return nil
}

// widen interprets a function that is computed in the format of the result, which may be
// wider than the operands.
func (r *reference) widen(op *ir.Op, kind sem.VecWiden) error {
	from, in := lanesOf(op.Operand(0).Type())
	to, width := lanesOf(op.Result(0).Type())
	a, b, m := r.register(op.Operand(0)), r.register(op.Operand(1)), r.maskOf(op)
	var out bytes256
	for i := range len(out) / width {
		s := i
		if in < width {
			s = i*(width/in) + partOf(op)
		}
		if !m[s*in] {
			continue
		}
		x := num.Convert(from, to, a.lane(s, in), num.NearestEven, false)
		y := num.Convert(from, to, b.lane(s, in), num.NearestEven, false)
		z, err := kind.Fn.Eval2(to, x, y)
		if err != nil {
			return err
		}
		out.put(i, width, z)
	}
	r.set(op.Result(0), &out)
	return nil
}
