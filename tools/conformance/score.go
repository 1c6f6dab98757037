package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Score is the result of one implementation on the suite, as a file of the scoreboard.
type Score struct {
	// Implementation is its name and version.
	Implementation string
	// Outcomes maps the ID of each case to its outcome, as a text.
	Outcomes map[string]string
}

// NewScore returns the score of an implementation.
func NewScore(name string, results []*Result) *Score {
	s := &Score{name, map[string]string{}}
	for _, r := range results {
		s.Outcomes[r.ID] = r.Outcome.String()
	}
	return s
}

// Write writes the score to a file.
func (s *Score) Write(file string) error {
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}

// ReadScore reads a score from a file.
func ReadScore(file string) (*Score, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &Score{}
	return s, json.Unmarshal(data, s)
}

// group returns the group of cases in the scoreboard: the first two parts of the ID.
func group(id string) string {
	parts := strings.SplitN(id, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// Scoreboard returns a page in Markdown with the number of cases that each implementation
// passes: first all cases by profile and verdict, then the groups that an implementation
// does not pass completely.
func Scoreboard(cases []*Case, scores []*Score) string {
	var b strings.Builder
	header := func(first string) {
		fmt.Fprintf(&b, "| %s | cases |", first)
		for _, s := range scores {
			fmt.Fprintf(&b, " %s |", s.Implementation)
		}
		b.WriteString("\n|---|---|" + strings.Repeat("---|", len(scores)) + "\n")
	}
	total := map[string][]*Case{}
	groups := map[string][]*Case{}
	for _, c := range cases {
		kind := c.Profile + ", " + c.Verdict
		total[kind] = append(total[kind], c)
		groups[group(c.ID)] = append(groups[group(c.ID)], c)
	}
	header("profile and verdict")
	for _, kind := range slices.Sorted(maps.Keys(total)) {
		fmt.Fprintf(&b, "| %s |%s\n", kind, row(total[kind], scores))
	}
	fmt.Fprintf(&b, "| all |%s\n\n", row(cases, scores))
	header("group with other outcomes")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		if slices.ContainsFunc(groups[name], func(c *Case) bool { return fails(c, scores) }) {
			fmt.Fprintf(&b, "| %s |%s\n", name, row(groups[name], scores))
		}
	}
	return b.String()
}

// fails reports whether an implementation has run the case and not passed it.
func fails(c *Case, scores []*Score) bool {
	return slices.ContainsFunc(scores, func(s *Score) bool {
		o := s.Outcomes[c.ID]
		return o != "" && o != Passed.String()
	})
}

// row returns the cells of a row: the number of cases, and the outcomes of each score.
func row(cases []*Case, scores []*Score) string {
	var b strings.Builder
	fmt.Fprintf(&b, " %d |", len(cases))
	for _, s := range scores {
		counts := map[string]int{}
		for _, c := range cases {
			counts[s.Outcomes[c.ID]]++
		}
		fmt.Fprintf(&b, " %d", counts[Passed.String()])
		for _, o := range []Outcome{Wrong, NotSupported, Failed} {
			if n := counts[o.String()]; n > 0 {
				fmt.Fprintf(&b, ", %d %s", n, o)
			}
		}
		if n := counts[""]; n > 0 {
			fmt.Fprintf(&b, ", %d not run", n)
		}
		b.WriteString(" |")
	}
	return b.String()
}
