package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"ptogo/tools/corpus"
)

// mutator makes damaged texts of the programs of the corpus.
type mutator struct {
	programs []corpus.Program
	pool     []string // tokens of all programs, each spelling once
}

// tokens are what programs consist of, blanks and comments included.
var tokens = regexp.MustCompile(`\s+|//[^\n]*|"(?:\\.|[^"\\\n])*"|[%^@#!]?[\w.$]+|->|::|(?s:.)`)

// longest is the size of a program beyond which it is left out: large ones
// take time and show nothing that small ones do not.
const longest = 20_000

func newMutator(filter string) (*mutator, error) {
	wanted, err := regexp.Compile(filter)
	if err != nil {
		return nil, err
	}
	all, err := corpus.Programs()
	if err != nil {
		return nil, err
	}
	m := &mutator{}
	seen := map[string]bool{}
	for _, p := range all {
		if len(p.Text) > longest || !wanted.MatchString(p.Name) {
			continue
		}
		m.programs = append(m.programs, p)
		for _, token := range tokens.FindAllString(p.Text, -1) {
			if !seen[token] && !strings.HasPrefix(token, "//") {
				seen[token] = true
				m.pool = append(m.pool, token)
			}
		}
	}
	if len(m.programs) == 0 {
		return nil, fmt.Errorf("no program matches %q", filter)
	}
	return m, nil
}

// text returns the damaged program of a seed.
func (m *mutator) text(seed int64) corpus.Program {
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	p := m.programs[rng.IntN(len(m.programs))]
	if rng.IntN(3) == 0 {
		p.Text = bytesDamaged(rng, p.Text)
	} else {
		p.Text = m.tokensDamaged(rng, p.Text)
	}
	return p
}

// bytesDamaged changes, drops, repeats and adds bytes, or ends early.
func bytesDamaged(rng *rand.Rand, text string) string {
	b := []byte(text)
	for range rng.IntN(4) + 1 {
		i := rng.IntN(len(b))
		end := min(len(b), i+rng.IntN(40))
		switch rng.IntN(6) {
		case 0:
			b[i] = byte(rng.IntN(256))
		case 1:
			b[i] ^= 1 << rng.IntN(8)
		case 2:
			b = slices.Delete(b, i, max(end, min(i+1, len(b)-1)))
		case 3:
			b = slices.Insert(b, i, slices.Clone(b[i:end])...)
		case 4:
			const special = "\x00\"'()<>[]{}%#!@^:,-0x\xff\n?*"
			b = slices.Insert(b, i, special[rng.IntN(len(special))])
		case 5:
			if rng.IntN(8) == 0 {
				b = b[:i+1]
			}
		}
		if len(b) == 0 {
			b = []byte{' '}
		}
	}
	return string(b)
}

// numbers are values that sizes, widths and offsets rarely have.
var numbers = []string{"0", "-1", "1", "3", "255", "65536", "2147483648", "4294967296", "9223372036854775807",
	"-9223372036854775808", "18446744073709551616", "99999999999999999999999999", "0x7fc00000", "1.0e400", "?"}

// tokensDamaged changes, swaps, drops, repeats and adds tokens, which goes
// deeper than bytes: most of the result still parses.
func (m *mutator) tokensDamaged(rng *rand.Rand, text string) string {
	toks := tokens.FindAllString(text, -1)
	for range rng.IntN(3) + 1 {
		i, k := rng.IntN(len(toks)), rng.IntN(len(toks))
		switch rng.IntN(7) {
		case 0:
			toks[i] = m.pool[rng.IntN(len(m.pool))]
		case 1:
			toks[i], toks[k] = toks[k], toks[i]
		case 2:
			toks = slices.Insert(toks, i, toks[k])
		case 3:
			toks[i] = ""
		case 4: // a token of the same kind from elsewhere
			toks[i] = m.alike(rng, toks[i])
		case 5: // a piece of the text once more, elsewhere
			toks = slices.Insert(toks, i, slices.Clone(toks[k:min(len(toks), k+rng.IntN(60))])...)
		case 6:
			toks[i] = digits.ReplaceAllStringFunc(toks[i], func(string) string { return numbers[rng.IntN(len(numbers))] })
		}
	}
	return strings.Join(toks, "")
}

var digits = regexp.MustCompile(`\d+`)

// alike returns a token that begins as the given one, if luck finds one.
func (m *mutator) alike(rng *rand.Rand, token string) string {
	if token == "" {
		return ""
	}
	for range 50 {
		if other := m.pool[rng.IntN(len(m.pool))]; kind(other[0]) == kind(token[0]) {
			return other
		}
	}
	return token
}

// kind is a class of first bytes.
func kind(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c == ' ' || c == '\n' || c == '\t':
		return ' '
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		return 'a'
	}
	return c
}
