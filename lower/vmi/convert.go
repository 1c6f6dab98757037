// This file lowers conversions.

package vmi

import (
	"strings"

	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// source describes where the lanes of a wide register come from in a conversion. Lane j
// of the wide register comes from lane j*k + part of the narrow register with index reg,
// where k is the ratio of the lane widths.
type source struct{ reg, part int64 }

// partsOf prepares a conversion from vectors with narrow lanes to vectors with wide
// lanes, or the reverse. narrow and wide are the types of the two vectors, which have the
// same number of lanes and occupy several registers. The result has one entry for each
// register of the wide vector. An entry identifies the narrow register that holds the
// same lanes of the vector, and the position of the first of these lanes in the narrow
// register. If the layouts of the two types do not permit a conversion by registers,
// partsOf returns the reason as a string.
func partsOf(narrow, wide ir.Type) ([]source, string) {
	const why = "no instruction converts between its layouts"
	k := int64(laneBits(wide) / laneBits(narrow))
	if k == 0 {
		return nil, why
	}
	at := placesOf(narrow)
	var found []source
	for _, held := range contents(wide) {
		s := source{-1, 0}
		for j, i := range held {
			if i < 0 {
				continue
			}
			here := source{at[i].reg, at[i].lane - k*int64(j)}
			if s.reg >= 0 && here != s || here.part < 0 || here.part >= k {
				return nil, why
			}
			s = here
		}
		found = append(found, s)
	}
	return found, ""
}

// convert lowers a conversion of lanes to another element type.
func (c *call) convert(op *ir.Op, _ sem.LaneConvert) lowered {
	from, to := c.args[0].t, c.outs[0]
	rounding, saturates := lanemap.Rounding(op)
	steps, why := conversionSteps(ir.ElementType(from), ir.ElementType(to), rounding, saturates)
	if why != "" {
		return refused("%s", why)
	}
	out, why := c.convertBy(steps, c.args[0].parts, from, to)
	if why != "" {
		return refused("%s", why)
	}
	return gives(out)
}

// convertStep is one vcvt instruction, which converts lanes from one element type to
// another. The field rounding is the rounding mode. If the field saturates is true,
// results outside the target range become the nearest limit. If the field clamps is true,
// an earlier instruction limits the source values to the range from low to high.
type convertStep struct {
	from, to  ir.Type
	rounding  num.Rounding
	saturates bool
	clamps    bool
	low, high int64
}

// laneNumbers returns the type with which conversions interpret the lanes of type t. For
// a signless integer type, this is the unsigned type of the same width. For a lane with
// two bf16 values, it is bf16. Other types are returned unchanged.
func laneNumbers(t ir.Type) ir.Type {
	d, ok := ir.As[ir.IntegerType](t)
	switch {
	case ok && d.Sign == ir.Signless:
		return pto.UintType(d.Width)
	case pto.BF16x2.Has(t):
		return ir.BF16
	}
	return t
}

// conversionSteps returns the instructions that convert lanes to another type, with the
// given rounding mode. from is the type of the source lanes, and to is that of the result
// lanes. If saturates is true, values out of range become the largest or smallest number.
// Only one of the instructions may round, because two roundings can change the result.
// conversionSteps returns a reason if this is impossible.
func conversionSteps(from, to ir.Type, rounding num.Rounding, saturates bool) ([]convertStep, string) {
	a, b := laneNumbers(from), laneNumbers(to)
	x, fromInt := ir.As[ir.IntegerType](a)
	y, toInt := ir.As[ir.IntegerType](b)
	if fromInt && toInt && x.Width < y.Width { // the sign of the source decides
		b = ir.TypeOf(ir.IntegerType{Width: y.Width, Sign: x.Sign})
	}
	one := convertStep{from: a, to: b, rounding: rounding, saturates: saturates}
	if fits(one) {
		return []convertStep{one}, ""
	}
	if fromInt && toInt && x.Width > y.Width { // the low bits of clamped numbers
		cut := convertStep{from: pto.UintType(x.Width), to: pto.UintType(y.Width)}
		if saturates {
			cut.from, cut.clamps = a, true
			cut.low, cut.high = limits(y)
			if x.Sign != ir.Signed {
				cut.low = 0
			}
		}
		plain := cut
		plain.from, plain.clamps = pto.UintType(x.Width), false
		if fits(plain) {
			return []convertStep{cut}, ""
		}
	}
	for _, middle := range []ir.Type{ir.F32, ir.F16} {
		first := convertStep{from: a, to: middle}
		if fromInt && x.Width == 32 {
			first.rounding = num.Odd // a second rounding then has the result of one
		}
		second := convertStep{from: middle, to: b, rounding: rounding, saturates: saturates}
		if middle != a && middle != b && exact(a, middle) && fits(first) && fits(second) {
			return []convertStep{first, second}, ""
		}
	}
	if fromInt && x.Width == 8 { // through f16, which has all numbers of 8 bits, and f32
		steps := []convertStep{{from: a, to: ir.F16}, {from: ir.F16, to: ir.F32}, {from: ir.F32, to: b, rounding: rounding, saturates: saturates}}
		if fits(steps[0]) && fits(steps[2]) {
			return steps, ""
		}
	}
	return nil, "no vector instruction converts " + from.String() + " to " + to.String() + " in this way"
}

// limits returns the smallest and the largest value of the integer type t.
func limits(t ir.IntegerType) (low, high int64) {
	if t.Sign == ir.Signed {
		return -1 << (t.Width - 1), 1<<(t.Width-1) - 1
	}
	return 0, 1<<t.Width - 1
}

// exact reports whether a conversion to an intermediate lane type never rounds. from is
// the lane type before the conversion, and to is the intermediate type. A later rounding
// to the final type then has the same result as a direct conversion.
func exact(from, to ir.Type) bool {
	d, isInt := ir.As[ir.IntegerType](from)
	switch {
	case to == ir.F32:
		return true
	case isInt:
		return d.Width == 8
	}
	return false
}

// fits reports whether the target instruction vcvt can execute the step s: its pair of
// types, its rounding mode, and its saturation.
func fits(s convertStep) bool {
	c, ok := isavector.ConversionOf(s.from, s.to)
	return ok && (c.Roundings == "" || strings.Contains(c.Roundings, roundings[s.rounding])) && (c.Saturates || !s.saturates)
}

// convertBy emits several conversion steps in sequence. The registers src hold a value of
// type from, and the result contains the registers of the converted value of type to.
// Between two steps, convertBy chooses a layout that both steps support. The second
// result is "" on success, and otherwise the reason why the conversion is not possible.
func (c *call) convertBy(steps []convertStep, src []*ir.Value, from, to ir.Type) ([]*ir.Value, string) {
	if len(steps) == 1 {
		return c.convertOnce(steps[0], src, from, to)
	}
	d, _ := ir.As[pto.VMIVReg](from)
	d.Elem = steps[0].to
	for _, l := range append([]pto.VMILayout{contiguous, split2, split4}, groupLayouts(d.Lanes)...) {
		d.Layout = l
		middle := ir.TypeOf(d)
		if !representable(middle) || !c.can(steps[:1], from, middle) || !c.can(steps[1:], middle, to) {
			continue
		}
		between, _ := c.convertOnce(steps[0], src, from, middle)
		return c.convertBy(steps[1:], between, middle, to)
	}
	return nil, "no instruction converts between its layouts"
}

// can reports whether convertBy can convert values of one type to another by the given
// steps. from is the type before the conversion, and to is the type after it. The method
// can tries the conversion without changing the program.
func (c *call) can(steps []convertStep, from, to ir.Type) bool {
	ok := false
	tried(partTypes(from), func(e *emitter, src []*ir.Value) {
		try := call{emitter: e, op: c.op}
		_, why := try.convertBy(steps, src, from, to)
		ok = why == ""
	})
	return ok
}

// convertOnce emits one conversion step for all registers in src. from is the type of the
// source, and to is the type of the result. It returns the registers of the result. If
// the step is impossible, it returns the reason as a string.
func (c *call) convertOnce(s convertStep, src []*ir.Value, from, to ir.Type) ([]*ir.Value, string) {
	if laneBits(from) <= laneBits(to) {
		sources, why := partsOf(from, to)
		if why != "" {
			return nil, why
		}
		var out []*ir.Value
		mask := c.conversionMask(from, s.from)
		for _, p := range sources {
			out = append(out, c.vcvt(s, src[p.reg], mask, p.part, from, to))
		}
		return out, ""
	}
	places, why := partsOf(to, from)
	if why != "" {
		return nil, why
	}
	n, _ := parts(to)
	out := make([]*ir.Value, n)
	used := map[source]bool{}
	mask := c.conversionMask(from, s.from)
	for r := range out {
		for k, p := range places {
			if p.reg != int64(r) {
				continue
			}
			if used[p] {
				return nil, "no instruction converts between its layouts"
			}
			used[p] = true
			v := c.vcvt(s, src[k], mask, p.part, from, to)
			if out[r] == nil {
				out[r] = v
				continue
			}
			c.cost += mergeCost
			out[r] = c.or(out[r], v)
		}
	}
	return out, ""
}

// mergeCost is the additional cost of merging two narrowed registers, on top of the merge
// instruction.
const mergeCost = 1

// or combines two registers by a bitwise or, to merge their lanes. In each lane, one of
// the two registers must be 0.
func (e *emitter) or(a, b *ir.Value) *ir.Value {
	elem := ir.ElementType(a.Type())
	return e.one(isavector.VOr, a.Type(), []*ir.Value{a, b, e.all(bitsOf(elem))})
}

// conversionMask returns the mask for the conversion of one register of a VMI value. The
// first argument is the type of the value, and the second is the element type of its
// lanes. In some layouts, a value has a single element for each group of lanes; the mask
// then selects only the lanes that hold these elements. For any other layout, it selects
// all lanes.
func (c *call) conversionMask(from, numbers ir.Type) *ir.Value {
	l, bits := layoutOf(from), bitsOf(numbers)
	if l.Kind != pto.LayoutGroupSlots || l.Slots == 0 {
		return c.all(bits)
	}
	lanes := min(l.Slots, lanesOf(from)) * l.LaneStride
	return c.prefix(bits, lanes*int64(laneBits(from)/bits))
}

// vcvt emits one instruction vcvt for those lanes of the register v that mask selects.
// from is the lane type of v, and to is that of the result. The step s determines the
// rounding and the saturation. If the two types have different widths, the instruction
// processes only a subset of the wider or narrower lanes, such as the even or the odd
// ones. part is the number of this subset.
func (c *call) vcvt(s convertStep, v, mask *ir.Value, part int64, from, to ir.Type) *ir.Value {
	v = c.cast(v, s.from)
	if s.clamps {
		v = c.clamped(v, s, mask)
		s.from = uints(s.from)
		v = c.cast(v, s.from)
	}
	rule, _ := isavector.ConversionOf(s.from, s.to)
	var attrs []ir.NamedAttr
	if rule.Parts {
		ratio := max(laneBits(from), laneBits(to)) / min(laneBits(from), laneBits(to))
		words := []string{"P0", "P1", "P2", "P3"}
		if ratio == 2 {
			words = []string{"EVEN", "ODD"}
		}
		attrs = append(attrs, str("part", words[part]))
	}
	if rule.Roundings != "" {
		attrs = append(attrs, str("rnd", roundings[s.rounding]))
	}
	if rule.Saturates {
		attrs = append(attrs, str("sat", map[bool]string{true: "SAT", false: "NOSAT"}[s.saturates]))
	}
	return c.cast(c.one(isavector.VCvt, pto.VregType(s.to), []*ir.Value{v, mask}, attrs...), ir.ElementType(to))
}

// clamped emits instructions that limit lanes of v to the range of the step s, from its
// field low to its field high. The mask selects these lanes.
func (c *call) clamped(v *ir.Value, s convertStep, mask *ir.Value) *ir.Value {
	d, _ := ir.As[ir.IntegerType](s.from)
	scalar := ir.Int(d.Width)
	if d.Sign == ir.Signed {
		v = c.one(isavector.VMaxS, v.Type(), []*ir.Value{v, c.integer(scalar, s.low), mask})
	}
	return c.one(isavector.VMinS, v.Type(), []*ir.Value{v, c.integer(scalar, s.high), mask})
}
