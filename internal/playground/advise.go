// This file searches for a faster variant of a kernel.

package playground

import (
	"errors"
	"fmt"
	"strings"

	"ptogo/internal/advise"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// AdviseAnswer is the response to the request "advise" of the web page.
type AdviseAnswer struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	// Report is the result of the search as text, as pto-run --advise prints it.
	Report string `json:"report"`
	// Faster reports whether a faster variant was found. Text is its program, and Launch
	// its launch.
	Faster bool   `json:"faster"`
	Text   string `json:"text"`
	Launch Launch `json:"launch"`
}

const (
	// adviseTries is the maximum number of variants that the playground predicts.
	adviseTries = 60
	// adviseMemory limits the memory of a pass and of a proof, in bytes.
	adviseMemory = 512 << 20
)

// improve responds to the request "advise" of the web page: it searches for a variant of
// the kernel whose predicted time is shorter, and verifies it.
func improve(q *runRequest, in Files) (any, Files, error) {
	if len(q.Text) > MaxText {
		return nil, nil, fmt.Errorf("the text is larger than %d MiB", MaxText>>20)
	}
	l := q.Launch
	if q.Target != "" {
		l.Target = q.Target
	}
	if l.Ranks > 1 || l.Blocks > maxBlocks || l.Blocks < 0 {
		return nil, nil, fmt.Errorf("the search needs one rank and at most %d blocks", maxBlocks)
	}
	src := q.source()
	a := &AdviseAnswer{Diagnostics: []Diagnostic{}}
	r, err := prepare(src, &l, true, in)
	if err == nil {
		err = a.search(src, &l, q.Chip, r)
	}
	if list, ok := errors.AsType[ir.Errors](err); ok {
		a.Diagnostics, err = diagnostics(src, list), nil
	}
	if fault, ok := errors.AsType[*runtime.Fault](err); ok {
		a.Diagnostics, err = diagnostics(src, []*ir.Diag{fault.Diag()}), nil
	}
	return a, nil, err
}

// search runs the search for the launch l of the program r.
func (a *AdviseAnswer) search(src *ir.Source, l *Launch, chip string, r *launched) error {
	launch := advise.Launch{
		Source: src, Options: kernel.Options{Arch: l.Target, Kernel: l.Kernel, Arguments: len(l.Args)}, Chip: chip,
		Run:    runtime.Options{Blocks: max(l.Blocks, 1), MaxSteps: maxSteps, MaxOutput: maxPrinted},
		Memory: adviseMemory, MostExpressions: adviseMemory / 32,
	}
	launch.Take(r.prog, r.args)
	lab, err := advise.NewLab(launch)
	if err != nil {
		return err
	}
	base, before, proof, err := lab.Base()
	if u, ok := errors.AsType[*advise.Unsound](err); ok {
		return fmt.Errorf("the checkers report %s: correct the kernel first", ir.Count(len(u.Reports), "problem"))
	}
	if err != nil {
		return err
	}
	found, err := advise.Search(lab, base, before, proof, lab.Steps(), advise.Options{Tries: adviseTries, Gain: advise.DefaultGain})
	if err != nil {
		return err
	}
	var text strings.Builder
	found.Text(&text, advise.Heading{Kernel: "@" + ir.Visible(lab.Name()), File: src.Name, Chip: lab.Chip()})
	a.Report, a.Faster, a.Text, a.Launch = text.String(), len(found.Kept) > 0, found.Best.Text, *l
	a.Launch.Kernel, a.Launch.Blocks = found.Best.Kernel, found.Best.Blocks
	a.Launch.Args = append(append([]string{}, l.Args...), found.Best.Extra...)
	return nil
}
