// Package mutate tests the tools with damaged programs: whatever is done to the text
// of a program, each stage accepts it or reports an error.
//
// mutator makes the texts, and stages takes one of them through the tools.
package mutate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// mutator changes programs at random. The same seed gives the same texts.
type mutator struct {
	rnd      *rand.Rand
	programs [][]string // the tokens of each program
	pool     []string   // the tokens of all programs
	lines    []string   // the lines of all programs
}

// tokens matches the parts of a program that are changed as a whole.
var tokens = regexp.MustCompile(`\s+|"(?:\\.|[^"\\\n])*"|[%^@#!]?[\w.$]+|->|::|.`)

// comment matches a line that is a comment: changes to it would test nothing.
var comment = regexp.MustCompile(`(?m)^\s*//.*\n`)

// number matches a token that is a number.
var number = regexp.MustCompile(`^[0-9]+$`)

// edges are numbers at which sizes and offsets wrap around or exceed a limit.
var edges = []string{
	"0", "1", "-1", "2", "7", "15", "33", "127", "128", "255", "256", "4095", "65535", "65536", "2147483647", "2147483648", "4294967296",
	"4611686018427387904", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
}

func newMutator(texts []string, seed uint64) *mutator {
	m := &mutator{rnd: rand.New(rand.NewPCG(seed, 35))}
	for _, text := range texts {
		text = comment.ReplaceAllString(text, "")
		toks := tokens.FindAllString(text, -1)
		m.programs = append(m.programs, toks)
		m.pool = append(m.pool, toks...)
		m.lines = append(m.lines, slices.Collect(strings.Lines(text))...)
	}
	return m
}

// next returns a program with one to three changes.
func (m *mutator) next() string {
	toks := slices.Clone(m.programs[m.rnd.IntN(len(m.programs))])
	for range 1 + m.rnd.IntN(3) {
		toks = m.change(toks)
	}
	return strings.Join(toks, "")
}

// change makes one change. Most kinds keep the program readable, so that the stages
// after the reader have work to do.
func (m *mutator) change(toks []string) []string {
	if len(toks) == 0 {
		return toks
	}
	i := m.rnd.IntN(len(toks))
	switch m.rnd.IntN(8) {
	case 0: // another token of any program
		toks[i] = m.pool[m.rnd.IntN(len(m.pool))]
	case 1: // another token of the same kind
		if like := m.like(toks[i]); like != "" {
			toks[i] = like
		}
	case 2: // a number at an edge
		for range 50 {
			if i = m.rnd.IntN(len(toks)); number.MatchString(toks[i]) {
				toks[i] = edges[m.rnd.IntN(len(edges))]
				break
			}
		}
	case 3: // one token less
		toks = slices.Delete(toks, i, i+1)
	case 4: // a part less
		toks = slices.Delete(toks, i, min(len(toks), i+m.rnd.IntN(12)))
	case 5: // a part twice
		part := slices.Clone(toks[i:min(len(toks), i+m.rnd.IntN(40))])
		toks = slices.Insert(toks, m.rnd.IntN(len(toks)), part...)
	case 6: // a line of any program
		toks = slices.Insert(toks, m.lineStart(toks, i), m.lines[m.rnd.IntN(len(m.lines))])
	case 7: // two parts change places
		k := m.rnd.IntN(len(toks))
		toks[i], toks[k] = toks[k], toks[i]
	}
	return toks
}

// like returns a token of any program that begins as tok does, or "".
func (m *mutator) like(tok string) string {
	for range 50 {
		if other := m.pool[m.rnd.IntN(len(m.pool))]; other[0] == tok[0] && other != tok {
			return other
		}
	}
	return ""
}

// lineStart returns the place after the first line end at or after token i.
func (m *mutator) lineStart(toks []string, i int) int {
	for ; i < len(toks); i++ {
		if strings.Contains(toks[i], "\n") {
			return i + 1
		}
	}
	return i
}
