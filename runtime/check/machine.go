// This file follows synchronization through the events of a launch.

package check

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// machine tracks a launch: which instructions are known to be complete, and which
// instructions accessed each byte of memory. The checker has a main machine. To find out
// whether certain synchronization operations are needed, it runs another machine that
// ignores them.
type machine struct {
	rules *order.Rules
	sites *sites
	// states contains the record of each operation, indexed by its site number.
	states []siteState
	cores  []coreState
	// ofBlock contains, for each block, the indices of its cores in cores.
	ofBlock map[int][]int
	// idle are the local memories of vector cores that execute nothing, created on first
	// access.
	idle []*[16]shadow
	// gm is the shadow of global memory, by buffer.
	gm       []shadow
	channels map[channelKey]*channel
	// meets contains the clocks of barriers across cores. Each collects which
	// instructions the arrived cores know to be complete.
	meets map[meetKey]*order.Clock
	// words are the signals in global memory.
	words map[wordKey]*order.Word
	// signals contains the buffers with words that carry signals.
	signals map[int]bool
	// lines contains the last scalar store to each cache line of global memory.
	lines map[wordKey]stamp
	// scratch is a temporary clock (a set of complete instructions), so that events need
	// no allocation.
	scratch order.Clock
	// skip reports whether the machine must ignore the synchronization of a site
	// (operation); nil ignores none.
	skip func(site int32) bool
	// racy receives pairs of accesses that race, or that a data cache may reorder.
	racy func(h *hazard)
	hz   hazard
	// seen is the coverage of the checks. init and mem track uninitialized bytes and
	// overlapping allocations, outputs the results in global memory. All are nil except in
	// the main machine.
	seen    *coverage
	reload  reload
	init    *initState
	mem     *memState
	outputs *outputState
	entries entries
	ranks   int
	// tasks are what is complete at the end of each task of a graph, open is the number of
	// cores of each task that have not ended, and groups are the cores of each task.
	tasks  []order.Clock
	open   []int
	groups *order.Groups
	after  []runtime.TaskInfo
}

// channelKey identifies a channel, such as a flag of the kernel. Some instructions
// consist of several internal steps, which use separate flags. The field inside is set
// for these internal flags. An internal flag therefore has another key than the flag of
// the kernel with the same number.
type channelKey struct {
	runtime.Channel
	inside bool
}

// channel is the state of a flag or counter during the simulation, with the instructions
// that raised it and that waited for it.
type channel struct {
	order.Channel
	// raises are the raises of the channel that no wait has consumed yet, oldest first.
	raises []raise
	// last is the raise that the last wait consumed.
	last raise
	// waiter is the site (operation) of the last wait.
	waiter int32
}

// raise is one event that raises a channel, such as a flag that is set: the number of the
// event, and the number of its operation.
type raise struct {
	seq  uint32
	site int32
}

// meetKey identifies one execution of a barrier across cores: the number of the barrier's
// channel and the number of the execution.
type meetKey struct {
	id, round int
}

// wordKey is the position of a word, or of a cache line, in a buffer of global memory.
// The field at is the byte offset of the word, or the index of the cache line.
type wordKey struct {
	buffer int
	at     int64
}

// coreState is the state of one simulated core in a machine, the data structure with
// which the checker follows a launch. It contains the access histories of the core's
// memories, and records which instructions are known to be complete.
type coreState struct {
	*order.Core
	info *runtime.CoreInfo
	// mixed means that one simulated core represents all cores of its block, because the
	// kernel contains work for both core types outside sections (analysis.Mixed).
	mixed bool
	// pair is the index of the other vector core of the block if both execute the same
	// instructions, or -1.
	pair  int32
	ended bool
	// lanes means that the core executes code of SIMT work items. The checkers treat a
	// launch of work items as one instruction.
	lanes bool
	// spaces are the access histories (shadows) of the local memories, by memory space.
	spaces [16]shadow
	// scopeID is the number of the current execution of a vecscope.
	scopeID uint64
	// from is the number of instructions on pipe V before the current vecscope.
	from uint32
	// scope is the state of the current vecscope.
	scope order.Scope
	// seen describes which instructions are complete when the current instruction of the
	// vecscope starts.
	seen order.Seen
	// touched are the lines of global memory that the data cache of the scalar unit may
	// contain.
	touched map[wordKey]bool
	// copies are the numbers of the last asynchronous copies, by site.
	copies map[int32]uint32
}

// newMachine returns a machine, the data structure with which the checker follows a
// launch, for the start of launch l. r contains the rules of the target about the order
// of instructions. s contains the numbers of operations, which all machines of a checker
// share.
func newMachine(l *runtime.Launch, r *order.Rules, s *sites) *machine {
	m := &machine{
		rules: r, sites: s, cores: make([]coreState, len(l.Cores)), gm: make([]shadow, len(l.Buffers)),
		channels: map[channelKey]*channel{}, meets: map[meetKey]*order.Clock{}, words: map[wordKey]*order.Word{}, signals: map[int]bool{}, lines: map[wordKey]stamp{},
	}
	m.ofBlock = map[int][]int{}
	mixed := map[*ir.Op]bool{}
	for i := range m.cores {
		k := l.Cores[i].Kernel
		if _, known := mixed[k]; !known {
			mixed[k] = analysis.Mixed(k)
		}
		m.cores[i] = coreState{Core: order.NewCore(r, i), info: &l.Cores[i], mixed: mixed[k], pair: -1}
		if i > 0 && mixed[k] && l.Cores[i].Sub > 0 {
			m.cores[i].pair, m.cores[i-1].pair = int32(i-1), int32(i)
		}
		m.ofBlock[l.Cores[i].Index] = append(m.ofBlock[l.Cores[i].Index], i)
	}
	// the memories of vector cores that execute nothing have the numbers after the
	// running cores
	m.idle = make([]*[16]shadow, sem.VectorCores*l.Indices)
	if l.Ranks == 1 && len(l.Tasks) == 0 {
		for i := range m.gm {
			m.gm[i].constant = !mayWrite(mixed, i)
		}
	}
	m.ranks, m.after, m.tasks, m.open = l.Ranks, l.Tasks, make([]order.Clock, len(l.Tasks)), make([]int, len(l.Tasks))
	if len(l.Tasks) > 0 {
		of := make([]int32, len(l.Cores))
		for i := range l.Cores {
			of[i] = int32(l.Cores[i].Task)
			m.open[of[i]]++
		}
		m.groups = order.NewGroups(of, len(l.Tasks))
	}
	return m
}

// mayWrite reports whether one of the kernels may write memory through its parameter with the
// given index.
func mayWrite(kernels map[*ir.Op]bool, i int) bool {
	for k := range kernels {
		if params := fn.Body(k).Args(); i >= len(params) || analysis.MayWrite(params[i]) {
			return true
		}
	}
	return false
}

// state returns the record in which the machine stores facts about the operation with the
// given number. Each machine has records of its own. A checker runs several machines on
// one launch, for example one for each attempt to omit synchronization.
func (m *machine) state(site int32) *siteState {
	for int(site) >= len(m.states) {
		m.states = append(m.states, siteState{})
	}
	return &m.states[site]
}

// channel returns the state of the channel k, such as a flag between two pipes. It
// creates the state on first use.
func (m *machine) channel(k channelKey) *channel {
	ch := m.channels[k]
	if ch == nil {
		ch = &channel{}
		m.channels[k] = ch
	}
	return ch
}

// event updates the happens-before state for event e of the operation s. For an
// instruction, it checks the memory accesses for mistakes. All other events only change
// which instructions are ordered.
func (m *machine) event(e *runtime.Event, s *site) {
	if m.skip != nil && m.skip(s.id) {
		return
	}
	c := &m.cores[e.Core.Number]
	switch e.Kind {
	case runtime.Instruction:
		switch {
		case len(e.Accesses) == 0:
		case c.second():
			m.repeated(c, e, s)
		default:
			m.instruction(c, e, s)
		}
	case runtime.ScopeBegin:
		c.lanes = !pto.IsVectorFunction(s.op)
	case runtime.ScopeEnd:
		c.lanes = false
	case runtime.FlagSet, runtime.SignalSet, runtime.QueuePush, runtime.QueueFree:
		m.raise(c, e, s)
	case runtime.FlagWait, runtime.SignalWait, runtime.QueuePop, runtime.QueueReserve:
		m.wait(c, e, s)
	case runtime.PipeBarrier:
		c.Barrier(e.Pipe)
	case runtime.TileBarrier:
		m.tileBarrier(c, e)
	case runtime.MemoryBarrier:
		m.enter(c, e)
		c.scope.Barrier(e.Order)
	case runtime.Fence:
		m.fence(c, e)
	case runtime.BufferGet:
		c.Get(order.LineOf(e.Pipe), bufferOf(e), e.Mode)
	case runtime.BufferRelease:
		c.Put(order.LineOf(e.Pipe), bufferOf(e), e.Mode)
	case runtime.CoresArrive, runtime.CoresLeave:
		m.meet(c, e)
	case runtime.Notify:
		m.notify(c, e, s)
	case runtime.Await:
		m.await(c, e, s)
	case runtime.CopyWait:
		m.copied(c, e, s)
	case runtime.KernelBegin:
		m.beginTask(c)
	case runtime.KernelEnd:
		m.endTask(c)
		c.ended = true
		m.forget(e.Core.Index)
	}
}

// repeated processes an instruction of the second vector core of a block, which repeats
// an instruction of the first one. It omits the checks of initialization and of
// allocations, because the local memories of the two cores have the same contents.
func (m *machine) repeated(c *coreState, e *runtime.Event, s *site) {
	init, mem := m.init, m.mem
	m.init, m.mem = nil, nil
	m.instruction(c, e, s)
	m.init, m.mem = init, mem
}

// bufferOf returns the number of the buffer token (lock) that event e acquires or
// releases, or -1.
func bufferOf(e *runtime.Event) int {
	if len(e.Links) > 0 {
		return e.Links[0].Channel.ID
	}
	return -1
}

// raise processes event e, in which a pipe of core c raises signals. For each signal, it
// stores which instructions are complete on this pipe. When another pipe waits for the
// signal, it learns that these instructions are complete.
func (m *machine) raise(c *coreState, e *runtime.Event, s *site) {
	line := order.LineOf(e.Pipe)
	if line == order.NoLine {
		line = order.Scalar
	}
	if e.Kind == runtime.QueuePush || e.Kind == runtime.QueueFree {
		m.entries.follow(e, s)
	}
	for i := range e.Links {
		ch := m.channel(channelKey{e.Links[i].Channel, e.Step > 0})
		if told := ch.Raise(); !m.inVain(&e.Links[i].Channel) {
			c.Release(line, told)
		}
		ch.raises = append(ch.raises, raise{uint32(e.Number), s.id})
	}
}

// inVain reports whether the channel ch is a flag without any effect. This is the case if
// the flag goes from a pipe of one core to a pipe of another core, on a target where
// flags work only inside a core.
func (m *machine) inVain(ch *runtime.Channel) bool {
	return ch.Kind == runtime.FlagChannel && ch.From != ch.Core && !m.rules.FlagsCross()
}

// wait processes event e, with which a pipe waits for signals. Certain instructions were
// complete when the signals were raised. After the wait, the pipe knows that they are
// complete.
func (m *machine) wait(c *coreState, e *runtime.Event, s *site) {
	line := order.LineOf(e.Pipe)
	if line == order.NoLine {
		line = order.Scalar
	}
	if e.Kind == runtime.QueuePop {
		m.entries.follow(e, s)
	}
	m.scratch.Reset()
	for i := range e.Links {
		l := &e.Links[i]
		ch := m.channel(channelKey{l.Channel, e.Step > 0})
		k := l.Number
		switch {
		case e.Kind == runtime.FlagWait:
			k = ch.Waited() + 1
		case l.Channel.Core < 0 && e.Kind == runtime.SignalWait:
			k = ch.Raised() // counts the raises of all cores
		}
		for n := ch.Waited(); n < k && len(ch.raises) > 0; n++ {
			ch.last = ch.raises[0]
			ch.raises = ch.raises[:copy(ch.raises, ch.raises[1:])]
		}
		ch.Take(k, &m.scratch)
		ch.waiter = s.id
	}
	c.Acquire(line, &m.scratch)
	if len(e.Links) == 0 {
		return
	}
	w := c.Waited(line)
	for i := range e.Links {
		ch := m.channel(channelKey{e.Links[i].Channel, e.Step > 0})
		for ch.Waited() < e.Links[i].Number && e.Kind != runtime.FlagWait {
			ch.Wait(w) // a wait for entry w implies that earlier entries were pushed
		}
		if e.Kind == runtime.FlagWait {
			ch.Wait(w)
		}
	}
}

// tileBarrier processes a barrier that waits for certain tiles. After event e, all later
// instructions of the core are ordered after the writes to these tiles.
func (m *machine) tileBarrier(c *coreState, e *runtime.Event) {
	m.scratch.Reset()
	for i := range e.Accesses {
		a := &e.Accesses[i]
		s := m.memory(a)
		for _, r := range a.Runs {
			for k := range r.Count {
				lo := r.Start + k*r.Stride
				for at := lo; at < lo+r.Length; {
					p, from := s.page(at>>pageBits), at&(pageBytes-1)
					to := min(from+lo+r.Length-at, pageBytes)
					i, j := s.cover(p, uint16(from), uint16(to))
					for ; i < j; i++ {
						if w := &p.cells[i].write; w.site != 0 && w.core == int32(e.Core.Number) {
							m.scratch.Add(w.epoch())
						}
					}
					at += to - from
				}
			}
		}
	}
	c.AcquireIssue(&m.scratch)
}

// fence processes event e, which orders the accesses of the scalar unit of core c to
// global memory. After a clean of the data cache (dsb), earlier scalar stores have
// reached memory. After an invalidation (dcci, cmo.cacheinvalid), later scalar loads also
// read memory again. Any other event is a memory fence.
func (m *machine) fence(c *coreState, e *runtime.Event) {
	switch e.Op.Def().Sem.(sem.MemoryFence).Act {
	case sem.RefreshCache:
		if m.seen != nil && m.missesLines(c, e) {
			m.seen.lines = true
		}
		c.CacheRefresh()
		clear(c.touched)
	case sem.CleanCache:
		c.CacheClean()
	default:
		c.Fence()
	}
}

// missesLines reports whether the cache invalidation of event e is incomplete: it
// invalidates one cache line although the cache contains other lines that the scalar unit
// has used.
func (m *machine) missesLines(c *coreState, e *runtime.Event) bool {
	if e.Op.NumOperands() == 0 || e.Op.Attr("cache").Keyword() == "ENTIRE_DATA_CACHE" {
		return false
	}
	for key := range c.touched {
		if len(e.Accesses) == 0 || len(e.Accesses[0].Runs) == 0 {
			return len(c.touched) > 1 // the address of the line is unknown here
		}
		if a := &e.Accesses[0]; key != (wordKey{a.Buffer, a.Runs[0].Start / order.LineBytes}) {
			return true
		}
	}
	return false
}

// meet processes an event of a barrier across cores: the arrival of core c at the
// barrier, or its departure after all cores have arrived.
func (m *machine) meet(c *coreState, e *runtime.Event) {
	for i := range e.Links {
		k := meetKey{e.Links[i].Channel.ID, e.Links[i].Number}
		all := m.meets[k]
		if all == nil {
			all = &order.Clock{}
			m.meets[k] = all
			delete(m.meets, meetKey{k.id, k.round - 2}) // all have left that one
		}
		if e.Kind == runtime.CoresArrive {
			c.ReleaseIssue(all)
		} else {
			c.AcquireIssue(all)
		}
	}
}

// copied processes event e: core c has waited for the end of an asynchronous copy. The
// parameter s is the record of the waiting operation, and it also identifies the copy.
// When the copy is complete, all earlier copies of the same session (an object that the
// program creates for its copies) are complete, too
// (pto-isa:docs/isa/comm/TPUT_ASYNC.md).
func (m *machine) copied(c *coreState, e *runtime.Event, s *site) {
	n := c.Last(s.copies).N
	if by, ok := c.copies[s.copy]; ok {
		n = by
	}
	c.Copied(s.copies, n)
}

// beginTask processes the start of core c in a task of a graph. All instructions of the
// tasks on which this task depends then count as complete.
func (m *machine) beginTask(c *coreState) {
	if c.info.Task < 0 {
		return
	}
	m.scratch.Reset()
	for _, t := range m.after[c.info.Task].After {
		m.scratch.Join(&m.tasks[t])
	}
	c.AcquireIssue(&m.scratch)
	c.CacheRefresh()
}

// endTask adds the instructions of core c to the set of instructions that are complete
// when its task ends. All instructions of the core are in this set, because the end of a
// kernel waits for all pipes and writes the data cache back.
func (m *machine) endTask(c *coreState) {
	t := c.info.Task
	if t < 0 {
		return
	}
	c.CacheClean()
	c.Barrier(sem.PipeAll)
	c.ReleaseIssue(&m.tasks[t])
	c.End()
	if m.open[t]--; m.open[t] == 0 {
		m.tasks[t].AddGroup(m.groups, int32(t))
	}
}

// forget releases the access history of a block's local memory when all cores of the
// block have ended. It retains the record of completed instructions, because cores of
// other blocks may refer to it.
func (m *machine) forget(block int) {
	cores := m.ofBlock[block]
	for _, i := range cores {
		if !m.cores[i].ended {
			return
		}
	}
	for _, i := range cores {
		clear(m.cores[i].spaces[:])
	}
}
