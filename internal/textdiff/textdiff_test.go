package textdiff_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/textdiff"
)

func ExampleUnified() {
	fmt.Print(textdiff.Unified("a/k.pto", "b/k.pto", "one\ntwo\nthree\n", "one\n2\nthree\n"))
	// Output:
	// --- a/k.pto
	// +++ b/k.pto
	// @@ -1,3 +1,3 @@
	//  one
	// -two
	// +2
	//  three
}

// patch, an independent reader of the form, makes b of a.
func TestPatchAppliesUnified(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("patch is missing")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var a, b strings.Builder
		for n := range r.IntN(60) {
			line := fmt.Sprintf("line %d\n", n)
			if r.IntN(8) > 0 {
				a.WriteString(line)
			}
			if r.IntN(8) > 0 {
				b.WriteString(line)
			}
		}
		if i%3 == 0 {
			b.WriteString("no newline")
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "file")
		if err := os.WriteFile(file, []byte(a.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		diff := textdiff.Unified("file", "file", a.String(), b.String())
		if diff == "" {
			continue
		}
		cmd := exec.Command(patch, "-s", file)
		cmd.Stdin = strings.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%s", err, out, diff)
		}
		got, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) { // patch removes a file that becomes empty
			t.Fatal(err)
		}
		if string(got) != b.String() {
			t.Errorf("patched %q, want %q\n%s", got, b.String(), diff)
		}
	}
}
