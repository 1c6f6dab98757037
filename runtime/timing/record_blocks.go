// This file records blocks that run in parallel.

package timing

import "ptogo/runtime"

// Block returns a separate recorder for the events of one block, so that blocks can run
// in parallel. End joins the recordings of the blocks in their order. A prediction
// therefore does not depend on how many blocks ran in parallel.
func (r *Recorder) Block(int) runtime.Listener {
	b := emptyRecorder(r.launch)
	b.base, b.ordered, b.each = r.base, r.ordered, r.each
	r.blocks = append(r.blocks, b)
	return b
}

// join appends the recordings of single blocks, in the order of the blocks, to the
// recording of the launch.
func (r *Recorder) join() {
	var items, deps, moves, runs int
	for _, b := range r.blocks {
		items, deps, moves, runs = items+len(b.items), deps+len(b.deps), moves+len(b.moves), runs+len(b.runs)
	}
	if items > 0 {
		r.items, r.deps = make([]item, 0, items), make([]dep, 0, deps)
		r.moves, r.runs = make([]move, 0, moves), make([]run, 0, runs)
	}
	for i, b := range r.blocks {
		r.take(b)
		r.blocks[i] = nil
	}
	r.blocks = nil
}

// take appends the recorded items of recorder b to r. It adjusts the indices with which
// items refer to each other.
func (r *Recorder) take(b *Recorder) {
	works := make([]int32, len(b.works))
	for i := range b.works {
		works[i] = r.intern(b.works[i])
	}
	items, deps, moves, runs := int32(len(r.items)), int32(len(r.deps)), int32(len(r.moves)), int32(len(r.runs))
	for _, it := range b.items {
		it.work = works[it.work]
		it.deps += deps
		if it.move >= 0 {
			it.move += moves
		}
		r.items = append(r.items, it)
	}
	for _, d := range b.deps {
		d.item += items
		if d.relaxed >= 0 {
			d.relaxed += items
		}
		r.deps = append(r.deps, d)
	}
	for _, m := range b.moves {
		m.from, m.to = m.from+runs, m.to+runs
		r.moves = append(r.moves, m)
	}
	r.runs = append(r.runs, b.runs...)
}
