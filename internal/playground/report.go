// This file answers requests for reports and memory maps.

package playground

import (
	"bytes"
	"encoding/json"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/jsonform"
	"ptogo/internal/offers"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/timing"
)

// Report is the result of a run, which the web page and the document of pto-run --report
// show. A field that holds JSON has the format of the pto-run or pto-opt option for the
// same subject: --check-json, --timing-json, --trace, --stats-json and --memory-map=json.
type Report struct {
	// Tool is the tool that wrote the report, with its version.
	Tool string `json:"tool,omitempty"`
	File string `json:"file"`
	// Program is the source text.
	Program     string          `json:"program"`
	Kernel      string          `json:"kernel"`
	Target      string          `json:"target"`
	Blocks      int             `json:"blocks"`
	Ranks       int             `json:"ranks"`
	Diagnostics []Diagnostic    `json:"diagnostics"`
	Fault       *Diagnostic     `json:"fault,omitempty"`
	Printed     string          `json:"printed,omitempty"`
	Notes       []string        `json:"notes,omitempty"`
	Arrays      []Array         `json:"arrays,omitempty"`
	Comparisons []Comparison    `json:"comparisons,omitempty"`
	Checks      json.RawMessage `json:"checks,omitempty"`
	// Edits are text edits that insert the synchronization which the checkers miss, in
	// the order of their findings. The edits of one element must be applied together.
	Edits  [][]Fix         `json:"edits,omitempty"`
	Timing json.RawMessage `json:"timing,omitempty"`
	Trace  json.RawMessage `json:"trace,omitempty"`
	Stats  json.RawMessage `json:"stats,omitempty"`
	Memory json.RawMessage `json:"memory,omitempty"`
	// Sources are the texts of a report about a graph, in place of Program, and Graph has
	// its tasks.
	Sources []Source   `json:"sources,omitempty"`
	Graph   *GraphView `json:"graph,omitempty"`
}

// NewReport returns a report about the program src before its run. The report contains
// the text, the kernel and the launch size (the numbers of blocks and ranks), but no
// results.
func NewReport(src *ir.Source, prog *kernel.Program, blocks, ranks int) *Report {
	return &Report{
		File: ir.Visible(src.Name), Program: src.Text, Kernel: ir.Visible(prog.Name()), Target: sem.ProfileName(prog.Profile()),
		Diagnostics: diagnostics(src, prog.Warnings), Blocks: max(blocks, 1), Ranks: max(ranks, 1),
	}
}

// Observer is a listener that collects from a launch what a report shows.
type Observer struct {
	Recorder *timing.Recorder
	Stats    *debug.Stats
	Checker  *check.Checker
	// Fault is the fault that ended the launch, or nil.
	Fault *runtime.Fault
}

// Begin implements runtime.Listener. It forwards the start of the launch to the recorder,
// the statistics and the checker.
func (o *Observer) Begin(l *runtime.Launch) {
	o.Recorder.Begin(l)
	o.Stats.Begin(l)
	o.Checker.Begin(l)
}

// Event forwards an event to the recorder, the statistics and the checker.
func (o *Observer) Event(e *runtime.Event) {
	o.Recorder.Event(e)
	o.Stats.Event(e)
	o.Checker.Event(e)
}

// End forwards the end of the launch to the recorder, the statistics and the checker, and
// stores the fault.
func (o *Observer) End(f *runtime.Fault) {
	o.Recorder.End(f)
	o.Stats.End(f)
	o.Checker.End(f)
	o.Fault = f
}

// NewObserver returns an observer of a run. It records times and statistics, and runs the
// same checkers as the option --check=all.
func NewObserver() *Observer {
	c, err := check.New(check.Options{Kinds: check.Usual})
	if err != nil {
		panic("BUG: " + err.Error()) // the options have no assumptions
	}
	return &Observer{Recorder: timing.NewRecorder(), Stats: &debug.Stats{}, Checker: c}
}

// maxTraced is the number of recorded instructions up to which a report has a timeline.
const maxTraced = 60_000

// Add adds the results of a launch of program prog to the report. The observer o has
// collected these results. chip selects the timing model; "" selects the usual chip of
// the target. The list notLookedAt names the aspects that the checkers did not examine.
func (r *Report) Add(src *ir.Source, o *Observer, prog *kernel.Program, chip string, notLookedAt ...string) error {
	if o.Fault != nil {
		d := diagnostic(src, newUnits(src.Text), o.Fault.Diag())
		r.Fault = &d
	}
	r.addChecks(src, o, prog, notLookedAt)
	r.AddMemory(prog.Module, prog.Profile(), prog.Features)
	if o.Fault == nil {
		if err := r.addTiming(o, prog, chip); err != nil {
			return err
		}
	}
	text, err := json.Marshal(o.Stats.Counts())
	r.Stats = ir.VisibleJSON(text)
	return err
}

// addChecks adds the findings of the checkers to the report. If a fault has ended the
// launch, and the fault belongs to an enabled checker (for example, a read out of
// bounds), addChecks adds the fault as a finding as well. The list notLookedAt names what
// the checkers did not check.
func (r *Report) addChecks(src *ir.Source, o *Observer, prog *kernel.Program, notLookedAt []string) {
	reports := o.Checker.Reports()
	if o.Fault != nil {
		if of := o.Checker.FromFault(o.Fault); of != nil {
			reports = append(reports, of)
		}
	}
	u := newUnits(src.Text)
	for _, c := range reports {
		edits := []Fix{}
		for _, f := range c.Edits {
			if f.Src == src {
				edits = append(edits, Fix{u.span(f.Off, f.End), f.Title(), f.New})
			}
		}
		r.Edits = append(r.Edits, edits)
	}
	r.Checks = jsonform.Reports(reports, o.Checker.Coverage("the order of the text", notLookedAt...), prog.LaunchName(), sem.ProfileName(o.Checker.Target()))
}

// addTiming adds the predicted time on the chip with the given name, and the timeline
// unless it is too long.
func (r *Report) addTiming(o *Observer, prog *kernel.Program, chipName string) error {
	chip, err := timing.ChipFor(chipName, prog.Profile())
	if err != nil {
		return err
	}
	res, err := timing.Replay(o.Recorder, chip, timing.Options{})
	if err != nil {
		r.Notes = append(r.Notes, "No time is predicted: "+err.Error()+".")
		return nil
	}
	whatIf, err := timing.WhatIfs(o.Recorder, res, timing.Options{}, nil, offers.Of(prog)...)
	if err != nil {
		return err
	}
	r.Timing = res.JSON(whatIf)
	if o.Recorder.Items() > maxTraced {
		r.Notes = append(r.Notes, "The run has too many instructions for a timeline. pto-run --timing --trace writes one.")
		return nil
	}
	var trace bytes.Buffer
	if err := res.Trace(&trace); err != nil {
		return err
	}
	r.Trace = trace.Bytes()
	return nil
}

// AddMemory adds the map of local memory to the report. The map needs the addresses of
// all tiles. AddMemory therefore assigns addresses in a copy of the module; the module
// itself remains unchanged. If the tiles do not fit, the report receives a note instead
// of the map.
func (r *Report) AddMemory(module *ir.Op, target ir.Target, features ir.Features) {
	module = module.Clone(map[*ir.Value]*ir.Value{})
	var diags ir.Diags
	if !runPipeline([]*passes.Pass{bufferize.Bufferize, plan.PlanMemory}, module, features, &diags) {
		r.Notes = append(r.Notes, "The tiles do not fit into local memory, so its map is missing.")
		return
	}
	r.Memory = jsonform.MemoryMap(plan.MapMemory(module, target))
}
