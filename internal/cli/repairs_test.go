package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/run"
	"ptogo/internal/textdiff"
	"ptogo/ir"
	"ptogo/tools/testsize"
)

// A planter makes mistakes of one class in the text of a kernel. Each result is a kernel with
// one mistake.
type planter struct {
	class string
	plant func(text string) []string
}

// planters are the classes of mistakes.
var planters = []planter{
	{"copy left out", dropCopies},
	{"layout", each(`blayout=(row_major|col_major)|slayout=(row_major|col_major)`, func(m string) string {
		if strings.HasSuffix(m, "row_major") {
			return strings.TrimSuffix(m, "row_major") + "col_major"
		}
		return strings.TrimSuffix(m, "col_major") + "row_major"
	})},
	{"fractal left out", each(`, fractal=\d+`, func(string) string { return "" })},
	{"memory", each(`loc=(left|right|acc|mat)|tile_buf<(left|right|acc|mat|vec)`, func(m string) string {
		for _, w := range []string{"left>right", "right>left", "acc>vec", "mat>vec", "vec>mat"} {
			if from, to, _ := strings.Cut(w, ">"); strings.HasSuffix(m, from) {
				return strings.TrimSuffix(m, from) + to
			}
		}
		return m
	})},
	{"extents", each(`!pto\.tile(_buf)?<[^>]*>`, swapExtents)},
	{"elements", each(`!pto\.tile(_buf)?<[^>]*>`, func(m string) string {
		if strings.Contains(m, "xf32") {
			return strings.Replace(m, "xf32", "xf16", 1)
		}
		return strings.Replace(m, "xf16", "xf32", 1)
	})},
	{"scalar type", each(`arith\.constant [-\w.]+ : \w+`, func(m string) string {
		for _, w := range []string{": index>: i32", ": i64>: index", ": f32>: f16", ": i32>: index"} {
			if from, to, _ := strings.Cut(w, ">"); strings.HasSuffix(m, from) {
				return strings.TrimSuffix(m, from) + to
			}
		}
		return m
	})},
	{"yield", each(`(?m)^(\s*scf\.yield) .*$`, func(m string) string { return m[:strings.Index(m, "scf.yield")] })},
	{"types of a loop", each(`(?m)(iter_args\([^)]*\)) -> .*\{$`, func(m string) string { return m[:strings.Index(m, " -> ")] + " {" })},
	{"result of a loop", each(`(?m)%[\w:]+ = scf\.(for|if)`, func(m string) string { return m[strings.Index(m, "scf."):] })},
	{"event", each(`<EVENT_ID\d>`, func(m string) string {
		if m == "<EVENT_ID0>" {
			return "<EVENT_ID1>"
		}
		return "<EVENT_ID0>"
	})},
	{"pipe", each(`_flag\[<PIPE_\w+>`, func(m string) string {
		if strings.Contains(m, "PIPE_V>") {
			return "_flag[<PIPE_MTE2>"
		}
		return "_flag[<PIPE_V>"
	})},
	{"flag left out", each(`(?m)^\s*pto\.(set|wait)_flag\[.*\n`, func(string) string { return "" })},
	{"free left out", each(`(?m)^\s*pto\.tfree.*\n`, func(string) string { return "" })},
	{"parenthesis left out", each(`\) (outs|->)`, func(m string) string { return m[1:] })},
	{"comma left out", each(`, !`, func(string) string { return " !" })},
	{"brace left out", each(`(?m)(scf\.for .*) \{$`, func(m string) string { return strings.TrimSuffix(m, " {") })},
	{"percent sign left out", each(`[( ]%\w+`, func(m string) string { return m[:1] + m[2:] })},
	{"return left out", each(`(?m)^\s*return\n`, func(string) string { return "" })},
	{"name of an instruction", each(`pto\.t[a-z]{4,} `, func(m string) string { return m[:len(m)-3] + m[len(m)-2:] })},
	{"name of a value", each(`outs\(%\w+`, func(m string) string { return m + "x" })},
	{"constant left out", each(`(?m)^\s*%c\d+ = arith\.constant .*\n`, func(string) string { return "" })},
	{"type of a fraction", each(`(arith\.constant -?\d+\.\S*) : f\d+`, func(m string) string { return m[:strings.Index(m, " : ")] + " : i32" })},
	{"order of sizes", each(`sizes = \[(%\w+), (%\w+)\]`, func(m string) string {
		first, second, _ := strings.Cut(m[len("sizes = ["):len(m)-1], ", ")
		return "sizes = [" + second + ", " + first + "]"
	})},
	{"operand left out", each(`ins\(%\w+, %\w+`, func(m string) string { return m[:strings.Index(m, ",")] })},
	{"outputs left out", each(`(?m) outs\(.*$`, func(string) string { return "" })},
}

// each returns a function that changes each match of the expression in turn.
func each(expr string, change func(m string) string) func(text string) []string {
	re := regexp.MustCompile(expr)
	return func(text string) []string {
		var all []string
		for _, m := range re.FindAllStringIndex(text, -1) {
			if line := text[strings.LastIndexByte(text[:m[0]], '\n')+1 : m[0]]; strings.Contains(line, "//") {
				continue
			}
			all = append(all, text[:m[0]]+change(text[m[0]:m[1]])+text[m[1]:])
		}
		return all
	}
}

// swapExtents exchanges the rows and columns of a tile type.
func swapExtents(m string) string {
	re := regexp.MustCompile(`(\d+)x(\d+)x`)
	return re.ReplaceAllString(m, "${2}x${1}x")
}

// dropCopies removes each copy to another memory and uses its source.
func dropCopies(text string) []string {
	re := regexp.MustCompile(`(?m)^\s*(%\w+) = pto\.tmov (%\w+) : (\S.*\S) -> (\S.*\S)\n`)
	var all []string
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		part := func(i int) string { return text[m[2*i]:m[2*i+1]] }
		rest := strings.Split(text[m[1]:], "\n")
		name := regexp.MustCompile(regexp.QuoteMeta(part(1)) + `\b`)
		for i, l := range rest {
			if name.MatchString(l) {
				rest[i] = strings.Replace(name.ReplaceAllString(l, part(2)), part(4), part(3), 1)
			}
		}
		all = append(all, text[:m[0]]+strings.Join(rest, "\n"))
	}
	return all
}

// repaired are the kernels in which TestRepairs makes mistakes.
var repaired = []string{"softmax", "layernorm", "gemm", "flash_attention", "clamp", "topk", "quant_gemm", "ratio", "conv2d", "fahrenheit", "divide",
	"mixed_attention", "queue_both_ways", "cube_gemm", "level2/softmax", "level2/gemm", "level2/layernorm", "level2/flash_attention", "level2/topk", "level2/quant_gemm"}

// TestRepairs plants mistakes in kernels and applies the edits that the tools propose. No
// edited kernel may compute anything else than the kernel before the mistake, and at least
// three of four mistakes that the tools report must have an edit.
func TestRepairs(t *testing.T) {
	kernels, most := repaired, 3
	if !testsize.All() {
		kernels, most = []string{"quant_gemm", "flash_attention", "ratio"}, 1
	}
	type count struct{ silent, without, right, other int }
	counts := map[string]*count{}
	var sum count
	for _, k := range kernels {
		file := filepath.Join("../../examples", k+".pto")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		flags := []string{"--verify-sync"}
		if code, _ := optCode("--verify-sync", file); code != exit.OK {
			flags = nil // the compiler inserts its synchronization
		}
		tool := func(args ...string) (int, string) { return optCode(append(args, flags...)...) }
		for _, p := range planters {
			if counts[p.class] == nil {
				counts[p.class] = &count{}
			}
			c := counts[p.class]
			all := p.plant(string(text))
			for i, bad := range all {
				if bad == string(text) || i%max(1, len(all)/most) != 0 {
					continue
				}
				name := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.pto", filepath.Base(k), i))
				if err := os.WriteFile(name, []byte(bad), 0o600); err != nil {
					t.Fatal(err)
				}
				switch code, message := tool(name); {
				case code == 0:
					c.silent++
				default:
					tool("--fix", name)
					if code, _ := tool(name); code != exit.OK {
						c.without++
						t.Logf("%s %s: no edit for: %s", k, p.class, strings.SplitN(message, "\n", 2)[0])
						continue
					}
					fixed, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					switch computes(file, name) {
					case exit.OK:
						c.right++
					case exit.Compare:
						t.Errorf("%s %s: another kernel:\n%s", k, p.class, textdiff.Unified(file, name, string(text), string(fixed)))
					default:
						c.other++
						t.Logf("%s %s: not decided whether it computes the same:\n%s", k, p.class, textdiff.Unified(file, name, string(text), string(fixed)))
					}
				}
			}
		}
	}
	for class, c := range counts {
		t.Logf("%-20s %+v", class, *c)
		sum.silent += c.silent
		sum.without += c.without
		sum.right += c.right
		sum.other += c.other
	}
	t.Logf("%+v", sum)
	if 4*sum.right < 3*(sum.right+sum.without+sum.other) {
		t.Error("too few mistakes have an edit")
	}
}

// optCode runs pto-opt and returns the exit code and its messages.
func optCode(args ...string) (int, string) {
	var out, err bytes.Buffer
	code := Opt(args, strings.NewReader(""), &out, &err)
	return code, err.String()
}

// computes returns the exit code of the question whether two kernels compute the same.
func computes(a, b string) int {
	var printed [2]string
	for i, file := range []string{a, b} {
		var out, err bytes.Buffer
		Opt([]string{file}, strings.NewReader(""), &out, &err)
		printed[i] = regexp.MustCompile(`%[\w]+`).ReplaceAllString(out.String(), "%")
	}
	if printed[0] == printed[1] {
		return exit.OK
	}
	text, err := os.ReadFile(a)
	if err != nil {
		return exit.Usage
	}
	code := exit.OK
	for _, m := range kernelName.FindAllStringSubmatch(string(text), -1) {
		_, c := run.MadeUp(&ir.Source{Name: a, Text: string(text)}, m[1], "", "--equivalent", b)
		if c == exit.Compare {
			return c
		}
		code = max(code, c)
	}
	return code
}

// kernelName matches the start of a kernel.
var kernelName = regexp.MustCompile(`func\.func @(\w+)\(.*pto\.kernel`)
