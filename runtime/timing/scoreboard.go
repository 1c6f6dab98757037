package timing

import (
	"math"
	"strings"

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
	by timingOf
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

// slots counts what is taken in each cycle: those that lie far back are of no use any more.
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

func (u *computeUnit) free(c int64, t timingOf) bool {
	return u.issue.free(c, 1, 1) && u.result.free(c+int64(t.latency), 1, 1) && (t.interval == 1 || u.special.free(c, t.interval, 1))
}

func (u *computeUnit) take(c int64, t timingOf) {
	u.issue.take(c, 1)
	u.result.take(c+int64(t.latency), 1)
	if t.interval > 1 {
		u.special.take(c, t.interval)
	}
}

// place issues an instruction in the first cycle from one on in which what it needs is free.
func (s *scoreboard) place(from float64, t timingOf) float64 {
	for c := int64(math.Ceil(from)); ; c++ {
		switch t.port {
		case storePort:
			if s.store.free(c, t.interval, 1) && s.memory.free(c, t.interval, 2) {
				s.store.take(c, t.interval)
				s.memory.take(c, t.interval)
				return float64(c)
			}
		case memoryPort:
			if s.memory.free(c, t.interval, 2) {
				s.memory.take(c, t.interval)
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

// timingOf an instruction: cycles until its result is in its register, and how long it
// keeps the special function unit, or the memory unit.
type timingOf struct {
	latency, interval int
	port              port
	forward           int // cycles until the next instruction can take the result, if the usual rule is wrong
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

// takesLate are instructions that need their operands later than others, by so many cycles, if arithmetic made them.
var takesLate = map[string]int{"vabs": 1, "vexp": 1, "vdiv": 1, "vdup": 1, "vsts": 2, "vsel": 2}

// after is how long after the issue of the instruction that makes a value one that takes it can be issued.
func (t timingOf) after(consumer string) float64 {
	switch late := takesLate[consumer]; {
	case t.forward > 0:
		return float64(t.forward)
	case t.latency < 6:
		return fastest
	case t.latency < slowFrom:
		return float64(max(t.latency-forwardFast, fastest) + late)
	case consumer == "vsts":
		return float64(t.latency - forwardSlow + 1)
	default:
		return float64(t.latency - forwardSlow)
	}
}

// a5Timings are the instructions by their names, without what says of which
// kind their operands are. Values for f32; f16 of the special function unit
// takes five cycles more.
var a5Timings = map[string]timingOf{
	"vadd": {7, 1, computePort, 0}, "vsub": {7, 1, computePort, 0}, "vmul": {8, 1, computePort, 0}, "vadds": {7, 1, computePort, 0}, "vsubs": {7, 1, computePort, 0},
	"vmuls": {8, 1, computePort, 0}, "vmula": {8, 1, computePort, 0}, "vaxpy": {8, 1, computePort, 0}, "vmax": {6, 1, computePort, 0}, "vmin": {6, 1, computePort, 0}, "vmaxs": {6, 1, computePort, 0}, "vmins": {6, 1, computePort, 0},
	"vabs": {5, 1, computePort, 0}, "vneg": {5, 1, computePort, 0}, "vrelu": {5, 1, computePort, 0}, "vdiv": {17, 4, computePort, 0}, "vexp": {16, 4, computePort, 0},
	"vexpdif": {18, 4, computePort, 0}, "vln": {18, 4, computePort, 0}, "vsqrt": {17, 4, computePort, 0}, "vcadd": {22, 1, onePort, 0}, "vcmax": {16, 1, onePort, 0}, "vcmin": {16, 1, onePort, 0},
	"vcgadd": {19, 1, onePort, 0}, "vcgmax": {13, 1, onePort, 0}, "vcgmin": {13, 1, onePort, 0}, "vdup": {6, 1, onePort, 8}, "vcmp": {6, 1, computePort, 4}, "vcmps": {6, 1, computePort, 4}, "vbr": {6, 1, computePort, 0},
	"vlds": {9, 1, memoryPort, 0}, "vsts": {9, 1, storePort, 0}, "vldas": {9, 1, memoryPort, 0}, "vldus": {9, 1, memoryPort, 0}, "vstus": {9, 1, storePort, 0}, "vstas": {9, 1, storePort, 0},
	"vldsx2": {9, 2, memoryPort, 0}, "vstsx2": {12, 2, storePort, 0}, "vgather2": {27, 10, memoryPort, 0}, "vgatherb": {21, 8, memoryPort, 0}, "vscatter": {17, 10, storePort, 0},
	"vcvt": {7, 1, computePort, 0}, "vtrc": {7, 1, computePort, 0},
}

// timingFor finds the timing of an instruction.
func timingFor(op *ir.Op) timingOf {
	name := strings.TrimPrefix(op.Name(), "pto.")
	t, ok := a5Timings[name]
	if !ok {
		t = timingOf{6, 1, computePort, 0}
		for _, e := range pto.Effects(op) {
			if e.Kind&pto.Writes != 0 {
				t = timingOf{9, 1, storePort, 0}
			} else if t.port == computePort {
				t = timingOf{9, 1, memoryPort, 0}
			}
		}
	}
	if t.latency >= 16 && t.interval == 4 {
		for _, v := range op.Results() {
			if pto.ByteSize(ir.ElementType(v.Type())) == 2 {
				t.latency += 5
			}
		}
	}
	return t
}

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
	name := strings.TrimPrefix(e.Op.Name(), "pto.")
	for _, v := range e.Op.Operands() {
		if m, ok := s.maker(v, 0); ok {
			at = max(at, m.at+m.by.after(name))
		}
	}
	at = s.place(at, t)
	s.window[s.n%windowSize] = at
	s.n++
	done := at + float64(t.latency)
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
