// This file emits vector instructions, constants and masks.

package vmi

import (
	"slices"
	"strconv"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
)

// emitter creates vector instructions, and adds up their cost.
type emitter struct {
	// at is where the emitter inserts instructions. Constants are inserted at the start
	// of the block top; last is the most recent one.
	at     *ir.Builder
	top    *ir.Block
	last   *ir.Op
	consts map[constant]*ir.Value
	// indices caches registers whose lane values are constants. The key is a text that
	// describes these values.
	indices map[string]*ir.Value
	target  ir.Target
	// cost is the total cost of the instructions created so far; see weights.
	cost float64
	// made are the operations created so far. They are recorded only if keep is set.
	made []*ir.Op
	keep bool
}

// constant is the key under which an emitter caches a constant: its attribute.
type constant struct{ attr ir.Attr }

// weights holds the cost of each instruction whose cost is not 1. Instructions that
// access two registers need two issue slots. Constant masks and bitcasts cost almost 0,
// because masks are computed once and a bitcast emits no code.
var weights = map[string]float64{
	"pto.vldsx2": 2, "pto.vstsx2": 2, "pto.vbitcast": 0, "pto.pbitcast": 0, "pto.addptr": 0,
	"pto.pset_b8": 0.01, "pto.pset_b16": 0.01, "pto.pset_b32": 0.01,
}

// op inserts an operation of definition d and returns it.
func (e *emitter) op(d *ir.Def, operands []*ir.Value, results []ir.Type, attrs ...ir.NamedAttr) *ir.Op {
	return e.track(e.at.Op(d, operands, results, attrs...))
}

// one inserts an operation of definition d with one result of type t, and returns this
// result.
//
//go:noinline
func (e *emitter) one(d *ir.Def, t ir.Type, operands []*ir.Value, attrs ...ir.NamedAttr) *ir.Value {
	return e.op(d, operands, []ir.Type{t}, attrs...).Result(0)
}

// track adds the cost of op to the total cost, and returns op.
func (e *emitter) track(op *ir.Op) *ir.Op {
	if w, ok := weights[op.Name()]; ok {
		e.cost += w
	} else if info := pto.InfoOf(op.Def()); info != nil {
		e.cost++
	}
	if e.keep {
		e.made = append(e.made, op)
	}
	return op
}

// str returns a string attribute. name is the name of the attribute, and word is its
// value.
func str(name, word string) ir.NamedAttr { return ir.NamedAttr{Name: name, Attr: ir.Str(word)} }

// constant returns a constant with the value a. Each constant is inserted once, at the
// start of the function.
func (e *emitter) constant(a ir.Attr) *ir.Value {
	c := constant{a}
	if e.consts[c] == nil {
		e.consts[c] = arith.Materialize(trackedTop{e}, a)
	}
	return e.consts[c]
}

// trackedTop creates operations at the start of the function. It adds their cost to the
// total of the emitter e, so that hoisted operations count as well.
type trackedTop struct{ e *emitter }

// Create implements arith.Creator. It inserts the new operation, a constant, at the top
// of the function, after the constants that it has inserted before.
func (t trackedTop) Create(s ir.State) *ir.Op {
	e, op := t.e, ir.New(s)
	if e.last == nil {
		e.top.Prepend(op)
	} else {
		e.top.InsertAfter(op, e.last)
	}
	e.last = op
	return e.track(op)
}

// index returns a constant n of type index.
func (e *emitter) index(n int64) *ir.Value { return e.integer(ir.Index, n) }

// integer returns a constant n of the integer type t.
func (e *emitter) integer(t ir.Type, n int64) *ir.Value { return e.constant(ir.IntAttr(t, n)) }

// number returns a constant of type t with the given bits.
func (e *emitter) number(t ir.Type, bits uint64) *ir.Value {
	a, _ := ir.NumberAttr(t, bits)
	return e.constant(a)
}

// width returns the number of elements of type elem that a register holds.
func width(elem ir.Type) int64 { return int64(pto.VectorBytes / pto.ByteSize(elem)) }

// bitsOf returns the width in bits of an element of type elem.
//
//go:noinline
func bitsOf(elem ir.Type) int { return 8 * pto.ByteSize(elem) }

// cast reinterprets the bits of the register v as elements of type elem.
func (e *emitter) cast(v *ir.Value, elem ir.Type) *ir.Value {
	if ir.ElementType(v.Type()) == elem {
		return v
	}
	return e.one(isavector.VBitcast, pto.VregType(elem), []*ir.Value{v})
}

// uints returns the unsigned integer type with the width of elem.
func uints(elem ir.Type) ir.Type { return pto.UintType(uint32(bitsOf(elem))) }

// psets, plts, pintlv and pdintlv map the lane width in bits to an instruction on masks:
// create from a pattern, create from a count, interleave and deinterleave.
var (
	psets   = map[int]*ir.Def{8: isavector.PSetB8, 16: isavector.PSetB16, 32: isavector.PSetB32}
	plts    = map[int]*ir.Def{8: isavector.PLtB8, 16: isavector.PLtB16, 32: isavector.PLtB32}
	pintlv  = map[int]*ir.Def{8: isavector.PIntlvB8, 16: isavector.PIntlvB16, 32: isavector.PIntlvB32}
	pdintlv = map[int]*ir.Def{8: isavector.PDIntlvB8, 16: isavector.PDIntlvB16, 32: isavector.PDIntlvB32}
)

// all returns a mask that selects all lanes of the given width in bits.
func (e *emitter) all(bits int) *ir.Value { return e.pattern(bits, "PAT_ALL") }

// pattern returns the mask of the named pattern, such as "PAT_ALL", for lanes of the
// given width in bits.
func (e *emitter) pattern(bits int, name string) *ir.Value {
	return e.one(psets[bits], pto.MaskType(bits), nil, str("pattern", name))
}

// prefix returns a mask of the first n lanes, each of the given width in bits.
func (e *emitter) prefix(bits int, n int64) *ir.Value {
	switch {
	case n <= 0:
		return e.pattern(bits, "PAT_ALLF")
	case n >= int64(8*pto.VectorBytes/bits):
		return e.all(bits)
	}
	if name := "PAT_VL" + strconv.FormatInt(n, 10); slices.Contains(isavector.Patterns, name) {
		return e.pattern(bits, name)
	}
	return e.plt(bits, e.integer(ir.I32, n)).Result(0)
}

// plt emits the instruction plt for lanes of the given width in bits. It has two results:
// a mask of the first n lanes of a register, and the part of n that exceeds the number of
// lanes in a register.
func (e *emitter) plt(bits int, n *ir.Value) *ir.Op {
	return e.op(plts[bits], []*ir.Value{n}, []ir.Type{pto.MaskType(bits), ir.I32})
}

// logic emits the instruction d on all lanes of the masks ms, and returns its result.
func (e *emitter) logic(d *ir.Def, ms ...*ir.Value) *ir.Value {
	m, _ := ir.As[pto.Mask](ms[0].Type())
	return e.one(d, ms[0].Type(), append(ms, e.all(int(m.Bits))))
}

// want is a condition on one lane of a constant mask: the lane must be selected, it must
// not be selected, or both are acceptable.
type want int8

// The conditions on a lane of a constant mask: off means that the mask must not select
// the lane, on means that the mask must select it, and either permits both.
const (
	off want = iota
	on
	either
)

// selecting returns a constant mask for lanes of the given width in bits. lanes states,
// for each lane, whether the mask must select it, must not select it, or may do either.
func (e *emitter) selecting(bits int, lanes []want) *ir.Value {
	runs := runsOf(lanes)
	if len(runs) == 0 {
		return e.pattern(bits, "PAT_ALLF")
	}
	if len(runs) > 2 {
		if m := e.periodic(bits, lanes); m != nil {
			return m
		}
	}
	var sum *ir.Value
	for _, r := range runs {
		m := e.prefix(bits, r[1])
		if r[0] > 0 {
			m = e.logic(isavector.PAnd, m, e.logic(isavector.PNot, e.prefix(bits, r[0])))
		}
		if sum == nil {
			sum = m
		} else {
			sum = e.logic(isavector.POr, sum, m)
		}
	}
	return sum
}

// runsOf returns ranges of lanes that a mask can select, as start and end. Each lane that
// the mask must select is in a range. A lane that the mask may or may not select is in a
// range if it is between two such lanes, or between such a lane and the end of the
// vector.
func runsOf(lanes []want) (runs [][2]int64) {
	for i := 0; i < len(lanes); {
		if lanes[i] != on {
			i++
			continue
		}
		start, end := i, i
		for i < len(lanes) && lanes[i] != off {
			i++
			if lanes[i-1] == on {
				end = i
			}
		}
		if i == len(lanes) {
			end = i
		}
		if len(runs) == 0 && !slices.Contains(lanes[:start], off) {
			start = 0
		}
		runs = append(runs, [2]int64{int64(start), int64(end)})
	}
	return runs
}

// periodic returns a constant mask for lanes of the given width in bits, if a mask with a
// periodic structure is possible. Such a mask selects the first lanes of each period, and
// the period is a power of two. lanes states for each lane whether the mask must select
// it, must not select it, or may do either. periodic returns nil if no periodic mask
// satisfies these conditions.
func (e *emitter) periodic(bits int, lanes []want) *ir.Value {
	for period := 2; period < len(lanes); period *= 2 {
		low, high := 0, period // how many lanes must be selected, and how many can be
		for i, w := range lanes {
			switch k := i % period; w {
			case on:
				low = max(low, k+1)
			case off:
				high = min(high, k)
			}
		}
		if low > high {
			continue
		}
		elem := pto.UintType(uint32(bits))
		at := make([]int64, len(lanes))
		for i := range at {
			at[i] = int64(i % period)
		}
		return e.below(elem, e.numbers(elem, at), e.integer(ir.WithoutSign(elem), int64(low)))
	}
	return nil
}

// below returns the mask of the lanes of v that are less than the scalar n.
func (e *emitter) below(elem ir.Type, v, n *ir.Value) *ir.Value {
	bits := bitsOf(elem)
	return e.one(isavector.VCmpS, pto.MaskType(bits), []*ir.Value{v, n, e.all(bits)}, str("cmp_mode", "lt"))
}

// selected emits a select instruction. Its result has the lanes of register a where the
// mask is set, and the lanes of register b elsewhere.
func (e *emitter) selected(a, b, mask *ir.Value) *ir.Value {
	elem := ir.ElementType(a.Type())
	lane := elem
	if !(pto.Ints | pto.Floats).Has(elem) {
		lane = uints(elem)
	}
	t := pto.VregType(lane)
	return e.cast(e.one(isavector.VSel, t, []*ir.Value{e.cast(a, lane), e.cast(b, lane), e.fit(mask, bitsOf(lane))}), elem)
}

// fit reinterprets the mask m as a mask for lanes of the given width. It preserves the
// bits.
func (e *emitter) fit(m *ir.Value, bits int) *ir.Value {
	if t := pto.MaskType(bits); m.Type() != t {
		return e.one(isavector.PBitcast, t, []*ir.Value{m})
	}
	return m
}

// splat returns a register of elements of type elem with the scalar s in all lanes.
func (e *emitter) splat(elem ir.Type, s *ir.Value) *ir.Value {
	return e.one(isavector.VDup, pto.VregType(elem), []*ir.Value{s, e.all(bitsOf(elem))})
}

// first returns a register in which every lane contains the value of lane 0 of v.
func (e *emitter) first(v *ir.Value) *ir.Value {
	elem := ir.ElementType(v.Type())
	return e.one(isavector.VDup, v.Type(), []*ir.Value{v, e.all(bitsOf(elem))}, str("position", "LOWEST"))
}

// zeros returns a register of elements of type elem in which every bit is 0.
func (e *emitter) zeros(elem ir.Type) *ir.Value {
	f := uints(elem)
	return e.cast(e.splat(f, e.integer(ir.WithoutSign(f), 0)), elem)
}
