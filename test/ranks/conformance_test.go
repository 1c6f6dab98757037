package ranks

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/ir"
	"ptogo/tools/conformance"
)

const suite = "../../conformance/ranks"

var (
	write = flag.Int("conformance-write", 0, "write the cases about ranks of the conformance suite: the number of cases for an instruction and a profile")
	seed  = flag.Uint64("seed", 1, "seed of the programs")
)

// newCase returns the program p as a case of the suite. Its results are those of the model.
func (p *program) newCase(id string, k kind) *conformance.Case {
	var before, out, after, zeros, seen []byte
	for r, s := range p.run() {
		before = append(before, p.bytes(p.input[r])...)
		out = append(out, p.bytes(s.out...)...)
		for i := range words + results {
			v := int32(0)
			if i >= words {
				v = s.seen[i-words]
			} else if i > 0 { // word 0 is that of the meetings
				v = s.signal[i]
			}
			seen = append(seen, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
	}
	after, zeros = seen, make([]byte, len(seen))
	if bytes.Equal(after, zeros) {
		after = nil
	}
	return &conformance.Case{
		ID: id, Requires: ir.Lookup("pto.comm." + string(k)).Summary,
		Source:  []string{"docs/isa/comm.md, pto.comm." + string(k), "pto-isa:docs/isa/comm/" + strings.ToUpper(string(k)) + ".md"},
		Profile: p.profile, Program: p.text(), Verdict: conformance.Results, Kernel: "k", Blocks: 1, Ranks: p.ranks,
		Args: []conformance.Arg{
			{Type: p.elem.name, Before: before},
			{Type: p.elem.name, Before: make([]byte, len(out)), After: out},
			{Type: "i32", Before: zeros, After: after},
			{Type: p.elem.name, Window: p.windows * p.rows * p.cols},
			{Type: "i32", Window: words},
			{Type: "i64", Context: true},
		},
		Witnesses: []string{"the Go engine", "a model of the steps on arrays (test/ranks), which shares no code with it"},
	}
}

// onEngine runs a case on the Go engine with all checkers.
func onEngine(t *testing.T, c *conformance.Case) *conformance.Result {
	folder := t.TempDir()
	if err := c.WriteFiles(folder); err != nil {
		t.Fatal(err)
	}
	args := []string{filepath.Join(folder, "program.pto"), "--pto-arch=" + c.Profile, "--kernel=" + c.Kernel, "--check=all", fmt.Sprintf("--ranks=%d", c.Ranks)}
	for i, a := range c.Args {
		switch {
		case a.Window > 0:
			args = append(args, fmt.Sprintf("--arg=window=%dx%s", a.Window, a.Type))
		case a.Context:
			args = append(args, "--arg=comm")
		default:
			args = append(args, fmt.Sprintf("--arg=inout=%s", filepath.Join(folder, fmt.Sprintf("arg%d.{rank}.bin", i))))
		}
	}
	var said bytes.Buffer
	if code := cli.Run(args, strings.NewReader(""), &said, &said); code != 0 {
		return &conformance.Result{Case: c, Outcome: conformance.Failed, Detail: fmt.Sprintf("exit code %d: %s", code, &said)}
	}
	got, err := c.ReadFiles(folder)
	if err != nil {
		t.Fatal(err)
	}
	return c.Compare(got)
}

// TestModel compares random programs of several ranks on the Go engine with the model. It
// also runs them with the checkers: the meetings order all accesses.
func TestModel(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 2))
	for i := range 4 * len(kinds) {
		k := kinds[i%len(kinds)]
		p := random(r, pick(r, "a3", "a5"), k)
		t.Run(fmt.Sprintf("%s/%d", k, i), func(t *testing.T) {
			if res := onEngine(t, p.newCase("random", k)); res.Outcome != conformance.Passed {
				t.Errorf("%s\n%s", res.Detail, p.text())
			}
		})
	}
}

// TestWriteConformance writes the cases about ranks: for each instruction, random programs
// for which the engine and the model agree.
func TestWriteConformance(t *testing.T) {
	if *write == 0 {
		t.Skip("writes files: -conformance-write NUMBER")
	}
	r := rand.New(rand.NewPCG(*seed, 1))
	for _, profile := range []string{"a3", "a5"} {
		for _, k := range kinds {
			var cases []*conformance.Case
			for tries := 0; len(cases) < *write && tries < 20**write; tries++ {
				c := random(r, profile, k).newCase(fmt.Sprintf("%s/pto.comm.%s/%d", profile, k, len(cases)+1), k)
				if res := onEngine(t, c); res.Outcome != conformance.Passed {
					t.Errorf("%s: %s\n%s", c.ID, res.Detail, c.Program)
					continue
				}
				cases = append(cases, c)
			}
			if err := conformance.Write(filepath.Join(suite, profile, "pto.comm."+string(k)+".jsonl"), cases); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestConformance runs the cases about ranks on the Go engine.
func TestConformance(t *testing.T) {
	cases, err := conformance.Read(suite)
	if os.IsNotExist(err) && *write > 0 {
		t.Skip("not written yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			if r := onEngine(t, c); r.Outcome != conformance.Passed {
				t.Error(r.Detail)
			}
		})
	}
}
