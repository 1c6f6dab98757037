// This file predicts vector functions of A5 instruction by instruction.

package timing

import (
	"math"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// scoreboard computes the duration of a vector function on A5. The core issues
// instructions out of order from a window of recent instructions. They go to two compute
// ports and to the memory unit, which accepts two loads, or one load and one store, per
// cycle. The latencies and limits come from the public simulator (pto-isa
// include/pto/costmodel/a5/VfSim), which is modelled on the vendor's simulator.
type scoreboard struct {
	// made contains, for each register value, the instruction that produced it.
	made map[*ir.Value]product
	// window is a ring buffer of the times at which the last instructions were issued; n
	// is the number of all instructions so far.
	window [windowSize]float64
	n      int
	units  [2]computeUnit
	// memory counts the uses of the memory unit, at most two per cycle. store counts
	// stores, at most one per cycle, each of which also uses memory.
	memory slots
	store  slots
	loops  dispatcher
	// end is the time at which the last result is available.
	end float64
	// rounds are the current iterations of the loops that enclose the instruction.
	rounds []runtime.Round
	// item is the number of the recorded item that represents the complete function.
	item int32
}

// product describes the most recent result in a register of the simulated vector unit:
// the time at which its instruction was issued, and the timing of this instruction.
type product struct {
	// at is the time at which the instruction was issued.
	at float64
	by timing
}

// Constants of the timing model of a vector function on A5, in cycles or in instructions.
const (
	// scopeStart is the number of cycles before the first instruction.
	scopeStart = 23
	// scopeEnd is the number of cycles after the last result.
	scopeEnd = 12
	// windowSize is the maximum number of instructions in flight, which the number of
	// physical registers limits.
	windowSize = 68
	// dispatch is the number of instructions that enter the window per cycle.
	dispatch = 5
)

// port is the class of execution unit that executes a vector instruction: a compute port
// or a memory port.
type port uint8

const (
	// computePort is any of the two compute ports.
	computePort port = iota
	// memoryPort executes loads, and storePort executes stores.
	memoryPort
	storePort
	// onePort is the compute port that can execute reductions.
	onePort
)

// slots counts, for each cycle, how many units of a resource are in use. It stores only
// the most recent cycles. They are sufficient, because instructions start nearly in
// order.
type slots struct {
	used [2048]uint8
	at   [2048]int64
}

// The method in returns a pointer to the counter for cycle c: how many units of the
// resource are in use in this cycle.
func (p *slots) in(c int64) *uint8 {
	i := c % int64(len(p.used))
	if p.at[i] != c {
		p.at[i], p.used[i] = c, 0
	}
	return &p.used[i]
}

// free reports whether the resource has a free unit in each of the n cycles from cycle c
// on. most is the number of units that the resource has.
func (p *slots) free(c int64, n int, most uint8) bool {
	for k := range int64(n) {
		if *p.in(c + k) >= most {
			return false
		}
	}
	return true
}

// take marks one more unit of the resource as used in each of n consecutive cycles. The
// parameter c is the first of these cycles.
func (p *slots) take(c int64, n int) {
	for k := range int64(n) {
		*p.in(c + k)++
	}
}

// computeUnit records, for each cycle, the use of one compute unit in the simulated
// vector unit. It can issue one instruction per cycle (field issue) and write one result
// per cycle (field result). Its special function unit (field special) is busy for several
// cycles per instruction.
type computeUnit struct{ issue, result, special slots }

// free reports whether the compute unit can start an instruction with timing t in cycle
// c. The issue port must be free in this cycle. The port for results must be free in the
// cycle in which the instruction completes. If the instruction needs the special function
// unit, that unit must be free in cycle c.
func (u *computeUnit) free(c int64, t timing) bool {
	return u.issue.free(c, 1, 1) && u.result.free(c+int64(t.Latency), 1, 1) && (t.Interval == 1 || u.special.free(c, t.Interval, 1))
}

// take records that an instruction with timing t is issued in cycle c. It marks the issue
// port as used in this cycle, and the result port as used in the cycle in which the
// result is complete. If the instruction occupies the special function unit for several
// cycles, take marks these cycles as used, too.
func (u *computeUnit) take(c int64, t timing) {
	u.issue.take(c, 1)
	u.result.take(c+int64(t.Latency), 1)
	if t.Interval > 1 {
		u.special.take(c, t.Interval)
	}
}

// issue selects the cycle in which an instruction with timing t is issued, and returns
// this cycle. It is the first cycle, at or after the time given by the parameter from, in
// which the resources of the instruction are free.
func (s *scoreboard) issue(from float64, t timing) float64 {
	for c := int64(math.Ceil(from)); ; c++ {
		switch t.port {
		case storePort:
			if s.store.free(c, t.Interval, 1) && s.memory.free(c, t.Interval, 2) {
				s.store.take(c, t.Interval)
				s.memory.take(c, t.Interval)
				return float64(c)
			}
		case memoryPort:
			if s.memory.free(c, t.Interval, 2) {
				s.memory.take(c, t.Interval)
				return float64(c)
			}
		default:
			for i := range s.units {
				if u := &s.units[i]; u.free(c, t) && (i == 0 || t.port == computePort) {
					u.take(c, t)
					return float64(c)
				}
			}
		}
	}
}

// newScoreboard returns the state at the start of a vector function, before any
// instruction is issued.
func newScoreboard(ir.Target) *scoreboard { return &scoreboard{made: map[*ir.Value]product{}} }

// timing describes when a vector instruction can be issued and when its result is
// available. If the definition of the instruction omits a value, timing contains a
// default.
type timing struct {
	pto.Issue
	port port
}

// Constants of forwarding: an instruction can receive a result before it has been written
// to a register. A result of simple arithmetic is available forwardFast cycles earlier,
// and a result of the special function unit, a reduction or a load is available
// forwardSlow cycles earlier. The file forwarding.csv of the public simulator lists 834
// pairs of instructions. These constants reproduce 815 of them exactly, and the others
// within two cycles.
const (
	forwardFast = 4
	forwardSlow = 3
	// fastest is the minimum number of cycles until a result is available.
	fastest = 2
	// slowFrom is the smallest latency of instructions that are not simple arithmetic.
	slowFrom = 9
)

// after returns a delay in cycles between two instructions of which the second uses the
// result of the first. The receiver t is the timing of the first instruction, and the
// parameter next is the timing of the second. The delay counts from the issue of the
// first to the earliest issue of the second.
func (t timing) after(next timing) float64 {
	switch {
	case t.Forward > 0:
		return float64(t.Forward)
	case t.Latency < 6:
		return fastest
	case t.Latency < slowFrom:
		return float64(max(t.Latency-forwardFast, fastest) + next.Late)
	case next.port == storePort && next.Late > 0:
		return float64(t.Latency - forwardSlow + 1)
	default:
		return float64(t.Latency - forwardSlow)
	}
}

// These are the latencies in cycles of instructions whose definitions do not state one.
const (
	computeLatency = 6
	memoryLatency  = 9
	// halfLatency is the additional latency of the special function unit for f16.
	halfLatency = 5
)

// timingOf returns the timing of the instructions of definition d, with defaults for
// missing values.
func timingOf(d *ir.Def) timing {
	t := timing{pto.IssueOf(d), portOf(d)}
	switch {
	case t.Latency > 0:
	case t.port == memoryPort || t.port == storePort:
		t.Latency = memoryLatency
	default:
		t.Latency = computeLatency
	}
	t.Interval = max(t.Interval, 1)
	return t
}

// portOf returns the execution port of the instructions of definition d. Instructions
// that access memory use a memory port.
func portOf(d *ir.Def) port {
	at := computePort
	if info := pto.InfoOf(d); info != nil {
		if info.Issue.Single {
			at = onePort
		}
		for _, a := range info.Access {
			if a.Write {
				return storePort
			}
			at = memoryPort
		}
	}
	return at
}

// special reports whether the special function unit (for example for exp) executes the
// instruction.
func (t timing) special() bool { return t.port == computePort && t.Interval > 1 }

// timingFor returns the timing of the vector instruction op, which can depend on its
// element types.
func timingFor(op *ir.Op) timing {
	t := timingOf(op.Def())
	if t.special() && slices.ContainsFunc(op.Results(), isHalf) {
		t.Latency += halfLatency
		t.Interval *= 2 // a register has twice as many elements
	}
	return t
}

// isHalf reports whether v has elements of two bytes, such as f16.
func isHalf(v *ir.Value) bool { return pto.ByteSize(ir.ElementType(v.Type())) == 2 }

// event issues the vector instruction of event e.
func (s *scoreboard) event(e *runtime.Event) {
	switch e.Kind {
	case runtime.Instruction:
		s.rounds = e.Rounds
		s.step(e.Op)
	case runtime.MemoryBarrier:
		s.barrier()
	}
}

// barrier lets the instruction after the next windowSize ones wait for all earlier results.
func (s *scoreboard) barrier() {
	s.window[s.n%windowSize] = s.end
	s.n++
}

// step issues the vector instruction op: it computes the cycle in which the instruction
// starts and the time at which its result is available.
func (s *scoreboard) step(op *ir.Op) {
	t := timingFor(op)
	at := max(s.loops.enter(s.rounds, float64(s.n)/dispatch), s.window[s.n%windowSize])
	for _, v := range op.Operands() {
		if m, ok := s.maker(v, 0); ok {
			at = max(at, m.at+m.by.after(t))
		}
	}
	at = s.issue(at, t)
	s.window[s.n%windowSize] = at
	s.n++
	done := at + float64(t.Latency)
	s.end = max(s.end, done)
	for _, v := range op.Results() {
		s.made[v] = product{at, t}
	}
}

// maker returns the issue time and timing of the instruction that produced the operand v.
// The result ok is false if no instruction of the vector function has produced v yet. For
// a value that a loop carries, maker searches for the value that the previous iteration
// passed on, or for the initial value. depth is the number of such steps so far, which
// limits the recursion.
func (s *scoreboard) maker(v *ir.Value, depth int) (m product, ok bool) {
	if m, ok = s.made[v]; ok || depth > 4 {
		return m, ok
	}
	loop, first := v.Op(), false
	if loop == nil {
		if v.Block() == nil || v.Block().Parent() == nil {
			return m, false
		}
		loop = v.Block().Parent()
		first = s.inFirstRound(loop)
	}
	if !loop.HasTrait(ir.LoopLike) || len(loop.Regions()) != 1 {
		return m, false
	}
	body := loop.Region(0).Entry()
	i := v.Index()
	if v.Op() == nil {
		i -= len(body.Args()) - loop.NumResults() // the counter of the loop
	}
	last := body.Last()
	switch {
	case i < 0 || i >= loop.NumResults() || last == nil || i >= last.NumOperands():
		return m, false
	case first:
		return s.maker(loop.Operand(loop.NumOperands()-loop.NumResults()+i), depth+1)
	}
	return s.maker(last.Operand(i), depth+1)
}

// inFirstRound reports whether the loop executes its first iteration.
func (s *scoreboard) inFirstRound(loop *ir.Op) bool {
	return slices.ContainsFunc(s.rounds, func(r runtime.Round) bool { return r.Loop == loop && r.Round == 0 })
}

// cycles returns the duration of the complete vector function in cycles, including its
// start and its end.
func (s *scoreboard) cycles() float64 { return scopeStart + s.end + scopeEnd }

// beginScope starts the recording of a vector function, which is represented by a single
// item.
func (r *Recorder) beginScope(e *runtime.Event) {
	s := newScoreboard(r.launch.Target)
	s.loops.depth = len(e.Rounds)
	s.item = r.add(e, workItem, sem.PipeV, work{op: e.Op, pipe: sem.PipeV})
	r.scopes[e.Core.Number] = s
}

// endScope ends the recording of a vector function. It computes the duration of the
// function and stores it in the item that represents the function.
func (r *Recorder) endScope(e *runtime.Event) {
	s := r.scopes[e.Core.Number]
	delete(r.scopes, e.Core.Number)
	if s != nil {
		r.items[s.item].work = r.intern(work{op: e.Op, pipe: sem.PipeV, cycles: s.cycles(), class: SimulatorFit})
	}
}
