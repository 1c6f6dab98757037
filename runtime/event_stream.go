// This file collects the events of a core and sends them to the listeners, including
// those of cores that one simulated core represents.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
)

// stream numbers the events of a launch and passes them to its listeners.
type stream struct {
	launch    Launch
	listeners []Listener
	number    uint64
	// scopes is the number of vecscopes entered so far.
	scopes uint64
	// counts gives the number of raises and waits of each channel.
	counts map[Channel]*signalCount
}

// signalCount is how often a channel was raised and waited for.
type signalCount struct{ raised, waited int }

// newStream returns the stream that sends the events of a launch to its listeners, or
// nil if there are none.
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

// addCores appends the cores of all blocks of a rank to l.Cores.
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

// heardAs is the core that listeners see as the origin of an event.
type heardAs struct {
	unit unit
	sub  int
}

// heard returns the cores that listeners see as the origin of a simulated core's events.
// There is more than one if the simulated core represents several.
func (r *role) heard() []heardAs {
	switch {
	case r.pair:
		return []heardAs{{cubeUnit, 0}, {vectorUnit, 0}, {vectorUnit, 1}}
	case r.split:
		return []heardAs{{cubeUnit, 0}, {vectorUnit, 0}}
	}
	return []heardAs{{r.unit, r.sub}}
}

// ofBlocks returns one stream for each block, for blocks that run in parallel.
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

// byBlock reports whether all listeners can handle blocks that run in parallel.
func byBlock(listeners []Listener) bool {
	for _, l := range listeners {
		if _, ok := l.(BlockListener); !ok {
			return false
		}
	}
	return true
}

// end reports the end of the launch, and its fault if it has one, to the listeners.
func (s *stream) end(f *Fault) {
	if s == nil {
		return
	}
	for _, l := range s.listeners {
		l.End(f)
	}
}

// count returns the counters of a channel.
func (s *stream) count(c Channel) *signalCount {
	n := s.counts[c]
	if n == nil {
		n = &signalCount{}
		s.counts[c] = n
	}
	return n
}

// recorder builds the events of one core. It reuses its buffers for each event.
type recorder struct {
	stream *stream
	cl     *cluster
	core   *core
	block  []CoreInfo // the cores of the block
	// heard are the cores that execute the current operation. There is more than one
	// only if one simulated core represents several. info is the core in the event that
	// is sent.
	heard []CoreInfo
	info  *CoreInfo
	// l1 and ub are the numbers of the cores whose L1 and unified buffer this core
	// accesses.
	l1, ub int

	op      *opPlan
	pipe    sem.Pipe
	touched []touched
	// used is the number of valid entries in touched.
	used   int
	event  Event
	access []Access
	links  []Link
	// tell, if not nil, computes the links again for another core that the simulated core
	// represents.
	tell   func(fr *frame, r *recorder) // notes the links anew for another core, or nil
	rounds []Round
	// tile is the tile that a queue instruction copies.
	tile []tileUse
	// scalars counts the operations without events, for each represented core.
	scalars [3]int
	scope   uint64
	step    int
	// met is the link of the latest barrier of all cores.
	met    Link
	signal Signal
}

// touched is the memory that an operand has accessed in the current event.
type touched struct {
	by *pointee
	to Access
	// skip means that the access belongs to another step of a macro instruction.
	skip bool
	list runList
}

// newRecorder returns the recorder of a core, or nil without listeners.
func newRecorder(s *stream) *recorder {
	if s == nil {
		return nil
	}
	return &recorder{stream: s}
}

// reset prepares the recorder for core i of a new block.
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

// split reports whether the simulated core represents a cube core and vector cores.
func (r *recorder) split() bool { return len(r.block) > len(r.cl.cores) }

// executing selects the represented cores that execute an operation for unit u.
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

// scalar counts an operation that has no event.
func (r *recorder) scalar() {
	for i := range r.scalars {
		r.scalars[i]++
	}
}

// cube returns the number of the cube core whose L1 the core can access.
func (r *recorder) cube() int {
	for i, c := range r.block {
		if c.Unit&sem.CubeUnit != 0 {
			return r.block[i].Number
		}
	}
	return r.info.Number
}

// vector returns the number of the core that owns the unified buffer of vector core sub.
// Vector cores without a kernel have numbers after those of all other cores.
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

// owner returns the number of the core whose memory this core accesses in space s.
func (r *recorder) owner(s sem.Space) int {
	switch s {
	case sem.L1:
		return r.l1
	case sem.UB:
		return r.ub
	}
	return r.info.Number
}

// begin starts the event of an operation.
func (r *recorder) begin(o *opPlan, pipe sem.Pipe) {
	r.op, r.pipe, r.used, r.links, r.tell, r.signal = o, pipe, 0, r.links[:0], nil, Signal{}
	r.executing(o.unit)
}

// touch adds an access to n bytes at addr through operand pl. owner is the core whose
// local memory it is.
func (r *recorder) touch(pl *pointee, owner int, addr uint64, n int) {
	if n <= 0 || accessKinds[pl.how] == 0 {
		return
	}
	to, at := r.accessTo(pl, owner, addr)
	r.open(pl, to).list.add(at, int64(n))
}

// runsAt returns the list of byte ranges of operand pl, and the position of addr in its
// memory, so that the caller can add ranges itself.
func (r *recorder) runsAt(pl *pointee, addr uint64) (*runList, int64) {
	to, at := r.accessTo(pl, r.owner(pl.space), addr)
	return &r.open(pl, to).list, at
}

// accessTo returns an Access without byte ranges for operand pl, and the position of addr
// in its memory.
func (r *recorder) accessTo(pl *pointee, owner int, addr uint64) (to Access, at int64) {
	to = Access{Kind: r.kind(pl), Space: pl.space, Core: owner, Buffer: -1}
	if pl.space != sem.GM {
		return to, int64(addr)
	}
	to.Core = -1
	to.Buffer, at = globalPlace(addr)
	return to, at
}

// kind returns the properties of an access through operand pl. A store to global memory
// is atomic while the core is in an atomic mode.
func (r *recorder) kind(pl *pointee) AccessKind {
	kind := accessKinds[pl.how]
	if kind == WriteAccess && (pl.combines || pl.space == sem.GM && r.pipe != sem.PipeS && r.core.atomic.f != num.Invalid) {
		return ReadAccess | WriteAccess | AtomicAccess
	}
	return kind
}

// accessKinds maps the accesses in messages to those in events; other accesses touch no
// memory.
var accessKinds = map[access]AccessKind{reads: ReadAccess, writes: WriteAccess}

// open returns the entry for the accesses of operand pl to the memory to, and creates it
// if necessary.
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

// next appends an empty entry to touched.
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

// emit sends the collected data as one event for each represented core, and prepares for
// the next event.
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

// second reports whether the current event belongs to the second vector core, which
// repeats what the first one does.
func (r *recorder) second() bool { return r.split() && r.info.Unit == vectorUnit && r.info.Sub > 0 }

// ownBuffer changes accesses to the first vector core's unified buffer into accesses to
// that of the second one.
func (r *recorder) ownBuffer() {
	for i := range r.access {
		if a := &r.access[i]; a.Space != sem.GM && a.Space != sem.L1 && a.Core == r.block[1].Number {
			a.Core = r.info.Number
		}
	}
}

// send sends the event of one core to the listeners.
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
	for _, l := range s.listeners {
		l.Event(e)
	}
	*scalars = 0
}

// collect appends accesses to the event: those that only read if reads is set, and all
// others otherwise.
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

// kernel sends the event for the begin or end of a core's kernel.
func (r *recorder) kernel(k *function, fr *frame, kind EventKind) {
	if r == nil {
		return
	}
	r.begin(&opPlan{op: k.op, unit: anyUnit}, sem.NoPipe)
	r.emit(fr, kind)
}

// member returns the number of vector core sub in the block, or -1.
func (r *recorder) member(sub int) int {
	for i, c := range r.block {
		if c.Unit == sem.VectorUnit && c.Sub == sub {
			return r.block[i].Number
		}
	}
	return -1
}
