// This file writes execution traces.

package run

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"ptogo/dialect/pto"
	"ptogo/internal/cli/files"
	"ptogo/ir"
	"ptogo/runtime"
)

// traceMode writes a trace of the executed instructions (--trace).
type traceMode struct{ file string }

// write writes a prediction as a trace file, which trace viewers display.
func (m *traceMode) write(res interface{ Trace(w io.Writer) error }, stdout io.Writer) error {
	out, err := files.NewOutput(m.file, stdout)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := res.Trace(out); err != nil {
		return err
	}
	return out.Commit()
}

// untimedTrace is --trace without a prediction of time, whose trace has a time of its own.
type untimedTrace struct{ *runFlags }

func (t untimedTrace) used() bool { return t.trace.file != "" && !t.timing.used() }

// execute runs the kernels and writes a trace of the executed instructions, even
// if a kernel faults. Blocks run one after the other, so that the trace is
// deterministic. It returns the exit code.
func (t untimedTrace) execute(l *launch, o runtime.Options, run way) int {
	out, err := files.NewOutput(t.trace.file, l.Out)
	if err != nil {
		return l.Fail("%v", err)
	}
	defer out.Discard()
	trace := newTracer(out)
	o.Listeners = append(o.Listeners, trace)
	stop := o.Stop
	o.Stop = func() string {
		if trace.failed.Load() {
			return "was running when the trace could not be written any more"
		}
		if stop == nil {
			return ""
		}
		return stop()
	}
	code := run(o)
	if err := trace.close(); err != nil {
		return l.Fail("%v", err)
	}
	if err := out.Commit(); err != nil {
		return l.Fail("%v", err)
	}
	return code
}

// tracer writes the execution of a kernel as a trace for Perfetto and chrome://tracing.
// The trace has a process for each core of each block, a thread for each pipe, a slice
// for each instruction, and an arrow from each signal to the instruction that waited
// for it.
//
// The time axis counts instructions in the order of execution, one microsecond each. It
// is unrelated to the time on hardware.
type tracer struct {
	w io.Writer
	// err is the first error of writing.
	err error
	// failed means that err is not nil; the launch then ends.
	failed atomic.Bool
	// between is the separator before the next event.
	between string
	// now is the number of instructions so far.
	now    int64
	launch *runtime.Launch
	cores  map[int]bool
	// pipes are the pairs of process and thread to which the trace has already given
	// names.
	pipes  map[[2]int]bool
	raised map[raisedSignal]traceEvent
	arrows int64
	ops    map[*ir.Op]*tracedOp
}

// tracedOp holds texts about an operation that are equal for all its bars in the trace.
// The field name is the name of the operation, and the field at is its source location.
// The field cycles is the text of the JSON argument that contains its cycle count.
type tracedOp struct{ name, at, cycles string }

// traceEvent is an entry of the trace file, in the format of chrome://tracing.
type traceEvent struct {
	Name  string     `json:"name"`
	Phase string     `json:"ph"`
	Cat   string     `json:"cat,omitempty"`
	Time  float64    `json:"ts"`
	Dur   float64    `json:"dur,omitempty"`
	Core  int        `json:"pid"`
	Pipe  int        `json:"tid"`
	ID    int64      `json:"id,omitempty"`
	Bind  string     `json:"bp,omitempty"`
	Args  *traceArgs `json:"args,omitempty"`
}

// traceArgs are the details that a trace viewer shows for a slice (an executed
// instruction).
type traceArgs struct {
	Name   string   `json:"name,omitempty"`
	At     string   `json:"at,omitempty"`
	Reads  []string `json:"reads,omitempty"`
	Writes []string `json:"writes,omitempty"`
	Kind   string   `json:"kind,omitempty"`
	Rounds string   `json:"loop rounds,omitempty"`
	Cycles string   `json:"published cycles,omitempty"`
}

// timeAxis is the text in the trace file that explains the time axis.
const timeAxis = "1 us is one executed instruction, in the order of execution; it is not a time of the hardware"

// newTracer returns a tracer that writes to w, and writes the start of the file.
func newTracer(w io.Writer) *tracer {
	t := &tracer{
		w: w, cores: map[int]bool{}, pipes: map[[2]int]bool{}, raised: map[raisedSignal]traceEvent{}, ops: map[*ir.Op]*tracedOp{},
	}
	t.print("{\"otherData\":{\"time axis\":%q},\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", timeAxis)
	return t
}

// print writes formatted text to the trace file, unless an earlier write failed.
func (t *tracer) print(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
		t.failed.Store(t.err != nil)
	}
}

// close writes the end of the file and returns the first write error.
func (t *tracer) close() error {
	t.print("\n]}\n")
	return t.err
}

// write writes one event of the trace format.
func (t *tracer) write(e traceEvent) {
	text, err := json.Marshal(e)
	if err != nil {
		panic("BUG: " + err.Error()) // numbers are finite
	}
	t.print("%s%s", t.between, ir.VisibleJSON(text))
	t.between = ",\n"
}

// Begin implements runtime.Listener. It stores the launch, from which the tracer obtains
// the names of cores and memories.
func (t *tracer) Begin(l *runtime.Launch) { t.launch = l }

// End implements runtime.Listener. It does nothing, because the file is completed when
// the tool ends.
func (t *tracer) End(*runtime.Fault) {}

// Event implements runtime.Listener. It writes an executed instruction as a slice of
// the trace.
func (t *tracer) Event(e *runtime.Event) {
	switch e.Kind {
	case runtime.KernelBegin, runtime.KernelEnd, runtime.ScopeBegin, runtime.ScopeEnd:
		return
	}
	core, pipe := t.track(e)
	op := t.op(e.Op)
	name := op.name + does[e.Kind]
	if e.Step > 0 {
		name += fmt.Sprintf(", step %d", e.Step)
	}
	args := &traceArgs{At: op.at, Cycles: op.cycles, Kind: e.Order, Rounds: rounds(e.Rounds)}
	for _, a := range e.Accesses {
		if a.Kind&runtime.ReadAccess != 0 {
			args.Reads = append(args.Reads, t.memory(e, a)...)
		}
		if a.Kind&runtime.WriteAccess != 0 {
			args.Writes = append(args.Writes, t.memory(e, a)...)
		}
	}
	at := traceEvent{Core: core, Pipe: pipe, Time: float64(t.now) + 0.5, Cat: "signal"}
	for _, l := range e.Links {
		t.arrow(at, l)
	}
	t.write(traceEvent{Name: name, Phase: "X", Cat: e.Pipe.String(), Time: float64(t.now), Dur: 1, Core: core, Pipe: pipe, Args: args})
	t.now++
}

// does maps the kind of an event to a text in the trace, such as ", waits". The text
// follows the name of the operation, for operations that consist of several events.
var does = map[runtime.EventKind]string{
	runtime.CoresArrive: ", arrives", runtime.CoresLeave: ", goes on", runtime.QueueReserve: ", takes a slot",
	runtime.QueuePush: ", signals", runtime.QueuePop: ", waits",
}

// rounds lists the current iteration of each loop around an instruction, outermost loop
// first.
func rounds(rs []runtime.Round) string {
	var texts []string
	for _, r := range rs {
		texts = append(texts, fmt.Sprint(r.Round))
	}
	return strings.Join(texts, ", ")
}

// track returns the process number and the thread number of an event. At the first use,
// it writes their names to the trace.
func (t *tracer) track(e *runtime.Event) (core, pipe int) {
	core, pipe = e.Core.Number+1, int(e.Pipe)+1 // numbers above 0
	if !t.cores[core] {
		t.cores[core] = true
		name := t.launch.CoreName(e.Core)
		t.write(traceEvent{Name: "process_name", Phase: "M", Core: core, Args: &traceArgs{Name: name}})
	}
	if !t.pipes[[2]int{core, pipe}] {
		t.pipes[[2]int{core, pipe}] = true
		t.write(traceEvent{Name: "thread_name", Phase: "M", Core: core, Pipe: pipe, Args: &traceArgs{Name: e.Pipe.String()}})
	}
	return core, pipe
}

// op returns the texts for an operation in the trace: its name, its location, and its
// duration in cycles as public sources state it. All slices (executions of the operation
// on the time axis of the trace) contain the same texts, so op computes them only once.
func (t *tracer) op(op *ir.Op) *tracedOp {
	if o := t.ops[op]; o != nil {
		return o
	}
	var cycles []string
	for _, l := range pto.LatencyOf(op.Def()) {
		if l.A5 != "" {
			cycles = append(cycles, strings.TrimSpace(l.A5+" "+l.Elems))
		}
	}
	o := &tracedOp{name: op.Name(), at: op.Loc().String()}
	if len(cycles) > 0 {
		o.cycles = "a5: " + strings.Join(cycles, "; ")
	}
	t.ops[op] = o
	return o
}

// raisedSignal identifies one raise of a signal: the channel, and the number of the
// raise.
type raisedSignal struct {
	channel runtime.Channel
	number  int
}

// arrow records the time and core of an event that raised a signal. For an event that
// waited for a signal, it writes an arrow from the raise to the wait. Barriers of all
// cores have no arrows.
func (t *tracer) arrow(e traceEvent, l runtime.Link) {
	key := raisedSignal{l.Channel, l.Number}
	e.Name, e.Phase = t.launch.ChannelName(l.Channel), "s"
	if l.Raised {
		t.raised[key] = e
		return
	}
	from, ok := t.raised[key]
	if !ok || l.Channel.Kind == runtime.CoresChannel {
		return
	}
	delete(t.raised, key)
	t.arrows++
	from.ID, e.ID = t.arrows, t.arrows
	e.Phase, e.Bind = "f", "e"
	t.write(from)
	t.write(e)
}

// mostRuns is the maximum number of byte ranges of a memory access that a trace contains.
// A trace viewer shows them as details of the bar of an instruction.
const mostRuns = 32

// memory returns texts that list the byte ranges of the memory access a of event e. The
// details of a bar in the trace contain these texts.
func (t *tracer) memory(e *runtime.Event, a runtime.Access) (texts []string) {
	where := t.launch.MemoryName(e.Core, a)
	for i, r := range a.Runs {
		if i == mostRuns {
			return append(texts, fmt.Sprintf("%s: %d more", where, len(a.Runs)-i))
		}
		text := fmt.Sprintf("%s %d..%d", where, r.Start, r.Start+r.Length-1)
		if r.Count > 1 {
			text += fmt.Sprintf(", %d times, %d apart", r.Count, r.Stride)
		}
		texts = append(texts, text)
	}
	return texts
}
