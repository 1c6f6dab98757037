// This file runs pass pipelines.

package playground

import (
	"fmt"
	"strings"

	"ptogo/internal/inspect"
	"ptogo/internal/textdiff"
	"ptogo/ir"
	"ptogo/lower"
	"ptogo/passes"
)

// passesRequest holds the parameters of the request "passes" of the web page.
type passesRequest struct {
	Program
	// Passes are the passes to run, in this order. An element is the name of a pass,
	// which may be followed by its options: pto-multi-buffer{factor=2}. An empty list
	// means the passes that prepare a program for a device.
	Passes []string `json:"passes"`
}

// Stage is the program after a pass.
type Stage struct {
	// Pass is the name of the pass.
	Pass string `json:"pass"`
	// Doc describes the pass in one sentence.
	Doc string `json:"doc"`
	// Changed reports whether the pass changed the program.
	Changed bool `json:"changed"`
	// Lines are all lines after the pass, and those that it removed.
	Lines []Line `json:"lines"`
}

// Line is a line of the program text after a pass.
type Line struct {
	// Sign is "+" for an added line, "-" for a removed one, and empty for any other.
	Sign string `json:"sign,omitempty"`
	Text string `json:"text"`
	// Source is the line of the source text that the line comes from, or 0.
	Source int `json:"source,omitempty"`
}

// PassesAnswer is the response to the request "passes" of the web page.
type PassesAnswer struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	// Stages are the program after each pass, and All are the passes that the page can
	// offer.
	Stages []Stage    `json:"stages"`
	All    []PassInfo `json:"all"`
}

// PassInfo describes a pass for the menus of the web page.
type PassInfo struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// registry contains all passes that the web page can run.
var registry = passes.NewRegistry(passes.Table{Passes: lower.List}, passes.Table{Passes: passes.List, Order: passes.Rules})

// devicePasses returns the passes that always run when a program is prepared for a
// device.
func devicePasses() (list []*passes.Pass) {
	for _, p := range lower.DevicePath {
		if !lower.Optional(p) {
			list = append(list, p)
		}
	}
	return list
}

// passNamed returns the pass with the given name, or nil. It finds the passes that
// pto-opt offers, and those that prepare a program for a device.
func passNamed(name string) *passes.Pass {
	for _, p := range lower.DevicePath {
		if p.Name == name {
			return p
		}
	}
	return registry.Lookup(name)
}

// runPasses responds to the request "passes" of the web page. It runs the requested
// passes one after the other, and returns the text of the program after each of them.
func runPasses(r *passesRequest, _ Files) (any, Files, error) {
	if len(r.Text) > MaxText {
		return nil, nil, fmt.Errorf("the text is larger than %d MiB", MaxText>>20)
	}
	names := r.Passes
	if len(names) == 0 {
		for _, p := range devicePasses() {
			names = append(names, p.Name)
		}
	}
	a := &PassesAnswer{Stages: []Stage{}, All: []PassInfo{}}
	for _, p := range registry.Passes() {
		a.All = append(a.All, PassInfo{p.Name, p.Doc})
	}
	src := r.source()
	read := inspect.Read(src, r.Target, nil)
	var diags ir.Diags
	if read.OK {
		a.stages(src, read.Module, names, &diags)
	}
	a.Diagnostics = diagnostics(src, append(read.Diags, diags.All()...))
	return a, nil, nil
}

// stages runs the passes with the given names one by one on the module, and adds the
// program after each of them to the response a. It stops at the first error, which is in
// diags.
func (a *PassesAnswer) stages(src *ir.Source, module *ir.Op, names []string, diags *ir.Diags) {
	text, places := printed(src, module)
	first := Stage{Pass: "source", Doc: "The program as pto-opt prints it."}
	for i, line := range text {
		first.Lines = append(first.Lines, Line{Text: line, Source: places[i]})
	}
	a.Stages = append(a.Stages, first)
	for _, name := range names {
		name, options, _ := strings.Cut(strings.TrimSuffix(name, "}"), "{")
		p := passNamed(name)
		if p == nil {
			diags.Error(ir.Loc{}, fmt.Sprintf("unknown pass '%s'", name))
			return
		}
		pipeline := passes.NewPipeline()
		if !pipeline.Add(p, options, diags) || !pipeline.Run(module, passes.RunOptions{Diags: diags, Features: inspect.Features(module), Sequential: true}) {
			return
		}
		after, placesAfter := printed(src, module)
		a.Stages = append(a.Stages, stage(p, text, after, places, placesAfter))
		text, places = after, placesAfter
	}
}

// stage returns the program after pass p as a list of lines, together with the lines that
// p removed. The slices before and after contain the lines of the program before and
// after the pass. For each of these lines, the slices placesBefore and placesAfter
// contain the line of the source text from which it comes.
func stage(p *passes.Pass, before, after []string, placesBefore, placesAfter []int) Stage {
	s := Stage{Pass: p.Name, Doc: p.Doc, Lines: []Line{}}
	i, j := 0, 0
	for _, l := range textdiff.Lines(strings.Join(before, "\n")+"\n", strings.Join(after, "\n")+"\n") {
		line := Line{Text: l.Text}
		switch l.Sign {
		case '-':
			line.Sign, line.Source = "-", placesBefore[i]
			i++
		case '+':
			line.Sign, line.Source = "+", placesAfter[j]
			j++
		default:
			line.Source = placesAfter[j]
			i, j = i+1, j+1
		}
		s.Changed = s.Changed || line.Sign != ""
		s.Lines = append(s.Lines, line)
	}
	return s
}

// diffRequest holds the parameters of the request "diff" of the web page.
type diffRequest struct {
	Program
	// Before is another version of the program.
	Before string `json:"before"`
}

// diffAnswer is the response to the request "diff": the lines of both versions.
type diffAnswer struct {
	Lines []Line `json:"lines"`
}

// diff responds to the request "diff" of the web page.
func diff(r *diffRequest, _ Files) (any, Files, error) {
	if len(r.Text) > MaxText || len(r.Before) > MaxText {
		return nil, nil, fmt.Errorf("the text is larger than %d MiB", MaxText>>20)
	}
	a := &diffAnswer{Lines: []Line{}}
	source := 0
	for _, l := range textdiff.Lines(r.Before, r.Text) {
		line := Line{Text: l.Text}
		if l.Sign != ' ' {
			line.Sign = string(l.Sign)
		}
		if line.Sign != "-" {
			source++
			line.Source = source
		}
		a.Lines = append(a.Lines, line)
	}
	return a, nil, nil
}

// printed prints the module and returns its lines. The result places contains, for each
// line, the number of the line in src from which it comes, or 0. These numbers are from
// the locations that the printer writes at the ends of lines. For an operation with
// regions, this is the line of its closing brace.
func printed(src *ir.Source, module *ir.Op) (lines []string, places []int) {
	split := func(o ir.PrintOptions) []string {
		o.Sequential = true
		return strings.Split(strings.TrimSuffix(string(ir.Bytes(module, o)), "\n"), "\n")
	}
	lines, located := split(ir.PrintOptions{}), split(ir.PrintOptions{DebugInfo: true})
	places = make([]int, len(lines))
	if len(located) != len(lines) {
		return lines, places
	}
	var open []int // lines of opening braces
	for i, line := range lines {
		rest, ok := strings.CutPrefix(located[i], line)
		if ok {
			places[i] = placeIn(src.Name, rest)
		}
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "}") && len(open) > 0 {
			if places[i] != 0 {
				places[open[len(open)-1]] = places[i]
			}
			open = open[:len(open)-1]
		}
		if strings.HasSuffix(trimmed, "{") {
			open = append(open, i)
		}
	}
	return lines, places
}

// placeIn searches the text for the first location that names the file. It returns the
// line number of this location, such as 3 for loc("kernel.pto":3:5), or 0 if the text has
// no such location.
func placeIn(file, text string) int {
	_, rest, ok := strings.Cut(text, fmt.Sprintf("%q:", file))
	if !ok {
		return 0
	}
	line := 0
	for i := 0; i < len(rest) && rest[i] >= '0' && rest[i] <= '9' && line < 1<<30; i++ {
		line = line*10 + int(rest[i]-'0')
	}
	return line
}

// runPipeline runs the passes in list on a module, in order. features contains
// relaxations of the verifier rules. After an error, runPipeline returns false, and diags
// are the error.
func runPipeline(list []*passes.Pass, module *ir.Op, features ir.Features, diags *ir.Diags) bool {
	pipeline := passes.NewPipeline()
	for _, p := range list {
		if !pipeline.Add(p, "", diags) {
			return false
		}
	}
	return pipeline.Run(module, passes.RunOptions{Diags: diags, Features: features, Sequential: true})
}
