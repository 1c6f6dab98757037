// This file writes the results of a search.

package tune

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"ptogo/ir"
)

// mostShown is the maximum number of candidates in the table of a report.
const mostShown = 10

// Text writes the result of the search to w as text for a user.
func (r *Result) Text(w io.Writer) {
	s := r.Space
	fmt.Fprintf(w, "tuned %s: %s, of which %d satisfy the constraints", s.name(), ir.Count(r.Combinations, "combination"), r.Candidates)
	if s.Samples > 0 {
		fmt.Fprintf(w, " or are in the sample of %d (seed %d)", s.Samples, s.Seed)
	}
	fmt.Fprintln(w)
	for size, n := range r.Rounds {
		fmt.Fprintf(w, "round %d%s: %s, %s\n", size+1, s.sizeText(size), ir.Count(n, "candidate"), r.outcomes(size))
	}
	if len(r.Best) == 0 {
		fmt.Fprintln(w, "no candidate has a predicted time")
		r.rejections(w)
		return
	}
	r.table(w)
	r.compare(w)
	for _, c := range r.Confirmed {
		fmt.Fprintf(w, "%s: %s\n", c.Params.key(), c.verdict())
	}
	r.rejections(w)
}

// name returns the name of the kernel that is tuned, for reports.
func (s *Space) name() string {
	switch {
	case s.Kernel != "":
		return s.Kernel
	case s.File != "":
		return s.File
	}
	return "the kernel"
}

// sizeText returns a text in parentheses that describes the problem size with the given
// index. It returns "" if the search has no problem sizes.
func (s *Space) sizeText(size int) string {
	if len(s.Sizes[size]) == 0 {
		return ""
	}
	return " (" + s.Sizes[size].key() + ")"
}

// outcomes returns a text about the candidates of the round with the given problem size.
// It states how many candidates were predicted, how many were rejected, and how many
// predictions ended early.
func (r *Result) outcomes(size int) string {
	counts := map[Status]int{}
	for _, p := range r.All {
		if p.Size == size {
			counts[p.Status]++
		}
	}
	text := fmt.Sprintf("%d predicted", counts[Predicted])
	if n := counts[Rejected]; n > 0 {
		text += fmt.Sprintf(", %d rejected", n)
	}
	if n := counts[Slower]; n > 0 {
		text += fmt.Sprintf(", %d ended early by their bound", n)
	}
	return text
}

// table writes a table of the best candidates and the baseline.
func (r *Result) table(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kernel us\twith launch\tbound\tblocks\tUB\tL1\tparameters\tlimited by")
	for i, p := range r.Best {
		if i < mostShown || p == r.Baseline {
			name := p.Params.key()
			if p == r.Baseline {
				name += " (baseline)"
			}
			fmt.Fprintf(t, "%.2f\t%.2f\t%.2f\t%d\t%s\t%s\t%s\t%s\n", p.Micros, p.Launch, p.Bound, p.Blocks, kilobytes(p.Memory["vec"]), kilobytes(p.Memory["mat"]), name, p.Limit)
		}
	}
	t.Flush()
}

// kilobytes formats n bytes in KiB, with "-" for 0.
func kilobytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/1024)
}

// compare writes how much faster the best candidate is than the baseline, and whether the
// difference exceeds the expected error of predictions.
func (r *Result) compare(w io.Writer) {
	best := r.Best[0]
	fmt.Fprintf(w, "the expected error of a prediction is %.0f %% (%s)\n", 100*best.Error, best.Kind)
	near := 0
	for _, p := range r.Best[1:] {
		if p.Micros <= best.Micros*(1+best.Error) {
			near++
		}
	}
	if near > 0 {
		verb := "are"
		if near == 1 {
			verb = "is"
		}
		fmt.Fprintf(w, "%s %s within this error of the best: measure them on a device\n", ir.Count(near, "candidate"), verb)
	}
	fmt.Fprintln(w, rankingOf(best.Kind))
	if b := r.Baseline; b != nil && b != best {
		within := "more than"
		if b.Micros <= best.Micros*(1+best.Error) {
			within = "within"
		}
		fmt.Fprintf(w, "the baseline needs %.2f times the time of the best, which is %s the error\n", b.Micros/best.Micros, within)
	}
}

// rankings maps a class of kernels to a text about how well the model ranks variants of
// this class. The data are public measurements (docs/measurements/ranking.md).
var rankings = map[string]string{
	"streaming vector": "the model orders 31 of 38 public pairs of variants of vector kernels on 950 as the device does, and 19 of the 20 that it predicts to differ by more than 10 %",
}

// rankingOf returns a text for reports. It describes how well the timing model puts
// variants of a kernel in the order of their measured times, for a class of kernels.
func rankingOf(kind string) string {
	if text := rankings[kind]; text != "" {
		return text
	}
	return "public measurements do not show how well the model orders variants of this class"
}

// verdict returns one line that summarizes the checks of an executed candidate: whether
// its results are right, whether it is equivalent to the reference, and whether the
// checkers found errors.
func (c *Confirmation) verdict() string {
	word := "right"
	if !c.Correct {
		word = "WRONG"
	}
	parts := []string{word + ": " + c.Results}
	if c.Equivalent != "" {
		parts = append(parts, "against the reference for all data: "+c.Equivalent)
	}
	if c.Checks != "" {
		parts = append(parts, "check: "+c.Checks)
	}
	return strings.Join(parts, "; ")
}

// rejections writes the most frequent reasons why candidates were rejected.
func (r *Result) rejections(w io.Writer) {
	counts, first := map[string]int{}, map[string]*Prediction{}
	for _, p := range r.All {
		if p.Status == Rejected {
			reason := reasonOf(p.Why)
			if counts[reason]++; first[reason] == nil {
				first[reason] = p
			}
		}
	}
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] })
	for i, reason := range reasons {
		if i == 3 {
			fmt.Fprintf(w, "... and %s\n", ir.Count(len(reasons)-i, "other reason"))
			return
		}
		fmt.Fprintf(w, "rejected %s, such as %s: %s\n", ir.Count(counts[reason], "candidate"), first[reason].Params.key(), first[reason].Why)
	}
}

// reasonOf returns an error message, the parameter why, without its digits. Messages that
// differ only in numbers then count as the same reason.
func reasonOf(why string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, why)
}

// jsonResult is the JSON representation of a Result.
type jsonResult struct {
	Version      int             `json:"version"`
	Combinations int             `json:"combinations"`
	Candidates   int             `json:"candidates"`
	Seed         uint64          `json:"seed"`
	Rounds       []int           `json:"rounds"`
	Best         []*Prediction   `json:"best"`
	Baseline     *Prediction     `json:"baseline"`
	Confirmed    []jsonConfirmed `json:"confirmed"`
	All          []*Prediction   `json:"all"`
}

// jsonConfirmed is the JSON representation of a Confirmation.
type jsonConfirmed struct {
	Params     Values `json:"params"`
	Correct    bool   `json:"correct"`
	Results    string `json:"results"`
	Equivalent string `json:"equivalent,omitempty"`
	Clean      bool   `json:"clean"`
	Checks     string `json:"checks"`
}

// JSON returns the result of the search as JSON.
func (r *Result) JSON() ([]byte, error) {
	out := jsonResult{1, r.Combinations, r.Candidates, r.Space.Seed, r.Rounds, r.Best, r.Baseline, []jsonConfirmed{}, r.All}
	for _, c := range r.Confirmed {
		out.Confirmed = append(out.Confirmed, jsonConfirmed{c.Params, c.Correct, c.Results, c.Equivalent, c.Clean, c.Checks})
	}
	return json.MarshalIndent(out, "", "  ")
}

// Wrong reports whether an executed candidate computed wrong results or had an error that
// checkers report, such as a race.
func (r *Result) Wrong() bool {
	return slices.ContainsFunc(r.Confirmed, func(c *Confirmation) bool { return !c.Correct || !c.Clean })
}
