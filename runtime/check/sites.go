// This file collects facts about operations.

package check

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/cf"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/runtime"
)

// site contains the properties of an operation that do not change during a launch. The
// checker creates a site for every operation that has events.
type site struct {
	// id is the number of the site, from 1.
	id int32
	op *ir.Op
	// scalar means that the scalar unit executes the operation, even in a vecscope.
	scalar bool
	// pushes reports that the operation fills entries of queues.
	pushes bool
	// deps are the sites of the instructions that read memory and from whose results the
	// operands of this operation are computed.
	deps []int32
	// sink is the first use of the results that must not depend on uninitialized memory,
	// for example a branch.
	sink sink
	// origin is the number of the uninitialized read from which the results were
	// computed, or 0.
	origin int32
	// linked means that deps has been computed.
	linked bool
	// bytes is the size in bytes of the tile that the operation allocates.
	bytes int64
	// copies is the timeline of an asynchronous copy, or of the copies that the operation
	// waits for. It is order.NoLine for other operations.
	copies order.Line
	// copy is the site of the copy whose event the operation waits for, or 0 if the event
	// can be that of several copies.
	copy int32
	// rules are the rules about the device library that a run of the operation checks.
	// ruled means that they have been determined.
	rules []pto.DeviceRule
	ruled bool
	// extents are the operands of the last execution without their addresses. fine means
	// that the rules had nothing to report about it.
	extents []runtime.Value
	fine    bool
	// roots are the sites of the allocations of the operands; -1 means not computed yet.
	roots []int32
}

// siteState contains what the checker records about an operation during a launch: its
// last execution in a vector function, and its last write. Each simulation of the launch
// by the checker has a siteState of its own for the operation.
type siteState struct {
	// inner is the last execution of the operation in a vecscope.
	inner innerSite
	// wrote is the last write of the operation to local memory, on a pipe that loads
	// data.
	wrote wroteSite
}

// innerSite describes the last execution of an instruction in a vecscope. The checker
// uses this record to determine whether a later access in the vecscope is ordered after
// that execution.
type innerSite struct {
	scope uint64
	class order.AccessClass
	// n is the number of the execution among the accesses of its class. start describes
	// which instructions were complete when it started.
	n     uint32
	start order.Seen
}

// wroteSite identifies the most recent execution of an instruction, if the instruction
// writes local memory. It also states how many bytes this execution wrote.
type wroteSite struct {
	core  int32
	n     uint32
	bytes int64
}

// sites assigns a number to each operation that has events, starting from 1. Records of
// accesses refer to operations by these numbers, to save memory.
type sites struct {
	all []*site
	of  map[*ir.Op]*site
	// last is the result of the previous call of site, because consecutive events often
	// have the same operation.
	last *site
	// sessions numbers the sessions of asynchronous copies.
	sessions map[*ir.Value]int
}

// newSites returns an empty numbering of the operations (sites) that have events.
func newSites() *sites {
	return &sites{all: []*site{nil}, of: map[*ir.Op]*site{}, sessions: map[*ir.Value]int{}}
}

// site returns the record with the constant properties of operation op. It creates the
// record on first use.
func (ss *sites) site(op *ir.Op) *site {
	if ss.last != nil && ss.last.op == op {
		return ss.last
	}
	s := ss.of[op]
	if s == nil {
		s = &site{id: int32(len(ss.all)), op: op, copies: order.NoLine}
		s.scalar = pto.InfoOf(op.Def()) != nil && pto.PipeFor(op, ir.TargetOf(op)) == sem.PipeS
		s.pushes = sem.QueueEntryOf(op).Act == sem.QueuePush
		ss.of[op] = s
		ss.all = append(ss.all, s)
		ss.copies(s)
	}
	ss.last = s
	return s
}

// copies assigns a timeline to s if its operation is an asynchronous copy between ranks,
// or a wait for such a copy. A timeline is a sequence of operations that runs in parallel
// with the pipes. There are two timelines for copies. Each copy belongs to a session;
// sessions are numbered in the order of their first use. Sessions with even numbers use
// the first timeline, and those with odd numbers use the second. Two sessions therefore
// run in parallel, but with more than two sessions, some of them share a timeline.
func (ss *sites) copies(s *site) {
	kind, isCopy := s.op.Def().Sem.(sem.CommCopy)
	_, waits := s.op.Def().Sem.(sem.CommEvent)
	if !(isCopy && kind.Async) && !waits {
		return
	}
	session := s.op.Arg("session")
	n, known := ss.sessions[session]
	if !known {
		n = len(ss.sessions)
		ss.sessions[session] = n
	}
	s.copies = order.Copies
	if n%2 == 1 {
		s.copies = order.MoreCopies
	}
	if event := s.op.Arg("event"); waits && event != nil {
		if by := event.Op(); by != nil {
			s.copy = ss.site(by).id
		}
	}
}

// lineOf returns the timeline of event e of the operation. A timeline is a sequence of
// instructions that runs in parallel with other sequences; in general it is the pipe.
// Asynchronous copies have separate timelines.
func (s *site) lineOf(e *runtime.Event) order.Line {
	if s.copies != order.NoLine {
		return s.copies
	}
	return order.LineOf(e.Pipe)
}

// link determines which instructions compute the operands of the operation at site s,
// directly or through scalar operations. It records only instructions that read memory,
// because only they can obtain uninitialized bytes.
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

// sink is a use of a value that must not depend on uninitialized memory, such as a branch
// or an address.
type sink uint8

const (
	notFollowed sink = iota
	noSink
	branchSink
	addressSink
	compareSink
)

// sinkNames contains the text for messages for each kind of use that must not depend on
// uninitialized memory.
var sinkNames = map[sink]string{branchSink: "a branch", addressSink: "an address", compareSink: "a comparison"}

// sinkOf searches for a use of the results of op that must not depend on uninitialized
// memory, such as a branch condition. It follows the results through scalar operations
// and returns the kind of the first such use. It returns noSink if it finds no such use.
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

// sinkAt returns the way in which op uses its operand v, for example as a branch
// condition or as an address. It distinguishes only uses that must not depend on
// uninitialized data. For all other uses, it returns noSink.
func sinkAt(op *ir.Op, v *ir.Value) sink {
	switch op.Def() {
	case arith.CmpI, arith.CmpF:
		return compareSink
	case scf.If, scf.For, scf.Condition, cf.CondBr, scf.IndexSwitch, cf.Switch:
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
