// This file computes lower bounds of the time of a launch while it is recorded.

package timing

import "ptogo/dialect/pto/sem"

// Bound computes a lower bound of the time of a launch from the instructions that a
// Recorder has recorded so far. It assumes that each pipe executes its instructions
// without waiting, and that the cores of the chip share all work evenly. A search for
// fast kernels ends a prediction when this bound exceeds the time of other kernels.
type Bound struct {
	r    *Recorder
	m    model
	next int
	// costs are the costs of works, by their number.
	costs []cost
	// busy holds the cycles of each pipe of each core; most is the largest of them, and
	// sums are their sums over all cores.
	busy map[corePipe]float64
	most float64
	sums map[sem.Pipe]float64
}

// corePipe identifies a pipe of a core: the number of the core and the pipe.
type corePipe struct {
	core int32
	pipe sem.Pipe
}

// NewBound returns a lower bound for the time of a launch on chip c. The bound grows
// while r records the launch. The blocks of the launch must not run in parallel, because
// r would then join their recordings only at the end.
func NewBound(r *Recorder, c *Chip) *Bound {
	return &Bound{r: r, m: model{chip: c}, busy: map[corePipe]float64{}, sums: map[sem.Pipe]float64{}}
}

// Micros returns a time in microseconds that the launch certainly needs, computed from
// the instructions recorded so far.
func (b *Bound) Micros() float64 {
	if b.r.launch == nil {
		return 0
	}
	b.m.target = b.r.launch.Target
	for ; b.next < len(b.r.items); b.next++ {
		if it := &b.r.items[b.next]; it.kind == workItem {
			b.add(it)
		}
	}
	cycles, c := b.most, b.m.chip
	for pipe, sum := range b.sums {
		cores := c.num("cores.aic")
		if pipe != sem.PipeM && pipe != sem.PipeMTE1 && pipe != sem.PipeFix { // vector cores have it, too
			cores += c.num("cores.aiv")
		}
		cycles = max(cycles, sum/cores)
	}
	return cycles / c.clock()
}

// add adds the cost of one item of the recording, an executed instruction, to the busy
// time of the pipe that executes it. The lower bound of the run time is computed from the
// busy times of all pipes.
func (b *Bound) add(it *item) {
	for len(b.costs) <= int(it.work) {
		b.costs = append(b.costs, b.m.cost(&b.r.works[len(b.costs)]))
	}
	k := &b.costs[it.work]
	cycles := k.busy
	if it.move >= 0 && k.rate > 0 {
		cycles += float64(b.r.moves[it.move].bytes) / k.rate
	}
	at := corePipe{it.core, it.pipe}
	b.busy[at] += cycles
	b.most = max(b.most, b.busy[at])
	b.sums[it.pipe] += cycles
}
