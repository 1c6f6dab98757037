// Package mutate tests the tools with randomly damaged programs: each stage must either
// accept such a program or report an error, and must never crash. A mutator generates the
// texts, and tester.stages passes a text through the tools.
package mutate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// mutator changes programs at random. Equal seeds produce equal texts.
type mutator struct {
	rnd *rand.Rand
	// programs holds the programs from which the mutator starts, each as a list of its
	// tokens.
	programs [][]string
	// pool holds the tokens of all programs, from which replacements are chosen.
	pool []string
	// lines holds the lines of all programs, from which inserted lines are chosen.
	lines []string
}

// tokens matches the tokens of a program, which are changed as units.
var tokens = regexp.MustCompile(`\s+|"(?:\\.|[^"\\\n])*"|[%^@#!]?[\w.$]+|->|::|.`)

// comment matches a comment line. Comments are removed first, because changing them would
// test nothing.
var comment = regexp.MustCompile(`(?m)^\s*//.*\n`)

// number matches a token that is a decimal integer.
var number = regexp.MustCompile(`^[0-9]+$`)

// edges lists integers at which sizes and offsets overflow or exceed a limit.
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

// next returns the text of a random program after one to three random changes of its
// tokens.
func (m *mutator) next() string {
	toks := slices.Clone(m.programs[m.rnd.IntN(len(m.programs))])
	for range 1 + m.rnd.IntN(3) {
		toks = m.change(toks)
	}
	return strings.Join(toks, "")
}

// change returns the tokens toks of a program with one random change. Most kinds of
// changes keep the program parsable, so that the stages after the parser are tested too.
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

// The method like returns a token from any of the programs. This token starts with the
// same character as the token tok, but differs from it. The result is "" if like finds no
// such token.
func (m *mutator) like(tok string) string {
	for range 50 {
		if other := m.pool[m.rnd.IntN(len(m.pool))]; other[0] == tok[0] && other != tok {
			return other
		}
	}
	return ""
}

// lineStart returns the index of the first token after the next line break at or after
// token i of the list toks.
func (m *mutator) lineStart(toks []string, i int) int {
	for ; i < len(toks); i++ {
		if strings.Contains(toks[i], "\n") {
			return i + 1
		}
	}
	return i
}
