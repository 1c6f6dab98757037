package check

import (
	"ptogo/dialect/pto"
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
	// origin is what its results were made of that nobody wrote, or 0.
	origin int32
	linked bool    // deps are known
	bytes  int64   // of a tile that it allocates
	roots  []int32 // sites of the allocations behind operands, -1 for not known yet
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
	seen := map[*ir.Value]bool{}
	var todo []*ir.Value
	push := func(v *ir.Value) {
		if v != nil && !seen[v] {
			seen[v] = true
			todo = append(todo, v)
		}
	}
	for _, v := range s.op.Operands() {
		if carries(v) {
			push(v)
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range sources(v, func(op *ir.Op) { s.deps = append(s.deps, ss.site(op).id) }) {
			push(from)
		}
	}
	ss.last = nil
}

// carries reports whether a value holds contents of memory that was read:
// registers, masks and numbers, but no addresses.
func carries(v *ir.Value) bool {
	switch pto.SpaceOf(v.Type()) {
	case sem.NoSpace:
	default:
		return false
	}
	return !ir.Is[pto.PtrType](v.Type())
}

// sources returns the values that v is made of. Where v is what an instruction
// has read from memory, reader hears of it.
func sources(v *ir.Value, reader func(op *ir.Op)) []*ir.Value {
	op := v.Op()
	if op == nil {
		return argSources(v)
	}
	if len(op.Regions()) > 0 {
		return regionSources(op, v)
	}
	var from []*ir.Value
	reads := false
	for _, o := range op.Operands() {
		if carries(o) {
			from = append(from, o)
			continue
		}
		reads = reads || pto.SpaceOf(o.Type()) != sem.NoSpace
	}
	if reads && pto.InfoOf(op.Def()) != nil {
		reader(op)
	}
	return from
}

// argSources returns what may come in through a block argument: of a loop, its
// first value and what the round before yields.
func argSources(v *ir.Value) []*ir.Value {
	b := v.Block()
	op := b.Parent()
	if op == nil {
		return nil
	}
	var from []*ir.Value
	args := b.Args()
	k := -1
	for i, a := range args {
		if a == v {
			k = len(args) - i // counted from the end, where loops have what they carry
		}
	}
	if n := op.NumOperands(); k > 0 && k <= n {
		from = append(from, op.Operand(n-k))
	}
	for _, r := range op.Regions() {
		for inner := range r.Blocks() {
			if end := inner.Terminator(); end != nil && k > 0 && k <= end.NumOperands() {
				from = append(from, end.Operand(end.NumOperands()-k))
			}
		}
	}
	return from
}

// regionSources returns what may leave an operation with regions as result v.
func regionSources(op *ir.Op, v *ir.Value) []*ir.Value {
	var from []*ir.Value
	k := 0
	for i, r := range op.Results() {
		if r == v {
			k = op.NumResults() - i
		}
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if end := b.Terminator(); end != nil && k > 0 && k <= end.NumOperands() {
				from = append(from, end.Operand(end.NumOperands()-k))
			}
		}
	}
	if n := op.NumOperands(); k > 0 && k <= n && len(op.Regions()) == 1 {
		from = append(from, op.Operand(n-k)) // a loop that does not run
	}
	return from
}

// sink says what a value decides.
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

// sinkAt says what v decides in an operation that uses it.
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
