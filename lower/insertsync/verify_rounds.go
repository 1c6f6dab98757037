// This file decides which iterations of a loop the proof simulates.

package insertsync

import (
	"math/bits"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/ir"
)

// fewTrips are the trip counts that the proof tries first for a loop with an unknown trip
// count. After these it tries the count that mostTrips returns.
var fewTrips = []int64{3, 0, 1, 2}

// mostTrips returns the largest trip count that the proof tries for a loop with an
// unknown trip count. It is twice the number of iterations after which slot numbers
// repeat, for example 16 for a ring of 8 slots, so that the proof also sees repeated uses
// of each slot. The result is the same for all loops of a function, because several loops
// may have the same unknown trip count.
func (p *proof) mostTrips(loop *ir.Op) int64 {
	f := loop.ParentOf(fn.Func)
	if f == nil {
		f = loop
	}
	most, ok := p.trips[f]
	if !ok {
		most = 4
		for l := range f.Walk() {
			if l.HasTrait(ir.LoopLike) && p.turn(l) <= mostTurn {
				most = max(most, 2*p.turn(l))
			}
		}
		p.trips[f] = most
	}
	return most
}

// tripsOf identifies a decision on a simulated path: how often a loop with an unknown
// trip count runs. The field most is the largest count to try.
type tripsOf struct {
	op   *ir.Op
	most int64
}

// count returns the number of iterations that the proof assumes for a loop. The proof is
// repeated for several numbers. choice counts these repetitions: the first ones use the
// small numbers in fewTrips, and the last one uses t.most.
func (t tripsOf) count(choice int) int64 {
	if choice < len(fewTrips) {
		return fewTrips[choice]
	}
	return t.most
}

// tripsOf returns the trip count of a loop on the simulated execution path. A path
// consists of choices such as this one, and the proof examines the paths with all
// choices.
func (r *runner) tripsOf(loop *ir.Op) int64 {
	t := tripsOf{loop, r.mostTrips(loop)}
	return t.count(r.way.choose(t, len(fewTrips)+1))
}

// mostWhile returns the largest number of iterations of a while loop that the proof
// simulates. It is one less than mostTrips, because the condition is evaluated once more
// than the body. The number of evaluations is then at most mostTrips.
func (p *proof) mostWhile(loop *ir.Op) int64 { return p.mostTrips(loop) - 1 }

// fullRounds returns the largest trip count for which the simulation executes all
// iterations of a loop. In longer loops, the simulation skips a number of iterations in
// the middle. This number is a multiple of the result period, so that slot numbers and
// parities after the skipped iterations are correct.
func (r *runner) fullRounds(op *ir.Op) (most, period int64) {
	switch {
	case r.scope != nil && r.depth > 2:
		most, period = 3, 1
	case r.scope != nil:
		most, period = 6, 2
	case r.depth <= 1:
		most, period = 24, 12
	default:
		most, period = 8, 4
	}
	if k := r.turn(op); period%k != 0 && k <= mostTurn {
		most, period = 2*k, k
	}
	if r.mixed(op) {
		most = max(most, mostMixed)
	}
	return most, period
}

// mostMixed is a lower limit for the number of iterations that the proof simulates of a
// loop in which two accesses to the same memory advance by different steps. The accesses
// may overlap in a single iteration, which a shorter simulation could miss.
const mostMixed = 64

// mostTurn limits the simulation of loops in the proof. The numbers of the slots that a
// loop uses repeat after a number of iterations, the period of the loop. If the period is
// at most mostTurn, the proof simulates two full periods.
const mostTurn = 32

// turn returns the period of a loop: the number of iterations after which all remainders
// by constants have the same values as before. The result is cached.
func (p *proof) turn(loop *ir.Op) int64 {
	k, ok := p.turns[loop]
	if !ok {
		k = turnOf(loop)
		p.turns[loop] = k
	}
	return k
}

// turnOf returns a common multiple of all constant divisors in a loop, counting shifts
// and bit masks as divisors. After this number of iterations, the remainders repeat. If
// the multiple would be too large, the result is above mostTurn.
func turnOf(loop *ir.Op) int64 {
	turn := int64(1)
	for op := range loop.Walk() {
		by := int64(1)
		switch op.Def() {
		case arith.RemUI, arith.RemSI, arith.DivUI, arith.DivSI:
			by, _ = arith.ConstantInt(op.Operand(1))
		case arith.AndI, arith.XOrI:
			if op.Result(0).Type() == ir.I1 {
				continue
			}
			if by, _ = arith.ConstantInt(op.Operand(1)); by > 0 {
				by = 1 << bits.Len64(uint64(by))
			}
		case arith.ShRUI, arith.ShRSI:
			by = 0
		}
		if by <= 0 || by > mostTurn {
			return mostTurn + 1
		}
		if turn%by != 0 {
			turn *= by
		}
		if turn > mostTurn {
			return mostTurn + 1
		}
	}
	return turn
}

// roundsOf returns the numbers of the iterations of a loop that the proof simulates. For
// a short loop, these are all iterations. For a long loop, they are the first and the
// last ones. trips is the trip count, and exact states whether it is known exactly. If it
// is not, the simulation does not skip iterations in the middle.
func (r *runner) roundsOf(op *ir.Op, trips int64, exact bool) []int64 {
	most, period := r.fullRounds(op)
	var list []int64
	left := int64(0)
	if exact && trips > most {
		left = (trips - most + period - 1) / period * period
	}
	for n := range trips - left {
		if n >= (trips-left+1)/2 {
			n += left
		}
		list = append(list, n)
	}
	return list
}

// mixed reports whether two accesses in the loop use the same memory but advance in it by
// different steps per iteration, or only one of them advances. For example, one access
// uses row i, and the other always uses row 7. Two such accesses may overlap in one
// iteration and be apart in all others. The result is cached for each loop.
func (r *runner) mixed(loop *ir.Op) bool {
	is, ok := r.mixes[loop]
	if !ok {
		is = mixedIn(loopOf(loop), r.static)
		r.mixes[loop] = is
	}
	return is
}

// mostPairs is the maximum number of pairs of accesses that mixedIn compares. With more
// pairs, mixedIn returns true without a comparison.
const mostPairs = 1 << 20

// mixedIn reports whether the loop l contains two accesses that may share bytes and that
// advance by different steps per iteration. t determines the accesses of each operation.
// The method runner.mixed caches the result.
func mixedIn(l *loop, t *tree) bool {
	if l.iv == nil {
		return false
	}
	var all, moving []*touch
	for op := range l.op.Walk() {
		n := &node{op: op}
		t.accesses(n)
		for _, x := range n.touches {
			all = append(all, x)
			if x.moves(l.iv) {
				moving = append(moving, x)
			}
		}
	}
	if len(moving)*len(all) > mostPairs {
		return true
	}
	for _, a := range moving {
		wide := l.outside(a.location)
		for _, b := range all {
			if !a.write && !b.write || a.movesLike(&b.location, l.iv) {
				continue
			}
			if other := l.outside(b.location); (when{}).overlaps(&wide, &other) {
				return true
			}
		}
	}
	return false
}

// moves reports whether the location depends on the loop counter iv.
func (p *location) moves(iv *ir.Value) bool {
	still := location{dims: make([]indexRange, len(p.dims))}
	return !p.movesLike(&still, iv)
}

// movesLike reports whether the locations p and q advance equally far when the loop
// counter iv is incremented. It ignores slots of ring buffers, because these repeat after
// a number of iterations.
func (p *location) movesLike(q *location, iv *ir.Value) bool {
	if len(p.dims) != len(q.dims) || p.from.factor(iv) != q.from.factor(iv) {
		return false
	}
	for i := range p.dims {
		if p.dims[i].from.factor(iv) != q.dims[i].from.factor(iv) {
			return false
		}
	}
	return true
}

// skips reports whether the simulation of the loop op omits the iterations that directly
// follow iteration n. trips is the number of iterations of the loop.
func (r *runner) skips(op *ir.Op, trips, n int64) bool {
	most, period := r.fullRounds(op)
	if trips <= most {
		return false
	}
	left := (trips - most + period - 1) / period * period
	return n == (trips-left+1)/2-1
}
