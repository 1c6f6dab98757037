package diff

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ptogo/codegen"
	"ptogo/codegen/llvmtest"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/lower"
	"ptogo/passes"
	"ptogo/runtime"

	_ "ptogo/dialect/arith"
	_ "ptogo/dialect/builtin"
	_ "ptogo/dialect/func"
	_ "ptogo/dialect/scf"
)

var registry = passes.NewRegistry(
	passes.Table{Passes: lower.List, Order: lower.Rules},
	passes.Table{Passes: passes.List, Order: passes.Rules},
)

// pipelines take a program to a form that runs. All must give the same bits.
var pipelines = []struct{ name, text string }{
	{"level 2", "builtin.module(pto-bufferize)"},
	{"level 2, buffers reused", "builtin.module(pto-bufferize{reuse=true})"},
	{"planned", "builtin.module(pto-bufferize,pto-plan-memory)"},
	{"planned, in place", "builtin.module(pto-bufferize,pto-plan-memory{in-place=true order-by-size=true})"},
	{"planned", "builtin.module(pto-bufferize,pto-plan-memory)"},
	{"optimized", "builtin.module(canonicalize,cse,pto-bufferize,func.func(pto-tdivs-to-recip,canonicalize,cse))"},
}

// sample is a module of kernels with the data they run on.
type sample struct {
	text    string
	kernels []kernel
}

type kernel struct {
	name    string
	format  num.Format
	input   []byte
	scalars []uint64
}

// makeSample makes n kernels from a seed.
func makeSample(profile string, seed uint64, n int) *sample {
	all := instructions(profile)
	g := &generator{profile: profile, r: rand.New(rand.NewPCG(seed, 1))}
	s := &sample{}
	for i := range n {
		elem := elems[g.r.IntN(len(elems))]
		var fit []instruction
		for _, in := range all {
			if in.elem == elem {
				fit = append(fit, in)
			}
		}
		if len(fit) == 0 {
			continue
		}
		ins := make([]instruction, 1+g.r.IntN(4))
		for k := range ins {
			ins[k] = fit[g.r.IntN(len(fit))]
		}
		s.add(g, fmt.Sprintf("k%d", i), elem, ins)
	}
	s.text = g.text()
	return s
}

// add writes a kernel and makes data for it.
func (s *sample) add(g *generator, name, elem string, ins []instruction) {
	g.kernel(name, elem, ins)
	k := kernel{name: name}
	k.format, _ = num.ParseFormat(elem)
	k.input = make([]byte, size*k.format.Bytes())
	for e := range size {
		num.Store(k.format, k.input[e*k.format.Bytes():], value(g.r, k.format))
	}
	for range ins {
		k.scalars = append(k.scalars, value(g.r, k.format))
	}
	s.kernels = append(s.kernels, k)
}

// lowered parses the module and runs a pipeline on it.
func (s *sample) lowered(t testing.TB, pipeline string) *ir.Op {
	t.Helper()
	m := llvmtest.Parse(t, "sample", s.text)
	var diags ir.Diags
	p := passes.ParsePipeline(registry, pipeline, &diags)
	if p == nil || !p.Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
		for _, d := range diags.All() {
			t.Error(d.Format())
		}
		t.FailNow()
	}
	return m
}

// execute runs a kernel on the Go runtime. A division by zero inside a chain
// of integer instructions is a fault.
func (k *kernel) execute(t testing.TB, m *ir.Op) (out []byte, fault bool) {
	t.Helper()
	var diags ir.Diags
	for _, f := range runtime.Kernels(m) {
		if name, _ := ir.SymbolName(f); name != k.name {
			continue
		}
		prog := runtime.Plan(m, []*ir.Op{f}, runtime.Options{Blocks: 1, MaxSteps: 1 << 30}, &diags)
		if prog == nil {
			t.Fatal(diags.All()[0].Format())
		}
		out = make([]byte, len(k.input))
		args := []runtime.Arg{{Buf: &runtime.Buffer{Data: k.input}}, {Buf: &runtime.Buffer{Data: out}}}
		for _, s := range k.scalars {
			args = append(args, runtime.Arg{Bits: s})
		}
		return out, prog.Run(args) != nil
	}
	t.Fatalf("there is no kernel %s", k.name)
	return nil, false
}

// same compares elements; all NaNs are one.
func (k *kernel) same(t testing.TB, how string, got, want []byte) {
	t.Helper()
	n := k.format.Bytes()
	for i := 0; i < len(want); i += n {
		g, w := num.Load(k.format, got[i:]), num.Load(k.format, want[i:])
		if !num.Same(k.format, g, w) {
			t.Errorf("%s, %s: element %d is %#x, want %#x (input %#x, scalars %#x)", k.name, how, i/n, g, w, num.Load(k.format, k.input[i:]), k.scalars)
			return
		}
	}
}

// check compares all pipelines, and LLVM if asked.
func (s *sample) check(t *testing.T, llvm bool) {
	base := s.lowered(t, pipelines[0].text)
	want := make([][]byte, len(s.kernels))
	faults := make([]bool, len(s.kernels))
	for i := range s.kernels {
		want[i], faults[i] = s.kernels[i].execute(t, base)
	}
	for _, p := range pipelines[1:] {
		m := s.lowered(t, p.text)
		for i := range s.kernels {
			if faults[i] {
				continue // a pass may remove what faults if its result is not used
			}
			got, fault := s.kernels[i].execute(t, m)
			if fault {
				t.Errorf("%s, %s: faults", s.kernels[i].name, p.name)
			}
			s.kernels[i].same(t, p.name, got, want[i])
		}
	}
	if llvm {
		s.checkLLVM(t, base, want, faults)
	}
	if t.Failed() {
		t.Logf("program:\n%s", s.text)
	}
}

func (s *sample) checkLLVM(t *testing.T, m *ir.Op, want [][]byte, faults []bool) {
	prog := llvmtest.Compile(t, m, codegen.Options{}, "1")
	for i, k := range s.kernels {
		if faults[i] {
			continue // a trap would end the process
		}
		out := make([]byte, len(k.input))
		args := []any{append([]byte(nil), k.input...), out}
		for _, v := range k.scalars {
			args = append(args, v)
		}
		if err := prog.Run(k.name, 1, args...); err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		k.same(t, "LLVM", out, want[i])
	}
}

// TestInstructions makes sure that the programs are made of something.
func TestInstructions(t *testing.T) {
	for _, profile := range []string{"a3", "a5"} {
		seen := map[*ir.Def]bool{}
		for _, in := range instructions(profile) {
			seen[in.def] = true
		}
		if len(seen) < 15 || !seen[pto.TDivS] || !seen[pto.TFModS] || !seen[pto.TSubS] || !seen[pto.TMinS] {
			t.Errorf("%s: programs use only %d instructions", profile, len(seen))
		}
	}
}

// TestLevels compares Level 1, Level 2 and the passes on random programs.
func TestLevels(t *testing.T) {
	for seed := range uint64(4) {
		for _, profile := range []string{"a3", "a5"} {
			t.Run(fmt.Sprintf("%s/%d", profile, seed), func(t *testing.T) {
				makeSample(profile, seed, 50).check(t, false)
			})
		}
	}
}

// TestTiles compares all of them with compiled code; without clang it is
// skipped.
func TestTiles(t *testing.T) {
	for _, profile := range []string{"a3", "a5"} {
		t.Run(profile, func(t *testing.T) {
			inBatches(t, 30, func(t *testing.T, seed uint64, n int) { makeSample(profile, seed, n).check(t, true) })
		})
	}
}

// TestDivision runs one division on many values: at every level and through
// LLVM it gives the same bits.
func TestDivision(t *testing.T) {
	for _, profile := range []string{"a3", "a5"} {
		for _, elem := range []string{"f32", "f16"} {
			for _, kinds := range []string{"ts", "st"} {
				t.Run(profile+"/"+elem+"/"+kinds, func(t *testing.T) {
					manyValues(profile, elem, instruction{pto.TDivS, elem, kinds}, 10_000).check(t, true)
				})
			}
		}
	}
}

// manyValues makes kernels that apply one instruction to n values in all, each
// kernel with another scalar.
func manyValues(profile, elem string, in instruction, n int) *sample {
	g := &generator{profile: profile, r: rand.New(rand.NewPCG(7, 7))}
	s := &sample{}
	for i := 0; i*size < n; i++ {
		s.add(g, fmt.Sprintf("k%d", i), elem, []instruction{in})
	}
	s.text = g.text()
	return s
}

// FuzzLevels looks for a program whose levels disagree.
func FuzzLevels(f *testing.F) {
	f.Add(uint64(1), true)
	f.Fuzz(func(t *testing.T, seed uint64, a5 bool) {
		profile := "a3"
		if a5 {
			profile = "a5"
		}
		makeSample(profile, seed, 1).check(t, false)
	})
}
