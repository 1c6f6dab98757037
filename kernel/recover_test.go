package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/kernel"
)

// errorsOf parses a text and returns its errors. It checks that they are in the order of
// the text.
func errorsOf(t *testing.T, text string) []*ir.Diag {
	t.Helper()
	var diags ir.Diags
	m := kernel.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	all := slices.DeleteFunc(diags.All(), func(d *ir.Diag) bool { return d.Severity != ir.Error })
	if (m == nil) != (len(all) > 0) {
		t.Fatalf("program %v with %d errors", m != nil, len(all))
	}
	return all
}

// TestRecovery parses programs with several errors. want lists the positions and texts of
// all expected errors; the parser must report no others.
func TestRecovery(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"operations", "func.func @f(%a: i32) {\n  %0 = arith.adi %a, %a : i32\n  %1 = arith.addi %0, %a : i32\n  %2 = arith.muli %1, %b : i32\n  %3 = arith.addi %a %a : i32\n  return\n}",
			[]string{"2:8: error: unknown operation 'arith.adi'", "4:23: error: use of undeclared SSA value name '%b'", "5:22: error: "}},
		{"functions", "func.func @f(%a: i33333333) {\n  %0 = arith.addi %a, %a : i32\n  return\n}\nfunc.func @g(%a: i32) {\n  %0 = arith.adi %a, %a : i32\n  return\n}",
			[]string{"1:18: error: integer width", "6:8: error: unknown operation"}},
		{"head of a loop", "func.func @f(%a: index) {\n  scf.for %i = %a to %a stp %a {\n    %0 = arith.addi %i, %a : index\n    %1 = arith.adi %0, %a : index\n  }\n  return\n}",
			[]string{"2:25: error: expected 'step'", "4:10: error: unknown operation"}},
		{"heads of branches", "func.func @f(%c: i1) {\n  %0 = scf.if %d -> (i32) {\n    %1 = arith.constant 1 : i3x\n    scf.yield %1 : i32\n  } else {\n    %2 = arith.constat 2 : i32\n    scf.yield %2 : i32\n  }\n  %3 = arith.addi %0, %0 : i32\n  return\n}",
			[]string{"2:15: error: use of undeclared SSA value name '%d'", "3:29: error: ", "6:10: error: unknown operation 'arith.constat'"}},
		{"blocks", "func.func @f() {\n  cf.br ^a\n^b(%x):\n  cf.br ^c\n^d:\n  cf.br ^b(%x)\n}",
			[]string{"2:9: error: reference to undefined block '^a'", "3:6: error: expected ':'", "4:9: error: reference to undefined block '^c'", "6:"}},
		{"loop without end", "func.func @f(%a: index) {\n  scf.for %i = %a to %a step %a {\n    %0 = arith.addi %i, %a : index\n  return\n}\nfunc.func @g() {\n  return\n}",
			[]string{"4:3: error: expected '}', found 'return'"}},
		{"loop without brace", "func.func @f(%a: index) {\n  scf.for %i = %a to %a step %a\n    %0 = arith.addi %i, %a : index\n  }\n  return\n}\nfunc.func @g() {\n  return\n}",
			[]string{"3:5: error: expected '{', found '%0'"}},
		{"one brace too many", "func.func @f(%a: index) {\n  %0 = arith.addi %a, %a : index\n  }\n  %1 = arith.addi %0, %a : index\n  return\n}\nfunc.func @g() {\n  return\n}",
			[]string{"3:3: error: expected an operation, found '}'"}},
		{"two functions without end", "func.func @f(%a: index) {\n  return\nfunc.func @g(%a: index) {\n  return\nfunc.func @h() {\n  return\n}",
			[]string{"3:1: error: expected '}'", "5:1: error: expected '}'"}},
		{"aliases", "!t = i0\n#a = #nope.what<\nfunc.func @f(%a: !t) {\n  %0 = arith.addi %a, %a : !t\n  %1 = arith.addi %0, %b : i32\n  return\n}",
			[]string{"1:6: error: expected a type", "2:16: error: this '<' is not closed", "5:23: error: use of undeclared SSA value name '%b'"}},
		{"string", "func.func @f() {\n  \"my.op\"() {a = \"x} : () -> ()\n  \"my.op\"() {a = } : () -> ()\n  return\n}",
			[]string{"2:18: error: expected '\"' at the end of the string", "3:18: error: expected an attribute"}},
		{"assembly", ".const %s = 2.0 : f33\n.arg %a : !pto.tile<16x64xf32>;\n%d = tdivz %a, %s : !pto.tile<16x64xf32>, f32;\n%e = tabs %d;\n%f = tabs %g;\n",
			[]string{"1:19: error: expected a type", "3:6: error: unknown operation 'tdivz'", "5:11: error: use of undeclared SSA value name '%g'"}},
		{"the same name twice", "func.func @f(%a: i32) {\n  %0 = arith.addi %a, %b : i32\n  %1 = arith.addi %a, %b : i32\n  return\n}",
			[]string{"2:23: error: use of undeclared SSA value name '%b'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := errorsOf(t, c.text)
			for i, d := range got {
				if i >= len(c.want) || !strings.HasPrefix(d.String(), "in:"+c.want[i]) {
					t.Errorf("error %d: %s", i, d.Format())
				}
			}
			if len(got) < len(c.want) {
				t.Errorf("%d errors, want %q", len(got), c.want)
			}
		})
	}
}

// TestMeant checks the notes on an undeclared name: the intended value may be in an
// enclosing region or in a region that has ended.
func TestMeant(t *testing.T) {
	text := "func.func @f(%a: index, %c0: index) {\n  scf.for %i = %a to %a step %a {\n    %m = arith.addi %i, %a : index\n    %k = arith.addi %mm, %c00 : index\n  }\n  %z = arith.addi %k, %a : index\n  return\n}"
	var notes []string
	for _, d := range errorsOf(t, text) {
		for _, n := range d.Notes {
			notes = append(notes, n.Text)
		}
	}
	want := []string{"did you mean '%m'?", "did you mean '%c0'?", "'%k' is defined here, in a region that the use is not in"}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

// planted are changes of a single operation. Each of them causes exactly one error,
// wherever it is made.
var planted = []struct {
	name string
	at   *regexp.Regexp // what is replaced
	by   string
}{
	{"operation", regexp.MustCompile(`\b(pto|arith|scf|func|memref|math)\.[a-z]\w*`), "${1}.nonesuch"},
	{"operand", regexp.MustCompile(`(\.\w+ [^=]*[(,] *)%\w+`), "${1}%nonesuch_N"},
	{"type", regexp.MustCompile(`: (index|i1|i32|i64|f32|f16)\b`), ": i0x"},
	{"string", regexp.MustCompile(`= "[\w.]+"`), `= "open`},
	{"character", regexp.MustCompile(`=`), "= &"},
	{"closing parenthesis", regexp.MustCompile(`\) *$`), ""},
	{"type alias", regexp.MustCompile(`![a-z]\w*\.\w+`), "!pto.nonesuch"},
}

// TestPlanted makes changes that cause errors in operations of real programs. The parser
// must report exactly one error per change, on its line.
func TestPlanted(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	programs, total := 0, 0
	for _, file := range realPrograms(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var diags ir.Diags
		if kernel.Parse(&ir.Source{Name: file, Text: string(text)}, ir.ParseOptions{}, &diags) == nil {
			continue // it has errors of its own
		}
		programs++
		for range plantings {
			lines, at := plant(rng, strings.Split(string(text), "\n"))
			total += len(at)
			got := errorsOf(t, strings.Join(lines, "\n"))
			if problem := differs(got, lines, at); problem != "" {
				t.Errorf("%s: %d errors for %d planted on lines %v: %s\n%s\n%s", file, len(got), len(at), at, problem, ir.Errors(got), strings.Join(lines, "\n"))
				return
			}
		}
	}
	t.Logf("%d errors in %d programs", total, programs)
	if programs < 100 || total < programs {
		t.Errorf("%d errors in %d programs are too few", total, programs)
	}
}

// plantings is the number of times that TestPlanted changes each program.
const plantings = 4

// realPrograms returns the example programs and the programs of the lit tests.
func realPrograms(t *testing.T) []string {
	var files []string
	for _, pattern := range []string{"../examples/*.pto", "../examples/level2/*.pto", "../test/lit/run/*.pto", "../test/lit/check/*.pto", "../test/lit/passes/*/*.pto"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// plant makes up to six erroneous changes in operations that are written on one line. It
// returns the changed lines and their numbers, from 1.
func plant(rng *rand.Rand, lines []string) (changed []string, at []int) {
	changed = slices.Clone(lines)
	for _, i := range rng.Perm(len(lines)) {
		if len(at) == 6 {
			break
		}
		line, comment, _ := strings.Cut(lines[i], "//")
		if comment != "" || !wholeOperation(lines, i) {
			continue
		}
		m := planted[rng.IntN(len(planted))]
		found := m.at.FindStringSubmatchIndex(line)
		if found == nil {
			continue
		}
		by := strings.ReplaceAll(m.by, "_N", fmt.Sprintf("_%d", i))
		was := changed[i]
		changed[i] = line[:found[0]] + string(m.at.ExpandString(nil, by, line, found)) + line[found[1]:]
		if swallows(changed, i-1) || swallows(changed, i) {
			changed[i] = was
			continue
		}
		at = append(at, i+1)
	}
	slices.Sort(at)
	return changed, at
}

// swallows reports whether line i has an open string and the next line does not begin with
// an operation. The parser then continues after the next line, so it does not report an
// error in it.
func swallows(lines []string, i int) bool {
	return i >= 0 && i+1 < len(lines) && strings.Count(lines[i], `"`)%2 == 1 && !oneOperation.MatchString(lines[i+1])
}

var oneOperation = regexp.MustCompile(`^\s*(%[\w#:, %]+ = )?(pto|arith|math|memref)\.\w+ `)

// wholeOperation reports whether line i contains a complete operation.
func wholeOperation(lines []string, i int) bool {
	line := lines[i]
	if !oneOperation.MatchString(line) || strings.Count(line, "(") != strings.Count(line, ")") || strings.HasSuffix(line, "{") || strings.HasSuffix(line, ",") {
		return false
	}
	return i+1 < len(lines) && (oneOperation.MatchString(lines[i+1]) || strings.HasPrefix(strings.TrimSpace(lines[i+1]), "}") || strings.TrimSpace(lines[i+1]) == "return")
}

// differs returns how the errors got differ from one error per changed line, or "". An
// error may also be on the following line, where the parser notices that something is
// missing.
func differs(got []*ir.Diag, lines []string, at []int) string {
	if len(got) != len(at) {
		return "their number"
	}
	for i, d := range got {
		src, off := d.Loc.Source()
		line, _ := src.Position(off)
		if line != at[i] && line != at[i]+1 {
			return d.Format()
		}
	}
	return ""
}

// TestUselessSuggestions counts the edits that are offered: those that remove their error
// and cause none.
func TestUselessSuggestions(t *testing.T) {
	cases := []struct {
		name, text string
		edits      int
	}{
		{"a value of the same type", "func.func @f(%left: i32) {\n  %b = arith.addi %leff, %left : i32\n  return\n}\n", 1},
		{"the result of the operation itself", "func.func @f(%x: i64) {\n  %lar = arith.trunci %la : i64 to i32\n  return\n}\n", 0},
		{"a value of another type", "func.func @f(%left: i64) {\n  %b = arith.addi %leff, %leff : i32\n  return\n}\n", 0},
		{"an operation with other errors", "func.func @f() {\n  %b = arith.adi %a, %a : i32\n  return\n}\n", 1},
		{"an operation after one with errors", "func.func @f() {\n  arith.adi\n  arith.adi\n  return\n}\n", 2},
	}
	for _, c := range cases {
		var diags ir.Diags
		ir.Parse(&ir.Source{Name: "in", Text: c.text}, ir.ParseOptions{}, &diags)
		edits := 0
		for _, d := range diags.All() {
			if d.FirstFix() != nil {
				edits++
			}
		}
		if edits != c.edits {
			t.Errorf("%s: %d edits, want %d: %v", c.name, edits, c.edits, diags.Err())
		}
	}
}
