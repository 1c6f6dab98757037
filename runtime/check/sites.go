// This file collects facts about operations.

package check

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// site is what there is to know of an operation that has events.
type site struct {
	id     int32
	op     *ir.Op
	scalar bool // the scalar unit executes it, also in a vecscope
	pushes bool // it fills entries of queues
	// deps are the instructions that read memory whose results go into this one.
	deps []int32
	sink sink // where its results go that must not be garbage
	// origin identifies the uninitialized memory from which its results were computed,
	// or is 0.
	origin int32
	linked bool    // deps are known
	bytes  int64   // of a tile that it allocates
	roots  []int32 // sites of the allocation of operands, -1 for not known yet
}

// siteState is what a machine remembers of an operation.
type siteState struct {
	inner innerSite // its last execution in a vecscope
	wrote wroteSite // its last write of local memory, on a pipe that loads
}

// innerSite is the last execution of an instruction in a vecscope.
type innerSite struct {
	scope uint64
	class order.AccessClass
	n     uint32
	start order.Seen
}

// wroteSite is how much an execution of an instruction has written.
type wroteSite struct {
	core  int32
	n     uint32
	bytes int64
}

// sites numbers operations, from 1.
type sites struct {
	all []*site
	of  map[*ir.Op]*site
	// last is the operation looked up last.
	last *site
}

func newSites() *sites { return &sites{all: []*site{nil}, of: map[*ir.Op]*site{}} }

// site returns the site of an operation.
func (ss *sites) site(op *ir.Op) *site {
	if ss.last != nil && ss.last.op == op {
		return ss.last
	}
	s := ss.of[op]
	if s == nil {
		s = &site{id: int32(len(ss.all)), op: op}
		s.scalar = pto.InfoOf(op.Def()) != nil && pto.PipeFor(op, ir.TargetOf(op)) == sem.PipeS
		s.pushes = sem.QueueEntryOf(op).Act == sem.QueuePush
		ss.of[op] = s
		ss.all = append(ss.all, s)
	}
	ss.last = s
	return s
}

// link finds what the results of other instructions an instruction works on.
// Only those that have read memory matter.
func (ss *sites) link(s *site) {
	if s.linked {
		return
	}
	s.linked = true
	for _, op := range analysis.Readers(s.op) {
		s.deps = append(s.deps, ss.site(op).id)
	}
	ss.last = nil
}

// sink is what a value affects, such as a branch or an address.
type sink uint8

const (
	notFollowed sink = iota
	noSink
	branchSink
	addressSink
	compareSink
)

var sinkNames = map[sink]string{branchSink: "a branch", addressSink: "an address", compareSink: "a comparison"}

// sinkOf follows the results of an instruction to what they decide.
func sinkOf(op *ir.Op) sink {
	seen := map[*ir.Value]bool{}
	todo := append([]*ir.Value(nil), op.Results()...)
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		for u := range v.Uses() {
			if k := sinkAt(u.Owner(), v); k != noSink {
				return k
			}
			if info := pto.InfoOf(u.Owner().Def()); info == nil {
				todo = append(todo, u.Owner().Results()...)
			}
		}
	}
	return noSink
}

// sinkAt returns what v affects in an operation that uses it.
func sinkAt(op *ir.Op, v *ir.Value) sink {
	switch op.Name() {
	case "arith.cmpi", "arith.cmpf":
		return compareSink
	case "scf.if", "scf.for", "scf.condition", "cf.cond_br", "scf.index_switch", "cf.switch":
		return branchSink
	}
	info := pto.InfoOf(op.Def())
	if info == nil {
		return noSink
	}
	if _, ok := ir.FormatOf(v.Type()); ok && (v.Type() == ir.Index) {
		return addressSink
	}
	return noSink
}
