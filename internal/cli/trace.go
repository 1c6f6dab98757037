package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/runtime"
)

// executeTraced writes a trace of what run executes, also if it faults. Blocks
// run one after the other, so that the trace is the same each time.
func (t *runTool) executeTraced(o runtime.Options, run func(o runtime.Options) int) int {
	out, err := newOutput(t.flags.trace, t.out)
	if err != nil {
		return t.fail("%v", err)
	}
	defer out.discard()
	trace := newTracer(out)
	o.Trace, o.Workers = trace.event, 1
	code := run(o)
	if err := trace.close(); err != nil {
		return t.fail("%v", err)
	}
	if err := out.commit(); err != nil {
		return t.fail("%v", err)
	}
	return code
}

// tracer writes what a kernel executes as a trace that Perfetto and
// chrome://tracing read: a process for each core of each block, a thread for
// each pipe, a slice for each executed instruction, an arrow from each signal to
// the instruction that waited for it.
//
// The time axis counts executed instructions in the order of execution, one
// microsecond each. It says nothing about the time that hardware takes.
type tracer struct {
	w       io.Writer
	err     error  // the first of writing
	between string // what stands in front of the next event
	now     int64  // instructions so far
	cores   map[string]int
	pipes   map[[2]int]bool // pairs of a process and a thread
	pending map[string][]int64
	arrows  int64
	ops     map[*ir.Op]*tracedOp
}

// tracedOp is what all slices of an operation share.
type tracedOp struct{ name, at, cycles string }

// traceEvent is an event of the trace format.
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

type traceArgs struct {
	Name   string   `json:"name,omitempty"`
	At     string   `json:"at,omitempty"`
	Reads  []string `json:"reads,omitempty"`
	Writes []string `json:"writes,omitempty"`
	Cycles string   `json:"published cycles,omitempty"`
}

// timeAxis explains the times in the file itself.
const timeAxis = "1 us is one executed instruction, in the order of execution; it is not a time of the hardware"

func newTracer(w io.Writer) *tracer {
	t := &tracer{
		w: w, cores: map[string]int{}, pipes: map[[2]int]bool{}, pending: map[string][]int64{}, ops: map[*ir.Op]*tracedOp{},
	}
	t.print("{\"otherData\":{\"time axis\":%q},\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", timeAxis)
	return t
}

func (t *tracer) print(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// close ends the file.
func (t *tracer) close() error {
	t.print("\n]}\n")
	return t.err
}

func (t *tracer) write(e traceEvent) {
	text, err := json.Marshal(e)
	if err != nil {
		panic("BUG: " + err.Error()) // numbers are finite
	}
	t.print("%s%s", t.between, text)
	t.between = ",\n"
}

// event is the hook of the runtime.
func (t *tracer) event(e runtime.Event) {
	core, pipe := t.track(e)
	op := t.op(e.Op)
	args := &traceArgs{At: op.at, Cycles: op.cycles}
	args.Reads, args.Writes = memory(e.Ranges, pto.Reads), memory(e.Ranges, pto.Writes)
	at := traceEvent{Core: core, Pipe: pipe, Time: float64(t.now) + 0.5, Cat: "signal"}
	for _, l := range e.Links {
		t.arrow(at, l)
	}
	t.write(traceEvent{Name: op.name, Phase: "X", Cat: e.Pipe.String(), Time: float64(t.now), Dur: 1, Core: core, Pipe: pipe, Args: args})
	t.now++
}

// track returns the process and the thread of an event, and names them the
// first time.
func (t *tracer) track(e runtime.Event) (core, pipe int) {
	name := fmt.Sprintf("block %d, %s", e.Block, e.Core)
	core, ok := t.cores[name]
	if !ok {
		core = len(t.cores) + 1
		t.cores[name] = core
		t.write(traceEvent{Name: "process_name", Phase: "M", Core: core, Args: &traceArgs{Name: name}})
	}
	pipe = int(e.Pipe) + 1 // a thread has a number above 0
	if !t.pipes[[2]int{core, pipe}] {
		t.pipes[[2]int{core, pipe}] = true
		t.write(traceEvent{Name: "thread_name", Phase: "M", Core: core, Pipe: pipe, Args: &traceArgs{Name: e.Pipe.String()}})
	}
	return core, pipe
}

// op returns what the slices of an operation share.
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

// arrow writes one end of an arrow. A signal that nobody waits for has none.
func (t *tracer) arrow(e traceEvent, l runtime.Link) {
	e.Name = l.Name
	if l.Raised {
		t.arrows++
		t.pending[l.Name] = append(t.pending[l.Name], t.arrows)
		e.Phase, e.ID = "s", t.arrows
		t.write(e)
		return
	}
	if ids := t.pending[l.Name]; len(ids) > 0 {
		t.pending[l.Name] = ids[1:]
		e.Phase, e.ID, e.Bind = "f", ids[0], "e"
		t.write(e)
	}
}

// mostPieces is how many ranges of one kind a slice lists.
const mostPieces = 4

// memory lists the ranges of a kind: up to a few, or else how much it is in
// each space.
func memory(ranges []runtime.Range, kind pto.EffectKind) (texts []string) {
	var total [256]struct{ pieces, bytes int }
	for _, r := range ranges {
		if r.Kind&kind == 0 {
			continue
		}
		texts = append(texts, fmt.Sprintf("%s %d..%d", spaceName(r), r.Addr, r.Addr+uint64(r.Size)-1))
		total[r.Space].pieces++
		total[r.Space].bytes += r.Size
	}
	if len(texts) <= mostPieces {
		return texts
	}
	texts = nil
	for s, sum := range total {
		if sum.pieces > 0 {
			texts = append(texts, fmt.Sprintf("%s, %d bytes in %d pieces", pto.Space(s), sum.bytes, sum.pieces))
		}
	}
	return texts
}

func spaceName(r runtime.Range) string {
	if r.Space == pto.GM {
		return fmt.Sprintf("gm argument %d", r.Buffer)
	}
	return r.Space.String()
}
