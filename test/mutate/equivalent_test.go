package mutate

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/internal/cli/proof"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
	"ptogo/tools/testsize"
)

// How many mutants TestMutants compares:
//
//	go test ./test/mutate -run TestMutants -timeout 0 -args -mutants 10000
var mutants = flag.Int("mutants", 0, "how many mutants are compared with their programs; 0 compares a few")

// launchable is a program together with the arguments of a launch.
type launchable struct {
	name, text, kernel string
	blocks             int
	args               []runtime.Arg
	elems              []ir.Type
	prog               *kernel.Program
}

// launchables returns the examples with the launches that the commands in their comments
// describe.
func launchables(t testing.TB) (all []*launchable) {
	files, err := filepath.Glob("../../examples/*.pto")
	more, err2 := filepath.Glob("../../examples/level2/*.pto")
	if err != nil || err2 != nil || len(files) == 0 {
		t.Fatalf("no examples: %v %v", err, err2)
	}
	for _, path := range append(files, more...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range commands(string(text)) {
			if l := newLaunchable(path, string(text), command); l != nil {
				all = append(all, l)
			}
		}
	}
	return all
}

// commands returns the words of each pto-run command in the comments of a program.
func commands(text string) (all [][]string) {
	text = strings.ReplaceAll(text, "\\\n//", " ")
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.TrimPrefix(line, "//"))
		if strings.HasPrefix(line, "//") && len(words) > 1 && words[0] == "pto-run" {
			all = append(all, words[1:])
		}
	}
	return all
}

// newLaunchable parses a pto-run command of the file path. It returns nil if the command
// needs more than a kernel with buffers and scalars.
func newLaunchable(path, text string, command []string) *launchable {
	l := &launchable{name: filepath.Base(path), text: text, blocks: 1}
	var specs []string
	for i := 0; i+1 < len(command); i++ {
		switch command[i] {
		case "--kernel":
			l.kernel = command[i+1]
		case "--blocks":
			_, _ = fmt.Sscan(command[i+1], &l.blocks)
		case "--arg":
			specs = append(specs, command[i+1])
		case "--ranks":
			return nil
		}
	}
	prog, err := l.load(text, len(specs))
	if err != nil || len(prog.Params()) != len(specs) {
		return nil
	}
	l.prog = prog
	for i, p := range prog.Params() {
		if !p.IsPointer() {
			var x float64
			_, _ = fmt.Sscan(specs[i], &x)
			f, _ := ir.FormatOf(p.Type)
			l.args, l.elems = append(l.args, runtime.Arg{Bits: num.Encode(f, x, num.NearestEven, false)}), append(l.elems, ir.Type{})
			continue
		}
		shape := specs[i][strings.LastIndexAny(specs[i], "=,")+1:]
		if j := strings.Index(specs[i], ",seed"); j >= 0 {
			shape = specs[i][strings.IndexByte(specs[i], '=')+1 : j]
		}
		a, err := kernel.NewArray(shape)
		if err != nil {
			return nil
		}
		l.args, l.elems = append(l.args, runtime.Arg{Buf: &runtime.Buffer{Data: a.Data}}), append(l.elems, ir.ElementType(p.Type))
	}
	l.randomize(l.args, 1)
	return l
}

// load parses and lowers a text, which is a variant of the program. args is the number of
// arguments of its kernel.
func (l *launchable) load(text string, args int) (*kernel.Program, error) {
	return kernel.Load(&ir.Source{Name: l.name, Text: text}, kernel.Options{Kernel: l.kernel, Arguments: args})
}

// randomize fills the buffers of args with random data from a seed.
func (l *launchable) randomize(args []runtime.Arg, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	for i, a := range args {
		if a.Buf == nil {
			continue
		}
		f, ok := ir.FormatOf(l.elems[i])
		for at := range a.Buf.Data {
			a.Buf.Data[at] = byte(r.Uint32())
		}
		if !ok || !f.IsFloat() || f.Bits() < 16 || seed%3 == 0 {
			continue
		}
		for at := 0; at+f.Bytes() <= len(a.Buf.Data); at += f.Bytes() {
			num.Store(f, a.Buf.Data[at:], num.Encode(f, r.NormFloat64(), num.NearestEven, false))
		}
	}
}

// clone returns a copy of the arguments whose buffers are copied too.
func clone(args []runtime.Arg) []runtime.Arg {
	own := slices.Clone(args)
	for i, a := range own {
		if a.Buf != nil {
			own[i].Buf = &runtime.Buffer{Data: bytes.Clone(a.Buf.Data)}
		}
	}
	return own
}

// compare tries to prove that the mutant p and its original program are equivalent.
func (l *launchable) compare(p *kernel.Program) (*equiv.Verdict, error) {
	return equiv.Compare(proof.SideOf(l.prog), proof.SideOf(p), equiv.Options{
		Run: runtime.Options{Blocks: l.blocks, MaxSteps: 1 << 17}, Args: l.args, Elems: l.elems, Trials: 6, MostExpressions: 1 << 22,
	})
}

// same reports whether the program p and the original have the same results on random
// data from a seed.
func (l *launchable) same(p *kernel.Program, seed uint64) bool {
	args := clone(l.args)
	l.randomize(args, seed)
	var ends [2][]runtime.Arg
	for i, q := range []*kernel.Program{l.prog, p} {
		ends[i] = clone(args)
		var diags ir.Diags
		plan := runtime.Plan(q.Module, q.Kernels, runtime.Options{Target: q.Target, Features: q.Features, Blocks: l.blocks, MaxSteps: 1 << 17}, &diags)
		if plan == nil || plan.Run(ends[i]) != nil {
			return false
		}
	}
	for i := range args {
		if args[i].Buf != nil && !bytes.Equal(ends[0][i].Buf.Data, ends[1][i].Buf.Data) {
			return false
		}
	}
	return true
}

// meaning returns a program after one change that probably alters its results. The
// parameter which is the index of the original program. It returns "" if no change is
// possible.
func (m *mutator) meaning(which int) string {
	toks := slices.Clone(m.programs[which])
	at := func(fits func(tok string) bool) int {
		for range 200 {
			if i := m.rnd.IntN(len(toks)); fits(toks[i]) {
				return i
			}
		}
		return -1
	}
	isValue := func(tok string) bool { return strings.HasPrefix(tok, "%") && len(tok) > 1 }
	isOp := func(tok string) bool { return strings.HasPrefix(tok, "pto.") || strings.HasPrefix(tok, "arith.") }
	switch m.rnd.IntN(7) {
	case 0: // another instruction
		i := at(isOp)
		if i < 0 {
			return ""
		}
		for range 50 {
			if other := m.pool[m.rnd.IntN(len(m.pool))]; isOp(other) && other != toks[i] {
				toks[i] = other
				break
			}
		}
	case 1: // another number
		i := at(number.MatchString)
		if i < 0 {
			return ""
		}
		toks[i] = []string{"0", "1", "2", "3", "8", "16", "32", "64", "128", "256"}[m.rnd.IntN(10)]
	case 2: // another operand
		i, k := at(isValue), at(isValue)
		if i < 0 || k < 0 || toks[i] == toks[k] {
			return ""
		}
		toks[i] = toks[k]
	case 3, 4: // two operands change places
		i := at(isValue)
		if i < 0 {
			return ""
		}
		k := i + 1
		for k < len(toks) && !isValue(toks[k]) && !strings.Contains(toks[k], "\n") {
			k++
		}
		if k >= len(toks) || !isValue(toks[k]) || toks[i] == toks[k] {
			return ""
		}
		toks[i], toks[k] = toks[k], toks[i]
	case 5, 6: // a line less, or two lines change places
		lines := slices.Collect(strings.Lines(strings.Join(toks, "")))
		i := m.rnd.IntN(len(lines) - 1)
		if !strings.Contains(lines[i], "pto.") {
			return ""
		}
		if m.rnd.IntN(2) == 0 {
			return strings.Join(slices.Delete(lines, i, i+1), "")
		}
		lines[i], lines[i+1] = lines[i+1], lines[i]
		return strings.Join(lines, "")
	}
	return strings.Join(toks, "")
}

// TestMutants changes examples at random and compares each with the original. A mutant
// with other results on random data must not be proved equivalent.
func TestMutants(t *testing.T) {
	programs := launchables(t)
	if len(programs) < 15 {
		t.Fatalf("%d examples can be launched, expected 15", len(programs))
	}
	var texts []string
	for _, l := range programs {
		texts = append(texts, l.text)
	}
	n := *mutants
	if n == 0 {
		n = testsize.Of(60, 150)
	}
	m := newMutator(texts, *seed)
	var tried, equivalent, differs, open int
	for tried < n {
		which := m.rnd.IntN(len(programs))
		l := programs[which]
		text := m.meaning(which)
		if text == "" {
			continue
		}
		p, err := l.load(text, len(l.args))
		if err != nil || len(p.Params()) != len(l.args) {
			continue
		}
		v, err := l.compare(p)
		if err != nil {
			continue
		}
		tried++
		switch v.Outcome {
		case equiv.Equivalent:
			equivalent++
			for seed := range uint64(4) {
				if !l.same(p, 100+seed) {
					t.Errorf("%s: a mutant is proved to be equivalent, but differs on data of seed %d:\n%s", l.name, 100+seed, text)
					break
				}
			}
		case equiv.Differs:
			differs++
		default:
			open++
		}
	}
	t.Logf("%d mutants: %d equivalent, %d differ, %d not decided", tried, equivalent, differs, open)
	if differs*8 < tried {
		t.Errorf("%d of %d mutants differ: expected an eighth", differs, tried)
	}
}
