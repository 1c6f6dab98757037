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
	switch m.rnd.IntN(12) {
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
	case 8: // another size everywhere
		m.resize(toks)
	case 9: // another element type everywhere
		m.retype(toks)
	case 10: // the rest of another program
		other := m.programs[m.rnd.IntN(len(m.programs))]
		if len(other) > 0 {
			k := m.rnd.IntN(len(other))
			toks = slices.Concat(toks[:m.lineStart(toks, i)], other[m.lineStart(other, k):])
		}
	case 11: // some lines in a region
		from := m.lineStart(toks, i)
		to := from
		for range 1 + m.rnd.IntN(6) {
			to = m.lineStart(toks, min(to+1, len(toks)))
		}
		if from < to {
			inner := slices.Concat([]string{regions[m.rnd.IntN(len(regions))]}, toks[from:to], []string{"}\n"})
			toks = slices.Replace(toks, from, to, inner...)
		}
	}
	return toks
}

// regions are the beginnings of operations with a region, into which lines are moved.
var regions = []string{
	"scf.if %true_ {\n", "%true_ = arith.constant true\nscf.if %true_ {\n", "scf.for %i_ = %c0 to %c8 step %c1 {\n",
	"%c0_ = arith.constant 0 : index\n%c3_ = arith.constant 3 : index\n%c1_ = arith.constant 1 : index\nscf.for %i_ = %c0_ to %c3_ step %c1_ {\n",
	"pto.vecscope {\n", "pto.section.vector {\n", "pto.section.cube {\n", "func.func @inner_() {\n", "module {\n",
	"scf.execute_region {\n", "pto.fusion_region {\n",
}

// extent matches an extent of a type, such as 16 in 16x64xf32.
var extent = regexp.MustCompile(`^[0-9]+x|x[0-9]+x`)

// resize replaces an extent that occurs in a type by another one, in all types.
func (m *mutator) resize(toks []string) {
	for range 50 {
		old := strings.Trim(extent.FindString(toks[m.rnd.IntN(len(toks))]), "x")
		if old == "" {
			continue
		}
		with := edges[m.rnd.IntN(len(edges))]
		if m.rnd.IntN(2) == 0 {
			with = small[m.rnd.IntN(len(small))]
		}
		for i, tok := range toks {
			if extent.MatchString(tok) {
				parts := strings.Split(tok, "x")
				for k := range parts[:len(parts)-1] {
					if parts[k] == old {
						parts[k] = with
					}
				}
				toks[i] = strings.Join(parts, "x")
			} else if tok == old && m.rnd.IntN(2) == 0 {
				toks[i] = with
			}
		}
		return
	}
}

// small are extents that fit into local memory but not into every rule.
var small = []string{"1", "3", "8", "12", "16", "17", "24", "31", "32", "48", "64", "100", "256", "1024"}

// element matches the element type at the end of a type, or alone.
var element = regexp.MustCompile(`(^|x)(f32|f16|bf16|i8|i16|i32|i64|ui8|ui16|ui32|si8|f8E4M3FN|f8E5M2|index|i1)$`)

// elementTypes are the types that replace others.
var elementTypes = []string{"f32", "f16", "bf16", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "f8E4M3FN", "index", "i1"}

// retype replaces an element type that occurs in the program by another one, everywhere.
func (m *mutator) retype(toks []string) {
	for range 50 {
		found := element.FindStringSubmatch(toks[m.rnd.IntN(len(toks))])
		if found == nil {
			continue
		}
		with := elementTypes[m.rnd.IntN(len(elementTypes))]
		for i, tok := range toks {
			if e := element.FindStringSubmatch(tok); e != nil && e[2] == found[2] {
				toks[i] = strings.TrimSuffix(tok, e[2]) + with
			}
		}
		return
	}
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
