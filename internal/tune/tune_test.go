package tune

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"ptogo/tools/testsize"
)

// TestEvaluate checks the values of expressions, and the errors for incorrect ones.
func TestEvaluate(t *testing.T) {
	names := Values{"TM": 32, "K": 100}
	for text, want := range map[string]int64{
		"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "K / TM": 3, "K % TM": 4, "-TM + 1": -31, "!(K == 100)": 0, "TM <= 32 && K > 99": 1,
		"0 || 0": 0, "min(TM, K) + max(TM, K)": 132, "ceildiv(K, TM)": 4, "0x10": 16, "8 - 4 - 2": 2, "TM*TM": 1024,
	} {
		if got, err := evaluate(text, names); got != want || err != nil {
			t.Errorf("%s = %d, %v; expected %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"TM +": "expected a number", "TQ": "'TQ' is not a parameter that the --tune file lists", "1 / 0": "division by zero", "(1": "expected ')'", "min(1)": "needs two operands",
		"1 2": "unexpected '2'", "ceildiv(1, 0)": "division by zero", strings.Repeat("(", 1000): "too deeply", "9999999999999999999": "out of range", "#": "'#' is not a parameter that the --tune file lists",
	} {
		if _, err := evaluate(text, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: error %v, expected %q", text, err, want)
		}
	}
}

// TestExpand checks that a template is expanded correctly, and that the result keeps its
// line numbers.
func TestExpand(t *testing.T) {
	got, err := expand("a${X}b${X*2}\n//@if X > 1\nmore\n//@if X > 5\nmost\n//@end\n//@else\nless\n//@end\nz\n", Values{"X": 3})
	if want := "a3b6\n\nmore\n\n\n\n\n\n\nz\n"; got != want || err != nil {
		t.Errorf("%q, %v; expected %q", got, err, want)
	}
	for text, want := range map[string]string{
		"${X": "expected '}' after '${'", "//@if X\n": "expected //@end after //@if", "//@end\n": "//@end requires an earlier //@if", "x\n${Y}\n": "line 2: in 'Y'", "//@if Y\n//@end\n": "not a parameter",
	} {
		if _, err := expand(text, Values{"X": 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
}

// TestReadSpaceErrors checks the errors for incorrect descriptions of a search.
func TestReadSpaceErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "unexpected EOF", `{"param": {}}`: "unknown field", `{"params": {"X": [1]}}`: "expected 'file'", `{"text": "x"}`: "expected 'params'",
		`{"text": "x", "params": {"X": [1]}, "keep": 1}`: "'keep' at least 2", `{"text": "x", "params": {"X": [1]}, "reference": "y"}`: "'reference' needs 'baseline'",
		`{"texts": [["x"]], "candidates": []}`: "same length", `{"texts": [["x"]], "candidates": [{}], "sizes": [{}, {}]}`: "has 1 texts, but requires one for each of the 2 sizes",
		`{"file": "missing", "params": {"X": [1]}}`: "no such file",
	} {
		if _, err := ReadSpace([]byte(text), os.ReadFile); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", text, err, want)
		}
	}
}

// exampleSpace reads the description of a search from a file in examples/tune.
func exampleSpace(t *testing.T, name string) *Space {
	t.Helper()
	read := func(path string) ([]byte, error) { return os.ReadFile("../../examples/tune/" + path) }
	text, err := read(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSpace(text, read)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// testOptions returns the options with which tests run a search.
func testOptions() Options {
	return Options{Jobs: 2, Read: os.ReadFile, Stop: func() string { return "" }}
}

// find runs a search of the space s and executes the best candidates. It reuses the
// results earlier, and writes new ones to out.
func find(t *testing.T, s *Space, earlier []*Prediction, out *bytes.Buffer) *Result {
	t.Helper()
	o := testOptions()
	r, err := Search(s, o, earlier, out)
	if err == nil {
		err = Confirm(r, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExamples runs the example searches. It checks that the best candidate is faster
// than the baseline, right and free of races, and that no lower bound exceeds its
// prediction.
func TestExamples(t *testing.T) {
	names := []string{"gemm.json"}
	if testsize.All() {
		names = append(names, "flash_attention.json") // TestResume searches it, too
	}
	for _, name := range names {
		s := exampleSpace(t, name)
		s.Sizes = s.Sizes[:testsize.Of(1, len(s.Sizes))]
		var out bytes.Buffer
		r := find(t, s, nil, &out)
		if r.Baseline == nil || r.Best[0].Micros >= r.Baseline.Micros || len(r.Confirmed) != s.Best || r.Wrong() {
			var text strings.Builder
			r.Text(&text)
			t.Errorf("%s: %s", name, text.String())
		}
		for _, p := range r.All {
			if p.Status == Predicted && p.Bound > p.Micros {
				t.Errorf("%s: %s: the bound is %.3f us, but the prediction %.3f us", name, p.Params.key(), p.Bound, p.Micros)
			}
		}
		for _, c := range r.Confirmed {
			if name == "gemm.json" && c.Equivalent != "equivalent" {
				t.Errorf("%s: %s", c.Params.key(), c.Equivalent)
			}
		}
		if svg := string(r.SVG()); strings.Count(svg, "<circle") != len(r.Best) {
			t.Errorf("%s: the picture does not have %d points", name, len(r.Best))
		}
	}
}

// TestResume checks that a search resumes from the results of an interrupted one, whose
// last line is incomplete, and finds the same candidates.
func TestResume(t *testing.T) {
	s := exampleSpace(t, "flash_attention.json")
	var whole, rest bytes.Buffer
	first := find(t, s, nil, &whole)
	lines := bytes.SplitAfter(whole.Bytes(), []byte("\n"))
	half := bytes.Join(lines[:5], nil)
	half = append(half, lines[5][:10]...)
	earlier, err := ReadResults(half)
	if err != nil || len(earlier) != 5 {
		t.Fatalf("%d results, %v; expected 5", len(earlier), err)
	}
	second := find(t, s, earlier, &rest)
	if n := bytes.Count(rest.Bytes(), []byte("\n")); n != first.Candidates-5 {
		t.Errorf("%d candidates were predicted again, expected %d", n, first.Candidates-5)
	}
	if first.Best[0].Params.key() != second.Best[0].Params.key() || first.Best[0].Micros != second.Best[0].Micros {
		t.Errorf("%v, expected %v", second.Best[0], first.Best[0])
	}
	if _, err := ReadResults([]byte("x\n")); err == nil {
		t.Error("a line that is not a result is accepted")
	}
}

// TestRejected checks that a search rejects candidates that exceed local memory, and does
// not execute them.
func TestRejected(t *testing.T) {
	s := exampleSpace(t, "gemm.json")
	s.Params = map[string][]int64{"TM": {256}, "TN": {16, 32}, "TK": {512}, "BUFFERS": {1}, "BLOCKS": {1}}
	s.Sizes = []Values{{"M": 256, "N": 32, "K": 512}}
	s.Where = []string{"TN <= N"}
	s.Best = 1
	r := find(t, s, nil, &bytes.Buffer{})
	rejected := 0
	for _, p := range r.All {
		if p.Status == Rejected {
			rejected++
			if !strings.Contains(p.Why, "gemm.pto.in:") {
				t.Errorf("%s: %s", p.Params.key(), p.Why)
			}
		}
	}
	if rejected != 2 || len(r.Best) != 1 || r.Best[0] != r.Baseline {
		t.Errorf("%d candidates are rejected, and %d predicted", rejected, len(r.Best))
	}
}

// TestWrong checks that a search reports a candidate that computes wrong results.
func TestWrong(t *testing.T) {
	s := exampleSpace(t, "flash_attention.json")
	s.Text = strings.Replace(s.Text, "0.176776695", "${KT == 128}.176776695", 1)
	s.Params = map[string][]int64{"QT": {32}, "KT": {128}, "BUFFERS": {1}}
	s.Best = 1
	r := find(t, s, nil, &bytes.Buffer{})
	if c := r.Confirmed[0]; c.Correct || !r.Wrong() || !strings.Contains(c.Results, "times the tolerance") {
		t.Errorf("%+v", c)
	}
}

// TestShards checks that the shards of the first round together cover each candidate
// exactly once.
func TestShards(t *testing.T) {
	s := exampleSpace(t, "flash_attention.json")
	var out bytes.Buffer
	for i := range 3 {
		o := testOptions()
		o.Shard, o.Shards = i, 3
		if _, err := Search(s, o, nil, &out); err != nil {
			t.Fatal(err)
		}
	}
	list, err := ReadResults(out.Bytes())
	keys := map[string]bool{}
	for _, p := range list {
		keys[p.Params.key()] = true
	}
	if err != nil || len(list) != 16 || len(keys) != 16 {
		t.Errorf("%d results of %d candidates, %v; expected 16", len(list), len(keys), err)
	}
}

// TestSample checks that the candidates in a sample depend only on the seed.
func TestSample(t *testing.T) {
	s := exampleSpace(t, "gemm.json")
	s.Samples, s.Seed = 20, 3
	a, _, err := s.candidates()
	b, _, _ := s.candidates()
	s.Seed = 4
	c, _, _ := s.candidates()
	if err != nil || len(a) != 21 || a[20].key() != b[20].key() {
		t.Errorf("%d candidates, %v", len(a), err)
	}
	same := 0
	for i := range a {
		if a[i].key() == c[i].key() {
			same++
		}
	}
	if same == len(a) {
		t.Error("another seed gives the same sample")
	}
}
