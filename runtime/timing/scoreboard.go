package timing

import (
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
	ready  map[*ir.Value]float64 // when each register is there
	window [windowSize]float64   // when the last instructions were issued
	n      int
	ports  [numPorts]portUse
	end    float64
	item   int32 // what stands for the function among the items
}

// What a vector function has beside its instructions.
const (
	scopeStart = 23 // cycles to its first instruction
	scopeEnd   = 12 // from its last one on
	windowSize = 48 // instructions that may be under way: registers less those of a program
	dispatch   = 5  // instructions per cycle
)

// port is what instructions are issued to.
type port uint8

const (
	computePort port = iota // two of them
	memoryPort              // two slots in a cycle
	storePort               // one of those may be a store
	onePort                 // the one compute port that reduces
	numPorts
)

// portUse counts what a port has taken in cycles: those that lie far back are
// of no use any more.
type portUse struct {
	used [4096]uint8
	at   [4096]int64
}

// take returns the first cycle from one on in which a port has room for n cycles.
func (p *portUse) take(from float64, n int, most uint8) float64 {
	c := int64(from)
	if float64(c) < from {
		c++
	}
	for ; ; c++ {
		i := c % int64(len(p.used))
		if p.at[i] != c {
			p.at[i], p.used[i] = c, 0
		}
		if p.used[i] >= most {
			continue
		}
		p.used[i] += uint8(n)
		for k := int64(0); p.used[i] > most; k++ { // the rest keeps a port in the cycles behind
			over := p.used[i] - most
			p.used[i] = most
			i = (c + k + 1) % int64(len(p.used))
			if p.at[i] != c+k+1 {
				p.at[i], p.used[i] = c+k+1, 0
			}
			p.used[i] += over
		}
		return float64(c)
	}
}

func newScoreboard(ir.Target) *scoreboard { return &scoreboard{ready: map[*ir.Value]float64{}} }

// timing of an instruction: cycles until its result is there, and how long it
// keeps a port.
type timingOf struct {
	latency, interval int
	port              port
}

// a5Timings are the instructions by their names, without what says of which
// kind their operands are. Values for f32; f16 of the special function unit
// takes five cycles more.
var a5Timings = map[string]timingOf{
	"vadd": {7, 2, computePort}, "vsub": {7, 2, computePort}, "vmul": {8, 2, computePort}, "vadds": {7, 1, computePort}, "vsubs": {7, 1, computePort},
	"vmuls": {8, 1, computePort}, "vmula": {8, 2, computePort}, "vaxpy": {8, 2, computePort}, "vmax": {6, 2, computePort}, "vmin": {6, 2, computePort}, "vmaxs": {6, 1, computePort}, "vmins": {6, 1, computePort},
	"vabs": {5, 1, computePort}, "vneg": {5, 1, computePort}, "vrelu": {5, 1, computePort}, "vdiv": {17, 4, computePort}, "vexp": {16, 4, computePort},
	"vexpdif": {18, 4, computePort}, "vln": {18, 4, computePort}, "vsqrt": {17, 4, computePort}, "vcadd": {22, 1, onePort}, "vcmax": {16, 1, onePort}, "vcmin": {16, 1, onePort},
	"vcgadd": {19, 1, onePort}, "vcgmax": {13, 1, onePort}, "vcgmin": {13, 1, onePort}, "vdup": {6, 1, onePort}, "vbr": {6, 1, computePort},
	"vlds": {9, 1, memoryPort}, "vsts": {9, 1, storePort}, "vldas": {9, 1, memoryPort}, "vldus": {9, 1, memoryPort}, "vstus": {9, 1, storePort}, "vstas": {9, 1, storePort},
	"vldsx2": {9, 2, memoryPort}, "vstsx2": {12, 2, storePort}, "vgather2": {27, 10, memoryPort}, "vgatherb": {21, 8, memoryPort}, "vscatter": {17, 10, storePort},
	"vcvt": {7, 1, computePort}, "vtrc": {7, 1, computePort},
}

// timingFor finds the timing of an instruction.
func timingFor(op *ir.Op) timingOf {
	name := strings.TrimPrefix(op.Name(), "pto.")
	t, ok := a5Timings[name]
	if !ok {
		t = timingOf{6, 1, computePort}
		for _, e := range pto.Effects(op) {
			if e.Kind&pto.Writes != 0 {
				t = timingOf{9, 1, storePort}
			} else if t.port == computePort {
				t = timingOf{9, 1, memoryPort}
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
	for _, v := range e.Op.Operands() {
		at = max(at, s.readyAt(v, 0))
	}
	p, most := t.port, uint8(2)
	switch p {
	case storePort:
		at = s.ports[storePort].take(at, t.interval, 1)
		at = s.ports[memoryPort].take(at, t.interval, 2)
	case onePort:
		at = s.ports[onePort].take(at, t.interval, 1)
		at = s.ports[computePort].take(at, t.interval, most)
	default:
		at = s.ports[p].take(at, t.interval, most)
	}
	s.window[s.n%windowSize] = at
	s.n++
	done := at + float64(t.latency)
	s.end = max(s.end, done)
	for _, v := range e.Op.Results() {
		s.ready[v] = done
	}
}

// readyAt is when the value of an operand is there. What a loop hands on comes
// from the end of its body, if that has been there.
func (s *scoreboard) readyAt(v *ir.Value, depth int) float64 {
	if t, ok := s.ready[v]; ok || depth > 4 {
		return t
	}
	if v.Op() != nil || v.Block() == nil {
		return 0
	}
	b := v.Block()
	last := b.Last()
	if last == nil || !last.HasTrait(ir.Terminator) {
		return 0
	}
	extra := len(b.Args()) - last.NumOperands() // the counter of the loop
	if i := v.Index() - extra; i >= 0 && i < last.NumOperands() {
		return s.readyAt(last.Operand(i), depth+1)
	}
	return 0
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
