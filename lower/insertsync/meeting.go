// This file synchronizes the cube core and the vector cores in functions with work for
// both outside of sections.

package insertsync

import (
	"ptogo/dialect/fn"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A function without sections that has work for two cores (ptoanalysis.Mixed) gets
// the flags of each core by itself. Where an instruction of one core works on
// what the other one has accessed, the cores meet: all finish what they have begun, the
// cube core waits for both vector cores, and then they wait for the cube core. So a
// vector core also knows what the other one has done. That is right at any place, and
// slow; queues, or sections with signals, let the cores work side by side.

// meetings inserts synchronization between the cube core and the vector cores. It applies
// to functions that contain work for both types of cores outside of sections. Before each
// operation that must wait for work on the other type of core, it inserts a
// synchronization between the cores. If a function already contains signals or queues,
// meetings reports a remark and returns false, without a change.
func (i *insertion) meetings(t *tree) bool {
	for op := range i.f.Walk() {
		_, queue := op.Def().Sem.(sem.QueueEntry)
		if queue || sem.SignalOf(op).Ok {
			i.c.Remarkf(i.f, "remains unchanged, because it has cube and vector work outside of sections and its own signals or queues").Note(op.Loc(), "here")
			return false
		}
	}
	top := &node{op: i.f}
	t.compound(top)
	for _, b := range top.bodies {
		i.meetIn(t, b, nil)
	}
	return true
}

// meetIn inserts synchronizations between the cube core and the vector cores into the
// block b. The list before contains the accesses between the last synchronization and the
// start of b. meetIn inserts a synchronization before each access in b that conflicts
// with an earlier access by the other kind of core.
func (i *insertion) meetIn(t *tree, b *blk, before []*touch) {
	if b.walled && len(b.nodes) > 0 {
		i.meet(b.block.First(), "the order of its blocks or iterations is not analyzed")
		before = nil
	}
	for _, n := range b.nodes {
		all := n.flat()
		if o := i.otherCore(t, before, all); o != nil {
			i.meet(n.op, "it accesses what '"+o.op.Name()+"' of the other core has accessed")
			before = nil
		}
		if i.otherCore(t, all, all) != nil {
			for _, k := range n.bodies {
				start := before
				if k.loop != nil { // what a round leaves
					i.meet(k.block.First(), "accesses of the other core from the previous iteration may not be finished")
					start = nil
				}
				i.meetIn(t, k, start)
			}
		}
		before = append(before, all...)
	}
}

// flat returns the accesses of a node (an instruction, loop or branch), including those
// in nested blocks. Locations in nested loops are widened to all iterations.
func (n *node) flat() []*touch {
	if len(n.bodies) == 0 {
		return n.touches
	}
	var all []*touch
	for _, k := range n.bodies {
		for _, c := range k.nodes {
			for _, x := range c.flat() {
				y := *x
				if k.loop != nil {
					y.location = k.loop.outside(y.location)
				}
				all = append(all, &y)
			}
		}
	}
	return all
}

// otherCore searches for two accesses by different cores that must stay in order. The
// first access must be in the list before, and the second one in the list after.
// otherCore returns the first access of such a pair, or nil.
//
// Two accesses count as accesses by different cores if they are in sections for different
// kinds of cores, or if they are outside of sections, where the code may run on both
// kinds. If the two vector cores execute the same code, they access the same global
// memory. A read and a write of vector code then count as accesses by different cores,
// too. Two writes of vector code need no order between the two cores.
func (i *insertion) otherCore(t *tree, before, after []*touch) *touch {
	pair := i.once || ptoanalysis.PerVectorCore(i.f) == nil
	for _, x := range after {
		u := ptoanalysis.UnitFor(x.op, t.target)
		for _, e := range before {
			v := ptoanalysis.UnitFor(e.op, t.target)
			apart := u != v || u == sem.AnyUnit || pair && u == sem.VectorUnit && e.write != x.write && x.space == sem.GM
			if (e.write || x.write) && !(e.atomic && x.atomic) && e.op != x.op && apart && (when{}).overlaps(&e.location, &x.location) {
				return e
			}
		}
	}
	return nil
}

const (
	// fromCube and fromVector are the numbers of the two signals with which the cube core
	// and the vector cores of a block synchronize. cubePipe and vectorPipe are the pipes
	// that raise them; each of them exists only on one kind of core.
	fromCube, fromVector = 0, 1
	cubePipe, vectorPipe = sem.PipeFix, sem.PipeV
)

// meet inserts a synchronization between the cube core and the vector cores of the block
// before op. Each core raises a signal. The cube core waits for the signals of the vector
// cores, and each vector core waits for the signal of the cube core. The parameter why is
// the reason for the synchronization, which remarks show.
func (i *insertion) meet(op *ir.Op, why string) {
	set, wait, second := isasync.SyncSet, isasync.SyncWait, []int64{0}
	if i.c.Target(i.f) == sem.A5 { // a number for each vector core
		set, wait, second = isasync.SetIntraBlock, isasync.WaitIntraBlock, []int64{0, sem.Signals}
	}
	o := i.other(op, "the synchronization of both cores before it", why)
	i.in(op, func(b *ir.Builder) {
		signal := func(def *ir.Def, p sem.Pipe, id int64) {
			o.ops = append(o.ops, b.Create(ir.State{Def: def, Attrs: []ir.NamedAttr{{Name: "pipe", Attr: pipeAttr(p)}, {Name: "event_id", Attr: ir.IntAttr(ir.I32, id)}}}))
		}
		o.ops = append(o.ops, makeBarrier(b, sem.PipeAll))
		signal(set, vectorPipe, fromVector)
		for _, k := range second {
			signal(wait, cubePipe, fromVector+k)
		}
		for _, k := range second {
			signal(set, cubePipe, fromCube+k)
		}
		signal(wait, vectorPipe, fromCube)
		o.ops = append(o.ops, makeBarrier(b, sem.PipeAll))
	})
	i.c.Count("num-barriers", 2)
	if !i.met {
		i.met = true
		i.c.Remarkf(i.f, "@%s has cube and vector work outside of sections: the pass inserts synchronization where one core accesses memory that the other has accessed", fn.Name(i.f)).
			Note(op.Loc(), "first here").Note(ir.Loc{}, "sections with queues let both cores work at the same time")
	}
}
