// This file creates registers of constant numbers, such as the indices of vselr.

package vmi

import (
	"fmt"
	"math/bits"

	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
)

// anything is an entry in a list of lane values. It states that the lane may have any
// value.
const anything = -1

// numbers returns a register of unsigned integers of type elem, in which lane i has the
// value ns[i]. The value of a lane does not matter if its entry in ns is the constant
// anything. The emitter creates each such register once per block.
func (e *emitter) numbers(elem ir.Type, ns []int64) *ir.Value {
	if v, ok := e.constantOf(elem, ns); ok {
		return v
	}
	if r, ok := rampOf(ns); ok {
		return e.ramp(elem, r)
	}
	return e.pieces(elem, ns)
}

// constantOf returns a register in which all lanes have the same value, the common value
// of the entries of ns. It returns false if the entries are not equal.
func (e *emitter) constantOf(elem ir.Type, ns []int64) (*ir.Value, bool) {
	n := int64(anything)
	for _, k := range ns {
		switch {
		case k == anything || k == n:
		case n == anything:
			n = k
		default:
			return nil, false
		}
	}
	key := fmt.Sprint(elem, "=", n)
	if e.indices[key] == nil {
		e.indices[key] = e.splat(elem, e.integer(ir.WithoutSign(elem), max(n, 0)))
	}
	return e.indices[key], true
}

// ramp describes lane values by one of two formulas. If descends is set, lane i has the
// value base - i. If it is not, lane i has the value base + (((i >> drop) % wrap) <<
// scale). If wrap is 0, the modulo operation is omitted.
type ramp struct {
	drop, wrap, scale uint
	base              int64
	descends          bool
}

// at returns the value of lane i of a register. The ramp r is the formula that describes
// the values of its lanes, for example base - i.
func (r ramp) at(i int64) int64 {
	if r.descends {
		return r.base - i
	}
	i >>= r.drop
	if r.wrap > 0 {
		i &= 1<<r.wrap - 1
	}
	return i<<r.scale + r.base
}

// rampOf returns the ramp that describes the lane values ns, or false if they are not
// regular. It prefers a ramp that needs few instructions.
func rampOf(ns []int64) (ramp, bool) {
	first := 0
	for first < len(ns) && ns[first] == anything {
		first++
	}
	if first == len(ns) {
		return ramp{}, true
	}
	fits := func(r ramp) bool {
		for i, n := range ns {
			if n != anything && r.at(int64(i)) != n {
				return false
			}
		}
		return true
	}
	size := uint(bits.Len(uint(len(ns) - 1)))
	for _, wraps := range []bool{false, true} {
		for drop := range size {
			for scale := range size {
				for wrap := uint(1); wrap < size; wrap++ {
					r := ramp{drop: drop, scale: scale, wrap: wrap}
					if !wraps {
						r.wrap = 0
					}
					r.base = ns[first] - r.at(int64(first))
					if r.base >= 0 && fits(r) {
						return r, true
					}
					if !wraps {
						break
					}
				}
			}
		}
	}
	r := ramp{descends: true, base: ns[first] + int64(first)}
	return r, fits(r)
}

// ramp returns a register with lanes of type elem. The ramp r is a formula for the value
// of each lane, such as base + i for lane i. The emitter creates each such register once
// per block.
func (e *emitter) ramp(elem ir.Type, r ramp) *ir.Value {
	key := fmt.Sprint(elem, r)
	if e.indices[key] != nil {
		return e.indices[key]
	}
	t, scalar := pto.VregType(elem), ir.WithoutSign(elem)
	var v *ir.Value
	switch {
	case r.descends:
		v = e.one(isavector.VCi, t, []*ir.Value{e.integer(scalar, r.base)}, str("order", "DESC"))
	case r.base > 0 && r == ramp{base: r.base}:
		v = e.one(isavector.VCi, t, []*ir.Value{e.integer(scalar, r.base)})
	case r.base > 0:
		up := r
		up.base = 0
		v = e.one(isavector.VAddS, t, []*ir.Value{e.ramp(elem, up), e.integer(scalar, r.base), e.all(bitsOf(elem))})
	case r.scale > 0:
		up := r
		up.scale = 0
		v = e.shift(isavector.VShlS, e.ramp(elem, up), r.scale)
	case r.wrap > 0:
		whole := e.ramp(elem, ramp{drop: r.drop})
		high := e.shift(isavector.VShlS, e.ramp(elem, ramp{drop: r.drop + r.wrap}), r.wrap)
		v = e.one(isavector.VSub, t, []*ir.Value{whole, high, e.all(bitsOf(elem))})
	case r.drop > 0:
		v = e.shift(isavector.VShrS, e.ramp(elem, ramp{}), r.drop)
	default:
		v = e.one(isavector.VCi, t, []*ir.Value{e.integer(scalar, 0)})
	}
	e.indices[key] = v
	return v
}

// shift emits the shift instruction with definition d. It shifts all lanes of v by the
// same number of bits, the constant in the parameter by.
func (e *emitter) shift(d *ir.Def, v *ir.Value, by uint) *ir.Value {
	elem := ir.ElementType(v.Type())
	return e.one(d, v.Type(), []*ir.Value{v, e.integer(ir.I16, int64(by)), e.all(bitsOf(elem))})
}

// pieces returns a register with the lane values ns, assembled from ranges of lanes.
// Within a range, the values increase by 1, decrease by 1 or are constant.
func (e *emitter) pieces(elem ir.Type, ns []int64) *ir.Value {
	key := fmt.Sprint(elem, ns)
	if e.indices[key] != nil {
		return e.indices[key]
	}
	var sum *ir.Value
	for start := 0; start < len(ns); {
		end := pieceEnd(ns, start)
		mine := make([]int64, len(ns))
		lanes := make([]want, len(ns))
		for i := range ns {
			mine[i] = anything
			if start <= i && i < end {
				mine[i], lanes[i] = ns[i], on
			}
		}
		if piece := e.piece(elem, mine); sum == nil {
			sum = piece
		} else {
			sum = e.selected(piece, sum, e.selecting(bitsOf(elem), lanes))
		}
		start = end
	}
	e.indices[key] = sum
	return sum
}

// piece returns a register whose lanes hold the numbers ns. The numbers must be constant,
// or increase or decrease by 1 from lane to lane. Increasing numbers may wrap around. For
// other numbers, the result is nil.
func (e *emitter) piece(elem ir.Type, ns []int64) *ir.Value {
	if v, ok := e.constantOf(elem, ns); ok {
		return v
	}
	if r, ok := rampOf(ns); ok {
		return e.ramp(elem, r)
	}
	for i, n := range ns {
		if n != anything { // rises by 1 from a negative number in lane 0
			modulo := int64(1) << bitsOf(elem)
			base := e.integer(ir.WithoutSign(elem), (n-int64(i)+modulo)%modulo)
			return e.one(isavector.VCi, pto.VregType(elem), []*ir.Value{base})
		}
	}
	return nil
}

// pieceEnd finds the longest sequence of numbers in ns that starts at index start and is
// regular: its numbers increase by 1, decrease by 1, or are constant. It returns the
// index of the first number after this sequence.
func pieceEnd(ns []int64, start int) int {
	best := start + 1
	for _, step := range []int64{1, 0, -1} {
		end, base, known := start, int64(0), false
		for end < len(ns) {
			k := int64(end - start)
			if ns[end] != anything {
				if !known {
					base, known = ns[end]-step*k, true
				}
				if ns[end] != base+step*k {
					break
				}
			}
			end++
		}
		best = max(best, end)
	}
	return best
}
