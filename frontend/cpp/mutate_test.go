package cpp

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
	"ptogo/ir"
	"ptogo/tools/testsize"

	_ "ptogo/dialect/all"
)

// mutants and mutantFiles are the numbers of changed programs that the tests try: LLVM IR,
// which needs no compiler run, and C++ files.
var (
	mutants     = flag.Int("mutants", testsize.Of(600, 3000), "number of changed LLVM IR programs")
	mutantFiles = flag.Int("mutant-files", 12, "number of changed C++ files")
	mutantSeed  = flag.Uint64("mutant-seed", 1, "seed of the changes")
)

// samples returns the C++ files in testdata.
func samples(t testing.TB) []*ir.Source {
	files, err := filepath.Glob("testdata/*.cpp")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	var all []*ir.Source
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &ir.Source{Name: path, Text: string(text)})
	}
	return all
}

// sample is a C++ file for a target.
type sample struct {
	*ir.Source
	Options
}

// allSamples returns the C++ files in testdata and those in the lit tests of this package.
func allSamples(t testing.TB) []sample {
	t.Helper()
	var all []sample
	for _, src := range samples(t) {
		all = append(all, sample{src, Options{Target: sem.A3}})
	}
	files, err := filepath.Glob("../../test/lit/frontend/*.test")
	if err != nil || len(files) == 0 {
		t.Fatal("no lit tests", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Target: sem.A3}
		if strings.Contains(string(text), "--pto-arch=a5") {
			o.Target = sem.A5
		}
		for _, part := range strings.Split(string(text), "\n//--- ")[1:] {
			if name, body, _ := strings.Cut(part, "\n"); IsCpp(name) {
				all = append(all, sample{&ir.Source{Name: name, Text: body}, o})
			}
		}
	}
	return all
}

func needClang(t testing.TB) {
	if !Available() {
		t.Skip("clang++ and opt of LLVM 17 to 20 are not installed")
	}
}

// TestSamplesAreRead reads the samples, so that the tests of changed samples begin with
// programs that are right.
func TestSamplesAreRead(t *testing.T) {
	needClang(t)
	for _, src := range samples(t) {
		var diags ir.Diags
		if Read(src, Options{}, &diags) == nil || diags.Err() != nil {
			t.Errorf("%s: %v", src.Name, diags.Err())
		}
	}
}

// TestMutatedIR changes the LLVM IR of the samples at random. The reader and the converter
// must accept the result or report an error.
func TestMutatedIR(t *testing.T) {
	needClang(t)
	var texts []string
	all := allSamples(t)
	few := testsize.Of(len(samples(t)), len(all)) // to compile a file takes a second
	for i, s := range all[:few] {
		for _, loops := range []bool{false, true} {
			text, _, err := compile(s.Source, s.Options, variant{loops: loops})
			if err == nil {
				texts = append(texts, text)
			} else if i < len(samples(t)) {
				t.Fatal(err)
			}
		}
	}
	r := rand.New(rand.NewPCG(*mutantSeed, 1))
	accepted := 0
	for i := range *mutants {
		text := mutated(r, texts[i%len(texts)], 1+r.IntN(4))
		if err := tryIR(text); strings.Contains(err, "has a bug") {
			path := filepath.Join(t.TempDir(), "mutant.ll")
			os.WriteFile(path, []byte(text), 0o644)
			t.Fatalf("mutant %d: %s", i, err)
		} else if err == "" {
			accepted++
		}
	}
	if accepted == 0 || accepted == *mutants {
		t.Errorf("%d of %d changed programs are accepted", accepted, *mutants)
	}
}

// tryIR reads and converts a module, and returns the first error, or "".
func tryIR(text string) string {
	m, err := llir.Read(text, KernelSection)
	if err != nil {
		return err.Error()
	}
	r := &reader{src: &ir.Source{Name: "k.cpp"}, o: Options{Target: sem.A3}, diags: &ir.Diags{}, sources: map[string]*ir.Source{}, variants: map[variant]*llir.Module{{}: m}}
	places := &placeTable{of: map[llir.Frame]int{}}
	for _, k := range m.Functions {
		c, failed := r.converted(k, places)
		if failed == nil {
			failed = r.illegal(&program{}, c.text, places)
		}
		if failed != nil {
			return failed.text
		}
	}
	return ""
}

// mutated changes words or lines of a text n times.
func mutated(r *rand.Rand, text string, n int) string {
	lines := strings.Split(text, "\n")
	for range n {
		i, k := r.IntN(len(lines)), r.IntN(len(lines))
		if start := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "define ") }); start >= 0 && r.IntN(8) > 0 {
			i = start + r.IntN(len(lines)-start) // most changes concern functions
			k = start + r.IntN(len(lines)-start)
		}
		switch r.IntN(5) {
		case 0:
			lines = slices.Delete(lines, i, i+1)
		case 1:
			lines = slices.Insert(lines, i, lines[k])
		case 2:
			lines[i], lines[k] = lines[k], lines[i]
		default:
			words, others := strings.Fields(lines[i]), strings.Fields(lines[k])
			if len(words) > 0 && len(others) > 0 {
				words[r.IntN(len(words))] = others[r.IntN(len(others))]
				lines[i] = strings.Join(words, " ")
			}
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "\n")
}

// TestMutatedFiles changes the samples at random. Read must return a program or report an
// error.
func TestMutatedFiles(t *testing.T) {
	needClang(t)
	all := allSamples(t)
	r := rand.New(rand.NewPCG(*mutantSeed, 2))
	for i := range *mutantFiles {
		of := all[r.IntN(len(all))]
		src := &ir.Source{Name: of.Name, Text: mutatedCpp(r, of.Text, 1+r.IntN(3))}
		var diags ir.Diags
		m := Read(src, of.Options, &diags)
		failed := diags.Err()
		if m == nil && failed == nil {
			t.Fatalf("file %d: neither a program nor an error:\n%s", i, src.Text)
		}
		if failed != nil && strings.Contains(failed.Error(), "has a bug") {
			t.Fatalf("file %d: %v\n%s", i, failed, src.Text)
		}
	}
}

// mutatedCpp changes words, characters or lines of C++ n times.
func mutatedCpp(r *rand.Rand, text string, n int) string {
	for range n {
		switch at := r.IntN(len(text) + 1); r.IntN(4) {
		case 0: // removes some characters
			text = text[:at] + text[min(len(text), at+1+r.IntN(12)):]
		case 1: // repeats a part
			end := min(len(text), at+1+r.IntN(60))
			text = text[:end] + text[at:end] + text[end:]
		case 2: // inserts something
			all := []string{"break;", "return;", "0", "-1", "<<<1>>>", "(", ")", "{", "}", "&", "*", "1000000007", "continue;", "if (n)", "while (1)", "static "}
			text = text[:at] + all[r.IntN(len(all))] + text[at:]
		default:
			text = mutated(r, text, 1)
		}
		if text == "" {
			return "x"
		}
	}
	return text
}
