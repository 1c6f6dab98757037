// This file runs a launch: it creates the cores of each block and executes blocks in
// order, interleaved or in parallel.

package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/dialect/llvm"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// role describes what one of the cores of a block executes: the kernel and the type of
// core.
type role struct {
	kernel *function
	unit   unit
	sub    int
	// split means that one simulated core represents a cube core and a vector core;
	// events name one of the two. pair means that it also represents the second vector
	// core, which does the same work as the first.
	split, pair bool
	// forBoth means that the core raises its signals for both vector cores of its block.
	forBoth bool
}

// vectorCores is the number of vector cores that form a block together with one cube
// core.
const vectorCores = sem.VectorCores

// roles returns one role for each simulated core of a block: the kernel that the core
// executes, and the type of the core. kernels are the functions of the launch.
func (p *planner) roles(kernels []*ir.Op) []role {
	if p.divide {
		k := p.funcs[kernels[0]]
		return []role{{kernel: k, unit: cubeUnit}, {kernel: k, unit: vectorUnit, forBoth: true}}
	}
	var rs []role
	for _, c := range analysis.CoresOf(kernels, p.target) {
		split := p.listening() && len(kernels) == 1 && analysis.Mixed(c.Kernel)
		pair := split && analysis.PerVectorCore(c.Kernel) == nil
		rs = append(rs, role{kernel: p.funcs[c.Kernel], unit: c.Unit, sub: c.Sub, split: split, pair: pair})
	}
	return rs
}

// cluster is the set of simulated cores that execute one block. Only one goroutine uses
// it at any time.
type cluster struct {
	// index is the number of the block among the blocks of all ranks.
	index int
	// block is the number of the block in its rank.
	block int
	// rank is the rank that the block belongs to.
	rank    *rank
	launch  *launch
	prog    *Program
	cores   []*core
	signals signals
	rings   []ring
	// open is the number of cores that a schedule still runs, if the block occupies cores of
	// a chip.
	open int
}

// find returns the core of the block that has the core type u. If u is the vector core, a
// block can have several such cores, and sub is the index of the wanted one. find returns
// nil if the block does not contain the core.
func (cl *cluster) find(u unit, sub int) *core {
	for _, c := range cl.cores {
		if c.unit == u && c.sub == sub {
			return c
		}
	}
	return nil
}

// vectors returns the number of simulated vector cores of the block. It is 1 if one
// simulated core represents all cores.
func (cl *cluster) vectors() int { return cl.subBlocks() }

// newCluster creates the simulated cores of a block for program p and launch l.
func newCluster(p *Program, l *launch) *cluster {
	cl := &cluster{prog: p, launch: l, rings: make([]ring, p.rings)}
	for _, r := range p.roles {
		c := newCore(p, r.unit, r.sub)
		c.cluster, c.rec, c.forBoth = cl, newRecorder(l.events), r.forBoth
		cl.cores = append(cl.cores, c)
	}
	cl.shareMemory()
	if l.started != nil {
		l.started.add(cl)
	}
	return cl
}

// reset prepares the simulated cores for the next block. index is the number of this
// block if the blocks of all ranks are counted one rank after the other. reset clears the
// signals, the queues and the local memories of the previous block.
func (cl *cluster) reset(index int) {
	cl.index, cl.signals = index, signals{}
	cl.rank, cl.block = &cl.launch.ranks[index/cl.launch.each], index%cl.launch.each
	clear(cl.rings)
	for i, c := range cl.cores {
		c.reset()
		c.gm = cl.rank.gm
		c.rec.reset(cl, i)
	}
}

// hear makes the recorders of all cores of the block send their following events to
// stream s.
func (cl *cluster) hear(s *stream) {
	for _, c := range cl.cores {
		c.rec.stream = s
	}
}

// bind converts the arguments of a rank into the bits of the kernel parameters. The
// result has one list of parameters for each role, a kernel together with the core that
// executes it. All buffers of the launch are numbered, and first is the number of the
// first buffer of this rank. In a launch with several roles, the kernel of a vector core
// can have one additional parameter, which receives the number of that vector core. bind
// returns an error if arguments and parameters do not match.
func (p *Program) bind(args []Arg, first int) ([][]uint64, error) {
	bound := make([][]uint64, len(p.roles))
	for i, r := range p.roles {
		params, _ := fn.TypeOf(r.kernel.op)
		rest := params[min(len(args), len(params)):]
		xs, err := bind(r.kernel, params[:len(params)-len(rest)], args, first)
		if err == nil && len(rest) == 1 && len(p.roles) > 1 && r.unit == vectorUnit && classOf(rest[0]) == scalarClass {
			xs, rest = append(xs, uint64(r.sub)), nil
		}
		switch name := fn.Name(r.kernel.op); {
		case len(rest) > 0 || len(args) > len(params):
			return nil, fmt.Errorf("kernel @%s expects %d arguments, but got %d", name, len(params), len(args))
		case err != nil:
			return nil, err
		}
		bound[i] = xs
	}
	return bound, nil
}

// bind converts arguments into the parameter values of kernel k. first is the number of
// the rank's first buffer. It returns an error if arguments and parameters do not match.
func bind(k *function, params []ir.Type, args []Arg, first int) ([]uint64, error) {
	name := fn.Name(k.op)
	xs := make([]uint64, len(params), len(params)+1)
	for i, t := range params {
		_, offset, isMemRef := memrefStrides(t)
		isPtr := isMemRef || ir.Is[pto.PtrType](t)
		switch {
		case isPtr && args[i].Buf == nil:
			return nil, fmt.Errorf("argument %d of kernel @%s has pointer type %s and needs a buffer", i, name, t)
		case isPtr:
			xs[i] = globalAddress(first + i)
			if isMemRef && offset != ir.Dynamic {
				xs[i] += uint64(offset * int64(pto.ByteSize(ir.ElementType(t))))
			}
		case classOf(t) != scalarClass || ir.Is[llvm.PointerType](t):
			return nil, fmt.Errorf("argument %d of kernel @%s is %s, which no launch can supply: arguments must be pointers or scalars", i, name, t)
		case args[i].Buf != nil:
			return nil, fmt.Errorf("argument %d of kernel @%s is a scalar of type %s and does not accept a buffer", i, name, t)
		default:
			xs[i] = args[i].Bits & (1<<scalarBits(t) - 1)
		}
	}
	return xs, nil
}

// inOrder executes the blocks of the launch sequentially, in the order of their numbers.
// It stops at the first fault and returns it.
func (p *Program) inOrder(l *launch) *Fault {
	cl := newCluster(p, l)
	for b := range l.blocks() {
		cl.reset(b)
		if f := runCores(cl.cores, l.params(b)); f != nil {
			return f
		}
	}
	return nil
}

// runTogether executes all blocks interleaved as coroutines, for kernels whose blocks
// wait for each other. It returns the first fault.
func (p *Program) runTogether(l *launch) *Fault {
	if f := p.tooManyCores(l); f != nil {
		return f
	}
	s := newSchedule(p.opts.Cores, len(l.ranks), p.opts.Warn)
	for b := range l.blocks() {
		s.addBlock(p, l, b, 0)
	}
	s.fillAll()
	return s.run()
}

// tooManyCores returns a fault if the local memories of all cores of the launch, which
// exist at the same time, need more than Options.MaxMemory.
func (p *Program) tooManyCores(l *launch) *Fault {
	core := 0
	for s := range numMemories {
		core += memorySize(sem.Space(s), p.target)
	}
	most := cmp.Or(p.opts.MaxMemory, defaultMaxMemory)
	if need := int64(l.blocks()) * int64(len(p.roles)) * int64(core); need > most {
		return faultAt(p.roles[0].kernel.op, "cannot run %s at the same time: their local memories need %d bytes, more than the limit of %d bytes (--max-memory)", ir.Count(l.blocks(), "block"), need, most)
	}
	return nil
}

// sideBySide executes blocks in parallel on several goroutines. If several blocks fault,
// it returns the fault of the block with the lowest number, so that the result is
// deterministic.
func (p *Program) sideBySide(l *launch) *Fault {
	all := l.blocks()
	faults, streams := make([]*Fault, all), l.events.ofBlocks()
	l.order = newPrintOrder(all)
	next := make(chan int, all) // all blocks are in the channel before the workers start, so no worker waits
	for b := range all {
		next <- b
	}
	close(next)
	var wg sync.WaitGroup
	for range min(p.opts.Workers, all) {
		wg.Go(func() {
			cl := newCluster(p, l.alone())
			for b := range next {
				if l.events != nil {
					cl.hear(streams[b])
				}
				cl.reset(b)
				faults[b] = runCores(cl.cores, l.params(b))
				l.order.end(b, faults[b])
			}
		})
	}
	wg.Wait()
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}

// alone returns a copy of the launch for one worker goroutine. The state of a rank
// includes counters of signals and of arrivals at barriers. The copy has separate rank
// states, so the workers need no locks.
func (l *launch) alone() *launch {
	own := *l
	own.ranks = slices.Clone(l.ranks)
	return &own
}

// runCores executes a kernel on each of the given cores, and returns the first fault. The
// slice params contains the kernel's parameter values for each core. Several cores run
// interleaved: each core runs until it waits for another one.
func runCores(cores []*core, params [][]uint64) *Fault {
	if len(cores) == 1 {
		return cores[0].run(cores[0].kernel(), params[0])
	}
	s := &schedule{}
	for i, c := range cores {
		s.add(c, params[i])
	}
	return s.run()
}

// kernel returns the function that the core executes, which its role in the block
// determines.
func (c *core) kernel() *function {
	for i, other := range c.cluster.cores {
		if c == other {
			return c.prog.roles[i].kernel
		}
	}
	panic("BUG: a core is not in its cluster")
}

// task is a core that runs as a coroutine, interleaved with other cores.
type task struct {
	core  *core
	sched *schedule
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	fault *Fault
	// forever returns the fault to report if the core waits forever.
	forever func() *Fault
	// number is the number of the graph task that the core executes.
	number int
}

// schedule runs coroutines (one per core) round-robin in a fixed order, so that results
// are reproducible. A complete round without progress is a deadlock.
type schedule struct {
	tasks []*task
	// progress counts completed work. If a round leaves it unchanged, the cores are
	// deadlocked.
	progress int
	// places are the cores of the chips on which blocks run.
	places places
	// waiting are the blocks for which no core was free so far, in the order in which they
	// became ready. order is the number of blocks, and of other work, that became ready.
	waiting []*waitingBlock
	order   int
	// clusters are the blocks that have started.
	clusters []*cluster
	// ended, if not nil, is called when a core has ended, and starts blocks. blocked, if not nil, is called
	// when all cores wait; it returns true if it has started further work.
	ended   func(t *task) *Fault
	blocked func() (more bool, f *Fault)
}

// newSchedule returns an empty schedule of blocks on the cores of ranks.
func newSchedule(cores Cores, ranks int, warn func(*Fault)) *schedule {
	return &schedule{places: newPlaces(cores, ranks, warn)}
}

// add adds a coroutine that executes the kernel of core c with the given parameter
// values.
func (s *schedule) add(c *core, params []uint64) {
	s.start(c, func() *Fault { return c.run(c.kernel(), params) })
}

// run executes all coroutines to their end and returns the first fault, or the fault of a
// deadlock.
func (s *schedule) run() *Fault {
	defer func() {
		for _, t := range s.tasks {
			t.stop()
		}
	}()
	for len(s.tasks) > 0 {
		before, alive := s.progress, s.tasks
		s.tasks = nil
		for k, t := range alive {
			if _, more := t.next(); more {
				s.tasks = append(s.tasks, t)
				continue
			}
			s.progress++
			if f := s.end(t); f != nil {
				s.tasks = append(s.tasks, alive[k+1:]...)
				return f
			}
		}
		if len(s.tasks) > 0 && s.progress == before {
			if more, f := s.unblock(); f != nil || !more {
				return f
			}
		}
	}
	return nil
}

// end processes the end of the core that t executes: it frees the cores of its block, and
// starts blocks that wait for them.
func (s *schedule) end(t *task) *Fault {
	if t.fault != nil {
		return t.fault
	}
	if cl := t.core.cluster; cl.open > 0 {
		if cl.open--; cl.open == 0 {
			s.places.leave(cl.rank.number, cl.prog.block)
		}
	}
	if s.ended != nil {
		return s.ended(t)
	}
	s.fillAll()
	return nil
}

// unblock starts further work after all cores have waited for a complete round. If there is
// no further work, it returns the fault of the deadlock.
func (s *schedule) unblock() (more bool, f *Fault) {
	if s.blocked != nil {
		if more, f := s.blocked(); more || f != nil {
			return more, f
		}
	}
	if len(s.waiting) > 0 {
		w := s.waiting[0]
		s.places.lift(s.tasks, w.rank(), w.prog.block, w.String(), ir.Loc{})
		s.fillAll()
		return true, nil
	}
	return false, deadlock(s.tasks)
}

// deadlock returns the fault of cores that wait for each other. It is the fault of the
// first one, with a note for each other core.
func deadlock(tasks []*task) *Fault {
	f := tasks[0].forever().onCore(tasks[0].core)
	notes := make([]ir.Note, len(tasks)-1)
	for i, t := range tasks[1:] {
		other := t.forever()
		notes[i] = ir.Note{Loc: other.Loc, Text: t.core.inLaunch() + " waits here" + other.waitsFor}
	}
	for i, t := range tasks {
		switch rounds := t.unwind(); {
		case i == 0:
			f.Rounds = rounds
		case len(rounds) > 0:
			notes[i-1].Text += " (" + where(Place{}, "", "", rounds) + ")"
		}
	}
	f.Notes = append(f.Notes, notes...)
	return f
}

// inLaunch returns a name of the core that is unique in its launch, for example "the cube
// core of block 1".
func (c *core) inLaunch() string {
	text := fmt.Sprintf("%s of block %d", c, c.cluster.block)
	if len(c.cluster.launch.ranks) > 1 {
		text += fmt.Sprintf(" of rank %d", c.cluster.rank.number)
	}
	if t := c.cluster.launch.task; t != "" {
		text += " of task " + ir.Visible(t)
	}
	return text
}

// unwind ends a waiting coroutine. It returns the current iteration of each loop around
// the operation at which the coroutine was waiting.
func (t *task) unwind() []Round {
	t.stop()
	if t.fault == nil {
		return nil
	}
	return t.fault.Rounds
}

// String returns the name of the core in messages, for example "vector core 1".
func (c *core) String() string { return coreName(c.unit, c.sub) }

// coreName returns the name of a core in messages: "the cube core", "vector core" with
// the number sub, or "the core".
func coreName(u unit, sub int) string {
	switch u {
	case cubeUnit:
		return "the cube core"
	case vectorUnit:
		return fmt.Sprintf("vector core %d", sub)
	}
	return "the core"
}

// stopped returns the fault that ends a core because a different core has faulted. Each
// call returns a new value, because the caller records the number of the block in the
// fault.
func stopped() *Fault { return &Fault{Text: "is stopped"} }

// await runs other cores until the function ready returns true. If this can never happen,
// because all cores wait, await calls the function in the parameter forever and returns
// the fault that this function creates.
func (c *core) await(ready func() bool, forever func() *Fault) *Fault {
	if ready() {
		return nil
	}
	t := c.task
	if t == nil {
		return forever()
	}
	t.forever = forever
	t.sched.progress++ // it got here
	for !ready() {
		if !t.yield(struct{}{}) {
			return stopped()
		}
	}
	t.sched.progress++
	return nil
}
