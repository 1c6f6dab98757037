package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvmtest"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Events report which bytes an instruction reads and writes. Two runs of a program check
// these reports. In the first run, an instruction may change only bytes that its event
// reports as written. In the second run, all memory except the bytes that the event reports
// as read contains garbage, and the instruction must write the same bytes as before.

// heap identifies one memory of a launch: a local memory of a core, or a buffer in global
// memory.
type heap struct {
	space        sem.Space
	core, buffer int
}

// touch records the accesses of one event, and the bytes that it wrote.
type touch struct {
	op            *ir.Op
	step          int
	reads, writes []runtime.Access
	// wrote holds the written bytes, one entry per contiguous range.
	wrote [][]byte
}

// watcher is a listener that checks the recorded accesses of events in two runs. The
// first run records what each event accesses. The second run fills all other memory with
// garbage and must write the same bytes.
type watcher struct {
	t     *testing.T
	heaps []heap
	// seen holds the true contents of all memories.
	seen map[heap][]byte
	// touches are the events of the first run.
	touches []touch
	second  bool
	next    int
	rnd     *rand.Rand
	faults  []string
	// mixed states that one simulated core represents several cores.
	mixed bool
	last  told
	// twice counts the accesses that were executed once and reported for several cores.
	twice int
}

// told is the most recent event of a core.
type told struct {
	op       *ir.Op
	core     *runtime.CoreInfo
	number   uint64
	accesses []runtime.Access
}

// again reports whether e repeats an event for another core, although the instruction was
// executed only once. The repetition must have the same accesses, except for the core's
// unified buffer.
func (w *watcher) again(e *runtime.Event) bool {
	last := w.last
	w.last = told{e.Op, e.Core, e.Number, slices.Clone(e.Accesses)}
	for i := range w.last.accesses {
		w.last.accesses[i].Runs = slices.Clone(w.last.accesses[i].Runs)
	}
	if !w.mixed || e.Op != last.op || e.Core == last.core || e.Number != last.number+1 {
		return false
	}
	if !slices.EqualFunc(e.Accesses, last.accesses, func(a, b runtime.Access) bool {
		own := a.Core == e.Core.Number && b.Core == last.core.Number && a.Space != sem.GM && a.Space != sem.L1
		return a.Kind == b.Kind && a.Space == b.Space && a.Buffer == b.Buffer && a.Operand == b.Operand && (a.Core == b.Core || own) && slices.Equal(a.Runs, b.Runs)
	}) {
		w.fault(e.Op, "accesses %s on %s, but %s on %s", list(e.Accesses), e.Core, list(last.accesses), last.core)
	}
	for _, a := range e.Accesses {
		if own := a.Space != sem.GM && a.Space != sem.L1; own && a.Core != e.Core.Number {
			w.fault(e.Op, "on %s accesses memory of another core", e.Core)
		}
	}
	if len(e.Accesses) > 0 {
		w.twice++
	}
	return true
}

// localSpaces are the memory spaces that each core has.
const localSpaces = sem.FB + 6

// End implements runtime.Listener and does nothing.
func (w *watcher) End(*runtime.Fault) {}

// Begin lists the memories of the launch.
func (w *watcher) Begin(l *runtime.Launch) {
	w.heaps, w.seen, w.next = nil, nil, 0
	w.mixed, w.last = analysis.Mixed(l.Cores[0].Kernel), told{}
	for i, b := range l.Buffers {
		if b != nil {
			w.heaps = append(w.heaps, heap{sem.GM, -1, i})
		}
	}
	for _, c := range l.Cores {
		if w.mixed && c.Sub > 0 {
			continue // its memory is that of the first vector core
		}
		for s := sem.GM + 1; s < localSpaces; s++ {
			shared := s == sem.L1 && c.Unit == sem.VectorUnit || s == sem.UB && c.Unit == sem.CubeUnit
			if !shared || len(l.Cores) == l.Blocks {
				w.heaps = append(w.heaps, heap{s, c.Number, -1})
			}
		}
	}
}

// Event checks one event of a launch. In the first run it records the accesses of the
// event; in the second run it checks that the event writes the same bytes.
func (w *watcher) Event(e *runtime.Event) {
	if w.again(e) {
		return
	}
	if w.seen == nil {
		w.seen = map[heap][]byte{}
		for _, p := range w.heaps {
			w.seen[p] = bytes.Clone(w.memory(e, p)) // of one block: others have the same cores
		}
	}
	if len(e.Accesses) > 0 {
		if w.second {
			w.compare(e)
		} else {
			w.record(e)
		}
	}
	if w.second {
		w.prepare(e)
	}
}

func (w *watcher) memory(e *runtime.Event, p heap) []byte {
	return e.Memory(runtime.Access{Space: p.space, Core: p.core, Buffer: p.buffer})
}

func heapOf(a runtime.Access) heap {
	if a.Space == sem.GM {
		return heap{sem.GM, -1, a.Buffer}
	}
	return heap{a.Space, a.Core, -1}
}

// each calls do for each contiguous range of bytes of the access a.
func each(a runtime.Access, do func(from, to int64)) {
	for _, r := range a.Runs {
		for i := range r.Count {
			do(r.Start+i*r.Stride, r.Start+i*r.Stride+r.Length)
		}
	}
}

// record records an event of the first run. It checks that only the bytes that the event
// reports as written have changed.
func (w *watcher) record(e *runtime.Event) {
	t := touch{op: e.Op, step: e.Step}
	for _, a := range e.Accesses {
		a.Runs = append([]runtime.Run(nil), a.Runs...)
		if a.Kind&runtime.ReadAccess != 0 {
			t.reads = append(t.reads, a)
		}
		if a.Kind&runtime.WriteAccess == 0 {
			continue
		}
		t.writes = append(t.writes, a)
		mem := w.memory(e, heapOf(a))
		seen := w.seen[heapOf(a)]
		if seen == nil { // of a core on which nothing runs
			seen = bytes.Clone(mem)
			w.seen[heapOf(a)] = seen
		}
		var wrote []byte
		each(a, func(from, to int64) {
			wrote = append(wrote, mem[from:to]...)
			copy(seen[from:to], mem[from:to])
		})
		t.wrote = append(t.wrote, wrote)
	}
	w.touches = append(w.touches, t)
	if e.Step > 0 {
		return // its other steps have run, too
	}
	for _, p := range w.heaps {
		if mem := w.memory(e, p); !bytes.Equal(mem, w.seen[p]) {
			at := 0
			for mem[at] == w.seen[p][at] {
				at++
			}
			w.fault(e.Op, "changes byte %d of %s, which it does not write; it writes %s", at, runtime.SpaceName(p.space), list(t.writes))
			copy(w.seen[p], mem)
		}
	}
}

func (w *watcher) fault(op *ir.Op, format string, args ...any) {
	w.faults = append(w.faults, op.Name()+" at "+op.Loc().String()+" "+fmt.Sprintf(format, args...))
}

// list returns the accesses as text for error messages.
func list(as []runtime.Access) (text string) {
	for _, a := range as {
		text += fmt.Sprintf(" %s %v", runtime.SpaceName(a.Space), a.Runs)
	}
	return text
}

// compare checks that an event of the second run wrote the same bytes as in the first
// run. It then restores the true contents of memory.
func (w *watcher) compare(e *runtime.Event) {
	if w.next >= len(w.touches) || w.touches[w.next].op != e.Op {
		w.fault(e.Op, "comes out of order, after event %d", w.next)
		w.next = len(w.touches)
		return
	}
	t := &w.touches[w.next]
	w.next++
	for i, a := range t.writes {
		if a.Kind&runtime.ScratchAccess == 0 && !halves(e.Op) {
			mem, at := w.memory(e, heapOf(a)), 0
			each(a, func(from, to int64) {
				if !bytes.Equal(mem[from:to], t.wrote[i][at:at+int(to-from)]) {
					w.fault(e.Op, "writes other bytes to %d..%d of %s on other garbage; it reads %s", from, to-1, runtime.SpaceName(a.Space), list(t.reads))
				}
				at += int(to - from)
			})
		}
	}
	for i, a := range t.writes {
		seen, at := w.seen[heapOf(a)], 0
		if seen == nil {
			continue
		}
		each(a, func(from, to int64) { at += copy(seen[from:to], t.wrote[i][at:]) })
	}
}

// halves reports whether the instruction op has elements smaller than a byte. It may then
// write half of a byte and must keep the other half.
func halves(op *ir.Op) bool {
	return slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool {
		f, ok := ir.FormatOf(ir.ElementType(v.Type()))
		return ok && f.Bits() < 8
	})
}

// prepare fills memory with garbage, except for the bytes that the next event reads. It
// skips later steps of one instruction, because these have been executed before the first
// of them is reported.
func (w *watcher) prepare(e *runtime.Event) {
	if w.next < len(w.touches) && w.touches[w.next].step > 1 {
		return
	}
	if w.next >= len(w.touches) {
		for p, seen := range w.seen {
			copy(w.memory(e, p), seen)
		}
		return
	}
	garbage := byte(w.rnd.Uint32() | 1)
	for p := range w.seen {
		mem := w.memory(e, p)
		for i := range mem {
			mem[i] = garbage + byte(i)
		}
	}
	reads := w.touches[w.next].reads
	for i := w.next; i < len(w.touches) && w.touches[i].step > 0; i++ {
		reads = append(reads, w.touches[i].reads...)
	}
	for _, a := range reads {
		p := heapOf(a)
		each(a, func(from, to int64) { copy(w.memory(e, p)[from:to], w.seen[p][from:to]) })
	}
}

// checkEvents runs a launch twice under a watcher. It returns the inconsistencies that
// the watcher found, and whether the launch ran without a fault.
func checkEvents(t *testing.T, m *ir.Op, kernels []*ir.Op, blocks int, args func() []runtime.Arg) (faults []string, ran bool) {
	faults, ran, _ = checkRepeated(t, m, kernels, blocks, args)
	return faults, ran
}

// checkRepeated is checkEvents. It also returns the number of accesses that were reported
// for several cores.
func checkRepeated(t *testing.T, m *ir.Op, kernels []*ir.Op, blocks int, args func() []runtime.Arg) (faults []string, ran bool, twice int) {
	t.Helper()
	w := &watcher{t: t, rnd: rand.New(rand.NewPCG(1, 2))}
	prog := planned(t, m, kernels, runtime.Options{Blocks: blocks, MaxSteps: 1 << 20, Listeners: []runtime.Listener{w}})
	if prog.Run(args()) != nil {
		return w.faults, false, w.twice
	}
	w.second = true
	if err := prog.Run(args()); err != nil {
		w.faults = append(w.faults, "on garbage: "+err.Error())
	}
	return w.faults, true, w.twice
}

// TestEventsOfVectors checks the recorded accesses of random vector programs.
func TestEventsOfVectors(t *testing.T) {
	inBatches(t, 20, 20, func(t *testing.T, seed uint64, n int) {
		g := newVectorMaker(seed, seed%2 == 1)
		ks := make([]vectorKernel, n)
		for i := range ks {
			ks[i] = g.kernel(fmt.Sprintf("k%d", i))
		}
		m := llvmtest.Parse(t, "vectors", module(ks))
		for i, f := range runtime.Kernels(m) {
			faults, _ := checkEvents(t, m, []*ir.Op{f}, 1, func() []runtime.Arg {
				return []runtime.Arg{{Buf: &runtime.Buffer{Data: bytes.Clone(ks[i].input)}}, {Buf: &runtime.Buffer{Data: make([]byte, outBytes)}}}
			})
			complain(t, faults, ks[i].text)
		}
	})
}

// TestEventsOfCube checks the recorded accesses of random programs for the cube unit.
func TestEventsOfCube(t *testing.T) {
	inBatches(t, 20, 20, func(t *testing.T, seed uint64, n int) {
		g := newCubeMaker(seed)
		for i := range n {
			k := g.kernel(fmt.Sprintf("k%d", i))
			m := llvmtest.Parse(t, "cube", "module attributes {pto.target_arch = \"a5\"} {\n"+k.text+"}\n")
			faults, _ := checkEvents(t, m, runtime.Kernels(m), 1, func() []runtime.Arg {
				return []runtime.Arg{{Buf: &runtime.Buffer{Data: bytes.Clone(k.input)}}, {Buf: &runtime.Buffer{Data: make([]byte, cubeOut)}}}
			})
			complain(t, faults, k.text)
		}
	})
}

// TestEventsOfTiles checks the recorded accesses of random tile programs.
func TestEventsOfTiles(t *testing.T) {
	inBatches(t, 60, 30, func(t *testing.T, seed uint64, n int) {
		b := makeBatch(tileProfiles[seed/30%uint64(len(tileProfiles))], seed, n)
		b, _ = b.split(ways[2])
		m, why := b.lowered(ways[2])
		if m == nil {
			t.Fatal(why)
		}
		for i, f := range runtime.Kernels(m) {
			faults, _ := checkEvents(t, m, []*ir.Op{f}, 1, func() (args []runtime.Arg) {
				for n, data := range b.kernels[i].buffers() {
					if p := b.kernels[i].params[n]; p.data == nil {
						args = append(args, runtime.Arg{Bits: p.bits})
					} else {
						args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: data}})
					}
				}
				return args
			})
			complain(t, faults, "")
		}
	})
}

// TestEventsOfSeveralCores checks the recorded accesses of a function that one simulated
// core executes for a cube core and both vector cores.
func TestEventsOfSeveralCores(t *testing.T) {
	const path = "../lit/check/two_vectors.pto"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"a3", "a5"} {
		module := fmt.Sprintf("module attributes {pto.target_arch = %q} {\nfunc.func", target)
		m := llvmtest.Parse(t, path, strings.Replace(string(text), "func.func", module, 1)+"}\n")
		for _, f := range runtime.Kernels(m) {
			faults, ran, twice := checkRepeated(t, m, []*ir.Op{f}, 1, func() []runtime.Arg {
				return []runtime.Arg{{Buf: &runtime.Buffer{Data: make([]byte, 4096)}}, {Bits: 3}}
			})
			complain(t, faults, "")
			if !ran || twice == 0 {
				t.Errorf("%s: ran: %t, with %d events of several cores", fn.Name(f), ran, twice)
			}
		}
	}
}

// complain reports the first of the given faults as a test error, with the program text.
func complain(t *testing.T, faults []string, text string) {
	t.Helper()
	if len(faults) > 0 {
		t.Errorf("%s\n%s", faults[0], text)
	}
}
