// This file answers requests for diagnostics.

package playground

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/data"
	"ptogo/internal/inspect"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime/timing"
)

// Diagnostic is an error, warning or remark about a program, with its ranges in the text,
// as JSON for the web page of the playground.
type Diagnostic struct {
	Range
	// Line is counted from 1; it is 0 if the diagnostic has no position in the text.
	Line int `json:"line"`
	// Column is counted from 1.
	Column int `json:"column"`
	// Severity is error, warning or remark.
	Severity string `json:"severity"`
	// Code is the number of the kind of diagnostic, such as PTO1005.
	Code    string    `json:"code,omitempty"`
	Message string    `json:"message"`
	Related []Related `json:"related,omitempty"`
	Fixes   []Fix     `json:"fixes,omitempty"`
}

// Related is a note of a diagnostic with its position in the text.
type Related struct {
	Range
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Fix is an edit that removes an error.
type Fix struct {
	Range
	Title string `json:"title"`
	New   string `json:"new"`
}

// Kernel describes one choice in the list of kernels that the web page shows. A choice is
// a kernel of the program, or two kernels that are launched together.
type Kernel struct {
	Name string `json:"name"`
	// Params are the parameters that a launch supplies; only the chosen kernel has them.
	Params []Param `json:"params,omitempty"`
}

// Param is a parameter of a kernel.
type Param struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Pointer reports whether the argument is a buffer.
	Pointer bool `json:"pointer"`
	// Elem is the element type of a pointer.
	Elem string `json:"element,omitempty"`
}

// Analysis is the response to the request "analyse" of the web page.
type Analysis struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	// Target is the chip family of the program, and OK means that the program has no
	// errors.
	Target  string   `json:"target"`
	OK      bool     `json:"ok"`
	Kernels []Kernel `json:"kernels"`
	// Chips are the chips that the program can be timed for.
	Chips []string `json:"chips"`
	// Launch is the command in the comments of the program, or nil.
	Launch *Launch `json:"launch,omitempty"`
}

// analyseRequest holds the parameters of the request "analyse" of the web page.
type analyseRequest struct {
	Program
	// Kernel is the chosen kernel. If it is empty, the kernel of the pto-run command in
	// the comments is chosen, or the first kernel.
	Kernel string `json:"kernel"`
}

// analyse responds to the request "analyse" of the web page. The response describes a
// program text: its diagnostics, its kernels, and the launch that its comments describe.
// It also lists the chips that the timing model has for the target of the program.
func analyse(p *analyseRequest, _ Files) (any, Files, error) {
	if len(p.Text) > MaxText {
		return nil, nil, fmt.Errorf("the text is larger than %d MiB", MaxText>>20)
	}
	src := p.source()
	read := inspect.Read(src, p.Target, nil)
	a := &Analysis{Diagnostics: diagnostics(src, read.Diags), OK: read.OK, Kernels: []Kernel{}, Chips: []string{}, Launch: commandOf(p.Text)}
	if read.Target != 0 {
		a.Target = sem.ProfileName(read.Target)
		for _, name := range timing.ChipNames() {
			if _, err := timing.ChipFor(name, read.Target); err == nil {
				a.Chips = append(a.Chips, name)
			}
		}
	}
	if read.OK {
		chosen := p.Kernel
		if chosen == "" && a.Launch != nil {
			chosen = a.Launch.Kernel
		}
		a.Kernels = kernelsOf(read.Module, chosen, p.Target)
	}
	return a, nil, nil
}

// kernelsOf returns the launchable kernels of a module. It determines the parameters of
// one kernel only: of the chosen one, or of the first one if no kernel is chosen. The
// reason is that the parameters are known only after the program has been lowered, which
// is expensive.
func kernelsOf(module *ir.Op, chosen, target string) []Kernel {
	list := []Kernel{}
	for _, name := range data.Launches(module) {
		list = append(list, Kernel{Name: name})
	}
	if len(list) == 0 {
		return list
	}
	at := max(slices.IndexFunc(list, func(k Kernel) bool { return k.Name == chosen }), 0)
	if chosen != "" && list[at].Name != chosen {
		list, at = append(list, Kernel{Name: chosen}), len(list) // two kernels by name
	}
	prog, err := kernel.Build(module, kernel.Options{Arch: target, Kernel: list[at].Name})
	if err != nil {
		return list
	}
	for i, p := range prog.Params() {
		param := Param{Name: nameOf(p, i), Type: p.Type.String(), Pointer: p.IsPointer()}
		if p.IsPointer() {
			param.Elem = ir.ElementType(p.Type).String()
		}
		list[at].Params = append(list[at].Params, param)
	}
	return list
}

// diagnostics converts the diagnostics of a program to the JSON form that the web page
// receives.
func diagnostics(src *ir.Source, diags []*ir.Diag) []Diagnostic {
	u := newUnits(src.Text)
	list := make([]Diagnostic, len(diags))
	for i, d := range diags {
		list[i] = diagnostic(src, u, d)
	}
	return list
}

// diagnostic converts a diagnostic of the program src to the JSON form that the web page
// receives. u converts byte offsets to UTF-16 offsets.
func diagnostic(src *ir.Source, u units, d *ir.Diag) Diagnostic {
	out := Diagnostic{Severity: d.Severity.String(), Message: ir.Visible(d.Text)}
	if d.Code != 0 {
		out.Code = d.Code.String()
	}
	if from, off := d.Loc.Source(); from == src {
		out.Range = u.span(off, ir.TokenEnd(src.Text, off))
		out.Line, out.Column = src.Position(off)
	} else if d.Loc.Known() {
		out.Message = ir.Visible(d.Loc.String()) + ": " + out.Message
	}
	for _, n := range d.Notes {
		if from, off := n.Loc.Source(); from == src {
			out.Related = append(out.Related, Related{u.span(off, ir.TokenEnd(src.Text, off)), lineOf(src, n.Loc), ir.Visible(n.Text)})
		} else {
			out.Message += "\n" + ir.Visible(n.Text)
		}
		if f := n.Fix; f != nil && f.Src == src {
			out.Fixes = append(out.Fixes, Fix{u.span(f.Off, f.End), f.Title(), f.New})
		}
	}
	return out
}

// lineOf returns the line of a location in src, from 1, or 0 if the location is not in
// src.
func lineOf(src *ir.Source, loc ir.Loc) int {
	from, off := loc.Source()
	if from != src {
		return 0
	}
	line, _ := src.Position(off)
	return line
}
