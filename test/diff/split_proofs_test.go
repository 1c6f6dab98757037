package diff

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/lower/insertsync"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// splitProofs counts what the static proof decides about split functions, as they are and
// without one of the signals between the cores.
type splitProofs struct {
	whole, open              int
	hazards, inOrder, unsure int
}

// follow runs the static proof on a split function, and on the function without one of
// its signals. It returns an error if the proof reports a hazard in the first one, or no
// hazard in the second one although the checkers of the runtime find one.
func (s *splitProofs) follow(t *testing.T, p *splitProgram, text string, seed uint64) string {
	t.Helper()
	hazard, open := proved(t, text)
	switch {
	case hazard != "":
		return "the static proof reports " + hazard
	case open:
		s.open++
		return ""
	}
	s.whole++
	less := withoutSignal(text, seed)
	if less == text {
		return ""
	}
	switch hazard, open := proved(t, less); {
	case hazard != "":
		s.hazards++
	case open:
		s.unsure++
	default:
		s.inOrder++
		if report := p.reports(t, less, seed); report != "" {
			return "the static proof finds no hazard in\n" + less + "\nbut the checker reports: " + report
		}
	}
	return ""
}

// proved returns the first hazard that the static proof reports, or "", and whether it
// leaves something open. That accesses of different blocks are not compared does not count.
func proved(t *testing.T, text string) (hazard string, open bool) {
	t.Helper()
	diags := &ir.Diags{}
	m := read(text, diags)
	if m == nil {
		t.Fatalf("the split function does not parse: %s", reason(diags))
	}
	insertsync.Verify(m, ir.TargetOf, insertsync.Verdicts, diags)
	for _, d := range diags.All() {
		switch {
		case d.Severity == ir.Error:
			return d.Text, false
		case strings.Contains(d.Text, "not decided: ") && !strings.Contains(d.Text, "different blocks"):
			open = true
		}
	}
	return "", open
}

// signalLine matches a line that raises or awaits a signal between cores.
var signalLine = regexp.MustCompile(`^\s*pto\.(?:(?:set|wait)_intra_block|sync\.(?:set|wait)) <\w+>, (\d+)$`)

// withoutSignal returns a split function without the lines of one of its signals.
func withoutSignal(text string, seed uint64) string {
	number := func(line string) int {
		m := signalLine.FindStringSubmatch(line)
		if m == nil {
			return -1
		}
		n, _ := strconv.Atoi(m[1])
		return n % 16 // those of the second vector core are 16 further on
	}
	var numbers []int
	seen := map[int]bool{}
	for line := range strings.Lines(text) {
		if n := number(strings.TrimSuffix(line, "\n")); n >= 0 && !seen[n] {
			seen[n] = true
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return text
	}
	out := numbers[seed%uint64(len(numbers))]
	var b strings.Builder
	for line := range strings.Lines(text) {
		if number(strings.TrimSuffix(line, "\n")) != out {
			b.WriteString(line)
		}
	}
	return b.String()
}

// reports runs a split function under the race checker and returns its first report, or
// "".
func (p *splitProgram) reports(t *testing.T, text string, seed uint64) string {
	t.Helper()
	c, err := check.New(check.Options{Kinds: []check.Kind{check.Race}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.run(t, read(text, &ir.Diags{}), runtime.Options{Listeners: []runtime.Listener{c}}, seed); err != nil {
		t.Fatal(err)
	}
	for _, r := range c.Reports() {
		return r.Diag().Format()
	}
	return ""
}
