// This file converts values between layouts, and masks between widths of lanes.

package vmi

import (
	"math"
	"slices"

	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
)

// relayout changes the layout of a value. from is the type with the old layout, and to is
// the type with the new one. It emits instructions that move lanes from the registers
// src, and returns the new registers. It changes the layout in several steps if that is
// cheaper.
func (e *emitter) relayout(src []*ir.Value, from, to ir.Type) []*ir.Value {
	path := pathOf(from, to)
	for i := 1; i < len(path); i++ {
		src = e.step(src, path[i-1], path[i])
	}
	return src
}

// conversion is the key of a cached change of layout: its source type and its destination
// type.
type conversion struct{ from, to ir.Type }

// way is a sequence of layout changes through the given types, with its total cost.
type way struct {
	types []ir.Type
	cost  float64
}

// ways and stepCosts cache the results of the functions wayOf and stepCost for pairs of
// types.
var (
	ways      memo[conversion, way]
	stepCosts memo[conversion, float64]
)

// wayOf returns the cheapest sequence of layout changes from one type to another, with
// its cost.
func wayOf(oldType, newType ir.Type) way {
	return ways.get(conversion{oldType, newType}, func() way {
		types, cost := shortest(oldType, newType)
		return way{types, cost}
	})
}

// pathOf returns the types in the cheapest sequence of layout changes from one type to
// another. The result starts with the parameter from and ends with the parameter to.
func pathOf(from, to ir.Type) []ir.Type { return wayOf(from, to).types }

// relayoutCost returns the cost of converting a value between the layouts of two types,
// as a number of vector instructions. from is the type before the conversion, and to is
// the type after it. The cost is infinite if no conversion exists.
func relayoutCost(from, to ir.Type) float64 {
	if from == to {
		return 0
	}
	return wayOf(from, to).cost
}

// shortest computes the cheapest sequence of layout changes that converts one type to
// another. from is the type before the changes, and to is the type after them. It returns
// the types in the sequence, and the cost. Intermediate values are contiguous or split
// over several registers by lane index. If one type has a lane stride of 4, a stride of 2
// may be an intermediate layout.
func shortest(from, to ir.Type) ([]ir.Type, float64) {
	nodes := []ir.Type{from, to}
	layouts := []pto.VMILayout{contiguous, split2, split4}
	for _, end := range []ir.Type{from, to} {
		if l := layoutOf(end); l.LaneStride == 4 {
			l.LaneStride = 2
			layouts = append(layouts, l)
		}
	}
	for _, l := range layouts {
		for _, t := range withWidths(withLayout(from, l), from, to) {
			if representable(t) && !slices.Contains(nodes, t) {
				nodes = append(nodes, t)
			}
		}
	}
	best := make([]float64, len(nodes))
	before := make([]int, len(nodes))
	done := make([]bool, len(nodes))
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[0] = 0
	for range nodes {
		k := -1
		for i := range nodes {
			if !done[i] && (k < 0 || best[i] < best[k]) {
				k = i
			}
		}
		done[k] = true
		if k == 1 || math.IsInf(best[k], 1) {
			break
		}
		for i := range nodes {
			if c := best[k] + stepCost(nodes[k], nodes[i]); !done[i] && c < best[i] {
				best[i], before[i] = c, k
			}
		}
	}
	path := []ir.Type{to}
	for k := 1; k != 0; k = before[k] {
		path = append(path, nodes[before[k]])
	}
	slices.Reverse(path)
	return path, best[1]
}

// withWidths returns variants of the mask type t with other lane widths. The widths are
// those of two types, the parameters from and to, and the widths between them. For a type
// that is not a mask, it returns only t.
func withWidths(t, from, to ir.Type) []ir.Type {
	if !ir.Is[pto.VMIMask](t) {
		return []ir.Type{t}
	}
	var ts []ir.Type
	low, high := min(laneBits(from), laneBits(to)), max(laneBits(from), laneBits(to))
	for bits := low; bits <= high; bits *= 2 {
		ts = append(ts, withBits(t, bits))
	}
	return ts
}

// stepCost returns the cost, in vector instructions, of one direct change of a layout.
// from is the type with the old layout, and to is the type with the new one. The cost is
// infinite if the change is only possible through a third layout.
func stepCost(from, to ir.Type) float64 {
	if laneBits(from) != laneBits(to) && !(neighbours(from, to) && isDense(from) && isDense(to)) {
		return math.Inf(1)
	}
	return stepCosts.get(conversion{from, to}, func() float64 {
		return tried(partTypes(from), func(e *emitter, src []*ir.Value) { e.step(src, from, to) })
	})
}

// neighbours reports whether the lanes of one mask are exactly twice as wide as the lanes
// of the other.
func neighbours(a, b ir.Type) bool {
	x, y := laneBits(a), laneBits(b)
	return x == 2*y || y == 2*x
}

// isDense reports whether the type t is contiguous: lane i of a value is lane i of its
// registers.
func isDense(t ir.Type) bool {
	l := layoutOf(t)
	return l.Kind == pto.LayoutContiguous
}

// step emits one layout change of the registers src, without intermediate layouts. from
// is the type with the old layout, and to is the type with the new one. It returns the
// new registers.
func (e *emitter) step(src []*ir.Value, from, to ir.Type) []*ir.Value {
	switch a, b := laneBits(from), laneBits(to); {
	case a > b:
		return e.narrowMask(src, to)
	case a < b:
		return e.widenMask(src, to)
	}
	at := placesOf(from)
	var dst [][]ref
	for _, held := range contents(to) {
		lanes := make([]ref, len(held))
		for i, n := range held {
			lanes[i] = nowhere
			if n >= 0 {
				lanes[i] = at[n]
			}
		}
		dst = append(dst, lanes)
	}
	return e.move(src, dst)
}

// narrowMask converts the registers of a contiguous mask to a mask type (parameter to)
// whose lanes are half as wide. It returns the new registers.
func (e *emitter) narrowMask(src []*ir.Value, to ir.Type) []*ir.Value {
	n, t := parts(to)
	out := make([]*ir.Value, n)
	for i := range out {
		out[i] = e.one(isavector.PPack, t, []*ir.Value{src[2*i]}, str("part", "LOWER"))
		if 2*i+1 < len(src) {
			out[i] = e.logic(isavector.POr, out[i], e.one(isavector.PPack, t, []*ir.Value{src[2*i+1]}, str("part", "HIGHER")))
		}
	}
	return out
}

// widenMask converts a contiguous mask to a mask type whose lanes are twice as wide. src
// contains the registers of the mask, and to is the new type. It returns the new
// registers.
func (e *emitter) widenMask(src []*ir.Value, to ir.Type) []*ir.Value {
	n, t := parts(to)
	out := make([]*ir.Value, n)
	for i := range out {
		out[i] = e.one(isavector.PUnpack, t, []*ir.Value{src[i/2]}, str("part", []string{"LOWER", "HIGHER"}[i%2]))
	}
	return out
}

// tried returns the cost of the instructions that the function emit creates. The argument
// src of emit contains a register of each of the given types. tried discards the
// instructions afterwards.
func tried(types []ir.Type, emit func(e *emitter, src []*ir.Value)) float64 {
	block := ir.NewBlock(types...)
	e := scratch(block)
	emit(e, block.Args())
	return e.discard()
}

// scratch returns an emitter that appends operations to block, which is not part of the
// program. The pass emits a lowering there only to measure its cost.
func scratch(block *ir.Block) *emitter {
	return &emitter{at: ir.AtEnd(block, ir.Loc{}), top: block, consts: map[constant]*ir.Value{}, indices: map[string]*ir.Value{}, keep: true}
}

// discard erases all instructions that this emitter has created, and returns their cost.
// It is used to estimate the cost of a lowering.
func (e *emitter) discard() float64 {
	for _, op := range slices.Backward(e.made) {
		op.Erase()
	}
	return e.cost
}
