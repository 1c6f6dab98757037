// This file collects the events of a core and sends them to the listeners, including
// those of cores that one simulated core represents.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
)

// stream assigns numbers to the events of a launch and passes the events to its
// listeners.
type stream struct {
	launch    Launch
	listeners []Listener
	number    uint64
	// scopes is the number of executions of vecscopes (vector functions) that have begun
	// so far.
	scopes uint64
	// counts contains the numbers of raises and waits of each channel, from which links
	// get their numbers.
	counts map[Channel]*signalCount
}

// signalCount counts the signals of one channel so far. The field raised is the number of
// signals that were raised. The field waited is the number of completed waits; each of
// them has consumed one signal.
type signalCount struct{ raised, waited int }

// newStream returns the stream that sends the events of a launch to its listeners. It
// returns nil for a launch without listeners. gm contains the global buffers of the
// launch.
func (p *Program) newStream(gm []*Buffer) *stream {
	if len(p.opts.Listeners) == 0 {
		return nil
	}
	s := &stream{listeners: p.opts.Listeners, counts: map[Channel]*signalCount{}}
	s.launch = Launch{Module: p.module, Target: p.target, Ranks: p.opts.Ranks, Blocks: p.opts.Blocks, Buffers: gm}
	for r := range p.opts.Ranks {
		s.launch.addCores(p, r, -1)
	}
	for _, l := range s.listeners {
		l.Begin(&s.launch)
	}
	return s
}

// addCores appends the cores of all blocks of one rank and one task to l.Cores.
func (l *Launch) addCores(p *Program, rank, task int) {
	for b := range p.opts.Blocks {
		for _, r := range p.roles {
			for _, as := range r.heard() {
				l.Cores = append(l.Cores, CoreInfo{
					Number: len(l.Cores), Rank: rank, Block: b, Index: l.Indices, Task: task, Unit: as.unit, Sub: as.sub, Kernel: r.kernel.op,
				})
			}
		}
		l.Indices++
	}
}

// heardAs is a core that events name as their origin. It can differ from the simulated
// core, which can represent several device cores.
type heardAs struct {
	unit unit
	sub  int
}

// heard returns the device cores that appear in the events of one simulated core. A role
// is a kernel together with the type of core that executes it. The simulated core of a
// role can represent a cube core together with one or two vector cores of a device. Each
// event then names the device core that executes the instruction.
func (r *role) heard() []heardAs {
	switch {
	case r.pair:
		return []heardAs{{cubeUnit, 0}, {vectorUnit, 0}, {vectorUnit, 1}}
	case r.split:
		return []heardAs{{cubeUnit, 0}, {vectorUnit, 0}}
	}
	return []heardAs{{r.unit, r.sub}}
}

// ofBlocks returns one event stream for each block of the launch, for blocks that run in
// parallel. The stream of a block sends to the listeners that the method
// BlockListener.Block returns for this block. ofBlocks returns nil for a launch without
// listeners.
func (s *stream) ofBlocks() []*stream {
	if s == nil {
		return nil
	}
	blocks := make([]*stream, s.launch.Indices)
	for b := range blocks {
		blocks[b] = &stream{launch: s.launch, counts: map[Channel]*signalCount{}}
		for _, l := range s.listeners {
			blocks[b].listeners = append(blocks[b].listeners, l.(BlockListener).Block(b))
		}
	}
	return blocks
}

// end calls End on all listeners, with the fault that ended the launch or with nil.
func (s *stream) end(f *Fault) {
	if s == nil {
		return
	}
	for _, l := range s.listeners {
		l.End(f)
	}
}

// count returns the numbers of raised and of consumed signals of channel c. On the first
// call for a channel, both numbers are zero.
func (s *stream) count(c Channel) *signalCount {
	n := s.counts[c]
	if n == nil {
		n = &signalCount{}
		s.counts[c] = n
	}
	return n
}

// recorder collects the memory accesses and signals of one core and sends these to the
// listeners as events. It reuses its buffers for each event.
type recorder struct {
	stream *stream
	cl     *cluster
	core   *core
	// block contains the cores of the block.
	block []CoreInfo
	// heard are the device cores that execute the current operation. There are several
	// only if one simulated core represents several device cores. info is the core named
	// in the event that is being sent.
	heard []CoreInfo
	info  *CoreInfo
	// l1 and ub are the numbers (indices in Launch.Cores) of the cores that own the L1
	// memory and the unified buffer which this core accesses.
	l1, ub int

	op      *opPlan
	pipe    sem.Pipe
	touched []touched
	// used is the number of valid entries in touched.
	used   int
	event  Event
	access []Access
	links  []Link
	// tell, if not nil, computes the links of the event again. It is called for each
	// further device core that the simulated core represents.
	tell   func(fr *frame, r *recorder)
	rounds []Round
	// scalars counts the operations without events since the last event, for each
	// represented device core.
	scalars [3]int
	scope   uint64
	step    int
	// met is the link of the latest barrier across cores that the core has reached.
	met    Link
	signal Signal
}

// touched collects the memory accesses of one operand in the current event.
type touched struct {
	by *pointee
	to Access
	// skip means that the access belongs to another internal step of a macro instruction,
	// so the current event omits it.
	skip bool
	list runList
}

// newRecorder returns a recorder that sends events to the stream s. If s is nil, there
// are no listeners, and newRecorder returns nil.
func newRecorder(s *stream) *recorder {
	if s == nil {
		return nil
	}
	return &recorder{stream: s}
}

// reset prepares the recorder for a new block of the launch. i is the index of the
// recorder's core in the cluster cl, the set of cores that execute the block.
func (r *recorder) reset(cl *cluster, i int) {
	if r == nil {
		return
	}
	n := 0
	for k := range cl.prog.roles {
		n += len(cl.prog.roles[k].heard())
	}
	at := cl.launch.firstCore + cl.index*n
	if cl.launch.task != "" { // the cores of a task are those of one rank
		at = cl.launch.firstCore + cl.block*n
	}
	r.block = r.stream.launch.Cores[at : at+n]
	r.cl, r.core = cl, cl.cores[i]
	r.heard = r.block[i : i+1]
	if r.split() {
		r.heard = r.block
	}
	r.info = &r.heard[0]
	r.l1, r.ub = r.cube(), r.vector(0)
	r.rounds, r.scalars, r.scope, r.used = r.rounds[:0], [3]int{}, 0, 0
}

// split reports whether the simulated core represents several device cores: a cube core
// and vector cores.
func (r *recorder) split() bool { return len(r.block) > len(r.cl.cores) }

// executing selects the device cores for which the events of an operation are sent. The
// parameter u contains the core types that execute the operation on a device. The
// selection has an effect only if the simulated core represents several device cores.
func (r *recorder) executing(u unit) {
	if !r.split() {
		return
	}
	switch u {
	case cubeUnit:
		r.heard = r.block[:1]
	case vectorUnit:
		r.heard = r.block[1:]
	default:
		r.heard = r.block
	}
	r.info = &r.heard[0]
}

// scalar counts an operation for which the recorder creates no event, such as scalar
// arithmetic. The next event of the core reports how many of these operations preceded
// it.
func (r *recorder) scalar() {
	for i := range r.scalars {
		r.scalars[i]++
	}
}

// cube returns the index of the cube core of the block, whose L1 memory all cores of the
// block can access.
func (r *recorder) cube() int {
	for i, c := range r.block {
		if c.Unit&sem.CubeUnit != 0 {
			return r.block[i].Number
		}
	}
	return r.info.Number
}

// vector returns the number of the core that owns the unified buffer which the current
// core accesses. If the current core is a vector core, it is the owner. If the current
// core is a cube core, the owner is the vector core of its block with the index sub.
// There are two special cases for a cube core. If one simulated core represents the whole
// block, it owns the buffer of vector core 0. If the vector core runs no kernel, it is
// not in Launch.Cores, and its number follows the numbers of all cores in this list.
func (r *recorder) vector(sub int) int {
	if r.info.Unit&sem.CubeUnit == 0 {
		return r.info.Number
	}
	for i, c := range r.block {
		if c.Unit == sem.VectorUnit && c.Sub == sub || c.Unit == sem.AnyUnit && sub == 0 {
			return r.block[i].Number
		}
	}
	return len(r.stream.launch.Cores) + r.info.Index*vectorCores + sub
}

// owner returns the number of the core to which a local memory belongs. This is the
// memory of space s that the core of the recorder accesses.
func (r *recorder) owner(s sem.Space) int {
	switch s {
	case sem.L1:
		return r.l1
	case sem.UB:
		return r.ub
	}
	return r.info.Number
}

// begin starts the event of an operation on the given pipe. The recorder r is reused for
// all events of a core, so begin first discards the memory accesses and links of the
// preceding event. A link is a signal that an operation has raised or waited for.
func (r *recorder) begin(o *opPlan, pipe sem.Pipe) {
	r.op, r.pipe, r.used, r.links, r.tell, r.signal = o, pipe, 0, r.links[:0], nil, Signal{}
	r.executing(o.unit)
}

// touch records an access to n bytes at address addr through operand pl. owner is the
// index, in Launch.Cores, of the core that owns the accessed local memory.
func (r *recorder) touch(pl *pointee, owner int, addr uint64, n int) {
	if n <= 0 || accessKinds[pl.how] == 0 {
		return
	}
	to, at := r.accessTo(pl, owner, addr)
	r.open(pl, to).list.add(at, int64(n))
}

// runsAt returns the list to which the caller must add the byte ranges that an
// instruction accesses through the memory operand pl. The second result is the offset of
// the address addr in the accessed memory.
func (r *recorder) runsAt(pl *pointee, addr uint64) (*runList, int64) {
	to, at := r.accessTo(pl, r.owner(pl.space), addr)
	return &r.open(pl, to).list, at
}

// accessTo returns an Access through operand pl to the memory that contains address addr.
// If this is a local memory, owner is the number of the core that owns it. The byte
// ranges of the Access are not set yet. The second result is the offset of addr in this
// memory.
func (r *recorder) accessTo(pl *pointee, owner int, addr uint64) (to Access, at int64) {
	to = Access{Kind: r.kind(pl), Space: pl.space, Core: owner, Buffer: -1}
	if pl.space != sem.GM {
		return to, int64(addr)
	}
	to.Core = -1
	to.Buffer, at = globalPlace(addr)
	return to, at
}

// kind returns the access properties of the memory operand pl, for example ReadAccess. A
// store to global memory is atomic if the core is in an atomic mode, in which the
// hardware adds stored elements to memory.
func (r *recorder) kind(pl *pointee) AccessKind {
	kind := accessKinds[pl.how]
	if kind == WriteAccess && (pl.combines || pl.space == sem.GM && r.pipe != sem.PipeS && r.core.atomic.f != num.Invalid) {
		return ReadAccess | WriteAccess | AtomicAccess
	}
	return kind
}

// accessKinds maps the internal access kinds of the runtime to the access kinds of
// events. An internal kind without an entry in this map accesses no memory.
var accessKinds = map[access]AccessKind{reads: ReadAccess, writes: WriteAccess}

// open returns the entry that collects the accesses of operand pl to the memory that the
// parameter to describes. The entries are in the slice r.touched. The function creates
// the entry if it does not exist yet.
func (r *recorder) open(pl *pointee, to Access) *touched {
	for i := range r.touched[:r.used] {
		t := &r.touched[i]
		if t.by == pl && t.to.Kind == to.Kind && t.to.Space == to.Space && t.to.Core == to.Core && t.to.Buffer == to.Buffer {
			return t
		}
	}
	to.Operand = -1
	if r.op != nil && pl.op == r.op.op {
		to.Operand = r.op.named(pl.name)
	}
	return r.next(pl, to)
}

// next appends an empty entry to the slice r.touched, and returns it. The entry will
// collect the bytes that the instruction accesses through the memory operand pl. The
// parameter to is the description of this memory for listeners. next reuses the entries
// of earlier events, so that recording an event needs no allocation.
func (r *recorder) next(pl *pointee, to Access) *touched {
	if r.used == len(r.touched) {
		r.touched = append(r.touched, touched{})
	}
	t := &r.touched[r.used]
	r.used++
	t.by, t.to, t.skip = pl, to, false
	t.list.reset()
	return t
}

// emit sends the collected accesses and links to the listeners as an event. If one
// simulated core represents several device cores, emit sends one event for each device
// core that executes the current operation. It then prepares the recorder for the next
// operation.
func (r *recorder) emit(fr *frame, kind EventKind) {
	r.access = r.access[:0]
	r.collect(true)
	r.collect(false)
	for i := range r.heard {
		if r.info = &r.heard[i]; i > 0 && r.tell != nil {
			r.links = r.links[:0]
			r.tell(fr, r)
		}
		if r.second() {
			r.ownBuffer()
		}
		r.send(fr, kind)
	}
	r.info = &r.heard[0]
	r.used, r.links = 0, r.links[:0]
}

// second reports whether the current event belongs to the second vector core of a block,
// for a program whose two vector cores execute the same instructions. The runtime
// executes these only for the first vector core and repeats the events for the second.
func (r *recorder) second() bool { return r.split() && r.info.Unit == vectorUnit && r.info.Sub > 0 }

// ownBuffer changes the recorded accesses of an instruction for the event of the second
// vector core. The runtime executes the instruction only for the first vector core and
// repeats its event for the second one. Accesses to local memory of the first core become
// accesses to the same memory of the second core.
func (r *recorder) ownBuffer() {
	for i := range r.access {
		if a := &r.access[i]; a.Space != sem.GM && a.Space != sem.L1 && a.Core == r.block[1].Number {
			a.Core = r.info.Number
		}
	}
}

// send passes the current event to the listeners, as an event of one device core. A
// simulated core can represent several device cores.
func (r *recorder) send(fr *frame, kind EventKind) {
	s, e := r.stream, &r.event
	scalars := &r.scalars[0]
	if r.split() {
		scalars = &r.scalars[r.info.Number-r.block[0].Number]
	}
	s.number++
	*e = Event{
		Kind: kind, Op: r.op.op, Pipe: r.pipe, Core: r.info, Number: s.number, Scalars: *scalars, Scope: r.scope,
		Step: r.step, Order: r.op.order, Mode: r.op.mode, Accesses: r.access, Links: r.links, Signal: r.signal, Rounds: r.rounds, fr: fr, p: r.op, r: r,
	}
	e.inItem(r.core.item)
	for _, l := range s.listeners {
		l.Event(e)
	}
	*scalars = 0
}

// collect appends memory accesses of the current instruction to the event. If reads is
// true, it appends the accesses that only read. If reads is false, it appends the
// accesses that write, including those that also read.
func (r *recorder) collect(reads bool) {
	for i := range r.touched[:r.used] {
		t := &r.touched[i]
		if t.skip || (t.to.Kind&WriteAccess == 0) != reads {
			continue
		}
		if t.to.Runs = t.list.finish(); len(t.to.Runs) > 0 {
			r.access = append(r.access, t.to)
		}
	}
}

// kernel sends the event for the begin or the end of the kernel k on this core. The
// parameter kind is KernelBegin or KernelEnd.
func (r *recorder) kernel(k *function, fr *frame, kind EventKind) {
	if r == nil {
		return
	}
	r.begin(&opPlan{op: k.op, unit: anyUnit}, sem.NoPipe)
	r.emit(fr, kind)
}

// member returns the index in Launch.Cores of vector core number sub of the block. It
// returns -1 if the launch does not contain this core.
func (r *recorder) member(sub int) int {
	for i, c := range r.block {
		if c.Unit == sem.VectorUnit && c.Sub == sub {
			return r.block[i].Number
		}
	}
	return -1
}
