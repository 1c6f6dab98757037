// This file records the events that a prediction needs.

package timing

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// itemKind is what a replay does with an item.
type itemKind uint8

const (
	workItem    itemKind = iota // keeps its pipe for a time
	signalItem                  // done when all before it in its pipe is done
	waitItem                    // keeps its pipe until what it waits for is done
	barrierItem                 // the same, for what its pipe or all pipes have begun
)

// item is one thing that a core does, in the order of its program.
type item struct {
	work    int32 // in Recorder.works
	move    int32 // in Recorder.moves, or -1: what it moves between global and local memory
	deps    int32 // its first dependence
	core    int32
	scalars uint16 // operations of the scalar unit before it
	ndeps   uint16
	kind    itemKind
	pipe    sem.Pipe
}

// dep is another item that must be done before one begins. With one buffer more
// than the program has, that is an earlier one, or none (-1).
type dep struct {
	item, relaxed int32
	why           Reason
}

// work is an instruction with what its cost depends on. Equal ones are kept
// once.
type work struct {
	op       *ir.Op
	step     int
	pipe     sem.Pipe
	tiles    [5]extent // the valid regions of its tile operands, in order
	imm      [3]int64  // scalars that its cost depends on
	bytes    int64     // written, or read if it writes nothing
	src, dst sem.Space // of the first access that reads, and that writes
	cycles   float64   // of a vecscope, found while it was recorded
	class    Class
}

// extent is a number of rows and columns.
type extent struct{ rows, cols int32 }

// move is a copy from or to global memory.
type move struct {
	from, to int32 // its runs
	bytes    int64
	write    bool
}

// run is part of a move: count pieces of length bytes, each stride after the
// other.
type run struct{ start, length, stride, count int64 }

// Recorder is a listener that keeps of a launch what its time depends on.
type Recorder struct {
	launch *runtime.Launch
	items  []item
	deps   []dep
	works  []work
	moves  []move
	runs   []run

	base    []int64 // where each buffer begins, for the cache
	known   map[work]int32
	sends   map[runtime.Channel]*sends
	ordered bool // the program orders its pipes itself
	depend  *depender
	scopes  map[int]*scoreboard // of cores
	failed  bool
	blocks  []*Recorder // of blocks that ran side by side, until End
}

// NewRecorder returns a recorder for the next launch.
func NewRecorder() *Recorder { return &Recorder{} }

// Begin discards earlier records and starts a new one.
func (r *Recorder) Begin(l *runtime.Launch) {
	*r = *emptyRecorder(l)
	r.ordered = ordersItself(l.Module)
	at := int64(0)
	for _, b := range l.Buffers {
		r.base = append(r.base, at)
		if b != nil {
			at += (int64(len(b.Data)) + bufferAlign - 1) / bufferAlign * bufferAlign
		}
	}
}

func emptyRecorder(l *runtime.Launch) *Recorder {
	return &Recorder{
		launch: l, known: map[work]int32{}, sends: map[runtime.Channel]*sends{}, depend: newDepender(l.Target), scopes: map[int]*scoreboard{},
	}
}

// bufferAlign is the alignment, in bytes, that device allocators give to buffers.
const bufferAlign = 512

// End notes whether the launch came to its end.
func (r *Recorder) End(f *runtime.Fault) {
	r.failed = f != nil
	r.join()
}

// Items is how many instructions, signals and waits were recorded.
func (r *Recorder) Items() int { return len(r.items) }

// Ordered reports whether the program orders its pipes with flags, buffers or
// barriers. Others are timed as if they waited for their data, and no more.
func (r *Recorder) Ordered() bool { return r.ordered }

// ordersItself reports whether a module has synchronization within cores.
func ordersItself(module *ir.Op) bool {
	for op := range module.Walk() {
		switch op.Def().Sem.(type) {
		case sem.SetFlag, sem.WaitFlag, sem.BufAcquire, sem.Barrier:
			return true
		}
	}
	return false
}

// Event keeps what an event has to do with time.
func (r *Recorder) Event(e *runtime.Event) {
	if s := r.scopes[e.Core.Number]; s != nil && e.Kind != runtime.ScopeEnd {
		s.event(e)
		if !r.ordered {
			r.depend.event(r, e, s.item)
		}
		return
	}
	switch e.Kind {
	case runtime.KernelBegin, runtime.MemoryBarrier:
	case runtime.ScopeBegin:
		r.beginScope(e)
	case runtime.ScopeEnd:
		r.endScope(e)
	case runtime.Instruction:
		r.instruction(e)
	case runtime.FlagSet, runtime.BufferRelease, runtime.SignalSet, runtime.QueuePush, runtime.QueueFree, runtime.CoresArrive, runtime.Notify:
		r.send(e)
	case runtime.FlagWait, runtime.BufferGet, runtime.SignalWait, runtime.QueueReserve, runtime.QueuePop, runtime.CoresLeave, runtime.Await:
		r.wait(e)
	case runtime.PipeBarrier, runtime.TileBarrier, runtime.Fence, runtime.KernelEnd:
		pipe := e.Pipe
		if e.Kind != runtime.PipeBarrier {
			pipe = sem.PipeAll
		}
		r.add(e, barrierItem, pipe, work{op: e.Op, pipe: pipe})
	}
}

// add appends an item without dependences.
func (r *Recorder) add(e *runtime.Event, kind itemKind, pipe sem.Pipe, w work) int32 {
	if pipe == sem.NoPipe {
		pipe = sem.PipeS
	}
	n := int32(len(r.items))
	r.items = append(r.items, item{
		work: r.intern(w), move: -1, deps: int32(len(r.deps)), core: int32(e.Core.Number),
		scalars: uint16(min(e.Scalars, 1<<16-1)), kind: kind, pipe: pipe,
	})
	return n
}

// need makes the last item wait for another.
func (r *Recorder) need(d dep) {
	it := &r.items[len(r.items)-1]
	if it.ndeps < 1<<16-1 {
		r.deps = append(r.deps, d)
		it.ndeps++
	}
}

func (r *Recorder) intern(w work) int32 {
	if n, ok := r.known[w]; ok {
		return n
	}
	n := int32(len(r.works))
	r.works, r.known[w] = append(r.works, w), n
	return n
}

// instruction keeps an instruction of a pipe.
func (r *Recorder) instruction(e *runtime.Event) {
	w := work{op: e.Op, step: e.Step, pipe: e.Pipe}
	describe(e, &w)
	n := r.add(e, workItem, e.Pipe, w)
	if e.Pipe == sem.PipeMTE2 || e.Pipe == sem.PipeMTE3 || e.Pipe == sem.PipeFix {
		r.items[n].move = r.moved(e)
	}
	if !r.ordered {
		r.depend.event(r, e, n)
	}
}

// describe notes what the cost of an instruction depends on.
func describe(e *runtime.Event, w *work) {
	k := 0
	for i, v := range e.Op.Operands() {
		if _, ok := pto.TileOf(v.Type()); !ok || k == len(w.tiles) {
			continue
		}
		if t := e.Operand(i); t.Kind == runtime.TileValue {
			w.tiles[k] = extent{int32(t.Rows), int32(t.Cols)}
		}
		k++
	}
	for i, name := range scalarsOf(e.Op) {
		if v := e.Arg(name); v.Kind == runtime.ScalarValue {
			w.imm[i] = int64(v.Bits)
		}
	}
	var read, written int64
	for _, a := range e.Accesses {
		switch {
		case a.Kind&runtime.ScratchAccess != 0:
		case a.Kind&runtime.WriteAccess != 0:
			if written == 0 {
				w.dst = a.Space
			}
			written += bytesOf(a)
		case read == 0:
			w.src, read = a.Space, bytesOf(a)
		}
	}
	w.bytes = written
	if written == 0 {
		w.bytes = read
	}
}

// scalarsOf names the operands of an operation that say how much it does.
func scalarsOf(op *ir.Op) []string {
	switch op.Def().Sem.(type) {
	case sem.Mad:
		return []string{"m", "n", "k"}
	}
	return nil
}

func bytesOf(a runtime.Access) (n int64) {
	for _, r := range a.Runs {
		n += r.Bytes()
	}
	return n
}

// moved keeps what an instruction moves from or to global memory.
func (r *Recorder) moved(e *runtime.Event) int32 {
	from, m := int32(len(r.runs)), move{}
	for _, a := range e.Accesses {
		if a.Space != sem.GM || a.Buffer < 0 || a.Buffer >= len(r.base) {
			continue
		}
		m.write = m.write || a.Kind&runtime.WriteAccess != 0
		for _, p := range a.Runs {
			r.addRun(run{r.base[a.Buffer] + p.Start, p.Length, p.Stride, p.Count})
		}
	}
	if int(from) == len(r.runs) {
		r.viewed(e, &m)
	}
	for _, p := range r.runs[from:] {
		m.bytes += p.length * p.count
	}
	if m.bytes == 0 {
		return -1
	}
	m.from, m.to = from, int32(len(r.runs))
	r.moves = append(r.moves, m)
	return int32(len(r.moves) - 1)
}

func (r *Recorder) addRun(p run) { r.runs = append(r.runs, p) }

// viewed keeps what a copy moves that was not executed: all of its view.
func (r *Recorder) viewed(e *runtime.Event, m *move) {
	for i, v := range e.Op.Operands() {
		view := e.Operand(i)
		if view.Kind != runtime.ViewValue || view.Buffer < 0 || view.Buffer >= len(r.base) {
			continue
		}
		m.write = e.Pipe != sem.PipeMTE2
		r.addView(view, int64(pto.ByteSize(ir.ElementType(v.Type()))))
	}
}

// addView appends the runs of a view: dimensions whose elements follow each
// other make one piece, the next one many, and all others runs of their own.
func (r *Recorder) addView(v runtime.Value, size int64) {
	type dim struct{ n, step int64 }
	var dims []dim // the shortest steps first
	for i := range v.Size {
		if v.Size[i] <= 0 {
			return
		}
		if v.Size[i] > 1 {
			d := dim{v.Size[i], max(v.Stride[i]*size, 0)}
			k := len(dims)
			for ; k > 0 && dims[k-1].step > d.step; k-- {
			}
			dims = append(dims[:k], append([]dim{d}, dims[k:]...)...)
		}
	}
	p := run{start: r.base[v.Buffer] + v.Addr, length: size, count: 1}
	for len(dims) > 0 && dims[0].step == p.length {
		p.length *= dims[0].n
		dims = dims[1:]
	}
	if len(dims) > 0 {
		p.stride, p.count = dims[0].step, dims[0].n
		dims = dims[1:]
	}
	starts := []int64{p.start}
	for _, d := range dims {
		n := len(starts)
		for i := int64(1); i < d.n && len(starts) < maxRuns; i++ {
			for _, s := range starts[:n] {
				starts = append(starts, s+i*d.step)
			}
		}
	}
	for _, s := range starts {
		p.start = s
		r.addRun(p)
	}
}

// maxRuns bounds what one copy keeps.
const maxRuns = 1 << 16
