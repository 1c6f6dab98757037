// This file follows the cube core and both vector cores of a mixed function.

package insertsync

import (
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A function without sections that has work for both kinds of cores runs on two kinds
// of them (ptoanalysis.Mixed). The path is one, in the order of the text; what orders
// accesses is that of the cores, and only signals go from one to the other. The second
// vector core does what the first one does, to the same global memory, unless the
// function asks which of them executes it (ptoanalysis.PerVectorCore).

const (
	// onCube, onVector and onSecond are the indices of the simulated cores in
	// runner.cores: the cube core and the two vector cores. The proof simulates all of
	// them for a mixed function, which has work for both kinds of cores outside of
	// sections.
	onCube, onVector, onSecond int32 = 0, 1, 2
	// between is the value of channelKey.core for a flag from a pipe of one kind of core
	// to a pipe of the other kind.
	between int32 = -1
	// raisedBy is added to the index of a vector core to form the value of
	// channelKey.core for the signals that this vector core raises.
	raisedBy int32 = 8
)

// cores returns the number of cores that the proof simulates.
func (p *proof) cores() int {
	switch {
	case p.pair:
		return 3
	case p.twoCores:
		return 2
	}
	return 1
}

// unitAt returns the kind of the core with the given index in runner.cores.
func unitAt(at int32) sem.Unit {
	if at == onCube {
		return sem.CubeUnit
	}
	return sem.VectorUnit
}

// each simulates the operation op on every core that executes it: once for each core
// type, or once if the program uses a single core.
func (r *runner) each(op *ir.Op) {
	if !r.twoCores || r.team != nil {
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
	for at := range int32(len(r.cores)) {
		if u&unitAt(at) == 0 || r.stopped {
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

// switchTo selects the simulated core with the index at. This core executes the following
// operations.
func (r *runner) switchTo(at int32) { r.at, r.core = at, r.cores[at] }

// ownMemory reports whether x accesses memory that each vector core has separately.
func ownMemory(x *touch) bool { return x.space != sem.GM && x.space != sem.L1 }

// twins reports whether the two accesses are one store that both vector cores execute.
// Without separate code for each core, both vector cores execute the same instructions.
// The two accesses then write the same data, so their order does not matter.
func (r *runner) twins(e, x *access) bool {
	return r.twoCores && r.team == nil && e.op == x.op && e.write && x.write && e.epoch.Core != x.epoch.Core && x.seq-e.seq < len(r.cores)
}

// paired reports whether the accesses belong to two different vector cores that execute
// the same instructions.
func (r *runner) paired(e, x *access) bool {
	return r.team == nil && ofTwoVectorCores(e, x)
}

// ofTwoVectorCores reports whether the accesses belong to two different vector cores.
func ofTwoVectorCores(e, x *access) bool {
	return e.epoch.Core != x.epoch.Core && e.epoch.Core != onCube && x.epoch.Core != onCube
}

// orderedInPair determines whether the access x is ordered after e, an earlier access of
// the other vector core. It returns inOrder, or the kind of order that is missing. Both
// vector cores execute the same instructions, so the core of x has also executed the
// instruction of e. orderedInPair checks whether x is ordered after this execution. There
// are two exceptions, in which the accesses always count as unordered. The first is that
// e is not a write. The second is that x is a read and e.late is set: one of the cores
// may then overwrite the data of e with older contents. The rules are those of the
// run-time checker (runtime/check/pair.go).
func (r *runner) orderedInPair(e, x *access) relation {
	if !e.write || !x.write && e.late {
		return unordered
	}
	own := *e
	own.epoch.Core = x.epoch.Core
	return r.ordered(&own, x)
}

// delay marks the write x as late if an earlier write e of the other vector core to the
// same bytes may not be complete yet. Then e can still overwrite the contents that x has
// written. The parameter why is the result of comparing the two accesses; if an order
// between them is missing, this is reported elsewhere and delay does nothing.
func (r *runner) delay(e, x *access, why relation) {
	if why == inOrder && r.paired(e, x) && e.write && x.write && !(r.twins(e, x) && !e.late) && !r.core.Over(e.epoch, x.epoch.Line) && (when{}).overlaps(&e.location, &x.location) {
		x.late = true
	}
}

// crosses reports whether the two pipes of the flag f belong to different kinds of cores.
func (r *runner) crosses(f sem.Flag) bool {
	return r.twoCores && f.Source.Unit(r.target)&f.Destination.Unit(r.target) == 0
}

// lacksPipe reports an error for a flag or barrier of pipe p if the core does not have
// that pipe.
func (r *runner) lacksPipe(op *ir.Op, p sem.Pipe) {
	u := r.works
	switch {
	case r.twoCores:
		u = unitAt(r.at)
	case r.t.unit != sem.AnyUnit:
		u &= r.t.unit
	}
	if name := unitNames[u]; p != sem.PipeAll && name != "" && !r.rules.HasPipe(u, p) {
		r.find(op, nil, "pipe", ir.Warning, "'%s' uses the pipe %s, which %s does not have", op.Name(), p, name)
	}
}

// unitNames maps the kinds of cores to their names in messages.
var unitNames = map[sem.Unit]string{sem.CubeUnit: "a cube core", sem.VectorUnit: "a vector core"}

// signal simulates op, which raises a signal between the cube core and a vector core of
// one block, or waits for such a signal. It returns true if the simulation succeeded. It
// returns false if the number of the signal is unknown, if an awaited signal has not been
// raised, or if the signal is one between blocks or between vector cores.
func (r *runner) signal(op *ir.Op) bool {
	s := sem.SignalOf(op)
	id, known := r.number(s.Number)
	if !r.twoCores || !known || s.Reach == sem.ReachAll || s.Reach == sem.ReachVectors {
		return false
	}
	_, sets := op.Def().Sem.(sem.CrossSet)
	line, ok := order.LineOrScalar(sem.PipeNamed(op.Attr("pipe"))), true
	for _, at := range r.partners(s.Reach, id) {
		k := channelKey{sem.NoPipe, sem.NoPipe, id % sem.Signals, at}
		if (r.at == onCube) != sets {
			k.core += raisedBy
		}
		if r.channels[k] == nil {
			r.channels[k] = &channel{}
		}
		if sets {
			r.core.Release(line, r.channels[k].Raise())
		} else {
			ok = r.hear(op, line, k) && ok
		}
	}
	return ok
}

// partners returns the indices of the simulated cores with which the current core
// exchanges the signal with number id. The proof keeps one copy of a signal for each
// vector core. A vector core uses only its own copy. The cube core uses the copies of all
// vector cores. As an exception, if the parameter reach is ReachPeer, it uses only the
// copy of the vector core that id selects.
func (r *runner) partners(reach sem.Reach, id int64) []int32 {
	if r.at != onCube {
		return []int32{r.at}
	}
	var all []int32
	for at := onVector; at < int32(len(r.cores)); at++ {
		if reach != sem.ReachPeer || id/sem.Signals == int64(at-onVector) {
			all = append(all, at)
		}
	}
	return all
}

// hear simulates the operation op, which waits on the current core for the signal that k
// identifies. line is the pipe that waits. On targets where the wait stops the issue of
// instructions, the scalar unit waits instead. hear returns false if the signal has not
// been raised.
func (r *runner) hear(op *ir.Op, line order.Line, k channelKey) bool {
	ch := r.channels[k]
	if ch.Pending() == 0 {
		first := channelKey{k.src, k.dst, k.id, onVector}
		if o := r.channels[first]; r.at == onSecond && o != nil && o.Waited() > ch.Waited() {
			r.find(op, nil, "unheard", ir.Error, "'%s' on the second vector core waits for signal %d, which is only raised for the first vector core: the wait would never end", op.Name(), k.id)
			return true
		}
		return false
	}
	if r.rules.StallsIssue() {
		line = order.Scalar
	}
	var c order.Clock
	ch.Take(ch.Waited()+1, &c)
	r.core.Acquire(line, &c)
	ch.Wait(r.core.Waited(line))
	return true
}

// coreNames maps the cores of a mixed function to their names in messages.
var coreNames = [...]string{onCube: "the cube core", onVector: "the vector core", onSecond: "the second vector core"}

// explainCores adds a note to the finding f, a race between the access x and the earlier
// access e of another core. The note proposes a signal that would put the two accesses in
// order.
func (r *runner) explainCores(f *finding, e, x *access) {
	set, wait := r.rules.CoreSignals()
	src, dst := e.epoch.Line.Pipe(), x.epoch.Line.Pipe()
	if ofTwoVectorCores(e, x) {
		f.note(ir.Loc{}, "both vector cores of a block execute the function: synchronize them between the two accesses, or let each process its own part, selected by pto.get_subblock_idx")
		return
	}
	f.note(ir.Loc{}, "%s of %s must wait until %s of %s is done: insert %s <%s>, ID%s after %s and %s <%s>, ID%s before %s",
		dst, coreNames[x.epoch.Core], src, coreNames[e.epoch.Core], set, src, r.sectionFor(e), e.op.Loc().Line(), wait, dst, r.sectionFor(x), x.op.Loc().Line())
}

// sectionFor returns the text " inside pto.section.cube" or " inside pto.section.vector"
// for a message that suggests to insert a signal. This text is needed if both kinds of
// cores have the pipe of the access x. If only one kind has it, the result is "".
func (r *runner) sectionFor(x *access) string {
	if x.epoch.Line.Pipe().Unit(r.target) != sem.AnyUnit {
		return ""
	}
	if x.epoch.Core == onCube {
		return " inside pto.section.cube"
	}
	return " inside pto.section.vector"
}
