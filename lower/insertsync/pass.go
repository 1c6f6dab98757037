// This file defines the pass and runs the analysis on each function.

package insertsync

import (
	"fmt"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Pass inserts the flags and barriers that order instructions on different pipes of a
// core, for each function.
var Pass = &passes.Pass{
	Name:   "pto-insert-sync",
	Title:  "PTOInsertSync",
	Doc:    "Inserts the flags and barriers that order the memory accesses of the pipes of a core. The pass skips functions that already contain flags or barriers.",
	Anchor: "builtin.module",
	Options: []passes.Option{
		{Name: "mode", Kind: passes.Word, Default: "flags", Choices: []string{"flags", "buffers", "barrier-all"},
			Doc: "what to insert. flags: flags and barriers. buffers (a5 only): buffer tokens, and flags where tokens cannot order accesses. barrier-all: a barrier of all pipes before every instruction"},
		{Name: "event-ids", Kind: passes.Number, Default: "8", Doc: "maximum number of event IDs to use for each pair of pipes, 1 to 8"},
		{Name: "gm-alias", Kind: passes.Word, Default: "no", Choices: []string{"no", "may"}, Doc: "whether different pointer arguments may point to the same memory: no means that they never do, may means that they can"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report the purpose of each flag and barrier, and why the pass keeps redundant flags and barriers"},
		{Name: "drain", Kind: passes.Flag, Default: "false", Doc: "end each kernel with a barrier of all pipes, as other compilers do. This barrier is not necessary, because a launch ends only after all pipes have finished"},
		{Name: "force", Kind: passes.Flag, Default: "false", Doc: "in functions that already have flags and barriers, replace them by new ones"},
	},
	Stats: []passes.Stat{
		{Name: "num-flags", Doc: "flags inserted, each a pair of set and wait"},
		{Name: "num-barriers", Doc: "barriers inserted"},
	},
	Run: run,
}

func run(c *passes.Context, module *ir.Op) error {
	if n := c.Int("event-ids"); n < 1 || n > sem.EventIDs {
		c.Errorf(module, "requires the option event-ids to be between 1 and %d, but it is %d", sem.EventIDs, n)
		return passes.ErrReported
	}
	if op := ptoanalysis.Unbuffered(module); op != nil {
		c.Errorf(op, "has a tile without a buffer, so the pass cannot determine which instructions access the same memory").Note(ir.Loc{}, "run pto-bufferize first")
		return passes.ErrReported
	}
	calls := busy(module)
	called := callees(module)
	known := map[*ir.Op][]*echo{}
	pair := pairingOf(module)
	if pair != nil && (c.Text("mode") != "flags" || called[pair.cube] || called[pair.vector] || ownSync(pair.cube) != nil || ownSync(pair.vector) != nil) {
		pair = nil
	}
	if pair != nil {
		quiet := c.Quiet()
		known = pair.learn(c.Target, calls, func(f *ir.Op, known []*echo) error { return insert(quiet, f, calls, false, known) })
	}
	var kernels []*ir.Op
	for _, f := range calleesFirst(module) {
		// Who calls a helper, or launches work items, orders all that they do.
		if fn.Body(f) == nil || !calls[f] || pto.IsHelper(f) || pto.IsSimtEntry(f) {
			continue
		}
		if !called[f] && (c.Bool("force") || ownSync(f) == nil) && c.Text("mode") != "barrier-all" && c.Text("gm-alias") != "may" {
			kernels = append(kernels, f)
		}
		if err := insert(c, f, calls, called[f], known[f]); err != nil {
			return err
		}
	}
	if pair != nil && len(known) > 0 && !standsTogether(c, pair.cube, pair.vector, calls) {
		// The proof does not confirm what the kernels know of each other.
		for _, f := range []*ir.Op{pair.cube, pair.vector} {
			strip(f)
			if err := insert(c, f, calls, false, nil); err != nil {
				return err
			}
		}
		known = nil
	}
	for _, f := range kernels {
		if known[f] == nil {
			repair(c, f, calls)
		}
	}
	return nil
}

// standsTogether reports whether the proof of a cube kernel and a vector kernel that run
// together has an argument for every pair of accesses of each core.
func standsTogether(c *passes.Context, cube, vector *ir.Op, calls map[*ir.Op]bool) bool {
	r := prove(cube, vector, c.Target(cube), calls, false)
	for _, g := range r.Gaps {
		if g.Local && g.Kind != "cache" {
			return false
		}
	}
	return r.Complete()
}

// busy returns the set of functions that execute instructions on a pipe, directly or in a
// function that they call.
func busy(module *ir.Op) map[*ir.Op]bool {
	fs := map[*ir.Op]bool{}
	for changed := true; changed; {
		changed = false
		for f := range module.Walk() {
			if !f.Is(fn.Func) || fs[f] {
				continue
			}
			for op := range f.Walk() {
				onPipe := order.LineOf(pto.PipeFor(op, ir.TargetOf(op))) != order.NoLine
				if onPipe && pto.InfoOf(op.Def()) != nil && len(pto.Effects(op)) > 0 || fs[ptoanalysis.CalleeOf(op)] {
					fs[f], changed = true, true
					break
				}
			}
		}
	}
	return fs
}

// insertion is the state of the pass for one function.
type insertion struct {
	c *passes.Context
	f *ir.Op
	// called reports that the function is not a kernel and that another function of the
	// module calls it.
	called bool
	// calls are the functions that run instructions on a pipe.
	calls map[*ir.Op]bool
	// met reports whether the function contains synchronizations between its cores.
	met bool
	// mixed reports whether the function has work for two kinds of cores outside of
	// sections.
	mixed bool
	// once reports that only vector core 0 executes the stores of vector code.
	once bool
	t    *tree
	*writer
	written []*written
	// replaced is the number of flags whose place a barrier of all pipes takes.
	replaced int
	// echoes are orders that the other core of the block ensures.
	echoes []*echo
}

// insert runs the pass on the function f. calls is the set of functions that execute
// instructions on a pipe, and called states whether another function calls f. sure lists
// the known echoes of f: pairs of a push and a pop whose order the other core ensures.
func insert(c *passes.Context, f *ir.Op, calls map[*ir.Op]bool, called bool, sure []*echo) error {
	if c.Bool("force") {
		strip(f)
	} else if has := ownSync(f); has != nil {
		c.Remarkf(f, "already has synchronization, so the pass inserts none").Note(has.Loc(), "here; force=true replaces it")
		if i := (&insertion{c: c, f: f}); ptoanalysis.Mixed(f) {
			i.storeOnce()
		}
		return nil
	}
	i := &insertion{c: c, f: f, called: called && !f.HasAttr("pto.kernel"), calls: calls, mixed: ptoanalysis.Mixed(f), writer: newWriter(), echoes: sure}
	queues := sync.OnceValue(func() *isasync.Queues { return isasync.FindQueues(f) })
	read := func(u sem.Unit) *tree {
		return &tree{
			resolver: &resolver{known: map[*ir.Value][]location{}, mayAlias: c.Text("gm-alias") == "may", queues: queues},
			target:   c.Target(f), calls: calls, pos: firstPosition, unit: u, mixed: i.mixed, same: map[samePlace]int32{},
		}
	}
	if i.mixed {
		i.storeOnce()
	}
	if i.mixed && !i.meetings(read(sem.AnyUnit)) {
		return nil
	}
	for _, u := range units(f) {
		i.t = read(u)
		if i.unit = u; i.mixed {
			i.unit = sem.AnyUnit // each instruction says its core by its pipe
		}
		i.t.cuts = true
		top := &node{op: f}
		i.t.compound(top)
		for _, root := range top.bodies {
			if err := i.portion(&portion{root, i.t.taken}); err != nil {
				return err
			}
		}
		i.cache(top, i.called)
		for _, p := range i.t.portions {
			if err := i.portion(p); err != nil {
				return err
			}
			i.cache(p.nodes[0], true)
		}
	}
	i.unit = sem.AnyUnit
	if more := i.replaced - mostReplaced; more > 0 && !c.Bool("remarks") {
		c.Remarkf(f, "has %s of all pipes in the place of flags; remarks=true shows them", ir.Count(more, "more barrier"))
	}
	i.announce()
	memoryBarriers(i.t, f, i.writer)
	if c.Bool("drain") || calls[f] && i.called {
		i.barriersAtEnd()
	}
	i.flush()
	if c.Bool("remarks") {
		i.spare()
	}
	return nil
}

// firstPosition is the text position of the first operation of a function. The analysis
// numbers the operations in the order of the text. Positions below firstPosition
// represent all work before the block that is analysed.
const firstPosition = 10

// maxRounds limits the repetitions of the analysis. The assignment of event IDs may
// change the required synchronization (the edges), and the analysis must then start
// again.
const maxRounds = 16

// portion inserts the synchronization for a portion of the function, in the way that the
// option mode selects.
func (i *insertion) portion(p *portion) error {
	root := p.blk
	root.top = true
	give(root, i.echoes, i.t.target)
	a := &analysis{rules: order.RulesOf(i.t.target)}
	switch i.c.Text("mode") {
	case "barrier-all":
		i.walls(root)
		return nil
	case "buffers":
		if i.t.target != sem.A5 {
			i.c.Errorf(i.f, "cannot be synchronized by buffer tokens on target %s: only a5 has them", sem.ProfileName(i.t.target)).
				Note(ir.Loc{}, "leave out mode=buffers")
			return passes.ErrReported
		}
		if shared := i.sharing(); shared != nil {
			i.c.Remarkf(shared, "uses flags instead of buffer tokens in @%s: tokens of two functions would guard different memory", fn.Name(i.f))
			break
		}
		a.buffers = giveBuffers(root)
		a.buffers.write(root, i.writer)
	}
	a.find(root)
	number := func(share, giveUp bool) bool {
		ev := &events{a: a, limit: i.c.Int("event-ids"), taken: p.taken, used: map[[2]line][]event{}, giveUp: giveUp, shares: share,
			after: i.t.mixed && i.t.unit == sem.VectorUnit, target: i.t.target, mixed: i.t.mixed}
		return ev.assign(root)
	}
	settle := func(share bool) {
		most := maxRounds
		if share { // at most one new barrier for each round
			most *= 4
		}
		for round := 0; !number(share, round >= most); round++ {
			a.find(root) // the edges that have changed may be missed elsewhere
		}
	}
	share := a.cheaper(root, settle)
	a.prune(root, func() bool { return number(share, false) })
	i.block(root)
	i.report(root)
	i.written = append(i.written, &written{root, a, func() bool { return number(share, false) }})
	return nil
}

// walls inserts a barrier of all pipes before every instruction in b and its nested
// blocks (mode=barrier-all).
func (i *insertion) walls(b *blk) {
	for _, n := range b.nodes {
		if len(n.bodies) == 0 {
			i.wallBefore(n.op, "mode=barrier-all inserts a barrier before every instruction")
			i.c.Count("num-barriers", 1)
		}
		for _, k := range n.bodies {
			i.walls(k)
		}
	}
}

// barriersAtEnd inserts a barrier of all pipes before each return. The end of a launch
// waits for all pipes, but a return to a caller inside the kernel does not. The caller
// does not know which work of the function is unfinished.
func (i *insertion) barriersAtEnd() {
	for b := range i.f.Region(0).Blocks() {
		if t := b.Terminator(); t != nil && len(t.Successors()) == 0 {
			i.wallBefore(t, "callers, and the drain option, require that all work is done at the end")
			i.c.Count("num-barriers", 1)
		}
	}
}

// mostReplaced is the maximum number of barriers of all pipes in the place of flags that the pass
// explains in a function without the option remarks.
const mostReplaced = 8

// report adds a remark with the purpose of each edge in b and its nested blocks. Without the
// option remarks, it explains the first barriers of all pipes that take the place of flags.
func (i *insertion) report(b *blk) {
	for _, n := range b.nodes {
		for _, k := range n.bodies {
			i.report(k)
		}
	}
	for _, e := range b.edges {
		from, to := e.why[0], e.why[1]
		if e.barrier() || e.all {
			i.c.Count("num-barriers", 1)
		} else {
			i.c.Count("num-flags", 1)
		}
		if e.all {
			i.replaced++
		}
		if !i.c.Bool("remarks") && (!e.all || i.replaced > mostReplaced) {
			continue
		}
		d := i.c.Remarkf(to.op, "waits for '%s' (synchronized %s) because of a %s hazard on %s", from.op.Name(), e.means(), hazardName(from, to), placeName(to))
		d.Note(from.op.Loc(), "this one")
	}
}

// means describes, for a remark, the synchronization that implements an edge: a flag or a
// barrier.
func (e *edge) means() string {
	switch {
	case e.all:
		return "by a barrier of all pipes, because " + e.allWhy
	case e.barrier():
		return "by a barrier of " + e.src.Pipe().String()
	case e.slots > 0:
		return fmt.Sprintf("by events %d to %d from %s to %s, one for each slot", e.ids[0], e.ids[len(e.ids)-1], e.src.Pipe(), e.dst.Pipe())
	}
	return fmt.Sprintf("by event %d from %s to %s", e.ids[0], e.src.Pipe(), e.dst.Pipe())
}

// hazardName returns the kind of hazard between two accesses in program order: WAR (write
// after read), RAW or WAW.
func hazardName(a, b *touch) string {
	switch {
	case !a.write:
		return "WAR"
	case !b.write:
		return "RAW"
	}
	return "WAW"
}

// placeName returns the text for the memory of the access x in a remark. The text
// contains the memory space, and the name of the buffer or the byte range if one of them
// is known.
func placeName(x *touch) string {
	at, known := x.from.constant()
	switch {
	case x.root != nil && x.root.Name() != "":
		return x.space.String() + " of %" + x.root.Name()
	case known && x.size > 0 && x.space != sem.GM:
		q := x.wholeRing()
		return fmt.Sprintf("%s bytes %d to %d", x.space, at, at+q.size-1)
	}
	return x.space.String()
}

// units returns the kinds of cores (cube or vector) that the analysis must treat
// separately. If the function has work for both kinds, the result contains both. If not,
// the result is AnyUnit alone.
func units(f *ir.Op) []sem.Unit {
	var seen sem.Unit
	for op := range f.Walk() {
		if s, ok := op.Def().Sem.(sem.Scope); ok {
			switch s.Kind {
			case sem.CubeSection:
				seen |= sem.CubeUnit
			case sem.VectorSection:
				seen |= sem.VectorUnit
			}
		}
	}
	if seen != sem.AnyUnit && !ptoanalysis.Mixed(f) {
		return []sem.Unit{sem.AnyUnit}
	}
	return []sem.Unit{sem.CubeUnit, sem.VectorUnit}
}

// callees returns the set of those functions of a module that other functions of the
// module call.
func callees(module *ir.Op) map[*ir.Op]bool {
	fs := map[*ir.Op]bool{}
	for op := range module.Walk() {
		if op.Is(fn.Call) {
			fs[ptoanalysis.CalleeOf(op)] = true
		}
	}
	return fs
}

// ownSync returns an operation with which the function f synchronizes its pipes itself:
// it sets a flag, waits for a flag, or acquires or releases a buffer token. It returns
// nil if there is none. Barriers do not count as such an operation. Frontends insert some
// barriers around code that passes cannot analyze, and rely on this pass for all other
// synchronization.
func ownSync(f *ir.Op) *ir.Op {
	for op := range f.Walk() {
		switch op.Def().Sem.(type) {
		case sem.SetFlag, sem.WaitFlag, sem.BufAcquire, sem.BufRelease:
			return op
		}
	}
	return nil
}

// orders reports whether op synchronizes pipes with each other. The option force of the
// pass removes these operations.
func orders(op *ir.Op) bool { return op.Is(isasync.MemBar) || sem.OrdersPipes(op) }

// strip removes all synchronization between pipes from a function.
func strip(f *ir.Op) {
	var all []*ir.Op
	for op := range f.Walk() {
		if orders(op) {
			all = append(all, op)
		}
	}
	for _, op := range all {
		op.Erase()
	}
}
