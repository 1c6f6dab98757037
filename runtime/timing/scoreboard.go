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

// scoreboard finds how long a vector function of A5 takes: instructions go, out
// of order within a window, to two ports that compute, and to the memory unit,
// which takes two loads, or a load and a store, in a cycle. The numbers are those
// of the public simulator (pto-isa include/pto/costmodel/a5/VfSim), which follows
// that of the vendor.
type scoreboard struct {
	made   map[*ir.Value]product // how each register came about
	window [windowSize]float64   // when the last instructions were issued
	n      int
	units  [2]computeUnit
	memory slots // two in a cycle
	store  slots // one of them may be a store
	end    float64
	item   int32 // what stands for the function among the items
}

// product is a register that an instruction makes.
type product struct {
	at float64 // when the instruction was issued
	by timing
}

// What a vector function has beside its instructions.
const (
	scopeStart = 23 // cycles to its first instruction
	scopeEnd   = 12 // from its last one on
	windowSize = 68 // instructions that may be under way: the registers of the machine
	dispatch   = 5  // instructions per cycle
)

// port is what instructions are issued to.
type port uint8

const (
	computePort port = iota // one of the two that compute
	memoryPort              // loads
	storePort
	onePort // the one compute port that reduces
)

// slots counts the resources in use in each cycle. It only keeps recent cycles, because
// instructions start in order.
type slots struct {
	used [2048]uint8
	at   [2048]int64
}

// in returns how much is taken in a cycle.
func (p *slots) in(c int64) *uint8 {
	i := c % int64(len(p.used))
	if p.at[i] != c {
		p.at[i], p.used[i] = c, 0
	}
	return &p.used[i]
}

// free reports whether n cycles from c on have room.
func (p *slots) free(c int64, n int, most uint8) bool {
	for k := range int64(n) {
		if *p.in(c + k) >= most {
			return false
		}
	}
	return true
}

func (p *slots) take(c int64, n int) {
	for k := range int64(n) {
		*p.in(c + k)++
	}
}

// computeUnit is one of the two ports that compute. It takes an instruction in a cycle, and one result leaves it in a
// cycle; its special function unit is busy for longer.
type computeUnit struct{ issue, result, special slots }

func (u *computeUnit) free(c int64, t timing) bool {
	return u.issue.free(c, 1, 1) && u.result.free(c+int64(t.Latency), 1, 1) && (t.Interval == 1 || u.special.free(c, t.Interval, 1))
}

func (u *computeUnit) take(c int64, t timing) {
	u.issue.take(c, 1)
	u.result.take(c+int64(t.Latency), 1)
	if t.Interval > 1 {
		u.special.take(c, t.Interval)
	}
}

// issue issues an instruction in the first cycle from one on in which what it needs is free.
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

func newScoreboard(ir.Target) *scoreboard { return &scoreboard{made: map[*ir.Value]product{}} }

// timing is how an instruction is issued, with what its definition leaves open
// filled in.
type timing struct {
	pto.Issue
	port port
}

// Results go to the next instruction before they are in a register: of arithmetic four cycles, of the special function
// unit, reductions and loads three; what takes them late waits longer. This gives 815 of the 834 pairs that the public
// simulator lists in forwarding.csv, and the rest within two cycles.
const (
	forwardFast = 4
	forwardSlow = 3
	fastest     = 2 // no result is there earlier
	slowFrom    = 9 // latencies from here on are not those of arithmetic
)

// after is how long after the issue of the instruction that makes a value one that takes it can be issued.
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

// Cycles of instructions whose definitions say nothing else.
const (
	computeLatency = 6
	memoryLatency  = 9
	halfLatency    = 5 // how much longer the special function unit takes for f16
)

// timingOf returns how the instructions of a definition are issued.
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

// portOf returns the port to which instructions go: that of memory, if they read
// or write any.
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

// special reports whether the special function unit computes the instruction.
func (t timing) special() bool { return t.port == computePort && t.Interval > 1 }

// timingFor returns how op is issued.
func timingFor(op *ir.Op) timing {
	t := timingOf(op.Def())
	if t.special() && slices.ContainsFunc(op.Results(), isHalf) {
		t.Latency += halfLatency
	}
	return t
}

func isHalf(v *ir.Value) bool { return pto.ByteSize(ir.ElementType(v.Type())) == 2 }

// event issues an instruction.
func (s *scoreboard) event(e *runtime.Event) {
	if e.Kind != runtime.Instruction {
		if e.Kind == runtime.MemoryBarrier {
			s.window[s.n%windowSize] = s.end
			s.n++
		}
		return
	}
	t := timingFor(e.Op)
	at := max(float64(s.n)/dispatch, s.window[s.n%windowSize])
	for _, v := range e.Op.Operands() {
		if m, ok := s.maker(v, 0); ok {
			at = max(at, m.at+m.by.after(t))
		}
	}
	at = s.issue(at, t)
	s.window[s.n%windowSize] = at
	s.n++
	done := at + float64(t.Latency)
	s.end = max(s.end, done)
	for _, v := range e.Op.Results() {
		s.made[v] = product{at, t}
	}
}

// maker is what made the value of an operand. What a loop hands on comes from the end of its body, if that has been
// there.
func (s *scoreboard) maker(v *ir.Value, depth int) (m product, ok bool) {
	if m, ok = s.made[v]; ok || depth > 4 {
		return m, ok
	}
	if v.Op() != nil || v.Block() == nil {
		return m, false
	}
	b := v.Block()
	last := b.Last()
	if last == nil || !last.HasTrait(ir.Terminator) {
		return m, false
	}
	extra := len(b.Args()) - last.NumOperands() // the counter of the loop
	if i := v.Index() - extra; i >= 0 && i < last.NumOperands() {
		return s.maker(last.Operand(i), depth+1)
	}
	return m, false
}

// cycles is the time of all of the function.
func (s *scoreboard) cycles() float64 { return scopeStart + s.end + scopeEnd }

// beginScope starts a vector function, which is one item.
func (r *Recorder) beginScope(e *runtime.Event) {
	s := newScoreboard(r.launch.Target)
	s.item = r.add(e, workItem, sem.PipeV, work{op: e.Op, pipe: sem.PipeV})
	r.scopes[e.Core.Number] = s
}

// endScope ends it.
func (r *Recorder) endScope(e *runtime.Event) {
	s := r.scopes[e.Core.Number]
	delete(r.scopes, e.Core.Number)
	if s != nil {
		r.items[s.item].work = r.intern(work{op: e.Op, pipe: sem.PipeV, cycles: s.cycles(), class: SimulatorFit})
	}
}

func isTrue(a ir.Attr) bool {
	v, ok := a.AsBool()
	return v && ok
}
