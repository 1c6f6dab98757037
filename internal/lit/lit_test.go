package lit

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testTools are the tools that the following tests use.
var testTools = map[string]Tool{
	"upper": func(args, _ []string, stdin io.Reader, stdout, _ io.Writer) int {
		text, _ := io.ReadAll(stdin)
		fmt.Fprint(stdout, strings.ToUpper(string(text)))
		return 0
	},
	"fails": func(args, _ []string, _ io.Reader, stdout, stderr io.Writer) int {
		fmt.Fprintln(stdout, "some output")
		fmt.Fprintln(stderr, "some error")
		return 3
	},
	"crashes": func([]string, []string, io.Reader, io.Writer, io.Writer) int { panic("on purpose") },
	"hangs":   func([]string, []string, io.Reader, io.Writer, io.Writer) int { select {} },
	"showenv": func(args, env []string, _ io.Reader, stdout, _ io.Writer) int {
		for _, name := range args {
			fmt.Fprintf(stdout, "%s=%s\n", name, Getenv(env, name))
		}
		return 0
	},
	"showargs": func(args, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		fmt.Fprintf(stdout, "%q\n", args)
		return 0
	},
}

// runText runs a test with the given text.
func runText(t *testing.T, cfg Config, text string) Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.txt")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if cfg.Tools == nil {
		cfg.Tools = testTools
	}
	return RunFile(cfg, path)
}

func TestStatus(t *testing.T) {
	features := map[string]bool{"yes": true, "also": true, "no": false}
	tests := []struct {
		name, text string
		want       Status
		output     string // part of it
	}{
		{"pass", "RUN: true\n", Pass, "RUN: at line 1: true"},
		{"fail", "RUN: false\n", Fail, "$ false\n# exit status 1"},
		{"second line fails", "// RUN: true\n// RUN: false\n", Fail, "RUN: at line 2"},
		{"no run line", "nothing\n", Unresolved, "the test must have a RUN line"},
		{"only empty run lines", "RUN:\n", Unresolved, "the test must have a RUN line with a command"},
		{"requires", "REQUIRES: yes\nRUN: true\n", Pass, ""},
		{"requires missing", "REQUIRES: yes, no\nRUN: false\n", Unsupported, "missing: no"},
		{"requires expression", "REQUIRES: (no || yes) && !other\nRUN: true\n", Pass, ""},
		{"requires regex", "REQUIRES: {{y.s}}\nRUN: true\n", Pass, ""},
		{"requires regex inside a name", "REQUIRES: y{{e+}}s\nRUN: true\n", Pass, ""},
		{"requires regex missing", "REQUIRES: {{n.*}}\nRUN: true\n", Unsupported, "missing: {{n.*}}"},
		{"requires nonsense", "REQUIRES: &&\nRUN: true\n", Unresolved, "expected a feature"},
		{"requires unbalanced", "REQUIRES: (yes\nRUN: true\n", Unresolved, "missing )"},
		{"unsupported", "UNSUPPORTED: yes\nRUN: false\n", Unsupported, "unsupported with: yes"},
		{"unsupported elsewhere", "UNSUPPORTED: no\nRUN: true\n", Pass, ""},
		{"tail of a word is no keyword", "CHECK-UNSUPPORTED: yes\nRUN: true\n", Pass, ""},
		{"xfail", "XFAIL: *\nRUN: false\n", XFail, ""},
		{"xpass", "XFAIL: yes\nRUN: true\n", XPass, ""},
		{"xfail elsewhere", "XFAIL: no\nRUN: true\n", Pass, ""},
		{"xfail any of a list", "XFAIL: no, yes\nRUN: false\n", XFail, ""},
		{"end", "RUN: true\nEND.\nRUN: false\n", Pass, ""},
		{"continuation", "RUN: true && \\\nRUN: false\n", Fail, ""},
		{"continuation without end", "RUN: true \\\n", Unresolved, "requires another line"},
		{"continuation by another keyword", "RUN: true \\\nDEFINE: %{x} = y\n", Unresolved, "; expected"},
		{"carriage return", "RUN: true\r\n", Pass, ""},
		{"no such command", "RUN: no-such-command\n", Fail, "command not found: no-such-command"},
		{"no such command under not", "RUN: not no-such-command\n", Fail, "command not found"},
		{"no such command before or", "RUN: no-such-command || true\n", Fail, "command not found"},
		{"syntax error", "RUN: true |\n", Unresolved, "unexpected end of line"},
		{"unknown substitution", "RUN: echo %{nope}\n", Unresolved, "unknown substitution %{nope}"},
		{"tool fails", "RUN: fails\n", Fail, "# stdout:\nsome output\n# stderr:\nsome error\n# exit status 3"},
		{"tool crashes", "RUN: crashes\n", Fail, "crashes: panic: on purpose"},
		{"not accepts failure", "RUN: not fails\n", Pass, ""},
		{"not rejects success", "RUN: not true\n", Fail, ""},
		{"not rejects a crash", "RUN: not crashes\n", Fail, "crashes crashed"},
		{"not --crash accepts a crash", "RUN: not --crash crashes\n", Pass, ""},
		{"not --crash rejects failure", "RUN: not --crash fails\n", Fail, "did not crash"},
		{"not not", "RUN: not not true\n", Pass, ""},
		{"not env", "RUN: not env A=b fails\n", Pass, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := runText(t, Config{Features: features}, test.text)
			if r.Status != test.want || !strings.Contains(r.Output, test.output) {
				t.Errorf("%v, want %v with %q in:\n%s", r.Status, test.want, test.output, r.Output)
			}
		})
	}
}

// TestShell runs command lines that write to %out, and compares this file with the
// expected text.
func TestShell(t *testing.T) {
	tests := []struct{ name, run, want string }{
		{"words", `showargs a  "b c" 'd "e' f\ g ""`, `["a" "b c" "d \"e" "f g" ""]`},
		{"adjacent quotes", `showargs a"b"'c'd`, `["abcd"]`},
		{"escapes in double quotes", `showargs "a\"b\\c\d"`, `["a\"b\\c\\d"]`},
		{"operators in quotes", `showargs "a|b" 'c;d' e\&f`, `["a|b" "c;d" "e&f"]`},
		{"variable", `export X=1 && showargs $X ${X}a "$X" '$X' \$X $UNSET_HERE a$`, `["1" "1a" "1" "$X" "$X" "$UNSET_HERE" "a$"]`},
		{"assignment for one command", `X=1 showenv X; showenv X`, "X=1\nX="},
		{"assignment stays", `X=1; showenv X`, "X=1"},
		{"env", `env X=1 -u Y showenv X Y`, "X=1\nY="},
		{"pipe", `echo abc | upper | cat`, "ABC"},
		{"pipe of standard error", `fails 2>&1 | sort`, ""},
		{"order of redirections", `(fails 2>&1 1>/dev/null || true) | upper`, "SOME ERROR"},
		{"both to a file", `fails &> both || cat both`, "some output\nsome error"},
		{"both through a pipe", `(fails |& cat) || true`, "some output\nsome error"},
		{"output to standard error", `(echo x 1>&2) 2>&1`, "x"},
		{"append", `echo a > f; echo b >> f; cat < f`, "a\nb"},
		{"input", `echo a > f; upper < f`, "A"},
		{"and", `true && echo a && false && echo b || echo c`, "a\nc"},
		{"or", `false || echo a || echo b`, "a"},
		{"negation", `! false && echo a`, "a"},
		{"semicolon", `false; echo a;`, "a"},
		{"group", `{ echo a; echo b; } | sort -r`, "b\na"},
		{"subshell keeps its variables", `(X=1; showenv X); showenv X`, "X=1\nX="},
		{"subshell keeps its directory", `mkdir d; (cd d && touch f); test -f d/f && echo yes`, "yes"},
		{"failure inside a group", `(false || true) && echo a`, "a"},
		{"cd", `mkdir -p d/e && cd d/e && echo x > f && cd ../.. && cat d/e/f`, "x"},
		{"directory of a tool", `mkdir d && cd d && showenv PWD | sed 's|.*/||'`, "d"},
		{"glob", `touch b.x a.x c.y && showargs *.x ?.y '*.x' z*`, `["a.x" "b.x" "c.y" "*.x" "z*"]`},
		{"glob next to quotes", `touch a.x && showargs "a"*`, `["a.x"]`},
		{"brace words are ordinary inside", `showargs { }`, `["{" "}"]`},
		{"equal sign later on is no assignment", `showargs a=b`, `["a=b"]`},
		{"number before a word is no descriptor", `echo a2 > f; cat f`, "a2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := strings.TrimSuffix(test.want, "\n")
			if test.name == "pipe of standard error" {
				// The pipeline fails, and the output went through.
				r := runText(t, Config{}, "RUN: "+test.run+"\n")
				if r.Status != Fail || !strings.Contains(r.Output, "some error\nsome output") {
					t.Errorf("%v:\n%s", r.Status, r.Output)
				}
				return
			}
			var got string
			tools := map[string]Tool{"compare": func(_, _ []string, stdin io.Reader, _, _ io.Writer) int {
				text, _ := io.ReadAll(stdin)
				got = strings.TrimSuffix(string(text), "\n")
				return 0
			}}
			for name, tool := range testTools {
				tools[name] = tool
			}
			r := runText(t, Config{Tools: tools}, "RUN: { "+strings.TrimSuffix(test.run, ";")+"; } > %t; compare < %t\n")
			if r.Status != Pass || got != want {
				t.Errorf("%v, got %q, want %q\n%s", r.Status, got, want, r.Output)
			}
		})
	}
}

func TestPipelineFailsWithAnyStage(t *testing.T) {
	for run, want := range map[string]Status{
		"fails | cat": Fail, "echo a | fails": Fail, "echo a | cat": Pass,
		"not fails | cat": Pass, "! fails | cat": Pass, "(fails || true) | cat": Pass,
	} {
		if r := runText(t, Config{}, "RUN: "+run+"\n"); r.Status != want {
			t.Errorf("%s: %v, want %v\n%s", run, r.Status, want, r.Output)
		}
	}
}

func TestUnsupportedSyntax(t *testing.T) {
	for run, want := range map[string]string{
		"cat << EOF": "here document", "cat <<< a": "here string", "true & true": "background command",
		"echo $(true)": "command substitution", "echo `true`": "command substitution",
		"echo a 5> f": "file descriptor 5", "echo 'a": "missing closing '", `echo "a`: `missing closing "`,
		"(true": "missing )", "{ true": "missing }", "true )": "unexpected )", "echo a >": "requires a target",
		"| true": "unexpected |", "cat <& 3": "not supported", `echo a \`: "requires another line",
		strings.Repeat("(", 60) + "true" + strings.Repeat(")", 60): "too deeply",
	} {
		r := runText(t, Config{}, "RUN: "+run+"\n")
		if !r.Status.Failed() || !strings.Contains(r.Output, want) {
			t.Errorf("%s: %v, want a failure with %q in:\n%s", run, r.Status, want, r.Output)
		}
	}
}

func TestTimeout(t *testing.T) {
	r := runText(t, Config{Timeout: 20 * time.Millisecond}, "RUN: not hangs || true\nRUN: true\n")
	if r.Status != Fail || !strings.Contains(r.Output, "took longer than 20ms") {
		t.Errorf("%v:\n%s", r.Status, r.Output)
	}
}

// TestUntil checks runUntil with a tool whose output changes with each run.
func TestUntil(t *testing.T) {
	runs := 0
	cfg := Config{Tools: map[string]Tool{"again": func(args, env []string, in io.Reader, out, err io.Writer) int {
		runs++
		fmt.Fprintf(out, "run %d\n", runs)
		return runs
	}}}
	r := runText(t, cfg, "RUN: until 'run 3' not again > %t\nRUN: until 'run 4' not again | cat %t -\n")
	if r.Status != Pass || runs != 4 {
		t.Errorf("%v after %d runs:\n%s", r.Status, runs, r.Output)
	}
}

func TestPrograms(t *testing.T) {
	sh := "/bin/sh"
	if _, err := os.Stat(sh); err != nil {
		t.Skip("no /bin/sh to run as an external program")
	}
	cfg := Config{Programs: map[string]string{"shell": sh}}
	for _, test := range []struct {
		run    string
		want   Status
		output string
	}{
		{`echo abc | shell -c 'cat; exit 0' | grep abc`, Pass, ""},
		{`shell -c 'exit 7'`, Fail, "# exit status 7"},
		{`not shell -c 'exit 7'`, Pass, ""},
		{`not shell -c 'kill -9 $$'`, Fail, "crashed"},
		{`not --crash shell -c 'kill -9 $$'`, Pass, ""},
		{`mkdir d && cd d && shell -c 'pwd' | grep '/d$'`, Pass, ""},
		{`X=5 shell -c 'echo $X' | grep 5`, Pass, ""},
		{`shell -c 'echo a; echo b >&2' > all 2>&1 && grep -c '' all | grep 2`, Pass, ""},
		{`/bin/sh -c true`, Fail, "command not found: /bin/sh"},
	} {
		if r := runText(t, cfg, "RUN: "+test.run+"\n"); r.Status != test.want || !strings.Contains(r.Output, test.output) {
			t.Errorf("%s: %v, want %v with %q in:\n%s", test.run, r.Status, test.want, test.output, r.Output)
		}
	}
	cfg = Config{UsePath: true}
	for _, run := range []string{"/bin/sh -c true", "sh -c true", "env PATH=/bin sh -c true"} {
		if r := runText(t, cfg, "RUN: "+run+"\n"); r.Status != Pass {
			t.Errorf("%s: %v\n%s", run, r.Status, r.Output)
		}
	}
	if r := runText(t, cfg, "RUN: env PATH=/nowhere sh -c true\n"); r.Status != Fail {
		t.Errorf("found a program outside PATH:\n%s", r.Output)
	}
}

func TestSubstitutions(t *testing.T) {
	dir := t.TempDir()
	cfg := &Config{
		Features:      map[string]bool{"yes": true},
		Substitutions: map[string]string{"%tool": "a-tool --flag", "%{nested}": "<%tool>", "%loop": "%loop"},
	}
	s := newSubstitutions(cfg, "/src/sub/name.pto", dir)
	for text, want := range map[string]string{
		"%s":                                   "/src/sub/name.pto",
		"%S/x %p":                              "/src/sub/x /src/sub",
		"%t.out":                               dir + "/name.pto.tmp.out",
		"%T":                                   dir,
		"%basename_t":                          "name.pto",
		"%%s %%%%":                             "%s %%",
		"100% %0 %arg":                         "100% %0 %arg",
		"%tool x":                              "a-tool --flag x",
		"%{nested}":                            "<a-tool --flag>",
		"%{s:stem}.x":                          "/src/sub/name.x",
		"%if yes %{a %s%} b":                   "a /src/sub/name.pto b",
		"%if no %{a%} b":                       " b",
		"%if no %{a%} %else %{c%} b":           "c b",
		"%if yes %{%if no %{a%} %else %{b%}%}": "b",
		"%if yes && !no %{ a %}":               "a",
	} {
		got, err := s.apply(text)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"%loop": "in a cycle", "%{nope}": "unknown substitution", "%if yes a": "after %if",
		"%if yes %{a": "expected %} after %{", "%if ! %{a%}": "expected a feature",
	} {
		if got, err := s.apply(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v, want an error with %q", text, got, err, want)
		}
	}
}

func TestDefine(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Status
		output     string
	}{
		{"define", "DEFINE: %{a} = x\nRUN: echo %{a} | grep x\n", Pass, ""},
		{"redefine", "DEFINE: %{a} =\nDEFINE: %{c} = echo [%{a}]\nREDEFINE: %{a} = y z\nRUN: %{c}\n", Pass, "$ echo '[y' 'z]'"},
		{"continuation", "DEFINE: %{a} = x \\\nDEFINE:     y\nRUN: echo '%{a}'\n", Pass, "$ echo 'x y'"},
		{"define twice", "DEFINE: %{a} = x\nDEFINE: %{a} = y\nRUN: true\n", Unresolved, "already defined"},
		{"redefine nothing", "REDEFINE: %{a} = x\nRUN: true\n", Unresolved, "is not defined"},
		{"values that grow without end", growing(40), Unresolved, "in a cycle"},
		{"bad name", "DEFINE: a = x\nRUN: true\n", Unresolved, "needs %{name} = value"},
		{"line number", "\nRUN: echo %(line) %(line+2) \\\nRUN: %(line-1)\n", Pass, "$ echo 2 4 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runText(t, Config{}, test.text)
			if r.Status != test.want || !strings.Contains(r.Output, test.output) {
				t.Errorf("%v, want %v with %q in:\n%s", r.Status, test.want, test.output, r.Output)
			}
		})
	}
}

// growing returns n definitions, each of which refers to the previous one twice, so that
// the last value is exponentially long.
func growing(n int) string {
	var b strings.Builder
	b.WriteString("DEFINE: %{v0} = x\n")
	for i := range n {
		fmt.Fprintf(&b, "DEFINE: %%{v%d} = %%{v%d}%%{v%d}\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "RUN: echo %%{v%d}\n", n)
	return b.String()
}

func TestDiscover(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b.pto", "a/c.test", "a/d.txt", "a/Inputs/e.pto", ".hidden/f.pto"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Discover(root, ".pto", ".test")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(root, "a/c.test"), filepath.Join(root, "b.pto")}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", found, want)
	}
	if found, err := Discover(root, ".mlir"); err == nil {
		t.Errorf("an empty suite is no error: %v", found)
	}
	if _, err := Discover(filepath.Join(root, "nowhere"), ".pto"); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

func TestTempDirIsRemoved(t *testing.T) {
	temp := t.TempDir()
	if r := runText(t, Config{TempDir: temp}, "RUN: echo a > %t && test -f %t && touch b\n"); r.Status != Pass {
		t.Fatal(r.Output)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestMissingFile(t *testing.T) {
	if r := RunFile(Config{}, filepath.Join(t.TempDir(), "nope")); r.Status != Unresolved {
		t.Errorf("got %v", r.Status)
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{"a | b && (c; d) > e 2>&1", `x="$y" '{' "`, "{ a; } |& b", "! not a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		n, err := parseCommand(line)
		if err == nil && n == nil && strings.Trim(line, " \t\n") != "" {
			t.Errorf("%q vanished", line)
		}
	})
}

func FuzzScript(f *testing.F) {
	f.Add("RUN: a \\\nRUN: b\nREQUIRES: a && !{{b}}\nDEFINE: %{x} = %if a %{y%}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseScript(text)
		if err != nil {
			return
		}
		_, _ = s.selectTest(map[string]bool{"a": true})
		subst := newSubstitutions(&Config{}, "/x", "/y")
		for _, d := range s.steps {
			if d.keyword == "RUN:" {
				_, _ = subst.apply(d.text)
			} else {
				_ = subst.define(d)
			}
		}
	})
}
