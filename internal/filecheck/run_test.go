package filecheck

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runOurs runs one test case, and returns the exit status and the messages.
func runOurs(t *testing.T, dir string, c testCase) (int, string) {
	t.Helper()
	path := filepath.Join(dir, "check.txt")
	if err := os.WriteFile(path, []byte(c.check), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, msg bytes.Buffer
	args := append(append([]string{}, c.args...), path)
	status := Run(args, strings.NewReader(c.input), &out, &msg)
	return status, msg.String()
}

func TestCases(t *testing.T) {
	for group, cases := range allCases {
		for _, c := range cases {
			t.Run(group+"/"+c.name, func(t *testing.T) {
				status, msg := runOurs(t, t.TempDir(), c)
				if status != c.want {
					t.Errorf("status %d, want %d\ncheck:\n%sinput:\n%s%s", status, c.want, c.check, c.input, msg)
				}
				if status != 0 && msg == "" {
					t.Error("failed without a message")
				}
			})
		}
	}
}

func TestMessages(t *testing.T) {
	tests := []struct {
		name, check, input string
		args               []string
		want               []string
	}{
		{
			"place in both files", "\n// CHECK: add %a, %c\n", "x\nadd %a, %b\n", nil,
			[]string{"check.txt:2:11: error: CHECK: expected string not found in input",
				"<stdin>:1:1: note: scanning from here"},
		},
		{
			"how far the pattern matched", "CHECK: %0 = arith.addi %a, %c\n", "%0 = arith.addi %a, %b\n", nil,
			[]string{"<stdin>:1:21: note: the pattern matches up to here, but not '%c'",
				"possible intended match here", "%0 = arith.addi %a, %[-c-]{+b+}"},
		},
		{
			"next on the wrong line", "CHECK: a\nCHECK-NEXT: b\n", "a\nx\nb\n", nil,
			[]string{"check.txt:2:13: error: CHECK-NEXT: is not on the line after the previous match",
				"<stdin>:3:1: note: this match was here", "<stdin>:1:2: note: the previous match ended here",
				"<stdin>:2:1: note: the first line in between is here"},
		},
		{
			"excluded", "CHECK-NOT: b{{.}}\n", "a\n bc\n", nil,
			[]string{"check.txt:1:12: error: CHECK-NOT: excluded string found in input", "<stdin>:2:2: note: found here"},
		},
		{
			"values of variables", "CHECK: [[A:a.]]\nCHECK: [[A]] [[#B:1]] [[#%x,C:10]]\n", "ab\n", nil,
			[]string{`note: with "A" equal to "ab"`, `note: with "%x,C:10" equal to "a"`},
		},
		{
			"count", "CHECK-COUNT-3: a\n", "a a\n", nil,
			[]string{"CHECK-COUNT: expected string not found in input (3 out of 3)"},
		},
		{
			"implicit", "CHECK: a\n", "w\na\n", []string{"--implicit-check-not=w"},
			[]string{"command line:1:1: error: IMPLICIT-CHECK-NOT: excluded string found in input"},
		},
		{
			"several faulty directives", "CHECK: {{(}}\nCHECK: [[1]]\n", "a\n", nil,
			[]string{"check.txt:1:10: error: invalid regex: parentheses not balanced", "check.txt:2:10: error: invalid variable name"},
		},
		{
			"each block is checked", "CHECK-LABEL: f\nCHECK: x\nCHECK-LABEL: g\nCHECK: y\n", "f\ng\n", nil,
			[]string{"check.txt:2:8: error", "check.txt:4:8: error"},
		},
		{
			"verbose", "CHECK: a{{.}}\n", "x ab\n", []string{"-v"},
			[]string{`<stdin>:1:3: remark: CHECK of line 1 matched "ab"`},
		},
		{
			"input around the mismatch", "CHECK: z\n", "a\nb\nc\n", []string{"--dump-input-context=1"},
			[]string{">   1: a\n    2: b\n"},
		},
		{
			"name of the input file", "CHECK: text of no file\n", "", []string{"--input-file=cases_test.go"},
			[]string{"cases_test.go:1:1: note: scanning from here"},
		},
		{
			"long lines are cut", "CHECK-NOT: z\n", strings.Repeat("a", 1000) + "z" + strings.Repeat("b", 1000), nil,
			[]string{"<stdin>:1:1001: note: found here\n..." + strings.Repeat("a", 300) + "z" + strings.Repeat("b", 299) + "...\n" + strings.Repeat(" ", 303) + "^"},
		},
		{"no directives", "", "", nil, []string{"no check strings found with prefix 'CHECK:'"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, msg := runOurs(t, t.TempDir(), testCase{check: test.check, input: test.input, args: test.args})
			for _, want := range test.want {
				if !strings.Contains(msg, want) {
					t.Errorf("no %q in:\n%s", want, msg)
				}
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want int
		text string
	}{
		{"help", []string{"--help"}, 0, "--check-prefix"},
		{"version", []string{"--version"}, 0, "FileCheck"},
		{"explain the dump", []string{"--dump-input=help"}, 0, "mismatch"},
		{"no check file", nil, 2, "no check file given"},
		{"two check files", []string{"a", "b"}, 2, "more than one check file"},
		{"check file not there", []string{"does-not-exist"}, 2, "could not open check file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			if status := Run(test.args, strings.NewReader("x"), &out, &out); status != test.want {
				t.Errorf("status %d, want %d", status, test.want)
			}
			if !strings.Contains(out.String(), test.text) {
				t.Errorf("no %q in:\n%s", test.text, out.String())
			}
		})
	}
}

func TestRunIn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"c.txt": "CHECK: a\n", "in.txt": "a\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var msg bytes.Buffer
	if status := RunIn(dir, []string{"c.txt", "--input-file=in.txt"}, nil, &msg, &msg); status != 0 {
		t.Errorf("status %d: %s", status, msg.String())
	}
}

func TestCheckReturnsMatches(t *testing.T) {
	matches, err := Check(source{"c", []byte("CHECK: a\nCHECK-DAG: c\nCHECK-DAG: b\n")}, []byte("a\nb c\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Match{{"CHECK", 1, 1, 1, "a"}, {"CHECK-DAG", 2, 2, 3, "c"}, {"CHECK-DAG", 3, 2, 1, "b"}}
	if len(matches) != len(want) {
		t.Fatalf("got %v", matches)
	}
	for i := range want {
		if matches[i] != want[i] {
			t.Errorf("got %v, want %v", matches[i], want[i])
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, cases := range allCases {
		for i, c := range cases {
			f.Add(c.check, c.input, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, check, input string, flags uint8) {
		if len(check) > 2000 || len(input) > 2000 {
			return
		}
		_, err := Check(source{"check", []byte(check)}, []byte(input), Options{
			MatchFullLines: flags&1 != 0, StrictWhitespace: flags&2 != 0, EnableVarScope: flags&4 != 0,
			AllowEmpty: flags&8 != 0, AllowDagOverlap: flags&16 != 0, IgnoreCase: flags&32 != 0,
		})
		if err != nil && err.Error() == "" {
			t.Error("failed without a message")
		}
	})
}

// TestCountOfEmptyMatchesEnds checks that a large count of empty matches ends quickly.
// LLVM's tool counts for minutes, so this case is not in the tables.
func TestCountOfEmptyMatchesEnds(t *testing.T) {
	_, err := Check(source{"c", []byte("CHECK-COUNT-2147483647: {{x*}}\n")}, []byte("a\n"), Options{})
	if err != nil {
		t.Error(err)
	}
}
