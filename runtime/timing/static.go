// This file predicts durations of code that is not executed.

package timing

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/runtime"
)

// Static predicts durations on the default chip of a target without executing code. The
// passes that reorder or combine instructions use it. Where a duration depends on data,
// Static assumes a fixed value.
type Static struct{ m model }

// NewStatic returns a Static for programs of the target t.
func NewStatic(t ir.Target) *Static {
	chip, err := ChipFor("", t)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return &Static{model{chip, t}}
}

// Limits of the simulation of vector functions.
const (
	// mostRounds is the number of rounds of a loop that Static simulates. The other rounds
	// last as long as the last roundsBetween of these.
	mostRounds = 96
	// roundsBetween is a multiple of the periods in which loops usually repeat.
	roundsBetween = 32
	// unknownRounds is the assumed number of rounds of a loop whose bounds are not constant.
	unknownRounds = 8
)

// Cycles returns for how many cycles the instruction op occupies its pipe, and how many
// cycles later its result arrives. The instruction can be a vector function
// (pto.vecscope).
func (c *Static) Cycles(op *ir.Op) (busy, rest float64) {
	if s, ok := op.Def().Sem.(sem.Scope); ok && s.Kind == sem.VectorFunction {
		run := staticRun{s: newScoreboard(c.m.target), target: c.m.target}
		run.block(op.Region(0).Entry())
		return run.s.cycles() + run.skipped, 0
	}
	w := c.work(op)
	k := c.m.cost(&w)
	if k.moves && k.rate > 0 {
		k.busy += float64(w.bytes) / k.rate
	}
	return k.busy, k.rest
}

// Delay returns the number of cycles from the issue of the vector instruction op to the
// earliest issue of the instruction user, which uses a result of op.
func (c *Static) Delay(op, user *ir.Op) float64 { return timingFor(op).after(timingFor(user)) }

// work returns the description of the instruction op from which its cost is computed. A
// tile has its complete size if its valid region is not constant.
func (c *Static) work(op *ir.Op) work {
	w := work{op: op, pipe: pto.PipeFor(op, c.m.target)}
	if w.pipe == sem.PipeS && len(pto.InfoOf(op.Def()).Access) > 0 {
		w.bytes = 1 // the time of a scalar access does not depend on its size
	}
	k, isFirst := 0, true
	for n, a := range op.OperandArgs() {
		t, ok := pto.TileOf(op.Operand(n).Type())
		if !ok {
			continue
		}
		rows, cols := t.VRows, t.VCols
		if rows == ir.Dynamic {
			rows = t.Rows
		}
		if cols == ir.Dynamic {
			cols = t.Cols
		}
		if k < len(w.tiles) {
			w.tiles[k] = extent{int32(rows), int32(cols)}
			k++
		}
		if a.Role == ir.Scratch {
			continue
		}
		if isFirst || a.Role == ir.Out {
			w.bytes = rows * cols * t.ElemBytes()
			isFirst = false
		}
		if a.Role == ir.Out {
			w.dst = t.Space
		} else if w.src == sem.NoSpace {
			w.src = t.Space
		}
	}
	return w
}

// staticRun is the simulation of a vector function that is not executed.
type staticRun struct {
	s      *scoreboard
	target ir.Target
	// skipped is the duration of the rounds of loops that are not simulated.
	skipped float64
}

// block simulates the operations of the block b.
func (r *staticRun) block(b *ir.Block) {
	for op := range b.Ops() {
		switch {
		case op.Is(scf.For):
			r.loop(op)
		case len(op.Regions()) > 0:
			for _, region := range op.Regions() {
				if entry := region.Entry(); entry != nil { // an scf.if can have no else
					r.block(entry)
				}
			}
		case op.Is(isasync.MemBar):
			r.s.barrier()
		case pto.InfoOf(op.Def()) != nil && pto.PipeFor(op, r.target) != sem.NoPipe:
			r.s.step(op)
		}
	}
}

// loop simulates the counted loop op.
func (r *staticRun) loop(op *ir.Op) {
	rounds, start, middle := roundsOf(op), r.s.end+r.skipped, 0.0
	depth := len(r.s.rounds)
	r.s.rounds = append(r.s.rounds, runtime.Round{Loop: op})
	for i := range min(rounds, mostRounds) {
		if i == mostRounds-roundsBetween {
			middle = r.s.end + r.skipped - start
		}
		r.s.rounds[depth].Round = int(i)
		r.block(op.Region(0).Entry())
	}
	r.s.rounds = r.s.rounds[:depth]
	if rounds > mostRounds {
		r.skipped += float64(rounds-mostRounds) * (r.s.end + r.skipped - start - middle) / roundsBetween
	}
}

// roundsOf returns the number of rounds of the counted loop op, or unknownRounds if its
// bounds are not constant.
func roundsOf(op *ir.Op) int64 {
	from, ok := arith.ConstantInt(op.Operand(0))
	to, ok2 := arith.ConstantInt(op.Operand(1))
	by, ok3 := arith.ConstantInt(op.Operand(2))
	if !ok || !ok2 || !ok3 || by <= 0 {
		return unknownRounds
	}
	return max(0, pto.CeilDiv(to-from, by))
}
