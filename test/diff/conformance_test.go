package diff

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvmtest"
	"ptogo/dialect/pto"
	"ptogo/internal/cli"
	"ptogo/ir"
	ptokernel "ptogo/kernel"
	"ptogo/runtime"
	"ptogo/tools/conformance"
	"ptogo/tools/cpptest"
	"ptogo/tools/npuheaders"
)

// suite is the folder of the conformance suite.
const suite = "../../conformance"

var (
	conformanceWrite = flag.Bool("conformance-write", false, "write the cases about tile and vector instructions of the conformance suite")
	conformanceScore = flag.String("conformance-score", "", "write the score of the public CPU simulator on the conformance suite to this file")
	conformanceMost  = flag.Int("conformance-most", 8, "the number of cases about an instruction of a profile")
)

// mostCaseBytes is the maximum size of the program and of the data of a written case.
const mostCaseBytes = 6 << 10

// TestWriteConformance writes the cases about tile instructions of the conformance suite:
// for each instruction, the smallest random kernels for which the Go engine and the NPU
// headers compute the same bytes.
func TestWriteConformance(t *testing.T) {
	if !*conformanceWrite {
		t.Skip("writes files: -conformance-write")
	}
	s := sampling{seed: *deviceSeed, tries: 40 * *conformanceMost, most: 2 * *conformanceMost, also: atEdges}
	cases := instructionCases(s, func(*use, int) numbers { return cpptest.Calm }, nil)
	for _, profile := range npuheaders.Profiles {
		of := map[string][]*conformance.Case{}
		own := slices.DeleteFunc(slices.Clone(cases), func(c *cpptest.Case) bool { return c.Source.Arch != profile })
		for _, j := range npuheaders.Compare(t, own, profile) {
			if c := judgedCase(j); c != nil {
				of[j.Op] = append(of[j.Op], c)
			}
		}
		for op, all := range of {
			slices.SortStableFunc(all, func(a, b *conformance.Case) int { return cmp.Compare(caseSize(a), caseSize(b)) })
			all = all[:min(len(all), *conformanceMost)]
			for i, c := range all {
				c.ID = fmt.Sprintf("%s/%s/%d", profile, op, i+1)
			}
			if err := conformance.Write(filepath.Join(suite, "instructions", profile, op+".jsonl"), all); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestWriteConformanceVectors writes the cases about vector and mask instructions of the
// conformance suite: for each instruction, programs that load its operands, execute it, and
// store its results, about which the Go engine and the reference interpreter agree.
func TestWriteConformanceVectors(t *testing.T) {
	if !*conformanceWrite {
		t.Skip("writes files: -conformance-write")
	}
	g := newVectorMaker(*deviceSeed, false)
	g.room = 1024
	of := map[string][]*conformance.Case{}
	for range 400 * *conformanceMost {
		instruction := g.instruction()
		name := instruction.def.Name
		if len(of[name]) == *conformanceMost {
			continue
		}
		if c := g.conformanceCase(t, instruction); c != nil {
			c.ID = fmt.Sprintf("a5/%s/%d", name, len(of[name])+1)
			of[name] = append(of[name], c)
		}
	}
	for name, cases := range of {
		if err := conformance.Write(filepath.Join(suite, "vectors", "a5", name+".jsonl"), cases); err != nil {
			t.Fatal(err)
		}
	}
}

// conformanceCase returns a program with the instruction t as a case of the suite, or nil if
// its results have no type in common, or if it faults.
func (g *vectorMaker) conformanceCase(t *testing.T, instruction template) *conformance.Case {
	p := &body{g: g}
	p.add(instruction)
	if len(p.out) == 0 {
		return nil
	}
	elem, size := "ui8", 32 // of a mask
	if m := laneType.FindStringSubmatch(p.out[0].typ); m != nil {
		elem, size = m[1], pto.VectorBytes
	}
	for i, v := range p.out {
		if v.typ != p.out[0].typ {
			return nil
		}
		p.store(outFrom+size*i, v)
	}
	k := vectorKernel{name: "k", input: g.data()}
	k.text = p.text(k.name, size*len(p.out))
	var synchronized strings.Builder
	if code := cli.Opt([]string{"--pto-insert-sync"}, strings.NewReader(module([]vectorKernel{k})), &synchronized, io.Discard); code != 0 {
		t.Fatalf("pto-opt ends with exit code %d\n%s", code, k.text)
	}
	m := llvmtest.Parse(t, "case", synchronized.String())
	f := runtime.Kernels(m)[0]
	got := make([]byte, size*len(p.out))
	want, fault := runReference(f, k.input)
	if err := runOnGo(t, m, f, k.input, got); err != nil || fault != nil {
		return nil
	}
	def := instruction.def
	c := &conformance.Case{
		Requires: def.Summary, Source: []string{"docs/isa/" + pto.InfoOf(def).Group + ".md, " + def.Name}, Profile: "a5",
		Program: synchronized.String(), Verdict: conformance.Results, Kernel: k.name, Blocks: 1,
		Args:      []conformance.Arg{{Type: "ui8", Before: k.input}, {Type: elem, Before: make([]byte, len(got)), After: got}},
		Witnesses: []string{"the Go engine", "a lane-by-lane interpreter (test/diff) that shares only functions of scalars with it"},
	}
	if def.Page != "" {
		c.Source = append(c.Source, def.Page)
	}
	if r := c.Compare([][]byte{k.input, want[:len(got)]}); r.Outcome != conformance.Passed {
		t.Errorf("%s\n%s", r.Detail, k.text)
		return nil
	}
	if bytes.Equal(got, make([]byte, len(got))) {
		return nil
	}
	return c
}

// caseSize returns the number of bytes of the program and the data of a case.
func caseSize(c *conformance.Case) int {
	n := len(c.Program)
	for _, a := range c.Args {
		n += len(a.Before) + len(a.After)
	}
	return n
}

// judgedCase returns the comparison j as a case of the suite. It returns nil if the
// results are not equal, depend on uninitialized memory or on an assumption about the
// hardware, or if the case would be large.
func judgedCase(j *npuheaders.Judged) *conformance.Case {
	if j.Outcome != cpptest.Equal || len(j.Assumed) > 0 || j.DeviceReports() != nil {
		return nil
	}
	after := j.Buffers()
	if after == nil {
		return nil
	}
	text, types := inBuffers(j.Source)
	if text == "" {
		return nil
	}
	def := ir.Lookup(j.Op)
	c := &conformance.Case{
		ID: j.Name, Requires: def.Summary, Source: []string{"docs/isa/" + pto.InfoOf(def).Group + ".md, " + def.Name},
		Profile: j.Source.Arch, Program: text, Verdict: conformance.Results, Kernel: "k", Blocks: max(j.Blocks, 1),
		Witnesses: []string{"the Go engine", "the NPU headers of pto-isa, executed"},
	}
	if def.Page != "" {
		c.Source = append(c.Source, def.Page)
	}
	n := 0
	for i, a := range j.Args {
		arg := conformance.Arg{Type: types[i]}
		if a.Data == nil {
			arg.Scalar = &a.Bits
		} else {
			if arg.Before = a.Data; !bytes.Equal(a.Data, after[n]) {
				arg.After = after[n]
			}
			n++
		}
		c.Args = append(c.Args, arg)
	}
	if caseSize(c) > mostCaseBytes || !slices.ContainsFunc(c.Args, func(a conformance.Arg) bool { return a.After != nil }) {
		return nil
	}
	return c
}

// inBuffers returns the program of Level 1 as a program of Level 2, in which every tile has a
// buffer, and the types of the elements of its parameters. The text is empty if the program
// cannot be written so.
func inBuffers(s *cpptest.Source) (text string, types []string) {
	var out strings.Builder
	if cli.Opt([]string{"--pto-bufferize", "--pto-arch=" + s.Arch}, strings.NewReader(s.Text), &out, io.Discard) != 0 {
		return "", nil
	}
	prog, err := ptokernel.Load(&ir.Source{Name: s.Name, Text: out.String()}, ptokernel.Options{Arch: s.Arch})
	if err != nil {
		return "", nil
	}
	for _, p := range prog.Params() {
		types = append(types, elementOf(p).String())
	}
	return out.String(), types
}

// elementOf returns the type of the elements to which a parameter points, or the type of a
// scalar.
func elementOf(p ptokernel.Param) ir.Type {
	if to, ok := ir.As[pto.PtrType](p.Type); ok {
		return to.Elem
	}
	return p.Type
}

// TestConformance runs the conformance suite on the Go engine.
func TestConformance(t *testing.T) {
	cases, err := conformance.Read(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Verdict == conformance.Synchronized || c.Verdict == conformance.Hazard {
			continue // of test/sync
		}
		if c.Ranks > 0 {
			continue // of test/ranks
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			if r := onEngine(c); r.Outcome != conformance.Passed {
				t.Error(r.Detail)
			}
		})
	}
}

// onEngine runs a case on the Go engine.
func onEngine(c *conformance.Case) *conformance.Result {
	prog, err := ptokernel.Load(&ir.Source{Name: "program.pto", Text: c.Program}, ptokernel.Options{Arch: c.Profile, Kernel: c.Kernel})
	switch {
	case err != nil && c.Verdict == conformance.Rejected:
		return &conformance.Result{Case: c}
	case err != nil:
		return &conformance.Result{Case: c, Outcome: conformance.Wrong, Detail: err.Error()}
	case c.Verdict == conformance.Rejected:
		return &conformance.Result{Case: c, Outcome: conformance.Wrong, Detail: "accepted"}
	}
	var args []any
	got := make([][]byte, len(c.Args))
	for i, a := range c.Args {
		if a.Scalar != nil {
			args = append(args, runtime.Arg{Bits: *a.Scalar})
			continue
		}
		got[i] = bytes.Clone(a.Before)
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: got[i]}})
	}
	plan, err := prog.Plan(runtime.Options{Blocks: c.Blocks, Out: &bytes.Buffer{}})
	if err == nil {
		err = plan.Run(args...)
	}
	if err != nil {
		return &conformance.Result{Case: c, Outcome: conformance.Failed, Detail: err.Error()}
	}
	return c.Compare(got)
}

// TestConformanceSimulator runs the cases with results on the public CPU simulator, as C++
// that pto-opt generates, and writes the score.
func TestConformanceSimulator(t *testing.T) {
	if *conformanceScore == "" {
		t.Skip("no file for the score (-conformance-score)")
	}
	all, err := conformance.Read(filepath.Join(suite, "instructions"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []*cpptest.Case
	for _, c := range all {
		cases = append(cases, forSimulator(t, c))
	}
	tools, err := cpptest.NewToolchain(t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	compared, err := tools.Compare(cases, nil)
	if err != nil {
		t.Fatal(err)
	}
	var results []*conformance.Result
	for i, r := range compared {
		outcome := conformance.Wrong
		switch r.Outcome {
		case cpptest.Equal:
			outcome = conformance.Passed
		case cpptest.Unwritten, cpptest.Unbuilt:
			outcome = conformance.NotSupported
		case cpptest.Aborts, cpptest.Faults:
			outcome = conformance.Failed
		}
		results = append(results, &conformance.Result{Case: all[i], Outcome: outcome, Detail: r.Detail})
		if outcome != conformance.Passed {
			t.Logf("%s: %v: %.200s", all[i].ID, outcome, r.Detail)
		}
	}
	if err := conformance.NewScore("public CPU simulator", results).Write(*conformanceScore); err != nil {
		t.Fatal(err)
	}
}

// forSimulator returns a case with results as a case of cpptest.
func forSimulator(t *testing.T, c *conformance.Case) *cpptest.Case {
	t.Helper()
	prog, err := ptokernel.Load(&ir.Source{Name: "program.pto", Text: c.Program}, ptokernel.Options{Arch: c.Profile, Kernel: c.Kernel})
	if err != nil {
		t.Fatal(err)
	}
	var args []cpptest.Arg
	for i, p := range prog.Params() {
		a := cpptest.Arg{Elem: elementOf(p), Data: c.Args[i].Before}
		if c.Args[i].Scalar != nil {
			a.Bits = *c.Args[i].Scalar
		}
		args = append(args, a)
	}
	return cpptest.Single(c.ID, c.Program, c.Profile, args)
}
