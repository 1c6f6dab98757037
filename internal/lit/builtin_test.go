package lit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// builtinFiles are the files in the working directory of the commands below.
var builtinFiles = map[string]string{
	"abc":   "alpha\nbeta\ngamma\n",
	"abd":   "alpha\nbeta\ndelta\n",
	"blank": "alpha\nbeta  \n gamma\n",
	"tail":  "no newline",
	"num":   "10\n9\n9\n100\n",
	"sub/x": "x\n",
	"a b":   "(a+b) [c] a.b\n",
	"bytes": "caf\xc3\xa9 \xff\n",
	"empty": "",
}

// builtinCases lists command lines with their expected output and whether they fail. If
// bash is installed, the test compares its behaviour too.
var builtinCases = []struct {
	line  string
	want  string
	fails bool
	ours  bool // output differs from the common tools on purpose
}{
	{line: `echo a  b`, want: "a b\n"},
	{line: `echo -n a`, want: "a"},
	{line: `echo 'a\tb'`, want: "a\\tb\n"},
	{line: `echo -x`, want: "-x\n"},
	{line: `cat abc tail`, want: "alpha\nbeta\ngamma\nno newline"},
	{line: `cat < abc`, want: "alpha\nbeta\ngamma\n"},
	{line: `echo x | cat abc -`, want: "alpha\nbeta\ngamma\nx\n"},
	{line: `cat nope`, fails: true},
	{line: `cat bytes`, want: "caf\xc3\xa9 \xff\n"},
	{line: `echo 'a\tb' | sed 's/a/A/' | sort`, want: "A\\tb\n"},
	{line: `cat abc | count 3`, ours: true},
	{line: `cat abc | count 2`, fails: true, ours: true},

	{line: `until gam cat abc | cat`, want: "alpha\nbeta\ngamma\n", ours: true},
	{line: `until nope cat nope`, fails: true, ours: true},
	{line: `until text`, fails: true, ours: true},

	{line: `test -f abc && test -d sub && test -e sub/x && test -s abc && test ! -s empty && echo yes`, want: "yes\n"},
	{line: `test -f nope`, fails: true},
	{line: `[ a = a ] && [ a != b ] && [ -n a ] && [ -z '' ] && [ a ] && [ ! '' ] && echo yes`, want: "yes\n"},
	{line: `[ 9 -lt 10 ] && [ 9 -le 9 ] && [ 9 -ge 9 ] && [ 10 -gt 9 ] && [ 09 -eq 9 ] && [ 1 -ne 2 ] && echo yes`, want: "yes\n"},
	{line: `[ 10 -lt 9 ]`, fails: true},
	{line: `[ a = b ]`, fails: true},
	{line: `[ a -eq b ]`, fails: true},
	{line: `test`, fails: true},

	{line: `rm abc && test ! -e abc`},
	{line: `rm nope`, fails: true},
	{line: `rm -f nope`},
	{line: `rm sub`, fails: true},
	{line: `rm -rf sub && test ! -e sub`},
	{line: `mkdir d && mkdir -p d d/e/f && test -d d/e/f`},
	{line: `mkdir sub`, fails: true},
	{line: `mkdir d/e`, fails: true},
	{line: `cmp abc abc`},
	{line: `cmp -s abc abd`, fails: true},
	{line: `diff abc abc`},
	{line: `diff -q abc abd`, want: "Files abc and abd differ\n", fails: true},
	{line: `diff -b abc blank`, fails: true, ours: true, want: "--- abc\n+++ blank\n@@ -1,3 +1,3 @@\n alpha\n-beta\n-gamma\n+beta  \n+ gamma\n"},
	{line: `diff -w abc blank`},
	{line: `diff -u abc abd`, fails: true, ours: true, want: "--- abc\n+++ abd\n@@ -1,3 +1,3 @@\n alpha\n beta\n-gamma\n+delta\n"},
	{line: `diff abc nope`, fails: true},
	{line: `cat abc | diff - abc`},
	{line: `mkdir s2 && cat sub/x > s2/x && diff -r sub s2`},
	{line: `mkdir s2 && cat sub/x > s2/x && echo > s2/y && diff -r sub s2`, want: "Only in s2: y\n", fails: true},
}

// builtinDir returns a temporary directory with builtinFiles.
func builtinDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range builtinFiles {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBuiltins(t *testing.T) {
	for _, test := range builtinCases {
		t.Run(test.line, func(t *testing.T) {
			dir := builtinDir(t)
			n, err := parseCommand(test.line)
			if err != nil {
				t.Fatal(err)
			}
			r := &run{cfg: &Config{}, ctx: t.Context()}
			var out bytes.Buffer
			status := (&shell{run: r, dir: dir, env: []string{"PATH=" + os.Getenv("PATH")}}).exec(n, streams{out: &out})
			if r.err != nil {
				t.Fatal(r.err)
			}
			if out.String() != test.want || (status != 0) != test.fails {
				t.Errorf("status %d, got %q, want %q\n%s", status, out.String(), test.want, r.log.String())
			}
		})
	}
}

// TestBuiltinsAgainstBash checks the expected outputs with the standard tools of the
// system.
func TestBuiltinsAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash not found on PATH")
	}
	for _, test := range builtinCases {
		if test.ours {
			continue
		}
		cmd := exec.Command(bash, "-c", "set -o pipefail; "+test.line)
		cmd.Dir = builtinDir(t)
		cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
		out, err := cmd.Output()
		if string(out) != test.want || (err != nil) != test.fails {
			t.Errorf("%s: %v, got %q, want %q", test.line, err, out, test.want)
		}
	}
}

func TestSplitFile(t *testing.T) {
	text := "lead\n//--- a.txt\nA1\nA2\n//--- sub/b.txt\nB\n#--- c\n\nlast"
	for _, test := range []struct {
		name, text string
		leading    bool
		want       map[string]string
		err        string
	}{
		{"parts", text, false, map[string]string{"a.txt": "A1\nA2\n", "sub/b.txt": "B\n", "c": "\nlast"}, ""},
		{"leading lines", text, true, map[string]string{"a.txt": "\n\nA1\nA2\n", "sub/b.txt": "\n\n\n\n\nB\n", "c": strings.Repeat("\n", 8) + "last"}, ""},
		{"carriage returns", "//--- a\r\nx\r\n", false, map[string]string{"a": "x\r\n"}, ""},
		{"no parts", "text\n--- a\n// --- b\n", false, nil, "no part separator was found"},
		{"twice", "//--- a\n//--- a\n", false, nil, `part "a" occurs more than once`},
		{"no name", "//--- \n", false, nil, "empty part name"},
		{"space around the name", "//---  a\n", false, nil, "leading or trailing space"},
		{"outside the directory", "//--- ../a\n", false, nil, "must be a path inside the output directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			parts, err := splitParts(test.text, test.leading)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil || len(parts) != len(test.want) {
				t.Fatalf("%v, %d parts", err, len(parts))
			}
			for _, p := range parts {
				if got := p.text.String(); got != test.want[p.name] {
					t.Errorf("%s: got %q, want %q", p.name, got, test.want[p.name])
				}
			}
		})
	}
	if r := runText(t, Config{}, "RUN: echo x > %t && split-file %s %t && cat %t/a | grep '^A$' && test -f %t/d/b\n//--- a\nA\n//--- d/b\nB\n"); r.Status != Pass {
		t.Error(r.Output)
	}
}
