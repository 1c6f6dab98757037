package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ptogo/frontend/cpp"
	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/tools/testsize"
)

// miscompilations are mistakes of a compiler that writes C++: the first match of the pattern is
// replaced. The replacement is a template of regexp, or a function of the groups. Tiles of
// one row are left out: the device loads all of their columns, whatever the view says.
var miscompilations = []struct {
	kind    string
	pattern string
	replace any
}{
	{"a flag is not set", `(?m)^ *set_flag\(.*\);\n`, ""},
	{"a flag is not awaited", `(?m)^ *wait_flag\(.*\);\n`, ""},
	{"a barrier is missing", `(?m)^ *pipe_barrier\(PIPE_[VM]\);\n`, ""},
	{"another event", `(wait_flag\(\w+, \w+, EVENT_ID)(\d)`, next(2, 1)},
	{"another pipe", `(set_flag\()PIPE_(?:V|M|MTE2)(, PIPE_\w+)`, "${1}PIPE_S$2"},
	{"a barrier of another pipe", `pipe_barrier\(PIPE_V\)`, "pipe_barrier(PIPE_MTE2)"},
	{"a row less is valid", `(Tile<TileType::\w+, \w+, \d+, \d+, BLayout::\w+, )(\d\d+)(, \d+)`, next(2, -1)},
	{"a column less is valid", `(Tile<TileType::\w+, \w+, \d+, \d+, BLayout::\w+, \d\d+, )(\d\d+)`, next(2, -1)},
	{"a row less is loaded", `(pto::Shape<1, 1, 1, )(\d\d+)`, next(2, -1)},
	{"a column less is loaded", `(pto::Shape<1, 1, 1, \d\d+, )(\d+)`, next(2, -1)},
	{"another distance between rows", `(pto::Shape<1, 1, 1, \d\d+, \d+>, pto::Stride<\d+, \d+, \d+, )(\d+)`, next(2, 8)},
	{"operands exchanged", `(T(?:SUB|ROWEXPANDSUB|ROWEXPANDDIV|ROWEXPANDEXPDIF|MATMUL)\(\w+, )(\w+), (\w+)`, "$1$3, $2"},
	{"minimum instead of maximum", `\bT(ROW|COL|)MAX(S?)\(`, "T${1}MIN$2("},
	{"maximum instead of minimum", `\bT(ROW|COL|)MIN(S?)\(`, "T${1}MAX$2("},
	{"maximum instead of sum", `\bTROWSUM\(`, "TROWMAX("},
	{"product instead of sum", `\bTADD(S?)\(`, "TMUL$1("},
	{"sum instead of product", `\bT(ROWEXPAND|COLEXPAND|)MUL(S?)\(`, "T${1}ADD$2("},
	{"product instead of quotient", `\bT(ROWEXPAND|)DIV\(`, "T${1}MUL("},
	{"square root instead of its reciprocal", `\bTRSQRT\(`, "TSQRT("},
	{"another rounding", `RoundMode::CAST_\w+`, "RoundMode::CAST_CEIL"},
	{"an instruction is missing", `(?m)^ *T(?:ROW|COL|ADD|MUL|MAX|MIN|EXP|MATMUL|SUB|DIV)\w*\(.*\);\n`, ""},
	{"a store is missing", `(?m)^ *TSTORE\w*\(.*\);\n`, ""},
	{"a load is missing", `(?m)^ *TLOAD\(.*\);\n`, ""},
	{"another address in global memory", `(\w+ \+ \w+ \* )(\d+)`, next(2, 1)},
	{"another step of the loop", `(row \+= )(\w+)`, "$1$2 - 1"},
	{"another number of rounds", `(row < )(\w+);`, "$1$2 - 16;"},
	{"a parameter instead of another", `\blo\)`, "hi)"},
	{"the pipes of a flag exchanged", `(set_flag\()(PIPE_\w+), (PIPE_\w+)`, "${1}$3, $2"},
	{"a flag that is awaited twice", `(?m)^( *wait_flag\(.*\);\n)`, "$1$1"},
	{"a flag that is set twice", `(?m)^( *set_flag\(.*\);\n)`, "$1$1"},
	{"a flag set before its instruction", `(?m)^( *TLOAD\(.*\);\n)( *set_flag\(PIPE_MTE2.*\);\n)`, "$2$1"},
	{"a flag awaited after its instruction", `(?m)^( *wait_flag\(.*\);\n)( *T[A-Z]+\(.*\);\n)`, "$2$1"},
	{"a barrier after its instruction", `(?m)^( *pipe_barrier\(.*\);\n)( *T[A-Z]+\(.*\);\n)`, "$2$1"},
	{"the address of another tile", `(const int64_t c\d+_i64 = )(\d{3,})`, next(2, -128)},
	{"an address beyond the memory", `(const int64_t c\d{3,}_i64 = )(\d+)`, next(2, 1<<20)},
	{"an odd address", `(const int64_t c\d{3,}_i64 = )(\d+)`, next(2, 4)},
	{"another element type", `(Tile<TileType::\w+, )(float|int8_t)`, "${1}int32_t"},
	{"another layout of a tile", `(Tile<TileType::Vec, .*)BLayout::RowMajor`, "${1}BLayout::ColMajor"},
	{"another order in boxes", `SLayout::RowMajor`, "SLayout::ColMajor"},
	{"a wider tile", `(Tile<TileType::\w+, \w+, \d\d+, )(\d+)`, next(2, 64)},
	{"the input of another view", `(TLOAD\(\w+, )(\w)`, "${1}other_$2"},
	{"an array that starts later", `(GlobalTensor<.*> \w+\(\w+)`, "$1 + 1"},
	{"the output added to the array", `\bTSTORE\((\w+), (\w+)\)`, "TSTORE<decltype($2), decltype($1), AtomicType::AtomicAdd>($1, $2)"},
	{"a loop that starts later", `(for \(int64_t \w+ = \w+)`, "$1 + 1"},
	{"a loop that includes its bound", `(for \(.*;.*) < `, "$1 <= "},
	{"the block of another core", `get_block_idx\(\)`, "0"},
	{"another constant", `(const float \w+ = )`, "${1}2 * "},
	{"the output in the array of the input", `( yp\()y`, "${1}x"},
	{"a number instead of a parameter", `(TM(?:AX|IN)S\(\w+, \w+, )\w+`, "${1}1.0f"},
	{"the other sign", `(const float \w+ = )`, "${1}-"},
	{"code for the other type of core", `(#if defined\(__DAV_)(VEC|CUBE)`, otherCore},
	{"a product that does not accumulate", `\bTMATMUL_ACC\((\w+), \w+, `, "TMATMUL($1, "},
}

// otherCore replaces the macro of one type of core by that of the other one.
func otherCore(groups []string) string {
	return groups[1] + map[string]string{"VEC": "CUBE", "CUBE": "VEC"}[groups[2]]
}

// next returns a replacement that adds n to the number in a group of the match.
func next(group, n int) func(groups []string) string {
	return func(groups []string) string {
		k, _ := strconv.Atoi(groups[group])
		groups[group] = strconv.Itoa(k + n)
		return strings.Join(groups[1:], "")
	}
}

// TestPlantedMiscompilations verifies that mistakes in the C++ of a compiler are found, at
// least 50 of them with PTO_TESTS=all: the C++ is not valid, its synchronization has a hazard, or a
// comparison with the source finds other bytes. The C++ without mistakes is equivalent and its
// synchronization is proved.
func TestPlantedMiscompilations(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang is not installed")
	}
	t.Chdir("../..")
	total, examples := 0, []string{"softmax", "clamp", "gemm", "layernorm", "quant_gemm"}
	if !testsize.All() {
		examples = examples[1:2]
	}
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			source, dir := filepath.Join("examples", name+".pto"), t.TempDir()
			file := filepath.Join(dir, "kernel.cpp")
			if code := Opt([]string{source, "--emit=cpp", "-o", file}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); code != exit.OK {
				t.Fatalf("emission: exit code %d", code)
			}
			var args []string
			words := clitest.CommandsOf(t, source)[0]
			for i, word := range words {
				if !strings.HasSuffix(word, ".pto") && word != "--print" && word != "--expect" && (i == 0 || words[i-1] != "--expect") {
					args = append(args, word)
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if how := refuted(t, source, file, args); how != "" {
				t.Fatalf("the C++ without mistakes is refuted: %s", how)
			}
			if code := Opt([]string{file, "--verify-sync=strict", "-o", os.DevNull}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); code != exit.OK {
				t.Fatalf("the synchronization of the C++ without mistakes is not proved: exit code %d", code)
			}
			for _, p := range miscompilations {
				wrong, found := plant(string(text), p.pattern, p.replace)
				if !found {
					continue
				}
				total++
				if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil {
					t.Fatal(err)
				}
				if how := refuted(t, source, file, args); how == "" {
					t.Errorf("%s: not refuted", p.kind)
				} else {
					t.Logf("%s: %s", p.kind, how)
				}
			}
		})
	}
	if testsize.All() && total < 50 {
		t.Errorf("only %d mistakes were planted", total)
	}
}

// TestPlantedCores verifies that each condition on a type of core in the C++ of a kernel for
// both types is necessary, without PTO_TESTS=all for some of them. The first condition, which
// only resets masks, is left out.
func TestPlantedCores(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang is not installed")
	}
	t.Chdir("../..")
	file := filepath.Join(t.TempDir(), "kernel.cpp")
	opt := func(args ...string) (int, string) {
		var stderr bytes.Buffer
		return Opt(append(args, "--pto-arch=a5"), strings.NewReader(""), &bytes.Buffer{}, &stderr), stderr.String()
	}
	if code, text := opt("examples/flash_attention.pto", "--emit=cpp", "-o", file); code != exit.OK {
		t.Fatal(text)
	}
	right, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	conditions := regexp.MustCompile(`#if defined\(__DAV_(VEC|CUBE)__\)`).FindAllSubmatchIndex(right, -1)
	for i := 1; i < len(conditions); i++ {
		if !testsize.All() && i%8 != 1 {
			continue
		}
		from, to := conditions[i][2], conditions[i][3]
		wrong := string(right[:from]) + otherCore([]string{"", "", string(right[from:to])}) + string(right[to:])
		if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, text := opt(file, "--verify-sync", "-o", os.DevNull); code == exit.OK {
			t.Errorf("condition %d: not refuted", i)
		} else {
			t.Logf("condition %d: %s", i, firstLine(text))
		}
	}
}

// plant replaces the first match of a pattern in text. The result found is false if there
// is none.
func plant(text, pattern string, replace any) (wrong string, found bool) {
	re := regexp.MustCompile(pattern)
	at := re.FindStringSubmatchIndex(text)
	if at == nil {
		return text, false
	}
	var with string
	switch r := replace.(type) {
	case string:
		with = string(re.ExpandString(nil, r, text, at))
	case func([]string) string:
		with = r(re.FindStringSubmatch(text))
	}
	return text[:at[0]] + with + text[at[1]:], true
}

// refuted returns how the C++ in a file is refuted as the translation of source, or "".
func refuted(t *testing.T, source, file string, args []string) string {
	var stderr bytes.Buffer
	if code := Opt([]string{file, "--verify-sync", "-o", os.DevNull}, strings.NewReader(""), &bytes.Buffer{}, &stderr); code != exit.OK {
		return firstLine(stderr.String())
	}
	code, stdout, errors := runKernel(append([]string{source, "--equivalent", file}, args...)...)
	switch code {
	case exit.OK:
		return ""
	case exit.Diag, exit.Compare, exit.Fault:
		return firstLine(stdout + errors)
	}
	t.Errorf("exit code %d: %s", code, firstLine(stdout+errors))
	return "undecided"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
