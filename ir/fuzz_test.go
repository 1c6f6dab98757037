package ir_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// FuzzParse checks that no text makes the parser, the verifier or the printer panic, and
// that printed text parses as the same program.
func FuzzParse(f *testing.F) {
	for _, text := range sampleFiles(f) {
		f.Add(text)
		for line := range strings.Lines(text) {
			f.Add(line)
		}
	}
	for _, c := range badTexts {
		f.Add(c.text)
	}
	f.Fuzz(check)
}

// check parses an arbitrary text, and verifies, prints and parses the result again.
func check(t *testing.T, text string) {
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "fuzz", Text: text}, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
	at, errors := 0, 0
	for _, d := range diags.All() {
		if strings.Contains(d.Format(), "because of a bug in") {
			t.Fatal(d.Format())
		}
		if d.Severity == ir.Error {
			errors++
		}
		if _, off := d.Loc.Source(); off < at {
			t.Fatalf("not in the order of the text: %s", d.Format())
		} else {
			at = off
		}
	}
	if errors > ir.MaxParseErrors {
		t.Fatalf("%d errors", errors)
	}
	if (m == nil) != diags.HasErrors() {
		t.Fatalf("module %v, errors %v", m != nil, diags.HasErrors())
	}
	if m == nil {
		return
	}
	for _, generic := range []bool{false, true} {
		stable(t, m, generic)
	}
}

// TestMutated parses texts that are made by moving, dropping and repeating tokens of the
// sample files. Such texts reach more code than changes of single bytes.
func TestMutated(t *testing.T) {
	var pool []string
	samples := sampleFiles(t)
	var pieces [][]string
	for _, text := range samples {
		pool = append(pool, tokens.FindAllString(text, -1)...)
		for piece := range strings.SplitSeq(text, "\n}\n") { // one function
			pieces = append(pieces, tokens.FindAllString(piece+"\n}\n", -1))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, toks := range pieces {
		for range mutations {
			check(t, mutate(rng, toks, pool))
			if t.Failed() {
				return
			}
		}
	}
}

// mutations is the number of texts that TestMutated makes from each sample.
const mutations = 300

var tokens = regexp.MustCompile(`\s+|"(?:\\.|[^"\\\n])*"|[%^@#!]?[\w.$]+|->|::|.`)

// mutate returns the tokens of a text with some of them moved, dropped, repeated or
// replaced by tokens from pool.
func mutate(rng *rand.Rand, toks, pool []string) string {
	toks = slices.Clone(toks)
	for range rng.IntN(3) + 1 {
		i, k := rng.IntN(len(toks)), rng.IntN(len(toks))
		switch rng.IntN(5) {
		case 0:
			toks[i] = pool[rng.IntN(len(pool))]
		case 1:
			toks[i], toks[k] = toks[k], toks[i]
		case 2:
			toks = slices.Insert(toks, i, toks[k])
		case 3:
			toks[i] = ""
		case 4:
			at := rng.IntN(len(pool))
			toks = slices.Insert(toks, i, pool[at:min(len(pool), at+rng.IntN(20))]...)
		}
	}
	return strings.Join(toks, "")
}

// sampleFiles returns the texts of the sample files of this package and of the dialects.
func sampleFiles(t testing.TB) []string {
	var texts []string
	for _, pattern := range []string{"testdata/*.mlir", "../dialect/*/testdata/*.mlir"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
	}
	return texts
}

// stable checks that a possibly illegal program prints without a panic, and that a legal
// program parses again as the same program.
func stable(t *testing.T, m *ir.Op, generic bool) {
	t.Helper()
	opts := ir.PrintOptions{Generic: generic, Sequential: true}
	first := string(ir.Bytes(m, opts))
	if !ir.Verify(m, ir.VerifyOptions{Sequential: true}, &ir.Diags{}) {
		return
	}
	var diags ir.Diags
	again, _ := ir.Parse(&ir.Source{Name: "again", Text: first}, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
	if again == nil {
		t.Fatalf("what was printed cannot be read:\n%s\n%s", diags.All()[0].Format(), first)
	}
	if second := string(ir.Bytes(again, opts)); second != first {
		t.Fatalf("print is not stable:\n%s\n----\n%s", first, second)
	}
}
