// This file writes reports about graphs of tasks.

package playground

import (
	"bytes"
	"fmt"

	"ptogo/internal/jsonform"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/timing"
)

// Source is the text of a file to which locations of a report refer.
type Source struct {
	File    string `json:"file"`
	Program string `json:"program"`
}

// GraphView is what a report shows about the tasks of a graph.
type GraphView struct {
	// Micros is the predicted time of the graph, and Longest the length of the longest path
	// of edges, in microseconds. Both are 0 if no time is predicted.
	Micros  float64    `json:"us"`
	Longest float64    `json:"longest_us"`
	Tasks   []TaskView `json:"tasks"`
	// Left is the number of tasks that Tasks omits.
	Left int `json:"left,omitempty"`
}

// TaskView is what a report shows about a task. Times are in microseconds: from the begin of
// the graph, and of the task alone.
type TaskView struct {
	Name     string  `json:"task"`
	Rank     int     `json:"rank"`
	Kernel   string  `json:"kernel"`
	Blocks   int     `json:"blocks"`
	At       string  `json:"at"`
	Start    float64 `json:"start_us"`
	End      float64 `json:"end_us"`
	Alone    float64 `json:"alone_us"`
	Critical bool    `json:"critical,omitempty"`
}

// mostTasks is the maximum number of tasks that a report lists. The report of a larger graph
// lists the tasks of the critical path and the first other tasks.
const mostTasks = 2000

// mostSource is the maximum size in bytes of a text that a report contains.
const mostSource = 4 << 20

// NewGraphReport returns a report about the graph in src before its run. files are the files
// of its kernels.
func NewGraphReport(src *ir.Source, files []*ir.Source, target string, ranks int) *Report {
	r := &Report{File: ir.Visible(src.Name), Target: target, Diagnostics: []Diagnostic{}, Blocks: 1, Ranks: ranks, Graph: &GraphView{}}
	for _, f := range append([]*ir.Source{src}, files...) {
		if len(f.Text) > mostSource {
			r.Notes = append(r.Notes, fmt.Sprintf("The text of %s is too large for this document.", ir.Visible(f.Name)))
			continue
		}
		r.Sources = append(r.Sources, Source{ir.Visible(f.Name), f.Text})
	}
	return r
}

// AddTasks adds the tasks of a graph, of which views describes those that the report lists
// with their times on the schedule s. The schedule is nil if no time is predicted. The
// report has a timeline unless the graph has too many tasks.
func (r *Report) AddTasks(views []TaskView, s *timing.Schedule) error {
	listed := views
	if s != nil {
		r.Graph.Micros, r.Graph.Longest = s.Micros, s.Longest
		for _, i := range s.Critical {
			views[i].Critical = true
		}
		for i := range views {
			views[i].Start, views[i].End, views[i].Alone = s.Start[i], s.End[i], s.Tasks[i].Cost.Micros
		}
		if len(views) > mostTasks {
			r.Notes = append(r.Notes, "The graph has too many tasks for a timeline. pto-run --timing --trace writes one.")
		} else {
			var trace bytes.Buffer
			if err := s.Trace(&trace); err != nil {
				return err
			}
			r.Trace = trace.Bytes()
		}
	}
	if len(views) > mostTasks {
		listed = nil
		for _, critical := range []bool{true, false} {
			for _, v := range views {
				if v.Critical == critical && len(listed) < mostTasks {
					listed = append(listed, v)
				}
			}
		}
		r.Graph.Left = len(views) - len(listed)
	}
	r.Graph.Tasks = listed
	return nil
}

// AddReports adds the reports of the checkers, what they covered, and the fault that ended the
// run, or nil.
func (r *Report) AddReports(src *ir.Source, fault *runtime.Fault, reports []*check.Report, c check.Coverage, kernels string) {
	r.Checks = jsonform.Reports(reports, c, kernels, r.Target)
	if fault != nil {
		d := diagnostic(src, newUnits(src.Text), fault.Diag())
		r.Fault = &d
	}
}
