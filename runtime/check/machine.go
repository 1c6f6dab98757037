// This file follows synchronization through the events of a launch.

package check

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// machine follows what is known to be over, and what memory has been accessed,
// through the events of a launch. The checker has one; to find out what a unit
// of synchronization is good for, it has one more that does not see the unit.
type machine struct {
	rules    *order.Rules
	sites    *sites
	states   []siteState // by site
	cores    []coreState
	ofBlock  map[int][]int // the cores of a block, by its index
	idle     []coreState
	gm       []shadow
	channels map[channelKey]*channel
	meets    map[meetKey]*order.Clock
	words    map[wordKey]*order.Word
	signals  map[int]bool      // buffers with words that carry signals
	lines    map[wordKey]stamp // the last scalar store of each line of global memory
	scratch  order.Clock
	skip     func(site int32) bool // operations that it does not see
	// racy receives pairs of accesses that race, or that a data cache may reorder
	racy    func(h *hazard)
	hz      hazard
	seen    *coverage // of the main machine only
	reload  reload
	init    *initState // of the main machine only
	mem     *memState  // the same
	entries entries
	ranks   int
	tasks   []order.Clock // what was over when each task of a graph ended
	after   []runtime.TaskInfo
}

// channelKey keeps flags that a macro instruction uses inside apart from the
// kernel's own.
type channelKey struct {
	runtime.Channel
	inside bool
}

// channel is a channel with who raised and waited for it.
type channel struct {
	order.Channel
	raises []raise // pending, oldest first
	last   raise   // that was taken
	waiter int32   // site of the last wait
}

type raise struct {
	seq  uint32
	site int32
}

// meetKey identifies one execution of a barrier between cores.
type meetKey struct {
	id, round int
}

// wordKey is a word, or a line, of global memory.
type wordKey struct {
	buffer int
	at     int64
}

// coreState is the state of a core in the machine model.
type coreState struct {
	*order.Core
	info    *runtime.CoreInfo
	mixed   bool  // one core stands for it and others (analysis.Mixed)
	pair    int32 // the vector core that does the same, or -1
	ended   bool
	lanes   bool // in code of work items, which are one instruction here
	spaces  [16]shadow
	scopeID uint64
	from    uint32 // instructions of V before the scope
	scope   order.Scope
	seen    order.Seen       // what the present instruction of the scope starts after
	touched map[wordKey]bool // lines that the scalar unit may have in its cache
}

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
	m.idle = make([]coreState, sem.VectorCores*l.Indices)
	m.ranks, m.after, m.tasks = l.Ranks, l.Tasks, make([]order.Clock, len(l.Tasks))
	return m
}

// state returns what the machine remembers of an operation.
func (m *machine) state(site int32) *siteState {
	for int(site) >= len(m.states) {
		m.states = append(m.states, siteState{})
	}
	return &m.states[site]
}

func (m *machine) channel(k channelKey) *channel {
	ch := m.channels[k]
	if ch == nil {
		ch = &channel{}
		m.channels[k] = ch
	}
	return ch
}

// event follows an event. Some only count for their order.
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
		c.lanes = !isVecscope(s.op)
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
	case runtime.KernelBegin:
		m.beginTask(c)
	case runtime.KernelEnd:
		m.endTask(c)
		c.ended = true
		m.forget(e.Core.Index)
	}
}

// isVecscope reports whether a region is one of vector instructions.
func isVecscope(op *ir.Op) bool {
	return op.Name() == "pto.vecscope" || op.Name() == "pto.strict_vecscope"
}

// bufferOf returns the number of the buffer that an event acquires or releases.
func bufferOf(e *runtime.Event) int {
	if len(e.Links) > 0 {
		return e.Links[0].Channel.ID
	}
	return -1
}

// raise lets each channel of the event carry what is over.
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

// inVain reports whether a channel is a flag that never reaches the core of its
// second pipe.
func (m *machine) inVain(ch *runtime.Channel) bool {
	return ch.Kind == runtime.FlagChannel && ch.From != ch.Core && !m.rules.FlagsCross()
}

// wait joins the clocks that the channels of the event carry into the core.
func (m *machine) wait(c *coreState, e *runtime.Event, s *site) {
	line := order.LineOf(e.Pipe)
	if line == order.NoLine {
		line = order.Scalar
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
			k = ch.Raised() // of all cores: whoever raised it has come this far
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
			ch.Wait(w) // entries that a wait leaves out are over too
		}
		if e.Kind == runtime.FlagWait {
			ch.Wait(w)
		}
	}
}

// tileBarrier makes everything wait for what wrote the tiles of an event.
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

// fence is a fence, or an instruction on the cache of the scalar unit.
func (m *machine) fence(c *coreState, e *runtime.Event) {
	switch e.Order {
	case "dcci", "cmo.cacheinvalid":
		if m.seen != nil && m.missesLines(c, e) {
			m.seen.lines = true
		}
		c.CacheRefresh()
		clear(c.touched)
	case "dsb":
		c.CacheClean()
	default:
		c.Fence()
	}
}

// missesLines reports whether the scalar unit has used lines of its cache other than
// the one that an instruction names, if it names one.
func (m *machine) missesLines(c *coreState, e *runtime.Event) bool {
	if e.Op.NumOperands() == 0 || e.Op.Attr("cache").Keyword() == "ENTIRE_DATA_CACHE" {
		return false
	}
	for key := range c.touched {
		if len(e.Accesses) == 0 || len(e.Accesses[0].Runs) == 0 {
			return len(c.touched) > 1 // which one it names is not known
		}
		if a := &e.Accesses[0]; key != (wordKey{a.Buffer, a.Runs[0].Start / order.LineBytes}) {
			return true
		}
	}
	return false
}

// meet handles a core that arrives at or leaves a barrier of all cores.
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

// beginTask orders a core after the tasks that must end before its own.
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

// endTask adds what a core has done to what its task has done. The end of a kernel
// waits for all pipes and writes the data cache back.
func (m *machine) endTask(c *coreState) {
	if c.info.Task < 0 {
		return
	}
	c.CacheClean()
	c.Barrier(sem.PipeAll)
	c.ReleaseIssue(&m.tasks[c.info.Task])
}

// forget drops the local memory of a block whose cores have all ended. The
// clocks stay: others may know of them.
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
