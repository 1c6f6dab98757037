// This file defines pto-vpto-scheduler.

package vector

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/passes"
)

// Schedule is the pass pto-vpto-scheduler. The vector unit executes instructions out of
// order, but only within a window of the last instructions. A long chain of dependent
// instructions fills this window. The pass therefore moves instructions of independent
// chains next to each other, also those of several rounds of a loop. It keeps a new order
// only if the predicted time of the vector function falls.
var Schedule = &passes.Pass{
	Name:   "pto-vpto-scheduler",
	Title:  "VPTOScheduler",
	Doc:    "Reorders the instructions of vector functions, and interleaves rounds of their loops, where the predicted time falls. A function keeps to 32 vector registers and 7 mask registers.",
	Anchor: "func.func",
	Options: []passes.Option{{
		Name: "mode", Kind: passes.Word, Default: "on", Choices: []string{"off", "analyze", "on"},
		Doc: "off changes nothing; analyze reports the predicted times of each vector function without a change; on changes the order",
	}},
	Stats: []passes.Stat{
		{Name: "num-scheduled", Doc: "vector functions with a new order of instructions"},
		{Name: "num-interleaved", Doc: "loops whose rounds are interleaved"},
	},
	Run: func(c *passes.Context, f *ir.Op) error {
		mode, clock := c.Text("mode"), c.Clock(f)
		if mode == "off" || clock == nil {
			return nil
		}
		for _, scope := range scopesIn(f) {
			s := &schedule{clock: clock}
			before, _ := clock.Cycles(scope)
			best := s.improve(scope)
			after, _ := clock.Cycles(best)
			switch {
			case mode == "analyze":
				c.Remarkf(scope, "needs %.0f cycles, and %.0f cycles after scheduling", before, after)
				if best != scope {
					best.Erase()
				}
			case best != scope:
				scope.Block().InsertBefore(best, scope)
				scope.Erase()
				c.Count("num-scheduled", 1)
				c.Count("num-interleaved", s.interleaved)
			}
		}
		return nil
	},
}

// The vector unit has this many registers for vectors and for masks.
const (
	vectorRegisters = 32
	maskRegisters   = 7
)

// mostOps limits the number of operations of a block that the pass schedules.
const mostOps = 400

// scopesIn returns the vector functions in f.
func scopesIn(f *ir.Op) []*ir.Op {
	var all []*ir.Op
	for op := range f.Walk() {
		if pto.IsVectorFunction(op) {
			all = append(all, op)
		}
	}
	return all
}

// schedule is the search for the order of the instructions of one vector function.
type schedule struct {
	clock passes.Clock
	// interleaved counts the loops whose rounds are interleaved.
	interleaved int
}

// improve returns a copy of the vector function scope that needs less time, or scope
// itself. It tries for each innermost block several numbers of rounds to interleave, and
// keeps the fastest.
func (s *schedule) improve(scope *ir.Op) *ir.Op {
	best := scope
	for i := range len(innermost(scope)) {
		from, rounds := best, 1
		for _, n := range []int{1, 2, 4, 8} {
			trial := from.Clone(nil)
			if !s.arrange(innermost(trial)[i], n) {
				trial.Erase()
				continue
			}
			if s.cycles(trial) >= s.cycles(best) {
				trial.Erase()
				continue
			}
			if best != from {
				best.Erase()
			}
			best, rounds = trial, n
		}
		if best != from && from != scope {
			from.Erase()
		}
		if rounds > 1 {
			s.interleaved++
		}
	}
	return best
}

// cycles returns the predicted duration of the vector function scope.
func (s *schedule) cycles(scope *ir.Op) float64 {
	busy, _ := s.clock.Cycles(scope)
	return busy
}

// innermost returns the blocks of the vector function scope without operations that
// contain other blocks.
func innermost(scope *ir.Op) []*ir.Block {
	var all []*ir.Block
	for op := range scope.Walk() {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				if !slices.ContainsFunc(slices.Collect(b.Ops()), func(op *ir.Op) bool { return len(op.Regions()) > 0 }) {
					all = append(all, b)
				}
			}
		}
	}
	return all
}

// arrange interleaves the given number of rounds of the loop with the body b, and orders
// the instructions of b. It returns false if that is not possible.
func (s *schedule) arrange(b *ir.Block, rounds int) bool {
	if rounds > 1 && !unroll(b.Parent(), int64(rounds)) {
		return false
	}
	n := 0
	for op := b.First(); op != nil && n <= mostOps+1; op = op.Next() {
		n++
	}
	if n > mostOps+1 { // the terminator is not scheduled
		return false
	}
	g := newGraph(b, s.clock)
	before := pressureOf(b, g.ops())
	order := g.order(b)
	after := pressureOf(b, order)
	if after.vectors > max(before.vectors, vectorRegisters) || after.masks > max(before.masks, maskRegisters) {
		return false
	}
	for _, op := range order {
		op.Remove()
	}
	first := b.First() // the terminator, if there is one
	for _, op := range order {
		if first != nil {
			b.InsertBefore(op, first)
		} else {
			b.Append(op)
		}
	}
	return true
}

// unroll makes each round of the counted loop execute the given number of rounds. It
// returns false if the number of rounds of the loop is not constant, or is not a larger
// multiple.
func unroll(loop *ir.Op, rounds int64) bool {
	if !loop.Is(scf.For) {
		return false
	}
	start, ok := arith.ConstantInt(loop.Operand(0))
	end, ok2 := arith.ConstantInt(loop.Operand(1))
	step, ok3 := arith.ConstantInt(loop.Operand(2))
	if !ok || !ok2 || !ok3 || step <= 0 || (end-start)%(step*rounds) != 0 || end-start <= step*rounds {
		return false
	}
	body := loop.Region(0).Entry()
	yield := body.Terminator()
	var ops []*ir.Op
	for op := range body.Ops() {
		if op != yield {
			ops = append(ops, op)
		}
	}
	counter, at := body.Arg(0), ir.Before(yield)
	carried := yield.Operands()
	outside := ir.Before(loop)
	for i := range rounds - 1 {
		values := map[*ir.Value]*ir.Value{
			counter: at.Op(arith.AddI, []*ir.Value{counter, arith.Int(outside, counter.Type(), (i+1)*step)}, []ir.Type{counter.Type()}).Result(0),
		}
		for k, arg := range body.Args()[1:] {
			values[arg] = carried[k]
		}
		for _, op := range ops {
			at.Insert(op.Clone(values))
		}
		next := make([]*ir.Value, len(carried))
		for k, v := range yield.Operands() {
			if next[k] = v; values[v] != nil {
				next[k] = values[v]
			}
		}
		carried = next
	}
	yield.SetOperands(carried, nil)
	operands := loop.Operands()
	operands[2] = arith.Int(outside, operands[2].Type(), step*rounds)
	loop.SetOperands(operands, nil)
	return true
}

// pressure is the largest number of registers that are in use at the same time.
type pressure struct{ vectors, masks int }

// add counts n more registers of the type of v.
func (p *pressure) add(v *ir.Value, n int) {
	switch {
	case ir.Is[pto.VReg](v.Type()):
		p.vectors += n
	case isMask(v):
		p.masks += n
	}
}

// isMask reports whether v is in a mask register.
func isMask(v *ir.Value) bool { return ir.Is[pto.Mask](v.Type()) }

// pressureOf returns the largest number of registers in use while the instructions of the
// block b execute in the given order.
func pressureOf(b *ir.Block, order []*ir.Op) pressure {
	l := newLive(b, order)
	most := l.now
	for _, op := range order {
		l.execute(op)
		most.vectors, most.masks = max(most.vectors, l.peak.vectors), max(most.masks, l.peak.masks)
	}
	return most
}
