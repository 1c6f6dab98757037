// This file compiles signals between cores, and barriers of all cores.

package runtime

import (
	satomic "sync/atomic" // the package has a type atomic

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// Signals between the cores of a block are counters. The cube core has a counter for
	// each signal number and each vector core that can raise it. A vector core has a
	// counter for each signal number, and one for each number and vector core for signals
	// between vector cores.
	numSignals  = sem.Signals
	cubeSignals = numSignals * vectorCores
)

// signals contains a counter for each signal between the cores of a block: the number of
// raises that no wait has consumed yet.
type signals struct {
	// cube counts the signals to the cube core, by sending vector core and signal number.
	cube [cubeSignals]int
	// vectors counts the signals from the cube core, by receiving vector core and signal
	// number.
	vectors [vectorCores][numSignals]int
	// pairs is indexed by the sending vector core, the receiving one, and the signal
	// number.
	pairs [vectorCores][vectorCores][numSignals]int
}

// launch is the state that all blocks of a launch share.
type launch struct {
	// vectors is the number of bytes of logical vectors in the frames of all cores.
	vectors *satomic.Int64
	ranks   []rank
	// each is the number of blocks of a rank.
	each int
	// started are the simulated blocks, whose memories are released after the launch. It is
	// nil in a graph, whose tasks release them.
	started *clusters
	// order is the order of printed output; it is nil if blocks do not run in parallel.
	order *printOrder
	// printed is the number of bytes printed so far, guarded by Program.out.
	printed int64
	// events sends the events of the launch to its listeners; it is nil without
	// listeners.
	events *stream
	// raised records, by address, which ranks have raised signals in memory.
	raised map[uint64][]raising
	// windows means that ranks share memory.
	windows bool

	// task is the name of the task of a graph. firstCore is the number of its first core
	// in Launch.Cores.
	task      string
	firstCore int
}

const (
	// These are the kinds of barriers across cores: for all vector cores, for all cube
	// cores, and for both.
	vectorKind = iota
	cubeKind
	mixKind
	numKinds
)

// meetingKinds maps the set of core types that a barrier across cores waits for to the
// number of the barrier: 0 for vector cores, 1 for cube cores and 2 for both.
var meetingKinds = [...]int{sem.VectorUnit: vectorKind, sem.CubeUnit: cubeKind, sem.AnyUnit: mixKind}

// signalID returns a function that returns the number of the signal that op raises or
// waits for. The function faults if the number is invalid.
func (p *planner) signalID(op *ir.Op) func(fr *frame) (int, *Fault) {
	number := sem.SignalOf(op)
	check := func(id int64) (int, *Fault) {
		if msg := analysis.CheckSignal(id); msg != "" {
			return 0, faultAt(op, "%s", msg)
		}
		return int(id), nil
	}
	if !number.Given() {
		return func(*frame) (int, *Fault) { return check(number.Constant) }
	}
	at := p.slot(number.Value)
	return func(fr *frame) (int, *Fault) { return check(int64(fr.x[at])) }
}

// reach returns which cores receive the signal that op raises or waits for: the cores of
// the block that executes op, or the cores of all blocks.
func (p *planner) reach(op *ir.Op) sem.Reach {
	if p.signals == nil {
		s := analysis.FindSignals(op, p.target)
		p.signals = &s
	}
	return p.signals.Reach(op)
}

// crossSet compiles op into a step, a function that raises a signal for other cores: it
// increments their counters.
func (p *planner) crossSet(op *ir.Op, _ sem.CrossSet) step {
	reach := p.reach(op)
	p.together = p.together || reach == sem.ReachAll
	id, vector := p.signalID(op), analysis.UnitFor(op, p.target) == vectorUnit
	p.linkSignals(op, reach, true, id)
	return func(fr *frame) *Fault {
		n, f := id(fr)
		if f != nil {
			return f
		}
		for _, s := range fr.core.signals(n, reach, true, vector) {
			*s.count++
		}
		return nil
	}
}

// crossWait compiles op into a step, a function that waits for a signal of another core
// and consumes it: it decrements the counter.
func (p *planner) crossWait(op *ir.Op, _ sem.CrossWait) step {
	reach := p.reach(op)
	p.together = p.together || reach == sem.ReachAll
	id, vector := p.signalID(op), analysis.UnitFor(op, p.target) == vectorUnit
	p.linkSignals(op, reach, false, id)
	return func(fr *frame) *Fault {
		n, f := id(fr)
		if f != nil {
			return f
		}
		c := fr.core
		heard := c.signals(n, reach, false, vector)
		up := func() bool {
			for _, s := range heard {
				if *s.count == 0 {
					return false
				}
			}
			return len(heard) > 0
		}
		if f := c.await(up, func() *Fault {
			return faultAt(op, "waits for signal %d, which is never raised: %s would wait forever", n, c)
		}); f != nil {
			return f
		}
		for _, s := range heard {
			*s.count--
		}
		return nil
	}
}

// signal is a counter with which one core signals another: the raising core increments
// it, and the waiting core decrements it.
type signal struct {
	count  *int
	number int
	// from is the type of the raising core; anyUnit means all cores.
	from unit
	// sub is the number of the vector core that raises the signal, or that receives it
	// from the cube core.
	sub int
	// to is the number of the receiving vector core for a signal between vector cores, or
	// -1.
	to int
}

// signal returns the counter for one signal between the cube core and a vector core of
// the block. number is the number of the signal, and sub is the number of the vector
// core. from is the type of the core that raises the signal.
func (cl *cluster) signal(number int, from unit, sub int) signal {
	s := signal{&cl.signals.cube[number+sub*numSignals], number, from, sub, -1}
	if from == cubeUnit {
		s.count = &cl.signals.vectors[sub][number]
	}
	return s
}

// pair returns the counter for the signal with the given number between two vector cores
// of a block. The raising core has the number given by the parameter from, and the
// receiving core the number given by the parameter to; both can be the same core.
func (cl *cluster) pair(number, from, to int) signal {
	return signal{&cl.signals.pairs[from][to][number], number, vectorUnit, from, to}
}

// amongVectors returns the counters of one signal between the vector cores of a block.
// number is the number of the signal. There is one counter for each pair of a sending and
// a receiving vector core, which may be the same core. If raised is set, the result
// contains the counters that this core increments; if not, it contains the counters that
// it waits for. The result is empty for a cube core.
func (c *core) amongVectors(number int, raised bool) (list []signal) {
	if c.unit == cubeUnit {
		return nil
	}
	for i := range c.cluster.vectors() {
		if raised {
			list = append(list, c.cluster.pair(number, c.sub, i))
		} else {
			list = append(list, c.cluster.pair(number, i, c.sub))
		}
	}
	return list
}

// signals returns the counters for signal number n. If raised is set, these are the
// counters that the core increments when it raises the signal. Otherwise, these are the
// counters for which it waits. In general, both vector cores receive a signal of the cube
// core, and the cube core waits for both vector cores. reach can select other
// connections, for example one to one. If one simulated core represents all cores, the
// parameter vector states whether the core acts as a vector core.
func (c *core) signals(n int, reach sem.Reach, raised, vector bool) []signal {
	cl, number := c.cluster, n%numSignals
	vector = c.unit == vectorUnit || c.unit == anyUnit && vector
	from := cubeUnit
	if vector == raised {
		from = vectorUnit
	}
	switch {
	case reach == sem.ReachAll:
		return []signal{cl.rank.signal(number)}
	case reach == sem.ReachVectors:
		return c.amongVectors(number, raised)
	case vector && (c.unit == anyUnit || c.forBoth) && raised: // for both vector cores
	case vector:
		return []signal{cl.signal(number, from, c.sub)}
	case reach == sem.ReachPeer:
		return []signal{cl.signal(number, from, n/numSignals)}
	}
	return []signal{cl.signal(number, from, 0), cl.signal(number, from, 1)}
}

// signal returns a description of one signal of the rank. This kind of signal reaches the
// cores of all blocks, so the rank has one counter for each signal number. The
// description contains the address of the counter for the given number.
func (r *rank) signal(number int) signal { return signal{&r.all[number], number, anyUnit, 0, -1} }

// syncAll compiles op, a barrier of all cores of a type, into a step. The step waits
// until all of these cores have arrived at the barrier. The step returns a fault if some
// of them can never arrive.
func (p *planner) syncAll(op *ir.Op, _ sem.SyncAllCores) step {
	p.together = true
	d := sem.MeetingOf(op)
	kind, unit := meetingKinds[d.Cores], d.Cores
	used := p.number(d.Used)
	return func(fr *frame) *Fault {
		c := fr.core
		if c.unit&unit == 0 {
			return nil
		}
		all := int(uint32(used(fr)))
		if all == 0 {
			all = c.cluster.count(unit) * c.prog.opts.Blocks
		}
		arrived := &c.cluster.rank.arrived[kind]
		*arrived++
		turn := (*arrived + all - 1) / all // of all cores: the first, the second, ...
		c.rec.arrive(fr, kind, turn, all)
		return c.await(func() bool { return *arrived >= turn*all }, func() *Fault {
			return faultAt(op, "waits for %d cores, but only %d arrive: %s would wait forever", all, *arrived-(turn-1)*all, c)
		})
	}
}

// count returns the number of cores of the block whose type is in the set u.
func (cl *cluster) count(u unit) int {
	n := 0
	for _, c := range cl.cores {
		if c.unit&u != 0 {
			n++
		}
	}
	return n
}
