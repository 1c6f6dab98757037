// This file records the events that a prediction needs.

package timing

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// itemKind is the kind of an item, for example an instruction or a wait. It determines
// how a replay executes the item.
type itemKind uint8

const (
	// workItem is an instruction, which occupies its pipe for some time.
	workItem itemKind = iota
	// signalItem is a raised signal. It is complete when all earlier items of its pipe
	// are complete.
	signalItem
	// waitItem is a wait. It blocks its pipe until the items that it depends on are
	// complete.
	waitItem
	// barrierItem is a barrier. It blocks its pipe until all earlier items of one pipe,
	// or of all pipes of the core, are complete.
	barrierItem
)

// item is one instruction, signal, wait or barrier that a core has executed. A recording
// lists the items of a core in program order.
type item struct {
	// work is the index of the instruction in Recorder.works.
	work int32
	// move is the index in Recorder.moves of the transfer between global and local
	// memory, or -1.
	move int32
	// deps is the index in Recorder.deps of the first of ndeps dependences.
	deps int32
	core int32
	// scalars is the number of operations of the scalar unit that precede the item.
	scalars uint16
	ndeps   uint16
	kind    itemKind
	pipe    sem.Pipe
}

// dep is a dependence of an item on an earlier one (items are recorded instructions and
// waits). The field item is the earlier item, which must be complete first. The field why
// is the reason for the dependence, which reports name.
//
// The field relaxed serves to predict the effect of one more buffer between the pipes,
// such as another queue slot. With this buffer, the item would depend on the item relaxed
// instead. The field is -1 if one more buffer changes nothing.
type dep struct {
	item, relaxed int32
	why           Reason
}

// work describes an instruction with everything that its cost depends on. A recording
// stores equal works once.
type work struct {
	op   *ir.Op
	step int
	pipe sem.Pipe
	// tiles are the valid regions of the tile operands, in order.
	tiles [5]extent
	// imm are the values of the scalar operands on which the cost depends.
	imm [3]int64
	// bytes is the number of bytes written, or read if the instruction writes none.
	bytes int64
	// src and dst are the memory spaces of the first read and of the first write.
	src, dst sem.Space
	// cycles is the duration of a vector function (vecscope), which the recorder
	// computes.
	cycles float64
	class  Class
}

// extent is the size of a tile's valid region: its numbers of rows and columns.
type extent struct{ rows, cols int32 }

// move is a transfer of bytes between global memory and the local memory of a core, by
// one instruction.
type move struct {
	// from and to delimit the byte ranges of the move in Recorder.runs.
	from, to int32
	bytes    int64
	write    bool
	// rank is the rank of the core.
	rank int32
	// far means that the memory belongs to another rank.
	far bool
}

// run describes count byte ranges of a move. Each has length bytes, and their starts are
// stride bytes apart.
type run struct{ start, length, stride, count int64 }

// Recorder is a listener that records everything on which the duration of a launch
// depends. Replay can use a recording any number of times, for different chips and
// options.
type Recorder struct {
	launch *runtime.Launch
	items  []item
	deps   []dep
	works  []work
	moves  []move
	runs   []run

	// base is the simulated address of each buffer of global memory, for the cache model.
	base []int64
	// known maps each work to its index, so that equal works are stored once.
	known map[work]int32
	sends map[runtime.Channel]*sends
	words map[word]*wordSends
	// ordered means that the program contains synchronization inside cores.
	ordered bool
	// depend derives dependences for a program without synchronization.
	depend *depender
	// scopes are the vector functions that are being executed, by the number of the core.
	scopes map[int]*scoreboard
	failed bool
	// first is the number of the first core, rank the rank of that core, and each the
	// number of buffers per rank. first and rank are 0 except in the recording of a task
	// of a graph.
	first, rank, each int
	// blocks are the recordings of blocks that run in parallel. End appends them to the
	// recording of the launch.
	blocks []*Recorder
}

// NewRecorder returns a recorder for the next launch.
func NewRecorder() *Recorder { return &Recorder{} }

// Begin discards the earlier recording and starts a new one for launch l.
func (r *Recorder) Begin(l *runtime.Launch) {
	*r = *emptyRecorder(l)
	r.ordered = ordersItself(l.Module)
	r.base, r.each = bases(l), buffersOfRank(l)
}

// bases returns an address for each buffer of global memory, for the model of the L2
// cache. The addresses depend only on the sizes of the buffers, so that predictions are
// reproducible.
func bases(l *runtime.Launch) []int64 {
	list := make([]int64, len(l.Buffers))
	at := int64(0)
	for i, b := range l.Buffers {
		list[i] = at
		if b != nil {
			at += (int64(len(b.Data)) + bufferAlign - 1) / bufferAlign * bufferAlign
		}
	}
	return list
}

// emptyRecorder returns a recorder for launch l that has not recorded any instructions or
// waits.
func emptyRecorder(l *runtime.Launch) *Recorder {
	return &Recorder{
		launch: l, known: map[work]int32{}, sends: map[runtime.Channel]*sends{}, words: map[word]*wordSends{}, depend: newDepender(l.Target), scopes: map[int]*scoreboard{},
	}
}

// bufferAlign is the alignment in bytes of the buffers that device allocators return.
const bufferAlign = 512

// End finishes a recording. It joins the recordings of all blocks into one recording, and
// stores whether the launch failed. A launch has failed if the fault f is not nil.
func (r *Recorder) End(f *runtime.Fault) {
	r.failed = f != nil
	r.join()
}

// Items returns the number of recorded instructions, signals and waits.
func (r *Recorder) Items() int { return len(r.items) }

// ordersItself reports whether a module contains synchronization inside cores, such as
// flags or barriers between pipes.
func ordersItself(module *ir.Op) bool {
	for op := range module.Walk() {
		switch op.Def().Sem.(type) {
		case sem.SetFlag, sem.WaitFlag, sem.BufAcquire, sem.Barrier:
			return true
		}
	}
	return false
}

// Event records event e as an item if it affects the duration of the launch, for example
// an instruction or a wait.
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
	case runtime.FlagSet, runtime.BufferRelease, runtime.SignalSet, runtime.QueuePush, runtime.QueueFree, runtime.CoresArrive:
		r.send(e)
	case runtime.Notify:
		r.send(e)
		r.notified(e)
	case runtime.FlagWait, runtime.BufferGet, runtime.SignalWait, runtime.QueueReserve, runtime.QueuePop, runtime.CoresLeave:
		r.wait(e)
	case runtime.Await:
		r.wait(e)
		r.awaited(e)
	case runtime.PipeBarrier, runtime.TileBarrier, runtime.Fence, runtime.KernelEnd, runtime.CopyWait:
		pipe := e.Pipe
		if e.Kind != runtime.PipeBarrier {
			pipe = sem.PipeAll
		}
		r.add(e, barrierItem, pipe, work{op: e.Op, pipe: pipe})
	}
}

// add appends an item (a recorded instruction, signal or wait) for event e and returns
// the number of the item. w describes the work of the item, from which the model later
// computes the duration. The item does not depend on earlier items yet; the caller adds
// dependences.
func (r *Recorder) add(e *runtime.Event, kind itemKind, pipe sem.Pipe, w work) int32 {
	if pipe == sem.NoPipe {
		pipe = sem.PipeS
	}
	n := int32(len(r.items))
	r.items = append(r.items, item{
		work: r.intern(w), move: -1, deps: int32(len(r.deps)), core: int32(e.Core.Number - r.first),
		scalars: uint16(min(e.Scalars, 1<<16-1)), kind: kind, pipe: pipe,
	})
	return n
}

// need adds the dependence d to the last recorded item: the item must wait for an earlier
// item.
func (r *Recorder) need(d dep) {
	it := &r.items[len(r.items)-1]
	if it.ndeps < 1<<16-1 {
		r.deps = append(r.deps, d)
		it.ndeps++
	}
}

// intern returns the index in Recorder.works of a description that equals w. If the list
// does not contain one, it appends w, so that equal instructions share one description.
func (r *Recorder) intern(w work) int32 {
	if n, ok := r.known[w]; ok {
		return n
	}
	n := int32(len(r.works))
	r.works, r.known[w] = append(r.works, w), n
	return n
}

// instruction adds an item for event e, the execution of an instruction on a pipe, to the
// recording.
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

// describe sets those fields of w on which the cost of the instruction in event e
// depends: extents of tiles, scalars, numbers of bytes and memory spaces.
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

// scalarsOf returns the names of those scalar operands of op whose values the timing
// model needs, such as the extents of a matrix product.
func scalarsOf(op *ir.Op) []string {
	switch op.Def().Sem.(type) {
	case sem.Mad:
		return []string{"m", "n", "k"}
	}
	return nil
}

// bytesOf returns the number of bytes that the memory access a reads or writes.
func bytesOf(a runtime.Access) (n int64) {
	for _, r := range a.Runs {
		n += r.Bytes()
	}
	return n
}

// moved records the bytes that an instruction transfers between global memory and a core.
// It returns the index of the move, or -1 if the instruction does not access global
// memory.
func (r *Recorder) moved(e *runtime.Event) int32 {
	from, m := int32(len(r.runs)), move{rank: int32(e.Core.Rank - r.rank)}
	for _, a := range e.Accesses {
		if a.Space != sem.GM || a.Buffer < 0 || a.Buffer >= len(r.base) {
			continue
		}
		m.write = m.write || a.Kind&runtime.WriteAccess != 0
		m.far = m.far || a.Buffer/r.each != e.Core.Rank
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

// addRun appends the byte ranges of p to the last recorded move (transfer).
func (r *Recorder) addRun(p run) { r.runs = append(r.runs, p) }

// viewed records the bytes of a copy that was not executed. It assumes that the copy
// transfers its complete view.
func (r *Recorder) viewed(e *runtime.Event, m *move) {
	for i, v := range e.Op.Operands() {
		view := e.Operand(i)
		if view.Kind != runtime.ViewValue || view.Buffer < 0 || view.Buffer >= len(r.base) {
			continue
		}
		if isatile.PacksColumn(e.Op) {
			view.Stride[isatile.PackedAxis] = 1
		}
		m.write = e.Pipe != sem.PipeMTE2
		m.far = m.far || view.Buffer/r.each != e.Core.Rank
		r.addView(view, int64(pto.ByteSize(ir.ElementType(v.Type()))))
	}
}

// addView appends the byte ranges of a view to the current move (transfer). Contiguous
// dimensions of the view together form one byte range. The next larger dimension repeats
// this range with a constant stride, which is one run. Each combination of indices in the
// remaining dimensions adds a separate run.
func (r *Recorder) addView(v runtime.Value, elemBytes int64) {
	type dim struct{ n, step int64 }
	var dims []dim // the shortest steps first
	for i := range v.Size {
		if v.Size[i] <= 0 {
			return
		}
		if v.Size[i] > 1 {
			d := dim{v.Size[i], max(v.Stride[i]*elemBytes, 0)}
			k := len(dims)
			for ; k > 0 && dims[k-1].step > d.step; k-- {
			}
			dims = append(dims[:k], append([]dim{d}, dims[k:]...)...)
		}
	}
	p := run{start: r.base[v.Buffer] + v.Addr, length: elemBytes, count: 1}
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

// maxRuns limits how many byte ranges the record of one copy may contain. It limits the
// memory of a recording.
const maxRuns = 1 << 16
