package playground

import (
	"bytes"
	"encoding/json"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
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

// Report is what the page and pto-run --report show of a run. Members that hold JSON have
// the format of the option of the tools with the same subject: --check-json, --timing-json,
// --trace, --stats-json and --memory-map=json.
type Report struct {
	Tool        string          `json:"tool,omitempty"` // that wrote the report, with its version
	File        string          `json:"file"`
	Program     string          `json:"program"` // its text
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
	Timing      json.RawMessage `json:"timing,omitempty"`
	Trace       json.RawMessage `json:"trace,omitempty"`
	Stats       json.RawMessage `json:"stats,omitempty"`
	Memory      json.RawMessage `json:"memory,omitempty"`
}

// Observer listens to a launch for a report.
type Observer struct {
	Recorder *timing.Recorder
	Stats    *debug.Stats
	Checker  *check.Checker
}

// NewObserver returns an observer with the checkers that --check=all selects.
func NewObserver() *Observer {
	c, err := check.New(check.Options{Kinds: []check.Kind{check.Race, check.Sync, check.Init, check.Mem}})
	if err != nil {
		panic("BUG: " + err.Error()) // the options have no assumptions
	}
	return &Observer{timing.NewRecorder(), &debug.Stats{}, c}
}

// Listeners returns the listeners of the launch.
func (o *Observer) Listeners() []runtime.Listener {
	return []runtime.Listener{o.Recorder, o.Stats, o.Checker}
}

// maxTraced is the number of recorded instructions up to which a report has a timeline.
const maxTraced = 60_000

// AddChecks adds what the checkers found, and a fault that is an error of theirs.
func (r *Report) AddChecks(o *Observer, prog *kernel.Program, fault *runtime.Fault, notLookedAt ...string) {
	reports := o.Checker.Reports()
	if fault != nil {
		if of := o.Checker.FromFault(fault); of != nil {
			reports = append(reports, of)
		}
	}
	names := make([]string, len(prog.Kernels))
	for i, k := range prog.Kernels {
		names[i] = fn.Name(k)
	}
	r.Checks = check.JSON(reports, o.Checker.Coverage("the order of the text", notLookedAt...), strings.Join(names, ","), sem.ProfileName(o.Checker.Target()))
}

// AddTiming adds the prediction for a chip, and the timeline if it is not too long. An
// empty chip is the usual one of the target.
func (r *Report) AddTiming(o *Observer, prog *kernel.Program, target ir.Target, chipName string) error {
	chip, err := timing.ChipFor(chipName, target)
	if err != nil {
		return err
	}
	res := timing.Replay(o.Recorder, chip, timing.Options{})
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

// AddStats adds the counts of a run.
func (r *Report) AddStats(o *Observer) error {
	text, err := json.Marshal(o.Stats.Counts())
	r.Stats = ir.VisibleJSON(text)
	return err
}

// AddMemory adds the map of local memory. Tiles without addresses are placed first.
func (r *Report) AddMemory(module *ir.Op, target ir.Target, features ir.Features) {
	module = module.Clone(map[*ir.Value]*ir.Value{})
	var diags ir.Diags
	pipeline := passes.NewPipeline()
	if !pipeline.Add(bufferize.Bufferize, "", &diags) || !pipeline.Add(plan.PlanMemory, "", &diags) ||
		!pipeline.Run(module, passes.RunOptions{Diags: &diags, Features: features, Sequential: true}) {
		r.Notes = append(r.Notes, "The tiles do not fit into local memory, so there is no map of it.")
		return
	}
	r.Memory = plan.MapMemory(module, target).JSON()
}
