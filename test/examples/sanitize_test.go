package examples

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	"ptogo/dialect/fn"
	"ptogo/internal/cli"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

var sanitize = flag.Bool("sanitize", false, "compile the examples with -fsanitize=address,undefined, as make fuzz-long does")

// sanitized is the program around a kernel. It gives each buffer memory of its own, with
// exactly its size, so that every access outside is found.
const sanitized = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
void pto_print_int(const char *format, int64_t x) { (void)format, (void)x; }
void pto_print_float(const char *format, double x) { (void)format, (void)x; }
static void *buffer(size_t n) {
	void *p = malloc(n);
	if (fread(p, 1, n, stdin) != n) exit(9);
	return p;
}
`

// TestSanitized compiles the examples as LLVM IR with checks of each access, and the C
// around them with checks of undefined behaviour too. The results are those of the Go
// engine.
func TestSanitized(t *testing.T) {
	if !*sanitize {
		t.Skip("-sanitize lets it run")
	}
	clang, ok := jit.Find("clang")
	if !ok {
		t.Skip("needs clang")
	}
	t.Chdir(root)
	files, err := filepath.Glob("examples/*.pto")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		for i, c := range commandsIn(t, file) {
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(file), i), func(t *testing.T) {
				s := prepareSanitized(t, file, c)
				s.build(t, clang)
				got := s.run(t)
				for k, want := range outputs(t, c, file) {
					if !bytes.Equal(got[s.zeros[k]], want) {
						t.Errorf("argument %d differs from that of the Go engine", s.zeros[k])
					}
				}
				ran++
			})
		}
	}
	t.Logf("%d commands ran", ran)
	if ran < 10 {
		t.Errorf("only %d commands ran", ran)
	}
}

// sanitizedRun is a command of an example as a program of its own.
type sanitizedRun struct {
	dir     string
	code    string   // LLVM IR
	program string   // C
	input   []byte   // the buffers
	buffers [][]byte // nil for scalars
	zeros   []int    // the arguments that start as zeros
}

// prepareSanitized writes the code of a command, or skips the test if the command needs
// more than a kernel and its arguments.
func prepareSanitized(t *testing.T, file, command string) *sanitizedRun {
	t.Helper()
	s := &sanitizedRun{dir: t.TempDir()}
	blocks, name, emit := 1, "", []string{file, "--emit=llvm", "-o", filepath.Join(s.dir, "kernel.ll")}
	var specs []string
	words := strings.Fields(command)
	for i, word := range words {
		switch value := words[min(i+1, len(words)-1)]; {
		case word == "--blocks":
			fmt.Sscan(value, &blocks)
		case word == "--kernel":
			name = value
		case word == "--arg":
			specs = append(specs, value)
		case strings.HasPrefix(word, "--pto-arch="):
			emit = append(emit, word)
		}
	}
	if strings.Contains(name, ",") {
		t.Skip("two kernels run together")
	}
	run(t, cli.Opt, emit...)
	code, err := os.ReadFile(filepath.Join(s.dir, "kernel.ll"))
	if err != nil {
		t.Fatal(err)
	}
	// Checks need an attribute, and do not watch memory of threads.
	s.code = strings.NewReplacer("thread_local ", "", ") nounwind {", ") nounwind sanitize_address {").Replace(string(code))
	f := functionOf(t, file, name)
	types, ok := llvm.Prototype(f)
	if !ok || len(types) != len(specs) {
		t.Skip("the launch supplies more than arguments")
	}
	s.write(t, fn.Name(f), types, specs, blocks)
	return s
}

// functionOf returns the kernel of a command.
func functionOf(t *testing.T, file, name string) *ir.Op {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var diags ir.Diags
	m := kernel.Parse(&ir.Source{Name: file, Text: string(text)}, ir.ParseOptions{}, &diags)
	if m == nil {
		t.Fatal(diags.All()[0].Format())
	}
	for _, f := range runtime.Kernels(m) {
		if name == "" || fn.Name(f) == name {
			return f
		}
	}
	t.Fatalf("%s has no kernel %s", file, name)
	return nil
}

// write writes the program, and collects its input.
func (s *sanitizedRun) write(t *testing.T, name string, types, specs []string, blocks int) {
	var params, start, args, end strings.Builder
	for i, spec := range specs {
		fmt.Fprintf(&params, "%s, ", types[i])
		fmt.Fprintf(&args, "a%d, ", i)
		if types[i] != "void *" {
			s.buffers = append(s.buffers, nil)
			fmt.Fprintf(&start, "\t%s a%d = %s;\n", types[i], i, literalOf(t, types[i], spec))
			continue
		}
		data := dataOf(t, spec)
		if strings.HasPrefix(spec, "zeros=") {
			s.zeros = append(s.zeros, i)
		}
		s.buffers, s.input = append(s.buffers, data), append(s.input, data...)
		fmt.Fprintf(&start, "\tvoid *a%d = buffer(%d);\n", i, len(data))
		fmt.Fprintf(&end, "\tfwrite(a%d, 1, %d, stdout);\n\tfree(a%[1]d);\n", i, len(data))
	}
	s.program = fmt.Sprintf("%svoid kernel(%sint64_t, int64_t) __asm__(%q);\nint main(void) {\n%s\tfor (int64_t b = 0; b < %d; b++) kernel(%sb, %[5]d);\n%[7]s}\n",
		sanitized, params.String(), name, start.String(), blocks, args.String(), end.String())
}

// literalOf returns a scalar argument as C, with the bits of half floats.
func literalOf(t *testing.T, typ, spec string) string {
	if typ == "float" || typ == "double" {
		return spec
	}
	var x int64
	if _, err := fmt.Sscan(spec, &x); err != nil {
		t.Skipf("scalar %s of type %s", spec, typ)
	}
	return spec
}

// dataOf returns the contents of a buffer.
func dataOf(t *testing.T, spec string) []byte {
	t.Helper()
	kind, rest, _ := strings.Cut(spec, "=")
	if kind == "in" || kind == "inout" {
		text, err := os.ReadFile(rest)
		if err != nil {
			t.Fatal(err)
		}
		a, err := kernel.ReadNpy(text)
		if err != nil {
			t.Fatal(err)
		}
		return a.Data
	}
	value := 0.0
	if kind == "fill" {
		text, shape, _ := strings.Cut(rest, ",")
		fmt.Sscan(text, &value)
		rest = shape
	}
	shape, option, _ := strings.Cut(rest, ",")
	a, err := kernel.NewArray(shape)
	if err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "rand":
		var seed uint64
		fmt.Sscanf(option, "seed=%d", &seed)
		a.Randomize(seed)
	case "iota":
		a.Fill(func(i int) float64 { return float64(i) })
	case "ones":
		a.Fill(func(int) float64 { return 1 })
	case "fill":
		a.Fill(func(int) float64 { return value })
	case "zeros":
	default:
		t.Skipf("argument %s", spec)
	}
	return a.Data
}

// build compiles the program.
func (s *sanitizedRun) build(t *testing.T, clang string) {
	t.Helper()
	for name, text := range map[string]string{"kernel.ll": s.code, "main.c": s.program} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(clang, "-O1", "-ffp-contract=off", "-mf16c", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-override-module", "kernel.ll", "main.c", "-lm", "-o", "program")
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// run runs the program and returns its buffers.
func (s *sanitizedRun) run(t *testing.T) [][]byte {
	t.Helper()
	cmd := exec.Command(filepath.Join(s.dir, "program"))
	cmd.Stdin = bytes.NewReader(s.input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || len(out) != len(s.input) {
		t.Fatalf("%v, %d bytes\n%s", err, len(out), errs.String())
	}
	var all [][]byte
	for _, b := range s.buffers {
		all = append(all, out[:len(b)])
		out = out[len(b):]
	}
	return all
}

// TestSanitizerFinds plants an access one element past the end of a buffer: the checks
// that TestSanitized relies on find it.
func TestSanitizerFinds(t *testing.T) {
	if !*sanitize {
		t.Skip("-sanitize lets it run")
	}
	clang, ok := jit.Find("clang")
	if !ok {
		t.Skip("needs clang")
	}
	text := "func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {\n  %c16 = arith.constant 16 : index\n  %v = pto.load_scalar %x[%c16] : !pto.ptr<f32> -> f32\n" +
		"  %c0 = arith.constant 0 : index\n  pto.store_scalar %v, %x[%c0] : !pto.ptr<f32>, f32\n  return\n}\n"
	file := filepath.Join(t.TempDir(), "k.pto")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := prepareSanitized(t, file, "pto-run k.pto --arg iota=16xf32")
	s.build(t, clang)
	cmd := exec.Command(filepath.Join(s.dir, "program"))
	cmd.Stdin = bytes.NewReader(s.input)
	if out, err := cmd.CombinedOutput(); err == nil || !bytes.Contains(out, []byte("heap-buffer-overflow")) {
		t.Errorf("%v\n%s", err, out)
	}
}
