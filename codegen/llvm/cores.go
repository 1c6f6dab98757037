// This file emits signals between cores and barriers of all cores.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// A signal between cores is a counter. Between the cube core and the vector cores,
	// there is one counter for each signal number, vector core and direction. Between
	// vector cores, there is one for each signal number and each ordered pair of vector
	// cores. A signal that reaches all blocks has one counter per signal number for the
	// complete launch.
	//
	// coreSignals is the number of signal numbers; signals is the number of counters from
	// or to the cube core in one direction.
	coreSignals = sem.Signals
	signals     = coreSignals * vectorCores
)

// signalID emits the number of the cross-core signal that op refers to, from an attribute
// or an operand. A number out of range is a fault.
func (f *function) signalID(op *ir.Op) value.Value {
	number := sem.SignalOf(op)
	if number.Given() {
		n := f.number(number.Operand)
		f.AtMostOrTrap(n, signals-1)
		return n
	}
	id := number.Constant
	if msg := analysis.CheckSignal(id); msg != "" {
		f.errorf(op, "%s", msg)
	}
	return ll.Index(id)
}

// crossSet emits an instruction that raises a cross-core signal. It emits no code if the
// function runs on a single core, because then no other core waits for the signal.
func (f *function) crossSet(op *ir.Op, _ sem.CrossSet) {
	n, reach := f.signalID(op), f.reached(op)
	if f.team == nil && reach != sem.ReachVectors {
		return
	}
	for _, p := range f.signals(n, reach, true) {
		f.count(p)
	}
}

// crossWait emits an instruction that waits for a signal from another core.
func (f *function) crossWait(op *ir.Op, _ sem.CrossWait) {
	counters := f.signals(f.signalID(op), f.reached(op), false)
	f.until(func() value.Value {
		up := value.Value(ll.Integer(ll.I1, int64(min(1, len(counters)))))
		for _, p := range counters {
			up = f.And(up, f.ICmp(enum.IPredNE, f.Load(ll.I64, p, 8), ll.Index(0)))
		}
		return up
	})
	for _, p := range counters {
		f.Store(f.Sub(f.Load(ll.I64, p, 8), ll.Index(1)), p, 8)
	}
}

// signals returns the addresses of the counters for signal number n. If raised is set,
// these are the counters that this core increments when it raises the signal; if not,
// they are the counters that it reads when it waits. The parameter reach states which
// cores the signal connects. A signal between the cube core and the vector cores usually
// connects all three cores. The cube core then uses two counters, one for each vector
// core, and a vector core uses only its own counter.
func (f *function) signals(n value.Value, reach sem.Reach, raised bool) []value.Value {
	low := f.Rem(n, coreSignals)
	of := "cube"
	if (f.unit == vectorUnit) != raised {
		of = "vectors"
	}
	counter := func(i value.Value) value.Value { return f.At(ll.I64, f.memory("signals."+of, 8*signals), i) }
	switch {
	case reach == sem.ReachAll:
		return []value.Value{f.At(ll.I64, f.launchMemory("signals", 8*coreSignals), low)}
	case reach == sem.ReachVectors:
		return f.amongVectors(low, raised)
	case f.unit == vectorUnit:
		return []value.Value{counter(f.Add(low, f.Mul(f.vectorCore, ll.Index(coreSignals))))}
	case reach == sem.ReachPeer:
		return []value.Value{counter(n)}
	}
	return []value.Value{counter(low), counter(f.Add(low, ll.Index(coreSignals)))}
}

// amongVectors returns the addresses of the counters for the signal number in the
// parameter number. There is one counter between this vector core and each vector core of
// its block. If raised is set, the counters are those that this core increments;
// otherwise they are those for which it waits. The result is empty for a cube core.
func (f *function) amongVectors(number value.Value, raised bool) (list []value.Value) {
	if f.unit == cubeUnit {
		return nil
	}
	own, cores := value.Value(ll.Index(0)), int64(1)
	if f.team != nil {
		own, cores = f.vectorCore, f.team.count(sem.VectorUnit)
	}
	for i := range cores {
		from, to := value.Value(ll.Index(i)), own
		if raised {
			from, to = own, from
		}
		pair := f.Add(f.Mul(from, ll.Index(vectorCores)), to)
		list = append(list, f.At(ll.I64, f.memory("signals.pairs", 8*signals*vectorCores), f.Add(number, f.Mul(pair, ll.Index(coreSignals)))))
	}
	return list
}

// reached returns the set of cores that a cross-core signal reaches. The instruction op
// raises this signal or waits for it.
func (f *function) reached(op *ir.Op) sem.Reach {
	if f.module.signals == nil {
		s := analysis.FindSignals(op, f.opts.Target)
		f.module.signals = &s
	}
	return f.module.signals.Reach(op)
}

// meetingNames maps a kind of core to the name of the counter for barriers of all cores
// of that kind.
var meetingNames = [...]string{sem.VectorUnit: "aiv_only", sem.CubeUnit: "aic_only", sem.AnyUnit: "mix"}

// syncAll emits a barrier at which all cores of one kind wait for each other.
func (f *function) syncAll(op *ir.Op, _ sem.SyncAllCores) {
	o := sem.MeetingOf(op)
	kind, name := o.Cores, meetingNames[o.Cores]
	if f.unit&kind == 0 {
		return
	}
	own := int64(1)
	if f.team != nil {
		own = f.team.count(kind)
	}
	all := f.Mul(f.blockNum, ll.Index(own))
	if o.Used.Given() {
		used := f.ZExt(f.Resize(f.val(o.Used.Value), ll.I32, false), ll.I64)
		all = f.Select(f.ICmp(enum.IPredEQ, used, ll.Index(0)), all, used)
	}
	arrived := f.launchMemory("arrived."+name, 8)
	f.count(arrived)
	round := f.UDiv(f.Sub(f.Add(f.Load(ll.I64, arrived, 8), all), ll.Index(1)), all) // of all cores: the first, the second, ...
	f.until(func() value.Value { return f.ICmp(enum.IPredUGE, f.Load(ll.I64, arrived, 8), f.Mul(round, all)) })
}
