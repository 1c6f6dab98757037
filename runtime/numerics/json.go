// This file encodes reports as JSON.

package numerics

import (
	"encoding/json"
	"math"

	"ptogo/ir"
	"ptogo/runtime/shadow"
)

// jsonReport is the JSON representation of a Report. Infinite numbers become null,
// because JSON has none.
type jsonReport struct {
	Version    int             `json:"version"`
	Arguments  []jsonArgument  `json:"arguments"`
	Findings   []jsonFinding   `json:"findings"`
	Lines      []jsonLine      `json:"lines"`
	Tolerances []jsonTolerance `json:"tolerances,omitempty"`
}

type jsonArgument struct {
	Arg       int          `json:"arg"`
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Elements  int          `json:"elements"`
	Inexact   int          `json:"inexact"`
	NotFinite int          `json:"not_finite"`
	Abs       *float64     `json:"largest_error"`
	AtAbs     int          `json:"at"`
	Rel       *float64     `json:"largest_relative_error"`
	ULP       *float64     `json:"largest_ulp"`
	MeanULP   *float64     `json:"mean_ulp"`
	Origins   []jsonOrigin `json:"origins"`
}

type jsonOrigin struct {
	Place    string `json:"place"`
	Op       string `json:"op"`
	Elements int    `json:"elements"`
}

type jsonFinding struct {
	Place string `json:"place"`
	Op    string `json:"op"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"`
}

type jsonLine struct {
	Place      string               `json:"place"`
	File       string               `json:"file"`
	Line       int                  `json:"line"`
	Op         string               `json:"op"`
	Type       string               `json:"type,omitempty"`
	Executions int                  `json:"executions"`
	Results    int                  `json:"results"`
	Inexact    int                  `json:"inexact"`
	Added      jsonError            `json:"added"`
	Total      jsonError            `json:"total"`
	Amplified  *float64             `json:"amplified"`
	Condition  *float64             `json:"condition"`
	Cancelled  int                  `json:"cancelled_bits"`
	Blamed     int                  `json:"results_of_kernel"`
	Unfollowed int                  `json:"not_followed,omitempty"`
	Events     map[string]jsonEvent `json:"events,omitempty"`
}

type jsonError struct {
	ULP  *float64 `json:"ulp"`
	Mean *float64 `json:"mean_ulp,omitempty"`
	Rel  *float64 `json:"relative"`
}

type jsonEvent struct {
	Count     int `json:"count"`
	Execution int `json:"first_execution"`
	Element   int `json:"first_result"`
}

type jsonTolerance struct {
	Arg          int     `json:"arg"`
	Name         string  `json:"name"`
	Rtol         float64 `json:"rtol"`
	Atol         float64 `json:"atol"`
	Rounded      float64 `json:"rounding_error"`
	RoundedRel   float64 `json:"rounding_relative_error"`
	Perturbed    float64 `json:"perturbed_error"`
	PerturbedRel float64 `json:"perturbed_relative_error"`
	Runs         int     `json:"runs"`
	Margin       float64 `json:"margin"`
	// Heavy means that no tolerance holds for other data; Holds is a sentence about the
	// data for which the tolerance holds.
	Heavy       bool     `json:"heavy_tail"`
	Holds       string   `json:"holds"`
	Approximate []string `json:"approximate"`
}

// finite returns a pointer to x, or nil if x is infinite or NaN, which JSON cannot
// represent.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// JSON returns the report as JSON.
func (r *Report) JSON() ([]byte, error) {
	out := jsonReport{Version: 1, Arguments: []jsonArgument{}, Findings: []jsonFinding{}, Lines: []jsonLine{}}
	for _, a := range r.Arguments {
		j := jsonArgument{
			Arg: a.Arg, Name: a.Name, Type: a.Format.String(), Elements: a.Elements, Inexact: a.Inexact, NotFinite: a.NotFinite,
			Abs: finite(a.Abs), AtAbs: a.AtAbs, Rel: finite(a.Rel), ULP: finite(a.ULP), MeanULP: finite(a.MeanULP), Origins: []jsonOrigin{},
		}
		for _, o := range a.Origins {
			j.Origins = append(j.Origins, jsonOrigin{place(o.Line.Op), o.Line.Op.Name(), o.Elements})
		}
		out.Arguments = append(out.Arguments, j)
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, jsonFinding{place(f.Line.Op), f.Line.Op.Name(), f.Kind, f.Text, f.Hint})
	}
	for _, l := range r.Lines {
		out.Lines = append(out.Lines, jsonOf(l))
	}
	for _, t := range r.Tolerances {
		j := jsonTolerance{t.Argument.Arg, t.Argument.Name, t.Rtol, t.Atol, t.Rounded, t.RoundedRel, t.Perturbed, t.PerturbedRel, t.Runs, t.Factor, t.Heavy, t.holds(), []string{}}
		for _, l := range t.Approximate {
			j.Approximate = append(j.Approximate, place(l.Op))
		}
		out.Tolerances = append(out.Tolerances, j)
	}
	return json.MarshalIndent(out, "", "  ")
}

// jsonOf returns the JSON representation of the summary l of an instruction.
func jsonOf(l *shadow.Line) jsonLine {
	j := jsonLine{
		Place: place(l.Op), Op: l.Op.Name(), Executions: l.Executions, Results: l.Count, Inexact: l.Inexact,
		Added: jsonError{finite(l.BornULP), finite(l.SumULP / float64(max(l.Count, 1))), finite(l.BornRel)},
		Total: jsonError{ULP: finite(l.TotalULP), Rel: finite(l.TotalRel)}, Amplified: finite(l.Amplified), Condition: finite(l.Condition),
		Cancelled: l.CancelledBits, Blamed: l.Blamed, Unfollowed: l.Unfollowed,
	}
	j.File, j.Line = where(l.Op)
	if l.Count > 0 {
		j.Type = l.Format.String()
	}
	for k, e := range l.Events {
		if e.Count > 0 {
			if j.Events == nil {
				j.Events = map[string]jsonEvent{}
			}
			j.Events[shadow.Names[k]] = jsonEvent{e.Count, e.Execution, e.Element}
		}
	}
	return j
}

// where returns the source file and line of the instruction op, or "" and 0.
func where(op *ir.Op) (file string, line int) {
	src, off := op.Loc().Source()
	if src == nil {
		return "", 0
	}
	line, _ = src.Position(off)
	return src.Name, line
}
