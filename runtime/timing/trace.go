// This file writes predictions as traces.

package timing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// traceEvent is an event in the trace format of Perfetto and chrome://tracing. Times are
// in microseconds.
type traceEvent struct {
	Name  string  `json:"name"`
	Phase string  `json:"ph"`
	Cat   string  `json:"cat,omitempty"`
	Time  float64 `json:"ts"`
	// Dur must be present in slices even if it is 0. Without it, a viewer treats the
	// slice as unfinished.
	Dur *float64 `json:"dur,omitempty"`
	// Core is the process ID in the trace; each core is shown as a process.
	Core int `json:"pid"`
	// Pipe is the thread ID in the trace; each pipe is shown as a thread.
	Pipe int            `json:"tid"`
	ID   int64          `json:"id,omitempty"`
	Bind string         `json:"bp,omitempty"`
	Args map[string]any `json:"args,omitempty"`
}

const (
	// chipProcess is the process that represents the complete chip, or all ranks if there
	// are several. Its thread pathTrack contains the critical path. The waits of a pipe
	// are in a separate thread, whose number is that of the pipe plus stallTrack.
	chipProcess = 0
	pathTrack   = 1
	stallTrack  = 100
)

// laneOrder is the order of pipes in the viewer. It follows the data from global memory
// through the core and back.
var laneOrder = []sem.Pipe{sem.PipeMTE2, sem.PipeMTE1, sem.PipeM, sem.PipeFix, sem.PipeS, sem.PipeV, sem.PipeMTE3}

// tracer writes the result of a replay in the trace format of Perfetto.
type tracer struct {
	w io.Writer
	p *replay
	// err is the first error of writing to w.
	err error
	// between is the separator before the next event.
	between string
	// arrows is the number of arrows written so far. It identifies each arrow.
	arrows int64
}

// Trace writes the prediction in the trace format of Perfetto, with predicted times. The
// trace contains a process for each core with two lanes for each pipe: instructions and
// waits. It also contains arrows for flags and signals, counters of global memory, and
// the critical path.
func (r *Result) Trace(w io.Writer) error {
	t := &tracer{w: w, p: r.replay}
	t.print("{\"otherData\":{\"time axis\":%q},\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n",
		fmt.Sprintf("predicted time on chip %s, from the begin of the kernel", r.Chip.Name))
	t.names()
	for i := range t.p.cores {
		t.core(i)
	}
	t.path()
	t.counters()
	t.print("\n]}\n")
	return t.err
}

// print writes formatted text. It does nothing after an error.
func (t *tracer) print(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// write writes event e as JSON.
func (t *tracer) write(e traceEvent) {
	text, err := json.Marshal(e)
	if err != nil {
		panic("BUG: " + err.Error()) // numbers are finite
	}
	t.print("%s%s", t.between, ir.VisibleJSON(text))
	t.between = ",\n"
}

// nanos converts a time in cycles to nanoseconds, rounded to an integer. Viewers truncate
// start and duration separately to nanoseconds. With finer times, a short bar could
// become empty, and viewers would drop arrows to it.
func (t *tracer) nanos(cycles float64) int64 {
	return int64(math.Round(1000 * cycles / t.p.chip.clock()))
}

// traceTime converts nanoseconds to the microseconds of the format. Viewers multiply by
// 1000 and truncate, so the result is rounded such that they recover the same integer.
func traceTime(nanos int64) float64 {
	us := float64(nanos) / 1000
	if int64(us*1000) < nanos {
		us = math.Nextafter(us, math.Inf(1))
	}
	return us
}

// slice completes the trace event e, so that the viewer shows it as a bar, and returns
// it. The bar covers the interval between the times in the parameters from and to, which
// are in cycles.
func (t *tracer) slice(e traceEvent, from, to float64) traceEvent {
	begin := t.nanos(from)
	dur := traceTime(t.nanos(to) - begin)
	e.Phase, e.Time, e.Dur = "X", traceTime(begin), &dur
	return e
}

// name writes the name of a process or of a thread of the trace. The parameter what
// states which of the two is named. core is the ID of the process, and pipe is the ID of
// the thread.
func (t *tracer) name(what string, core, pipe int, name string) {
	t.write(traceEvent{Name: what, Phase: "M", Core: core, Pipe: pipe, Args: map[string]any{"name": name}})
}

// sort writes a trace event that sets the position of a process or a thread in the
// viewer. The parameter what is the name of the event, which selects process or thread,
// and at is the position. core is the ID of the process, and pipe is the ID of the
// thread.
func (t *tracer) sort(what string, core, pipe, at int) {
	t.write(traceEvent{Name: what, Phase: "M", Core: core, Pipe: pipe, Args: map[string]any{"sort_index": at}})
}

// chipOf returns the process ID in the trace that represents the chip of the given rank.
func (t *tracer) chipOf(rank int) int {
	if t.p.r.launch.Ranks == 1 {
		return chipProcess
	}
	return len(t.p.cores) + 1 + rank
}

// names writes the names of all processes (cores) and threads (pipes) of the trace.
func (t *tracer) names() {
	if ranks := t.p.r.launch.Ranks; ranks > 1 {
		t.name("process_name", chipProcess, 0, "all ranks")
		for rank := range ranks {
			t.name("process_name", t.chipOf(rank), 0, fmt.Sprintf("rank %d, chip %s", rank, t.p.chip.Name))
		}
	} else {
		t.name("process_name", chipProcess, 0, "chip "+t.p.chip.Name)
	}
	t.name("thread_name", chipProcess, pathTrack, "critical path")
	used := map[[2]int]bool{}
	for i := range t.p.r.items {
		if it := &t.p.r.items[i]; it.kind == workItem {
			used[[2]int{int(it.core), int(it.pipe)}] = true
		}
	}
	for i := range t.p.cores {
		c := &t.p.r.launch.Cores[i]
		t.name("process_name", i+1, 0, t.p.r.launch.CoreName(c))
		for at, pipe := range laneOrder {
			if used[[2]int{i, int(pipe)}] {
				t.name("thread_name", i+1, int(pipe)+1, PipeName(pipe))
				t.sort("thread_sort_index", i+1, int(pipe)+1, 2*at)
				t.name("thread_name", i+1, int(pipe)+1+stallTrack, PipeName(pipe)+" waits")
				t.sort("thread_sort_index", i+1, int(pipe)+1+stallTrack, 2*at+1)
			}
		}
	}
}

// core writes the instructions and waits of core number i to the trace, as bars with
// start and duration.
func (t *tracer) core(i int) {
	p := t.p
	var free [pipes]float64
	for k := range free {
		free[k] = p.blockBegin(&p.cores[i])
	}
	for _, n := range p.cores[i].items {
		it := &p.r.items[n]
		if it.pipe == sem.PipeAll || p.start[n] < 0 {
			continue
		}
		lane := int(it.pipe) + 1
		if t.nanos(p.start[n]) > t.nanos(free[it.pipe]) && it.kind != signalItem {
			t.write(t.slice(traceEvent{Name: p.idleReason(n).String(), Cat: "stall", Core: i + 1, Pipe: lane + stallTrack,
				Args: map[string]any{"cycles": whole(p.start[n] - free[it.pipe])}}, free[it.pipe], p.start[n]))
			t.arrow(n)
		}
		free[it.pipe] = max(free[it.pipe], p.free[n])
		w := &p.r.works[it.work]
		if it.kind == workItem {
			args := map[string]any{"at": w.op.Loc().String(), "cycles": whole(p.free[n] - p.start[n]), "until result": whole(p.done[n] - p.start[n]),
				"class": p.costs[it.work].class.String(), "began because of": p.idleReason(n).String()}
			if it.move >= 0 {
				args["bytes"] = p.r.moves[it.move].bytes
				if p.r.moves[it.move].far {
					args["link"] = "to another rank"
				} else {
					args["in L2"] = fmt.Sprintf("%.0f %%", 100*p.gm[0].caches[it.move])
				}
			}
			t.write(t.slice(traceEvent{Name: w.op.Name(), Cat: PipeName(it.pipe), Core: i + 1, Pipe: lane, Args: args}, p.start[n], p.free[n]))
		}
	}
}

// arrow draws an arrow to the wait item n from the item for which it waited. The arrow
// connects the last nanosecond of both items. Viewers omit an arrow unless both ends are
// inside bars. An item of zero length has no bar, so it has no arrow.
func (t *tracer) arrow(n int32) {
	p := t.p
	by := t.worker(p.by[n])
	if by < 0 || p.why[n] < FlagFull {
		return
	}
	from, to := &p.r.items[by], &p.r.items[n]
	late, end := t.nanos(p.free[by])-1, t.nanos(p.start[n])-1
	if from.pipe == sem.PipeAll || late < t.nanos(p.start[by]) || late > end {
		return
	}
	t.arrows++
	e := traceEvent{Name: p.why[n].String(), Cat: "signal", ID: t.arrows, Phase: "s", Time: traceTime(late), Core: int(from.core) + 1, Pipe: int(from.pipe) + 1}
	t.write(e)
	e.Phase, e.Bind, e.Time, e.Core, e.Pipe = "f", "e", traceTime(end), int(to.core)+1, int(to.pipe)+1+stallTrack
	t.write(e)
}

// worker returns the item of the instruction that caused item n to complete when it did.
// If n is an instruction, this is n itself. If n is a signal or a wait, this is an
// earlier instruction, found by following the recorded causes. worker returns -1 if there
// is no such instruction.
func (t *tracer) worker(n int32) int32 {
	for n >= 0 && t.p.r.items[n].kind != workItem {
		n = t.p.by[n]
	}
	return n
}

// path writes the segments of the critical path to the trace, as bars of a separate
// thread.
func (t *tracer) path() {
	for _, s := range t.p.path {
		e := t.slice(traceEvent{Name: s.what, Cat: "critical path", Core: chipProcess, Pipe: pathTrack}, s.from, s.to)
		if s.item >= 0 {
			op := t.p.r.works[t.p.r.items[s.item].work].op
			e.Args = map[string]any{"op": op.Name(), "at": op.Loc().String()}
		}
		t.write(e)
	}
}

// counters writes the counters of each rank: bytes in transfer, bytes in transfer over
// the link to other ranks, and the fraction of bytes that hit the L2 cache.
func (t *tracer) counters() {
	p := t.p
	near, far := make([][]change, p.r.launch.Ranks), make([][]change, p.r.launch.Ranks)
	for i := range p.r.items {
		it := &p.r.items[i]
		if it.move < 0 || p.start[i] < 0 {
			continue
		}
		m := &p.r.moves[it.move]
		list := &near[m.rank]
		if m.far {
			list = &far[m.rank]
		}
		*list = append(*list, change{p.start[i], m.bytes, float64(m.bytes) * float64(p.gm[0].caches[it.move]), float64(m.bytes)}, change{p.free[i], -m.bytes, 0, 0})
	}
	for rank := range near {
		t.counter(t.chipOf(rank), "GM bytes in flight", near[rank], true)
		t.counter(t.chipOf(rank), "link bytes in flight", far[rank], false)
	}
}

// change is a change of a traffic counter at one time. It contains the number of bytes
// whose transfer starts or ends, and how many of these bytes hit the L2 cache.
type change struct {
	at    float64
	bytes int64
	hits  float64
	all   float64
}

// counter writes a counter to the trace: the number of bytes in transfer at each time.
// name is the name of the counter, and process is the process of the trace to which it
// belongs. list contains the changes of the counter. If cached is set, counter also
// writes the percentage of bytes that hit the L2 cache until then.
func (t *tracer) counter(process int, name string, list []change, cached bool) {
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var flying int64
	var hits, all float64
	for i, c := range list {
		flying += c.bytes
		hits, all = hits+c.hits, all+c.all
		if i+1 < len(list) && list[i+1].at == c.at {
			continue
		}
		t.write(traceEvent{Name: name, Phase: "C", Time: traceTime(t.nanos(c.at)), Core: process, Args: map[string]any{"bytes": flying}})
		if cached && c.all > 0 {
			t.write(traceEvent{Name: "L2 hits so far", Phase: "C", Time: traceTime(t.nanos(c.at)), Core: process, Args: map[string]any{"%": 100 * share(hits, all)}})
		}
	}
}
