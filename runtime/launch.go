package runtime

import (
	"fmt"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/dialect/llvm"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// role is a kernel of a launch on one of the cores of a block.
type role struct {
	kernel *function
	unit   unit
	sub    int
	// split means that the core represents a cube core and a vector core, which
	// listeners hear of as two, or as three if pair is set: the second vector core of
	// the block does what the first one does.
	split, pair bool
	// forBoth means that a vector core raises the signals of both of its block.
	forBoth bool
}

// vectorCores is the number of vector cores that share a block with one cube core.
const vectorCores = sem.VectorCores

// roles are the kernels of a launch on the cores of a block.
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

// cluster is the cores that work on one block. Cores that run side by side
// belong to one goroutine at a time.
type cluster struct {
	index   int   // of the block, through all ranks
	block   int   // the number of the block in its rank
	rank    *rank // that the block belongs to
	launch  *launch
	prog    *Program
	cores   []*core
	signals signals
	rings   []ring
}

// find returns a core of the block, or nil.
func (cl *cluster) find(u unit, sub int) *core {
	for _, c := range cl.cores {
		if c.unit == u && c.sub == sub {
			return c
		}
	}
	return nil
}

// vectors is how many vector cores the block has, or 1 where one core stands
// for all.
func (cl *cluster) vectors() int { return cl.subBlocks() }

// newCluster makes the cores of a block.
func newCluster(p *Program, l *launch) *cluster {
	cl := &cluster{prog: p, launch: l, rings: make([]ring, p.rings)}
	for _, r := range p.roles {
		c := newCore(p, r.unit, r.sub)
		c.cluster, c.rec, c.forBoth = cl, newRecorder(l.events), r.forBoth
		cl.cores = append(cl.cores, c)
	}
	cl.shareMemory()
	return cl
}

// reset makes the cluster ready for a block, which index counts through all ranks.
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

// hear sends the events of the next block to a stream.
func (cl *cluster) hear(s *stream) {
	for _, c := range cl.cores {
		c.rec.stream = s
	}
}

// bind turns the arguments of a rank, whose first buffer has a number, into the
// parameters of each role. A vector kernel beside a cube kernel may have one
// parameter more: the number of its core.
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

// bind turns arguments into the values of parameters.
func bind(k *function, params []ir.Type, args []Arg, first int) ([]uint64, error) {
	name := fn.Name(k.op)
	xs := make([]uint64, len(params), len(params)+1)
	for i, t := range params {
		_, offset, isMemRef := memrefStrides(t)
		isPtr := isMemRef || ir.Is[pto.PtrType](t)
		switch {
		case isPtr && args[i].Buf == nil:
			return nil, fmt.Errorf("argument %d of kernel @%s is a pointer, %s, and needs a buffer", i, name, t)
		case isPtr:
			xs[i] = globalAddress(first + i)
			if isMemRef && offset != ir.Dynamic {
				xs[i] += uint64(offset * int64(pto.ByteSize(ir.ElementType(t))))
			}
		case classOf(t) != scalarClass || ir.Is[llvm.PointerType](t):
			return nil, fmt.Errorf("argument %d of kernel @%s is %s, which no launch can supply: arguments must be pointers or scalars", i, name, t)
		case args[i].Buf != nil:
			return nil, fmt.Errorf("argument %d of kernel @%s is a scalar, %s, and does not accept a buffer", i, name, t)
		default:
			xs[i] = args[i].Bits & (1<<scalarBits(t) - 1)
		}
	}
	return xs, nil
}

// inOrder runs the blocks one after the other.
func (p *Program) inOrder(l *launch) *Fault {
	cl := newCluster(p, l)
	defer cl.release()
	for b := range l.blocks() {
		cl.reset(b)
		if f := runCores(cl.cores, l.params(b)); f != nil {
			return f
		}
	}
	return nil
}

// runTogether runs all blocks in turns, for kernels whose blocks wait for each
// other.
func (p *Program) runTogether(l *launch) *Fault {
	var cores []*core
	var params [][]uint64
	for b := range l.blocks() {
		cl := newCluster(p, l)
		defer cl.release()
		cl.reset(b)
		cores = append(cores, cl.cores...)
		params = append(params, l.params(b)...)
	}
	return runCores(cores, params)
}

// sideBySide runs blocks on several goroutines. The fault of the first block
// in order is the one that is reported.
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
			defer cl.release()
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

// runCores runs kernels on cores: on a core alone directly, on several ones in
// turns, each until it must wait for another.
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

// kernel is what the core runs.
func (c *core) kernel() *function {
	for i, other := range c.cluster.cores {
		if c == other {
			return c.prog.roles[i].kernel
		}
	}
	panic("BUG: a core is not in its cluster")
}

// task is a core that runs side by side with others.
type task struct {
	core    *core
	sched   *schedule
	next    func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	fault   *Fault
	forever func() *Fault // what to say if it waits forever
	number  int           // of the task of a graph
}

// schedule runs tasks in turns and in a fixed order, so that results are repeatable. A
// pass over all tasks without progress is a deadlock.
type schedule struct {
	tasks    []*task
	progress int // counts what tasks get done
}

func (s *schedule) add(c *core, params []uint64) {
	s.start(c, func() *Fault { return c.run(c.kernel(), params) })
}

func (s *schedule) run() *Fault {
	defer func() {
		for _, t := range s.tasks {
			t.stop()
		}
	}()
	alive := append([]*task(nil), s.tasks...)
	for len(alive) > 0 {
		before := s.progress
		rest := alive[:0]
		for _, t := range alive {
			if _, more := t.next(); more {
				rest = append(rest, t)
				continue
			}
			s.progress++
			if t.fault != nil {
				return t.fault
			}
		}
		alive = rest
		if len(alive) > 0 && s.progress == before {
			return deadlock(alive)
		}
	}
	return nil
}

// deadlock is the fault of tasks that wait for each other.
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

// unwind ends a task that waits, and returns the loops that it was in.
func (t *task) unwind() []Round {
	t.stop()
	if t.fault == nil {
		return nil
	}
	return t.fault.Rounds
}

// String names a core in messages.
func (c *core) String() string { return coreName(c.unit, c.sub) }

func coreName(u unit, sub int) string {
	switch u {
	case cubeUnit:
		return "the cube core"
	case vectorUnit:
		return fmt.Sprintf("vector core %d", sub)
	}
	return "the core"
}

// stopped ends a core that another one's fault leaves nothing to do. Each has a
// fault of its own, since the block that it ends is noted there.
func stopped() *Fault { return &Fault{Text: "is stopped"} }

// await lets other cores run until ready. forever is the fault if that never
// happens.
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
