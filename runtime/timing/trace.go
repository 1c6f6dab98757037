// This file writes predictions as traces.

package timing

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// traceEvent is an event of the trace format of Perfetto and chrome://tracing.
// Times are in microseconds.
type traceEvent struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Cat   string         `json:"cat,omitempty"`
	Time  float64        `json:"ts"`
	Dur   *float64       `json:"dur,omitempty"` // slices have one, also if it is 0: without it a viewer takes them for unfinished
	Core  int            `json:"pid"`
	Pipe  int            `json:"tid"`
	ID    int64          `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// Tracks of the process that stands for the whole chip, and the one for what a
// pipe waits for below that of the pipe.
const (
	chipProcess = 0
	pathTrack   = 1
	stallTrack  = 100
)

// laneOrder is the order of pipes on the screen, that in which data goes.
var laneOrder = []sem.Pipe{sem.PipeMTE2, sem.PipeMTE1, sem.PipeM, sem.PipeFix, sem.PipeS, sem.PipeV, sem.PipeMTE3}

// tracer writes a replay as a trace.
type tracer struct {
	w       io.Writer
	p       *replay
	err     error
	between string
	arrows  int64
}

// Trace writes the prediction as a trace whose time axis is that of the chip: a
// process for each core with a lane for each pipe, a lane beside it for what the
// pipe waits for, arrows for flags and signals, counters of global memory, and
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

func (t *tracer) print(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *tracer) write(e traceEvent) {
	text, err := json.Marshal(e)
	if err != nil {
		panic("BUG: " + err.Error()) // numbers are finite
	}
	t.print("%s%s", t.between, ir.VisibleJSON(text))
	t.between = ",\n"
}

// nanos are the whole nanoseconds of a time in cycles. Viewers cut what is smaller
// off, begin and duration each for itself: a slice of a part of a nanosecond would
// be empty, and the arrow to it dropped.
func (t *tracer) nanos(cycles float64) int64 {
	return int64(math.Round(1000 * cycles / t.p.chip.clock()))
}

// traceTime is a time in nanoseconds in the unit of the format. The product with 1,000, which viewers cut off, is never
// below the whole number.
func traceTime(nanos int64) float64 {
	us := float64(nanos) / 1000
	if int64(us*1000) < nanos {
		us = math.Nextafter(us, math.Inf(1))
	}
	return us
}

// slice sets the time of an event that goes on from one cycle to another.
func (t *tracer) slice(e traceEvent, from, to float64) traceEvent {
	begin := t.nanos(from)
	dur := traceTime(t.nanos(to) - begin)
	e.Phase, e.Time, e.Dur = "X", traceTime(begin), &dur
	return e
}

func (t *tracer) name(what string, core, pipe int, name string) {
	t.write(traceEvent{Name: what, Phase: "M", Core: core, Pipe: pipe, Args: map[string]any{"name": name}})
}

func (t *tracer) sort(what string, core, pipe, at int) {
	t.write(traceEvent{Name: what, Phase: "M", Core: core, Pipe: pipe, Args: map[string]any{"sort_index": at}})
}

// names names processes and lanes.
func (t *tracer) names() {
	t.name("process_name", chipProcess, 0, "chip "+t.p.chip.Name)
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

// core writes what a core does.
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
				args["in L2"] = fmt.Sprintf("%.0f %%", 100*p.gm.caches[it.move])
			}
			t.write(t.slice(traceEvent{Name: w.op.Name(), Cat: PipeName(it.pipe), Core: i + 1, Pipe: lane, Args: args}, p.start[n], p.free[n]))
		}
	}
}

// arrow draws an arrow to what a pipe waits for, from the last nanosecond of the work that it waited for to the last one
// of its waiting. Both ends lie within slices, or viewers would drop them: so there is none where no pipe waited, and
// none from work that is over at once.
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

// worker is the work because of which an item was done: what stands before a signal, or held up a wait. It is -1 if
// there was none.
func (t *tracer) worker(n int32) int32 {
	for n >= 0 && t.p.r.items[n].kind != workItem {
		n = t.p.by[n]
	}
	return n
}

// path writes the critical path as a lane of its own.
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

// counters write how many bytes are on their way, and how many were in L2.
func (t *tracer) counters() {
	type change struct {
		at    float64
		bytes int64
		hits  float64
		all   float64
	}
	p := t.p
	var list []change
	for i := range p.r.items {
		it := &p.r.items[i]
		if it.move < 0 || p.start[i] < 0 {
			continue
		}
		b := p.r.moves[it.move].bytes
		list = append(list, change{p.start[i], b, float64(b) * float64(p.gm.caches[it.move]), float64(b)}, change{p.free[i], -b, 0, 0})
	}
	slices.SortStableFunc(list, func(a, b change) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	var flying int64
	var hits, all float64
	for i, c := range list {
		flying += c.bytes
		hits, all = hits+c.hits, all+c.all
		if i+1 < len(list) && list[i+1].at == c.at {
			continue
		}
		t.write(traceEvent{Name: "GM bytes in flight", Phase: "C", Time: traceTime(t.nanos(c.at)), Core: chipProcess, Args: map[string]any{"bytes": flying}})
		if c.all > 0 {
			t.write(traceEvent{Name: "L2 hits so far", Phase: "C", Time: traceTime(t.nanos(c.at)), Core: chipProcess, Args: map[string]any{"%": 100 * share(hits, all)}})
		}
	}
}
