// This file writes reports of checkers as JSON.

package jsonform

import (
	"ptogo/ir"
	"ptogo/runtime/check"
)

// These types are the JSON format of reports. Empty fields are omitted.
type (
	jsonFile struct {
		Version  int            `json:"version"`
		Kernel   string         `json:"kernel,omitempty"`
		Target   string         `json:"target,omitempty"`
		Errors   int            `json:"errors"`
		Warnings int            `json:"warnings"`
		Remarks  int            `json:"remarks"`
		Reports  []jsonReport   `json:"reports"`
		Coverage check.Coverage `json:"coverage"`
	}
	jsonReport struct {
		Check    string       `json:"check"`
		Severity string       `json:"severity"`
		Class    string       `json:"class"`
		At       string       `json:"at"`
		Text     string       `json:"text"`
		Space    string       `json:"space,omitempty"`
		First    *int64       `json:"first_byte,omitempty"`
		Last     *int64       `json:"last_byte,omitempty"`
		More     int          `json:"more,omitempty"`
		Accesses []jsonAccess `json:"accesses,omitempty"`
		Edge     *jsonEdge    `json:"edge,omitempty"`
		Notes    []jsonNote   `json:"notes,omitempty"`
	}
	// jsonEdge is an edge that a graph lacks: the task must list the task in After.
	jsonEdge struct {
		At    string `json:"at,omitempty"`
		Rank  int    `json:"rank"`
		Task  string `json:"task"`
		After string `json:"after"`
	}
	jsonAccess struct {
		At          string `json:"at"`
		Instruction string `json:"instruction"`
		Does        string `json:"does"`
		Pipe        string `json:"pipe"`
		Core        string `json:"core"`
		Rank        int    `json:"rank,omitempty"`
		Block       int    `json:"block"`
		Operand     string `json:"operand,omitempty"`
		Rounds      []int  `json:"rounds,omitempty"`
	}
	jsonNote struct {
		At   string `json:"at,omitempty"`
		Text string `json:"text"`
	}
)

// Reports returns the reports rs and the coverage v as JSON text. The type jsonFile
// documents the format. kernel and target are the names of the checked kernel and of the
// target.
func Reports(rs []*check.Report, v check.Coverage, kernel, target string) []byte {
	f := jsonFile{Version: 1, Kernel: kernel, Target: target, Reports: []jsonReport{}, Coverage: v}
	for _, r := range rs {
		switch r.Severity {
		case ir.Error:
			f.Errors++
		case ir.Warning:
			f.Warnings++
		default:
			f.Remarks++
		}
		f.Reports = append(f.Reports, reportOf(r))
	}
	return document(f)
}

// reportOf returns the report in its JSON format.
func reportOf(r *check.Report) jsonReport {
	j := jsonReport{
		Check: string(r.Check), Severity: r.Severity.String(), Class: r.Class, At: r.Loc.String(), Text: r.Text, Space: r.Space, More: r.More,
	}
	if r.Hi > r.Lo {
		last := r.Hi - 1
		j.First, j.Last = &r.Lo, &last
	}
	for _, a := range r.Accesses {
		does := "reads"
		if a.Writes {
			does = "writes"
		}
		j.Accesses = append(j.Accesses, jsonAccess{a.Loc.String(), a.Op, does, a.Pipe, a.Core, a.Rank, a.Block, a.Name, a.Rounds})
	}
	if e := r.Edge; e != nil {
		j.Edge = &jsonEdge{Rank: e.Rank, Task: e.Task, After: e.After}
		if e.Loc.Known() {
			j.Edge.At = e.Loc.String()
		}
	}
	for _, n := range r.Notes {
		at := ""
		if n.Loc.Known() {
			at = n.Loc.String()
		}
		j.Notes = append(j.Notes, jsonNote{at, n.Text})
	}
	return j
}
