package isatest

import (
	"encoding/binary"
	"maps"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ptogo/frontend/cpp"
)

// TestOwnFolder runs a folder of ours in the form of the library: a case that passes, one
// whose kernel computes something else, one whose kernel cannot be read, one whose file is
// larger than its buffer, one without data, and one that reads a file of text.
func TestOwnFolder(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || !cpp.Available() {
		t.Skip("python3, or clang++ and opt of LLVM 17 to 20, are not installed")
	}
	s := Suite{Root: "testdata/isa", Arch: "a3", Work: t.TempDir(), Python: python}
	folders, err := s.Folders()
	if err != nil || !slices.Equal(folders, []string{"own_scale"}) {
		t.Fatal(folders, err)
	}
	want := map[string]string{
		"Scale.right":   "pass:",
		"Scale.text":    "pass:",
		"Scale.wrong":   "wrong:64 of 64 elements differ",
		"Scale.odd":     "refused:inline assembly (NOTHING)",
		"Scale.large":   "wrong:an expectation does not hold",
		"Scale.nothing": "not run:gen_data.py makes no golden.bin for this case",
	}
	cases := s.Run("own_scale")
	for _, c := range cases {
		name := c.Suite + "." + c.Name
		if got := string(c.Outcome) + ":" + c.Reason; !strings.HasPrefix(got, want[name]) {
			t.Errorf("%s: %s, want %s", name, got, want[name])
		}
		delete(want, name)
	}
	for name := range maps.Keys(want) {
		t.Errorf("%s did not run", name)
	}
	if text := Report(cases); !strings.Contains(text, "6 cases: 2 pass (33.3%), 2 wrong (33.3%), 1 refused, 1 not run") {
		t.Errorf("the report counts wrongly:\n%s", text)
	}
}

// TestCompare compares numbers by the library's rule.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name       string
		want, have []float32
		eps        float64
		threshold  int64
		equal      bool
	}{
		{"equal", []float32{1, 2}, []float32{1, 2}, 0.001, 0, true},
		{"small relative difference", []float32{1000, 2}, []float32{1000.5, 2}, 0.001, 0, true},
		{"one of two differs", []float32{1, 2}, []float32{1, 3}, 0.001, 0, false},
		{"one difference is allowed", []float32{1, 2}, []float32{1, 3}, 0.001, 1, true},
		{"NaN for a number", []float32{1, nan}, []float32{nan, nan}, 0.001, 0, false},
		{"NaN for NaN", []float32{nan}, []float32{nan}, 0.001, 0, true},
	} {
		h := &host{}
		got := h.compare([]value{{n: 1}, floats(c.want), floats(c.have), {n: int64(len(c.want))}, {f: c.eps}, {n: c.threshold}, {n: 1000}})
		if got != c.equal {
			t.Errorf("%s: %v, want %v", c.name, got, c.equal)
		}
	}
}

var nan = float32(math.NaN())

// floats returns a pointer to numbers.
func floats(all []float32) value {
	b, _ := binary.Append(nil, binary.LittleEndian, all)
	return value{obj: &object{bytes: b}}
}
