// This file writes the result of a search.

package advise

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"ptogo/ir"
	"ptogo/lower/splitcores"
)

// Heading describes the launch that a report is about.
type Heading struct {
	// Kernel is the name of the kernel, File the file of its program, and Chip the chip
	// for which times are predicted.
	Kernel, File, Chip string
	// Commands are the command lines that create and launch the best program.
	Commands []string
}

// Text writes the result of the search to w as text for a user.
func (r *Result) Text(w io.Writer, h Heading) {
	as := "as written"
	if len(r.Base.Passes) > 0 {
		as = "as --enable-insert-sync prepares it"
	}
	if r.Base.has(splitcores.Pass.Name) {
		as = "as " + splitcores.Pass.Name + " and --enable-insert-sync prepare it"
	}
	fmt.Fprintf(w, "kernel %s of %s on %s\n", h.Kernel, h.File, h.Chip)
	fmt.Fprintf(w, "before: %s on %s, %s; synchronization %s\n", r.Before, ir.Count(r.Base.Blocks, "block"), as, r.Original.Sync)
	if len(r.Kept) > 0 {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "\nstep\tkernel us\ttimes as fast\tresults\tsynchronization")
		for _, k := range r.Kept {
			fmt.Fprintf(t, "%s\t%.3f -> %.3f\t%.2f\t%s\t%s\n", k.Name, k.Before.Micros, k.After.Micros, k.Before.Micros/k.After.Micros, k.Proof.Results, k.Proof.Sync)
		}
		t.Flush()
		r.undecided(w)
		r.rounding(w)
		fmt.Fprintf(w, "\nafter: %s on %s, %.2f times as fast as before\n", r.After, ir.Count(r.Best.Blocks, "block"), r.Before.Micros/r.After.Micros)
	}
	r.limits(w)
	switch {
	case r.Tries == 0:
		fmt.Fprintln(w, "no step creates another program, so none is faster")
	case len(r.Kept) == 0:
		fmt.Fprintf(w, "tried %s, none is faster\n", ir.Count(r.Tries, "variant"))
	default:
		fmt.Fprintf(w, "tried %s\n", ir.Count(r.Tries, "variant"))
	}
	r.notKept(w)
	if len(r.Kept) > 0 && len(h.Commands) > 0 {
		fmt.Fprintln(w, "\nto create and time the faster program:")
		for _, c := range h.Commands {
			fmt.Fprintln(w, "  "+c)
		}
	}
}

// undecided writes the reasons why the proof of equivalence did not decide about a step,
// each reason once.
func (r *Result) undecided(w io.Writer) {
	for i, k := range r.Kept {
		same := func(other Kept) bool { return other.Proof.Undecided == k.Proof.Undecided }
		if k.Proof.Undecided != "" && !slices.ContainsFunc(r.Kept[:i], same) {
			fmt.Fprintf(w, "not decided for all data from step %d on: %s\n", i+1, k.Proof.Undecided)
		}
	}
}

// rounding writes the rounding errors after the last step that was compared by them.
func (r *Result) rounding(w io.Writer) {
	first := slices.IndexFunc(r.Kept, func(k Kept) bool { return k.Proof.Rounding != "" })
	for i, k := range slices.Backward(r.Kept) {
		if k.Proof.Rounding != "" {
			fmt.Fprintf(w, "sums in another order from step %d on; after step %d: %s\n", first+1, i+1, k.Proof.Rounding)
			return
		}
	}
}

// String returns the predicted time of the kernel, and the time with the launch.
func (t *Time) String() string {
	return fmt.Sprintf("%.3f us (%.3f us with the launch)", t.Micros, t.Total)
}

// limits writes how far the predictions can be trusted, and why the search has ended
// early.
func (r *Result) limits(w io.Writer) {
	if len(r.Kept) > 0 {
		if e := r.After.Error; e > 0 {
			text := "more than"
			if r.Before.Micros <= r.After.Micros*(1+e) {
				text = "within"
			}
			fmt.Fprintf(w, "the expected error of a prediction is %.0f %% (%s); the difference is %s this error\n", 100*e, r.After.Kind, text)
		}
		if r.Before.Total <= r.After.Total*(1+same) {
			fmt.Fprintln(w, "the launch needs most of the time, so the total time stays the same")
		}
	}
	if r.Stopped {
		fmt.Fprintln(w, "the search ended at its time limit (--timeout) or was interrupted, so there may be faster variants")
	}
	if r.Exhausted {
		fmt.Fprintln(w, "the search ended at its limit of variants (--advise-tries), so there may be faster variants")
	}
}

// notKept writes the list of steps that were tried and not kept.
func (r *Result) notKept(w io.Writer) {
	if len(r.Tried) == 0 {
		return
	}
	fmt.Fprintln(w, "not kept, with the time relative to the time without the step:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range r.Tried {
		fmt.Fprintf(t, "  %s\t%s\n", a.Name, a.outcome())
	}
	t.Flush()
}

// outcome returns why the step was not kept.
func (a *Attempt) outcome() string {
	switch {
	case a.Ratio == 0:
		return "not possible: " + a.Why
	case a.Why == noChange:
		return noChange
	case a.Why != "":
		return fmt.Sprintf("%.3f, but %s", a.Ratio, a.Why)
	}
	return fmt.Sprintf("%.3f", a.Ratio)
}

// jsonStep is the JSON representation of a Kept.
type jsonStep struct {
	Name   string `json:"name"`
	Before *Time  `json:"before"`
	After  *Time  `json:"after"`
	Proof  *Proof `json:"verified"`
}

// jsonAttempt is the JSON representation of an Attempt.
type jsonAttempt struct {
	Name  string  `json:"name"`
	Ratio float64 `json:"ratio,omitempty"`
	Why   string  `json:"why,omitempty"`
}

// jsonResult is the JSON representation of a Result.
type jsonResult struct {
	Version   int           `json:"version"`
	Kernel    string        `json:"kernel"`
	File      string        `json:"file"`
	Chip      string        `json:"chip"`
	Before    *Time         `json:"before"`
	After     *Time         `json:"after"`
	Blocks    int           `json:"blocks"`
	Launch    string        `json:"launch"`
	Extra     []string      `json:"extra_args"`
	Pipeline  string        `json:"pipeline"`
	Commands  []string      `json:"commands"`
	Steps     []jsonStep    `json:"steps"`
	Tried     []jsonAttempt `json:"tried"`
	Tries     int           `json:"tries"`
	Stopped   bool          `json:"stopped"`
	Exhausted bool          `json:"exhausted"`
}

// JSON returns the result of the search as JSON.
func (r *Result) JSON(h Heading) ([]byte, error) {
	out := jsonResult{
		1, h.Kernel, h.File, h.Chip, r.Before, r.After, r.Best.Blocks, r.Best.Kernel, append([]string{}, r.Best.Extra...), r.Best.Pipeline(),
		append([]string{}, h.Commands...), []jsonStep{}, []jsonAttempt{}, r.Tries, r.Stopped, r.Exhausted,
	}
	for _, k := range r.Kept {
		out.Steps = append(out.Steps, jsonStep(k))
	}
	for _, a := range r.Tried {
		out.Tried = append(out.Tried, jsonAttempt{a.Name, a.Ratio, a.Why})
	}
	return json.MarshalIndent(out, "", "  ")
}
