package insertsync

import (
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A function without sections that has work for both kinds of cores runs on two of
// them (ptoanalysis.Mixed). The path is one, in the order of the text; what orders
// accesses is that of two cores, and only signals go from one to the other. The
// second vector core does what the first one does, and is not followed.

// The cores of a mixed function, by their numbers in runner.cores.
const (
	onCube, onVector int32 = 0, 1
	// between is the core of a flag from a pipe of one to a pipe of the other.
	between int32 = -1
)

// each follows an operation on every core that executes it.
func (r *runner) each(op *ir.Op) {
	if !r.twoCores {
		if !r.synchronize(op) {
			r.instruction(op)
			r.results(op)
		}
		return
	}
	u, sync := ptoanalysis.UnitFor(op, r.target), false
	if u == sem.AnyUnit && sem.SignalOf(op).Ok {
		u = sem.CubeUnit // as in the runtime
	}
	for _, at := range []int32{onCube, onVector} {
		if u&(sem.CubeUnit<<at) == 0 || r.stopped {
			continue
		}
		r.switchTo(at)
		if sync = r.synchronize(op); !sync {
			r.instruction(op)
		}
	}
	if !sync {
		r.results(op)
	}
}

// switchTo makes a core the one that executes.
func (r *runner) switchTo(at int32) { r.at, r.core = at, r.cores[at] }

// twins reports whether two accesses are one store of the scalar unit that both
// cores execute: they write the same.
func (r *runner) twins(e, x *access) bool {
	return r.twoCores && e.op == x.op && e.epoch.Core != x.epoch.Core && e.seq+1 == x.seq
}

// crosses reports whether the pipes of a flag are those of two cores.
func (r *runner) crosses(f sem.Flag) bool {
	return r.twoCores && f.Source.Unit(r.target)&f.Destination.Unit(r.target) == 0
}

// lacksPipe reports a flag or a barrier of a pipe that the core does not have.
func (r *runner) lacksPipe(op *ir.Op, p sem.Pipe) {
	u := r.works
	switch {
	case r.twoCores:
		u = sem.CubeUnit << r.at
	case r.t.unit != sem.AnyUnit:
		u &= r.t.unit
	}
	if name := unitNames[u]; p != sem.PipeAll && name != "" && !r.rules.HasPipe(u, p) {
		r.find(op, nil, "pipe", ir.Warning, "'%s' is about %s, which %s does not have", op.Name(), p, name)
	}
}

var unitNames = map[sem.Unit]string{sem.CubeUnit: "a cube core", sem.VectorUnit: "a vector core"}

// crossFlag reports a flag between two cores.
func (r *runner) crossFlag(op *ir.Op, k channelKey) {
	if f := r.find(op, nil, "core", ir.Error, "'%s' goes from %s of one kind of core to %s of the other, but a flag stays inside a core: it orders nothing, and its wait never ends on hardware", op.Name(), k.src, k.dst); f != nil {
		set, wait := r.rules.CoreSignals()
		f.note(ir.Loc{}, "let a signal go from one core to the other: %s <%s>, ID, and %s <%s>, ID", set, k.src, wait, k.dst)
	}
}

// signal follows a signal between the two cores of a mixed function. It reports
// false for signals that go elsewhere, or whose number is not known.
func (r *runner) signal(op *ir.Op) bool {
	s := sem.SignalOf(op)
	id, known := r.number(s.Number)
	if !r.twoCores || !known || s.Reach == sem.ReachAll || s.Reach == sem.ReachVectors {
		return false
	}
	if id >= sem.Signals {
		return true // of the second vector core
	}
	_, sets := op.Def().Sem.(sem.CrossSet)
	to := r.at
	if sets {
		to = onCube + onVector - r.at
	}
	k := channelKey{sem.NoPipe, sem.NoPipe, id, to}
	if r.channels[k] == nil {
		r.channels[k] = &channel{}
	}
	ch := r.channels[k]
	line := lineFor(sem.PipeNamed(op.Attr("pipe")))
	switch {
	case sets:
		r.core.Release(line, ch.Raise())
	case ch.Pending() == 0:
		return false
	default:
		if r.rules.StallsIssue() {
			line = order.Scalar
		}
		var c order.Clock
		ch.Take(ch.Waited()+1, &c)
		r.core.Acquire(line, &c)
		ch.Wait(r.core.Waited(line))
	}
	return true
}

var coreNames = [...]string{onCube: "the cube core", onVector: "the vector core"}

// explainCores says which signal is missing between two cores.
func (r *runner) explainCores(f *finding, e, x *access) {
	set, wait := r.rules.CoreSignals()
	src, dst := e.epoch.Line.Pipe(), x.epoch.Line.Pipe()
	f.note(ir.Loc{}, "%s of %s must know that %s of %s is done: insert %s <%s>, ID%s after %s and %s <%s>, ID%s before %s",
		dst, coreNames[x.epoch.Core], src, coreNames[e.epoch.Core], set, src, r.sectionFor(e), lineOf(e.op.Loc()), wait, dst, r.sectionFor(x), lineOf(x.op.Loc()))
}

// sectionFor says where a signal belongs whose pipe does not tell the core.
func (r *runner) sectionFor(x *access) string {
	if x.epoch.Line.Pipe().Unit(r.target) != sem.AnyUnit {
		return ""
	}
	if x.epoch.Core == onCube {
		return " inside pto.section.cube"
	}
	return " inside pto.section.vector"
}
