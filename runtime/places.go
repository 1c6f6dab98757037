// This file limits the blocks that run at the same time to the cores of a chip.

package runtime

import (
	"fmt"
	"math"

	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// Cores are the cores of a chip.
type Cores struct {
	Cube, Vector int
	// Chip is the name of the chip in messages.
	Chip string
}

// coreCount is a number of cube cores and of vector cores.
type coreCount struct{ cube, vector int }

// coresOfBlock returns the cores that a block with the given roles occupies. A cube core and
// its vector cores are occupied together.
func coresOfBlock(roles []role) (n coreCount) {
	for _, r := range roles {
		u := r.unit
		if u == anyUnit {
			u = analysis.WorkOf(r.kernel.op)
		}
		if u&cubeUnit != 0 {
			n.cube++
		}
		if u&vectorUnit != 0 {
			n.vector++
		}
	}
	if n.cube > 0 && n.vector > 0 {
		n = coreCount{1, vectorCores}
	}
	return n
}

// places are the cores of all ranks on which blocks run.
type places struct {
	cores Cores
	// free are the free cores of each rank. It is nil if there are always enough cores.
	free []coreCount
	warn func(*Fault)
}

// newPlaces returns the cores of the given number of ranks, all of them free.
func newPlaces(cores Cores, ranks int, warn func(*Fault)) places {
	p := places{cores: cores, warn: warn}
	if cores.Cube > 0 && cores.Vector > 0 {
		for range ranks {
			p.free = append(p.free, coreCount{cores.Cube, cores.Vector})
		}
	}
	return p
}

// fits reports whether a block that needs n cores can start on the rank.
func (p *places) fits(rank int, n coreCount) bool {
	return p.free == nil || n.cube <= p.free[rank].cube && n.vector <= p.free[rank].vector
}

// enter occupies n cores of the rank.
func (p *places) enter(rank int, n coreCount) {
	if p.free != nil {
		p.free[rank].cube -= n.cube
		p.free[rank].vector -= n.vector
	}
}

// leave frees n cores of the rank.
func (p *places) leave(rank int, n coreCount) { p.enter(rank, coreCount{-n.cube, -n.vector}) }

// lift reports that the waiting cores of tasks occupy all cores that a block of the rank
// needs, so that the block, which the text names, never starts on a device. at is the place
// in a graph that defines the block, or unknown. From then on, blocks start as if there were
// enough cores.
func (p *places) lift(tasks []*task, rank int, needs coreCount, block string, at ir.Loc) {
	kind, have := "vector core", p.cores.Vector
	if p.free[rank].cube < needs.cube {
		kind, have = "cube core", p.cores.Cube
	}
	p.free = nil
	var first *task
	waiting := map[*cluster]bool{}
	for _, t := range tasks {
		if cl := t.core.cluster; cl.rank.number == rank {
			if waiting[cl] = true; first == nil {
				first = t
			}
		}
	}
	if p.warn == nil || first == nil {
		return
	}
	wait := first.forever()
	f := &Fault{Loc: wait.Loc, Op: wait.Op, Check: "sync", FewCores: true, Text: fmt.Sprintf(
		"waits forever on chip %s: %s that wait for each other occupy all %s, so %s never starts",
		p.cores.Chip, ir.Count(len(waiting), "block"), ir.Count(have, kind), block)}
	f.onCore(first.core)
	if at.Known() {
		f.note(at, "%s needs a free %s: let it end before the tasks that wait for it start (\"after\"), or start them with fewer blocks", block, kind)
	}
	f.note(ir.Loc{}, "blocks that wait for each other must run at the same time: launch at most as many as the chip has cores, and let each block work on several parts")
	p.warn(f)
}

// waitingBlock is a block for which no core was free when it became ready.
type waitingBlock struct {
	prog   *Program
	launch *launch
	index  int
	// number is the number of the graph task that the block belongs to, and order is the
	// position of the block among all work in the order in which it became ready.
	number, order int
}

// rank returns the number of the rank that executes the block.
func (w *waitingBlock) rank() int { return w.index / w.launch.each }

// String names the block in messages.
func (w *waitingBlock) String() string {
	text := fmt.Sprintf("block %d", w.index%w.launch.each)
	if len(w.launch.ranks) > 1 {
		text += fmt.Sprintf(" of rank %d", w.rank())
	}
	if w.launch.task != "" {
		text += " of task " + ir.Visible(w.launch.task)
	}
	return text
}

// addBlock adds a block of program p in launch l to the schedule. index is the number of the
// block among those of all ranks, and number is the number of the graph task that the block
// belongs to. The next call of fill starts the block if cores are free.
func (s *schedule) addBlock(p *Program, l *launch, index, number int) {
	s.waiting = append(s.waiting, &waitingBlock{p, l, index, number, s.nextOrder()})
}

// nextOrder returns the position of work that becomes ready now.
func (s *schedule) nextOrder() int {
	s.order++
	return s.order
}

// fill starts the waiting blocks that have become ready before the given position and for
// which cores are free. A block that finds no free core does not delay later blocks that need
// other cores.
func (s *schedule) fill(before int) {
	kept := s.waiting[:0]
	for _, w := range s.waiting {
		if w.order >= before || !s.places.fits(w.rank(), w.prog.block) {
			kept = append(kept, w)
			continue
		}
		s.places.enter(w.rank(), w.prog.block)
		cl := newCluster(w.prog, w.launch)
		cl.reset(w.index)
		cl.open = len(cl.cores)
		s.clusters = append(s.clusters, cl)
		for i, c := range cl.cores {
			s.add(c, w.launch.params(w.index)[i])
			s.tasks[len(s.tasks)-1].number = w.number
		}
	}
	clear(s.waiting[len(kept):])
	s.waiting = kept
}

// fillAll starts the waiting blocks for which cores are free.
func (s *schedule) fillAll() { s.fill(math.MaxInt) }

// release releases the memories of all blocks that have started.
func (s *schedule) release() {
	for _, cl := range s.clusters {
		cl.release()
	}
}
