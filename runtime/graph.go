// This file runs graphs of kernel launches on several ranks, in an order that respects
// the edges between tasks.

package runtime

import (
	"errors"
	"fmt"
	"slices"
	satomic "sync/atomic"

	"ptogo/ir"
)

// Graph describes a set of kernel launches (tasks) on several ranks (devices). Edges
// order tasks of the same rank, and signals between kernels order tasks of different
// ranks. Every rank has buffers with the same names; tasks access ranges of these
// buffers.
type Graph struct {
	Ranks int
	// Buffers lists the buffers of all ranks, starting with those of rank 0. Names are
	// the names of the buffers of one rank.
	Buffers []*Buffer
	Names   []string
	// Contexts are the numbers of the buffers of a rank that receive a communication
	// context: the addresses of the buffers that ranks share.
	Contexts  []int
	Tasks     []Task
	Listeners []Listener
	// Cores are the cores of each rank, on which the blocks of all its tasks run, and Warn
	// receives warnings about them (Options.Cores).
	Cores Cores
	Warn  func(*Fault)
	// Workers is the maximum number of tasks that run at the same time, each in a goroutine of
	// its own. The results do not depend on it.
	Workers int
}

// Task is one launch of a kernel in a graph. Tasks with the same kernel and number of
// blocks can share a Program. The Program must have the same listeners as the graph.
type Task struct {
	Name string
	Rank int
	// Loc is the definition of the task in the file of the graph, or unknown.
	Loc     ir.Loc
	Program *Program
	Args    []TaskArg
	// After lists the tasks of the same rank that must end before this task starts, by
	// their number in Graph.Tasks. Each of them must precede this task in Graph.Tasks.
	After []int
	// Compiled executes the task in place of Program, or is nil. Its result done is false if
	// it has not executed the task; the buffers are then unchanged, and Program executes the
	// task. The task must neither raise signals for other tasks nor wait for them. Listeners
	// receive no events of a task that its compiled code executes.
	Compiled func() (done bool, err error)
}

// TaskArg is an argument of a task: an address in a buffer of its rank (Buffer and the
// byte Offset), or the Bits of a scalar.
type TaskArg struct {
	// Buffer is the number of the buffer among those of one rank, or -1 for a scalar.
	Buffer int
	Offset int64
	Bits   uint64
	// Reads and Writes are the declared accesses of the task to Bytes bytes from Offset.
	// If both are false, the graph does not declare them.
	Reads, Writes bool
	Bytes         int64
	// Part is the distance in bytes between the addresses that consecutive blocks
	// receive. It is 0 if all blocks receive the same address.
	Part int
}

// declared returns the declarations of the arguments of t. each is the number of buffers
// of a rank.
func (t *Task) declared(each int) []Declared {
	var list []Declared
	for i, a := range t.Args {
		if a.Buffer >= 0 && (a.Reads || a.Writes) {
			list = append(list, Declared{i, t.Rank*each + a.Buffer, a.Offset, a.Offset + a.Bytes, a.Reads, a.Writes})
		}
	}
	return list
}

// TaskInfo describes a task of a graph to listeners: its name, the numbers of the tasks
// that it waits for, and its place in the file of the graph.
type TaskInfo struct {
	Name  string
	After []int
	// Loc is the definition of the task in the file of the graph, or unknown.
	Loc ir.Loc
	// Declared are the arguments for which the graph states how the task accesses them.
	Declared []Declared
}

// Declared states how a task accesses the bytes Lo to Hi-1 of the buffer with the number
// Buffer in Launch.Buffers, through the argument with the number Argument.
type Declared struct {
	Argument, Buffer int
	Lo, Hi           int64
	Reads, Writes    bool
}

// graphRun is the state of a graph of tasks (kernel launches) during its execution.
type graphRun struct {
	g *Graph
	// gm lists, for each rank, the buffers that the rank can access.
	gm [][]*Buffer
	s  *stream
	// left is the number of unfinished tasks that each task waits for. next lists, for
	// each task, the tasks that wait for it.
	left []int
	next [][]int
	// cores is the number of each task's first core in Launch.Cores.
	cores []int
	raise map[uint64][]raising
	sched *schedule
	// open is the number of unfinished cores of each task.
	open  []int
	ready []*readyTask
}

// Run executes the graph. It starts each task as soon as all tasks in its After list have
// ended. An error of a program is a *Fault; inconsistent buffers or arguments are other
// errors.
func (g *Graph) Run() error {
	each := len(g.Names)
	if len(g.Buffers) != g.Ranks*each || len(g.Buffers) > mostBuffers {
		return fmt.Errorf("%d ranks with %d buffers each must have at most %d buffers in total", g.Ranks, each, mostBuffers)
	}
	if err := sameWindows(g.Buffers, each); err != nil {
		return err
	}
	for r := range g.Ranks {
		for _, i := range g.Contexts {
			if err := fillContext(g.Buffers[r*each+i], g.Buffers, r, each); err != nil {
				return err
			}
		}
	}
	x := &graphRun{
		g: g, left: make([]int, len(g.Tasks)), next: make([][]int, len(g.Tasks)), open: make([]int, len(g.Tasks)),
		raise: map[uint64][]raising{}, sched: newSchedule(g.Cores, g.Ranks, g.Warn),
	}
	for r := range g.Ranks {
		x.gm = append(x.gm, visible(g.Buffers, r, each))
	}
	for i, t := range g.Tasks {
		x.left[i] = len(t.After)
		for _, b := range t.After {
			x.next[b] = append(x.next[b], i)
		}
	}
	x.begin()
	var f *Fault
	if g.canRunSideBySide() {
		f = x.sideBySide()
	} else {
		for i := range g.Tasks {
			if x.left[i] == 0 {
				if err := x.start(i); err != nil {
					return err
				}
			}
		}
		f = x.run()
	}
	x.s.end(f)
	if f != nil {
		return f
	}
	return nil
}

// begin calls Begin on all listeners, with a description of the launch that contains the
// cores of all tasks.
func (x *graphRun) begin() {
	if len(x.g.Listeners) == 0 {
		return
	}
	s := &stream{listeners: x.g.Listeners, counts: map[Channel]*signalCount{}}
	first := x.g.Tasks[0].Program
	s.launch = Launch{Module: first.module, Target: first.target, Ranks: x.g.Ranks, Buffers: x.g.Buffers, Names: x.g.Names}
	for i := range x.g.Tasks {
		t := &x.g.Tasks[i]
		s.launch.Tasks = append(s.launch.Tasks, TaskInfo{t.Name, t.After, t.Loc, t.declared(len(x.g.Names))})
		s.launch.Blocks = max(s.launch.Blocks, t.Program.opts.Blocks)
		x.cores = append(x.cores, len(s.launch.Cores))
		s.launch.addCores(t.Program, t.Rank, i)
	}
	for _, l := range s.listeners {
		l.Begin(&s.launch)
	}
	x.s = s
}

// launchOf returns the launch of the task with number i.
func (x *graphRun) launchOf(i int) (*launch, error) {
	t := &x.g.Tasks[i]
	p := t.Program
	each := len(x.g.Names)
	args := make([]Arg, len(t.Args))
	for k, a := range t.Args {
		if args[k].Bits = a.Bits; a.Buffer >= 0 {
			args[k].Part = a.Part
			args[k].Buf = x.g.Buffers[t.Rank*each+a.Buffer]
		}
	}
	bound, err := p.bind(args, 0)
	if err != nil {
		return nil, fmt.Errorf("task %s: %w", t.Name, err)
	}
	for _, xs := range bound {
		for k, a := range t.Args {
			if a.Buffer >= 0 {
				xs[k] += globalAddress(t.Rank*each+a.Buffer) - globalAddress(k) + uint64(a.Offset)
			}
		}
	}
	l := &launch{vectors: new(satomic.Int64),
		ranks: make([]rank, x.g.Ranks), each: p.opts.Blocks, events: x.s, raised: x.raise, task: t.Name,
		windows: x.g.Ranks > 1 && slices.ContainsFunc(x.g.Buffers, func(b *Buffer) bool { return b.Window }),
	}
	for r := range l.ranks {
		l.ranks[r] = rank{number: r, gm: x.gm[r], params: ofBlocks(args, bound)}
	}
	if x.s != nil {
		l.firstCore = x.cores[i]
	}
	return l, nil
}

// start starts the task with number i. If the blocks of a task never wait for other
// cores, it schedules the blocks sequentially, because concurrent blocks need more
// memory.
func (x *graphRun) start(i int) error {
	t := &x.g.Tasks[i]
	p := t.Program
	l, err := x.launchOf(i)
	if err != nil {
		return err
	}
	from := t.Rank * p.opts.Blocks
	if p.together && t.Compiled == nil {
		x.open[i] = p.opts.Blocks * len(p.roles)
		for b := range p.opts.Blocks {
			x.sched.addBlock(p, l, from+b, i)
		}
		return nil
	}
	x.open[i] = 1
	x.ready = append(x.ready, &readyTask{i, x.sched.nextOrder(), func() *Fault {
		if done, f := t.compiled(); done || f != nil {
			return f
		}
		if p.together {
			return p.blocksTogether(l, from)
		}
		return runAlone(newCluster(p, l), l.params, from)
	}})
	return nil
}

// compiled executes the task by its compiled code. The result done is false if the task has
// none, or if the code has not executed the task.
func (t *Task) compiled() (done bool, f *Fault) {
	if t.Compiled == nil {
		return false, nil
	}
	done, err := t.Compiled()
	if err == nil {
		return done, nil
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return true, f
	}
	return true, &Fault{Text: err.Error()}
}

// readyTask is a task that does not wait for other tasks once it has started. The function
// run executes it to its end.
type readyTask struct {
	number int
	// order is the position of the task among all work in the order in which it became
	// ready.
	order int
	run   func() *Fault
}

// blocksTogether executes the blocks of a task of a graph interleaved, without other tasks.
// from is the index of the first block.
func (p *Program) blocksTogether(l *launch, from int) *Fault {
	s := newSchedule(Cores{}, len(l.ranks), nil)
	for b := range p.opts.Blocks {
		s.addBlock(p, l, from+b, 0)
	}
	s.fillAll()
	defer s.release()
	return s.run()
}

// runAlone executes the blocks of a task one after the other on the cluster cl, the
// simulated cores of one block. first is the index of the first block. The function
// params returns the kernel parameters of a block, which its index identifies, for each core
// of the cluster. runAlone stops at the first fault and returns it. Later tasks reuse the
// local memories, so listeners must not read them after the end of a task.
func runAlone(cl *cluster, params blockArgs, first int) *Fault {
	defer cl.release()
	for b := range cl.launch.each {
		cl.reset(first + b)
		if f := runCores(cl.cores, params(first+b)); f != nil {
			return f
		}
	}
	return nil
}

// runReady starts the blocks, and executes the ready tasks, that find a free core, in the
// order in which they became ready. When a ready task ends, further tasks can start; runReady
// executes them as well. It reports whether it has executed a task.
func (x *graphRun) runReady() (ran bool, f *Fault) {
	fits := func(r *readyTask) bool {
		t := &x.g.Tasks[r.number]
		return x.sched.places.fits(t.Rank, t.Program.block)
	}
	for {
		k := slices.IndexFunc(x.ready, fits)
		if k < 0 {
			x.sched.fillAll()
			return ran, nil
		}
		t := x.ready[k]
		if x.sched.fill(t.order); !fits(t) {
			continue
		}
		x.ready = slices.Delete(x.ready, k, k+1)
		x.sched.progress++
		ran = true
		if f := t.run(); f != nil {
			return ran, f
		}
		if f := x.ended(t.number); f != nil {
			return ran, f
		}
	}
}

// run executes the tasks of the graph until all of them have ended or one has faulted. It
// returns the first fault.
func (x *graphRun) run() *Fault {
	s := x.sched
	if _, f := x.runReady(); f != nil {
		return f
	}
	s.ended = func(t *task) *Fault {
		f := x.ended(t.number)
		if f == nil {
			_, f = x.runReady()
		}
		return f
	}
	s.blocked = x.blocked
	return s.run()
}

// blocked is called when all cores wait. If tasks are ready that find no free core, the graph
// never ends on a device. blocked then reports this, and executes these tasks, so that the
// results of the graph are complete. Otherwise, without blocks that wait for a core, it
// returns the fault of a deadlock.
func (x *graphRun) blocked() (more bool, f *Fault) {
	s := x.sched
	if len(x.ready) > 0 {
		t := &x.g.Tasks[x.ready[0].number]
		text := "task " + ir.Visible(t.Name)
		if x.g.Ranks > 1 {
			text += fmt.Sprintf(" of rank %d", t.Rank)
		}
		s.places.lift(s.tasks, t.Rank, t.Program.block, text, t.Loc)
		return x.runReady()
	}
	if len(s.waiting) > 0 {
		return false, nil
	}
	return false, x.stuck(s.tasks)
}

// ended records that a core of the task with number i has ended its kernel. After the
// last core of the task, it starts the tasks that were waiting for this task.
func (x *graphRun) ended(i int) *Fault {
	if x.open[i]--; x.open[i] > 0 {
		return nil
	}
	for _, n := range x.next[i] {
		if x.left[n]--; x.left[n] == 0 {
			if err := x.start(n); err != nil {
				return &Fault{Text: err.Error()}
			}
		}
	}
	return nil
}

// stuck returns the fault of a deadlock. tasks are the coroutines of the waiting cores.
// The notes of the fault list the tasks of the graph (kernel launches) that have not
// started.
func (x *graphRun) stuck(tasks []*task) *Fault {
	f := deadlock(tasks)
	for i := range x.g.Tasks {
		if x.left[i] > 0 {
			f.note(ir.Loc{}, "task %s of rank %d has not started: it waits for task %s", x.g.Tasks[i].Name, x.g.Tasks[i].Rank, x.pending(i))
			if len(f.Notes) > 20 {
				break
			}
		}
	}
	return f
}

// pending returns the name of an unfinished task for which the task with number i waits,
// or "" if it waits for no task.
func (x *graphRun) pending(i int) string {
	for _, b := range x.g.Tasks[i].After {
		if x.open[b] > 0 || x.left[b] > 0 {
			return x.g.Tasks[b].Name
		}
	}
	return ""
}
