// This file reads the public programs of every version with today's tools.

package upstream

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ptogo/dialect/pto/history"
	"ptogo/ir"
	"ptogo/lower/version"
	"ptogo/passes"
	"ptogo/tools/corpus"
)

// Compat are the public programs of one version: how many of them today's tools read.
type Compat struct {
	Release Release
	// Programs is the number of self-contained programs in the .pto files. Read are those
	// that are legal here, on the target of their RUN lines or on one of the targets.
	Programs, Read int
	// Upgraded are the programs of Read that can be written for the newest version.
	Upgraded int
	// Foreign are the programs of Read that, by the tables, the version does not have.
	Foreign map[string]int
	// Expected counts refused programs that the version refuses, too, by their RUN lines
	// or their name; Refused are the other refused programs by reason.
	Expected int
	Refused  map[string]int
}

// Compat reads the programs of the releases.
func (r *Reader) Compat(releases []Release) ([]Compat, error) {
	known := map[string][]outcome{}
	var all []Compat
	for _, rel := range releases {
		tree, err := git(r.Dir, "ls-tree", "-r", rel.Commit)
		if err != nil {
			return nil, err
		}
		c := Compat{Release: rel, Foreign: map[string]int{}, Refused: map[string]int{}}
		for line := range strings.Lines(tree) {
			entry, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if !strings.HasSuffix(path, ".pto") {
				continue
			}
			blob := strings.Fields(entry)[2]
			if _, ok := known[blob+path]; !ok {
				text, err := git(r.Dir, "cat-file", "blob", blob)
				if err != nil {
					return nil, err
				}
				known[blob+path] = outcomes(path, text)
			}
			for _, o := range known[blob+path] {
				c.count(o)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// outcome is what happens to a program. If module is nil, the program is refused.
type outcome struct {
	module   *ir.Op
	upgraded bool
	expected bool
	reason   string
}

// wrong matches RUN lines and file names of programs that an assembler must refuse.
var wrong = regexp.MustCompile(`RUN:[^\n]*(not |expect-failed|verify-diagnostics|\|\| true)|expected-error|XFAIL`)

// wrongName matches the names of files with programs that an assembler must refuse.
var wrongName = regexp.MustCompile(`invalid|reject|unsupported|_error|negative|illegal|no_fix|_bad`)

// outcomes reads the programs of a file.
func outcomes(path, text string) []outcome {
	expected := wrong.MatchString(text) || wrongName.MatchString(path)
	var all []outcome
	for _, p := range corpus.Split(path, text) {
		module, target := p.Read()
		o := outcome{module: module, expected: expected}
		if module == nil {
			_, o.reason = corpus.Read(p.Text, p.Profile)
			o.reason = kindOf(o.reason)
		} else {
			changed, _ := p.Read()
			pipeline := passes.NewPipeline()
			var diags ir.Diags
			o.upgraded = pipeline.Add(version.Pass, "", &diags) && pipeline.Run(changed, passes.RunOptions{Target: target, Diags: &diags})
		}
		all = append(all, o)
	}
	return all
}

// names matches what distinguishes messages of one kind: names, numbers and types.
var names = regexp.MustCompile(`'[^']*'|"[^"]*"|%\S+|![\w.]+(<[^ ]*)?|\b\d+\b`)

// kindOf returns the first line of a message without its place and without names.
func kindOf(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	if _, text, ok := strings.Cut(line, "error: "); ok {
		line = text
	}
	return names.ReplaceAllString(line, "…")
}

// count adds the outcome of a program.
func (c *Compat) count(o outcome) {
	c.Programs++
	switch {
	case o.module == nil && o.expected:
		c.Expected++
	case o.module == nil:
		c.Refused[o.reason]++
	default:
		c.Read++
		if o.upgraded {
			c.Upgraded++
		}
		var diags ir.Diags
		if !version.CheckText(o.module, c.Release.Version, &diags) {
			c.Foreign[diags.All()[0].Text]++
		}
	}
}

// Page returns the table of docs/measurements/versions.md.
func Page(all []Compat) string {
	var b strings.Builder
	b.WriteString("| version | date | programs | read | written for " + history.Last().String() + " | refused, as the version does | refused otherwise | not of the version, by the tables |\n|---|---|---|---|---|---|---|---|\n")
	reasons := map[string][2]string{} // the first and the last version with it
	most := map[string]int{}
	for _, c := range all {
		refused, foreign := 0, 0
		for reason, n := range c.Refused {
			refused += n
			span, ok := reasons[reason]
			if !ok {
				span[0] = c.Release.Version.String()
			}
			span[1] = c.Release.Version.String()
			reasons[reason] = span
			most[reason] = max(most[reason], n)
		}
		for _, n := range c.Foreign {
			foreign += n
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d |\n", c.Release.Version, c.Release.Date, c.Programs, c.Read, c.Upgraded, c.Expected, refused, foreign)
	}
	b.WriteString("\nReasons of the programs in the column \"refused otherwise\". … stands for a name, a number or a type.\n\n| programs, at most | versions | reason |\n|---|---|---|\n")
	for _, reason := range slices.SortedFunc(maps.Keys(reasons), func(x, y string) int { return cmp.Or(most[y]-most[x], cmp.Compare(x, y)) }) {
		fmt.Fprintf(&b, "| %d | %s to %s | %s |\n", most[reason], reasons[reason][0], reasons[reason][1], strings.NewReplacer("|", `\|`, "_", `\_`, "<", `\<`, "*", `\*`).Replace(reason))
	}
	return b.String()
}
