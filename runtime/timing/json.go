// This file writes predictions as JSON.

package timing

import (
	"encoding/json"
	"fmt"
	"strings"

	"ptogo/ir"
)

// This file writes predictions for other programs: JSON with the complete result, CSV
// with the pipes only, and a comparison of two results. Other programs read the names of
// the JSON fields, so the names must not change. A name that ends in _us counts
// microseconds, and one that ends in _cycles counts cycles of the chip's clock. Shares
// and the expected error are fractions of one.

// jsonResult is the JSON format of a prediction, as the method JSON returns it.
type jsonResult struct {
	Chip    string  `json:"chip"`
	Profile string  `json:"profile"`
	MHz     float64 `json:"clock_mhz"`
	Total   float64 `json:"total_us"`
	Kernel  float64 `json:"kernel_us"`
	Cycles  float64 `json:"kernel_cycles"`
	Launch  float64 `json:"launch_us"`
	// Error is the expected relative error of the prediction. It is null in JSON if the
	// error is unknown.
	Error   *float64           `json:"expected_error"`
	Kind    string             `json:"kind"`
	Verdict string             `json:"bound_by"`
	Blocks  int                `json:"blocks"`
	Waves   int                `json:"waves"`
	Ordered bool               `json:"has_flags"`
	Slowest string             `json:"last_to_end"`
	TFLOPS  float64            `json:"tflops,omitempty"`
	Units   []jsonUnit         `json:"units"`
	Path    []jsonPart         `json:"critical_path"`
	Classes map[string]float64 `json:"share_by_class"`
	Sites   []jsonSite         `json:"hot_spots"`
	Paths   []jsonPath         `json:"bytes"`
	GM      jsonMemory         `json:"global_memory"`
	Roofs   []Roofline         `json:"roofline"`
	Ranks   []RankUse          `json:"ranks,omitempty"`
	WhatIf  []WhatIf           `json:"what_if,omitempty"`
}

// jsonUnit is the JSON format of the activity of all cores of one type, with their pipes.
type jsonUnit struct {
	Unit  string     `json:"unit"`
	Cores int        `json:"cores"`
	Pipes []jsonPipe `json:"pipes"`
}

// jsonPipe is the JSON format of the busy time of a pipe, and of the reasons for its idle
// time.
type jsonPipe struct {
	Pipe  string     `json:"pipe"`
	Busy  float64    `json:"busy_cycles"`
	Share float64    `json:"busy_share"`
	Items int        `json:"instructions"`
	Idle  []jsonPart `json:"idle"`
}

// jsonPart is the JSON format of a number of cycles with their cause. Share is their
// fraction of the total time.
type jsonPart struct {
	What   string  `json:"what"`
	Cycles float64 `json:"cycles"`
	Share  float64 `json:"share"`
}

// jsonSite is the JSON format of the cycles of one instruction of the program, summed
// over all its executions.
type jsonSite struct {
	At     string  `json:"at"`
	Op     string  `json:"op"`
	Count  int     `json:"count"`
	OnPath float64 `json:"path_cycles"`
	Busy   float64 `json:"busy_cycles"`
}

// jsonPath is the JSON format of the bytes that are copied from one memory to another,
// and of their rate.
type jsonPath struct {
	Path  string  `json:"path"`
	Bytes float64 `json:"bytes"`
	Rate  float64 `json:"tb_per_s"`
}

// jsonMemory is the JSON format of the traffic of global memory and of the L2 cache.
type jsonMemory struct {
	Bytes   float64 `json:"bytes"`
	Rate    float64 `json:"tb_per_s"`
	Hits    float64 `json:"l2_hit_share"`
	Written float64 `json:"written_back_bytes"`
}

// JSON returns the prediction as JSON text, with the given what-if predictions.
func (r *Result) JSON(whatIf []WhatIf) []byte {
	j := jsonResult{
		Chip: r.Chip.Name, Profile: r.Chip.Profile, MHz: r.Chip.clock(), Total: r.Total(), Kernel: r.Micros, Cycles: r.Cycles,
		Launch: r.Total() - r.Micros, Error: r.Kind.known(), Kind: r.Kind.Name, Verdict: r.Verdict(), Blocks: r.Blocks, Waves: r.Waves,
		Ordered: r.Ordered, Slowest: r.Slowest, TFLOPS: 2 * share(r.MACs, r.Micros) * 1e-6, Classes: map[string]float64{},
		GM:    jsonMemory{r.GM.Bytes, r.GM.TBs, r.GM.HitShare, r.GM.WrittenBack},
		Roofs: r.Rooflines, Ranks: r.Ranks, WhatIf: whatIf,
	}
	for _, u := range r.Units {
		unit := jsonUnit{Unit: u.Unit, Cores: u.Cores}
		for _, p := range u.Pipes {
			pipe := jsonPipe{Pipe: p.Name, Busy: p.Busy, Share: p.Share, Items: p.Items, Idle: []jsonPart{}}
			for _, i := range p.Idle {
				pipe.Idle = append(pipe.Idle, jsonPart{i.Why, i.Cycles, i.Share})
			}
			unit.Pipes = append(unit.Pipes, pipe)
		}
		j.Units = append(j.Units, unit)
	}
	for _, p := range r.Path {
		j.Path = append(j.Path, jsonPart(p))
	}
	for c, x := range r.Classes {
		j.Classes[Class(c).String()] = share(x, r.Cycles)
	}
	for _, s := range r.Sites {
		j.Sites = append(j.Sites, jsonSite{s.Loc, s.Op, s.Count, s.OnPath, s.Busy})
	}
	for _, p := range r.Paths {
		j.Paths = append(j.Paths, jsonPath{p.Name, p.Bytes, p.Rate})
	}
	text, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		panic("BUG: " + err.Error()) // numbers are finite
	}
	return append(ir.VisibleJSON(text), '\n')
}

// CSV returns a CSV table with one row for each pipe and one for each reason of its idle
// time.
func (r *Result) CSV() []byte {
	var b strings.Builder
	b.WriteString("unit,pipe,what,cycles,share\n")
	for _, u := range r.Units {
		for _, p := range u.Pipes {
			fmt.Fprintf(&b, "%s,%s,busy,%.0f,%.4f\n", u.Unit, p.Name, p.Busy, p.Share)
			for _, i := range p.Idle {
				fmt.Fprintf(&b, "%s,%s,%s,%.0f,%.4f\n", u.Unit, p.Name, quoted(i.Why), i.Cycles, i.Share)
			}
		}
	}
	return []byte(b.String())
}

// quoted returns s as a field of a CSV file, in quotes if it contains commas or quotes.
func quoted(s string) string {
	if strings.ContainsAny(s, ",\"") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// Compare returns a table of text that shows two predictions, a and b, next to each other
// with the relative changes. nameA and nameB are the headings of their columns.
func Compare(nameA, nameB string, a, b *Result) string {
	var t strings.Builder
	row := func(what, x, y, change string) { fmt.Fprintf(&t, "%-24s %18s %18s  %s\n", what, x, y, change) }
	row("", nameA, nameB, "")
	number := func(what string, x, y float64, text func(float64) string) {
		change := ""
		if x > 0 {
			change = fmt.Sprintf("%+.1f %%", 100*(y-x)/x)
		}
		row(what, text(x), text(y), change)
	}
	number("total", a.Total(), b.Total(), micros)
	number("kernel", a.Micros, b.Micros, micros)
	for _, u := range a.Units {
		for _, p := range u.Pipes {
			number(u.Unit+" "+p.Name, p.Busy, b.busy(u.Unit, p.Name), count)
		}
	}
	for _, p := range a.Path {
		number("path: "+p.What, p.Cycles, b.onPath(p.What), count)
	}
	for _, p := range b.Path {
		if a.onPath(p.What) == 0 {
			number("path: "+p.What, 0, p.Cycles, count)
		}
	}
	number("bytes of global memory", a.GM.Bytes, b.GM.Bytes, count)
	percent := func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
	row("of that in L2", percent(a.GM.HitShare), percent(b.GM.HitShare), "")
	fmt.Fprintf(&t, "%s is bound by %s\n%s is bound by %s\n", nameA, a.Verdict(), nameB, b.Verdict())
	return t.String()
}

// busy returns the number of cycles for which a pipe is busy. unit is the name of the
// core type, and pipe is the name of the pipe. It returns 0 if the result does not
// contain the pipe.
func (r *Result) busy(unit, pipe string) float64 {
	for _, u := range r.Units {
		for _, p := range u.Pipes {
			if u.Unit == unit && p.Name == pipe {
				return p.Busy
			}
		}
	}
	return 0
}

// onPath returns how many cycles of the critical path have a certain cause. The parameter
// what is the name of the cause.
func (r *Result) onPath(what string) float64 {
	for _, p := range r.Path {
		if p.What == what {
			return p.Cycles
		}
	}
	return 0
}
