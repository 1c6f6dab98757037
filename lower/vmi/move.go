// This file moves lanes between registers.

package vmi

import (
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
)

// mover emits instructions that move lanes between registers, or between masks.
type mover struct {
	*emitter
	// src are the registers from which lanes are taken.
	src []*ir.Value
	// bits is the width of a lane.
	bits int
	// mask means that the registers are masks.
	mask bool
	// pairs caches the results of instructions that interleave or deinterleave two
	// registers.
	pairs map[pair][2]*ir.Value
	// order lists the keys of the map pairs in the order of the instructions.
	order []pair
	// asLanes caches masks that were converted to registers of 0 and 1.
	asLanes map[int64]*ir.Value
}

// pair identifies an instruction that interleaves (interleaves is true) or deinterleaves
// two registers. The fields a and b are the indices of these registers.
type pair struct {
	interleaves bool
	a, b        int64
}

// move returns registers whose lanes are taken from the registers src: lane j of register
// i is the lane dst[i][j].
func (e *emitter) move(src []*ir.Value, dst [][]ref) []*ir.Value {
	m := &mover{emitter: e, src: src, pairs: map[pair][2]*ir.Value{}, asLanes: map[int64]*ir.Value{}}
	if t, ok := ir.As[pto.Mask](src[0].Type()); ok {
		m.mask, m.bits = true, int(t.Bits)
	} else {
		m.bits = bitsOf(ir.ElementType(src[0].Type()))
	}
	out := make([]*ir.Value, len(dst))
	for i, lanes := range dst {
		out[i] = m.register(lanes)
	}
	return out
}

// register returns a register whose lane j is the source lane lanes[j]. It tries cheap
// instructions before a general permutation.
func (m *mover) register(lanes []ref) *ir.Value {
	if v := m.same(lanes); v != nil {
		return v
	}
	if v := m.broadcast(lanes); v != nil {
		return v
	}
	for _, interleaves := range []bool{true, false} {
		for half := range int64(2) {
			if p, ok := m.pairFor(lanes, interleaves, half); ok {
				return m.combined(p)[half]
			}
		}
	}
	if m.mask {
		return m.asMask(m.permuted(lanes))
	}
	return m.permuted(lanes)
}

// same returns the source register that has the required lane at each position, so that
// no lane must be moved. It returns nil if no source register has all of them.
func (m *mover) same(lanes []ref) *ir.Value {
	from := int64(-1)
	for i, r := range lanes {
		switch {
		case r == nowhere:
		case r.lane != int64(i) || from >= 0 && r.reg != from:
			return nil
		default:
			from = r.reg
		}
	}
	return m.src[max(from, 0)]
}

// broadcast handles the case in which every lane of the result must contain lane 0 of the
// same source register. It returns a register with this lane in all lanes. The argument
// holds the source register and lane for each lane of the result. If the lanes come from
// other lanes or from several registers, broadcast returns nil.
func (m *mover) broadcast(lanes []ref) *ir.Value {
	from := int64(-1)
	for _, r := range lanes {
		if r == nowhere {
			continue
		}
		if m.mask || r.lane != 0 || from >= 0 && r.reg != from {
			return nil
		}
		from = r.reg
	}
	return m.first(m.src[from])
}

// pairFor returns a pair of source registers to which one instruction is applied: an
// interleave, or a deinterleave if interleaves is false. One half of the result of this
// instruction has the given lanes. half selects which half, 0 or 1. The result ok is
// false if no such pair exists.
func (m *mover) pairFor(lanes []ref, interleaves bool, half int64) (p pair, ok bool) {
	w := int64(len(lanes))
	from := [2]int64{-1, -1}
	for i, r := range lanes {
		if r == nowhere {
			continue
		}
		i := int64(i)
		side, lane := i%2, half*w/2+i/2
		if !interleaves {
			side, lane = 2*i/w, (2*i+half)%w
		}
		if r.lane != lane || from[side] >= 0 && from[side] != r.reg {
			return p, false
		}
		from[side] = r.reg
	}
	for _, known := range m.order {
		if known.interleaves == interleaves && (from[0] < 0 || from[0] == known.a) && (from[1] < 0 || from[1] == known.b) {
			return known, true
		}
	}
	if from[0] < 0 {
		from[0] = from[1]
	}
	if from[1] < 0 {
		from[1] = from[0]
	}
	return pair{interleaves, from[0], from[1]}, true
}

// combined returns the two registers that result from interleaving or deinterleaving the
// two source registers of p. It emits the instruction on the first call for p, and caches
// the results.
func (m *mover) combined(p pair) [2]*ir.Value {
	if done, ok := m.pairs[p]; ok {
		return done
	}
	def := map[bool]*ir.Def{true: isavector.VIntlv, false: isavector.VDIntlv}[p.interleaves]
	if m.mask {
		def = map[bool]map[int]*ir.Def{true: pintlv, false: pdintlv}[p.interleaves][m.bits]
	}
	a, b := m.src[p.a], m.src[p.b]
	op := m.op(def, []*ir.Value{a, b}, []ir.Type{a.Type(), a.Type()})
	m.order = append(m.order, p)
	m.pairs[p] = [2]*ir.Value{op.Result(0), op.Result(1)}
	return m.pairs[p]
}

// permuted returns a register with the given lanes. It selects lanes by index from each
// source register, and merges the results. If m.keep is set, permuted emits no
// instructions: it only adds their estimated cost to m.cost.
func (m *mover) permuted(lanes []ref) *ir.Value {
	if m.keep {
		m.cost += permutationCost(lanes)
		if m.mask {
			return m.lanesOf(0)
		}
		return m.src[0]
	}
	var sum *ir.Value
	var done []int64
	for _, r := range lanes {
		if r == nowhere || contains(done, r.reg) {
			continue
		}
		done = append(done, r.reg)
		v := m.lanesOf(r.reg)
		index, mine := make([]int64, len(lanes)), make([]want, len(lanes))
		inPlace := true
		for i, l := range lanes {
			switch {
			case l == nowhere:
				index[i], mine[i] = anything, either
			case l.reg != r.reg:
				index[i] = anything
			default:
				index[i], mine[i] = l.lane, on
				inPlace = inPlace && l.lane == int64(i)
			}
		}
		if !inPlace {
			v = m.one(isavector.VSelR, v.Type(), []*ir.Value{v, m.numbers(pto.UintType(uint32(m.bits)), index)})
		}
		if sum == nil {
			sum = v
		} else {
			sum = m.selected(v, sum, m.selecting(m.bits, mine))
		}
	}
	return sum
}

// permutationCost estimates the number of instructions that permuted emits for the given
// lanes.
func permutationCost(lanes []ref) float64 {
	cost := 0.0
	var done []int64
	for _, r := range lanes {
		if r == nowhere || contains(done, r.reg) {
			continue
		}
		done = append(done, r.reg)
		runs, inside := 0, false
		index := make([]int64, len(lanes))
		for i, l := range lanes {
			index[i] = anything
			if l.reg == r.reg {
				index[i] = l.lane
			}
			if l != nowhere && (l.reg == r.reg) != inside {
				if inside = !inside; inside {
					runs++
				}
			}
		}
		cost++
		if _, ok := rampOf(index); ok {
			cost += 3
		} else {
			for start := 0; start < len(index); start = pieceEnd(index, start) {
				cost += 5
			}
		}
		if len(done) > 1 {
			cost += 1 + 4*float64(runs)
		}
	}
	return cost
}

// contains reports whether the list contains n.
func contains(list []int64, n int64) bool {
	for _, k := range list {
		if k == n {
			return true
		}
	}
	return false
}

// lanesOf returns the source register with index reg. If the sources are masks, it
// converts the mask with this index to a register, in which selected lanes are 1 and the
// others are 0.
func (m *mover) lanesOf(reg int64) *ir.Value {
	if !m.mask {
		return m.src[reg]
	}
	if m.asLanes[reg] == nil {
		elem := pto.UintType(uint32(m.bits))
		ones := m.splat(elem, m.integer(ir.WithoutSign(elem), 1))
		m.asLanes[reg] = m.one(isavector.VSel, ones.Type(), []*ir.Value{ones, m.zeros(elem), m.src[reg]})
	}
	return m.asLanes[reg]
}

// asMask returns the mask of the lanes of v that are not zero.
func (m *mover) asMask(v *ir.Value) *ir.Value {
	zero := m.integer(ir.WithoutSign(ir.ElementType(v.Type())), 0)
	return m.one(isavector.VCmpS, pto.MaskType(m.bits), []*ir.Value{v, zero, m.all(m.bits)}, str("cmp_mode", "ne"))
}
