package examples

import (
	"os"
	"path/filepath"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/tools/corpus"
)

// FuzzExecute takes any text through the whole house: whatever it says, it
// gets a result or a message. The seeds are our own kernels.
func FuzzExecute(f *testing.F) {
	for _, pattern := range []string{"../../examples/*.pto", "../../test/lit/run/*.pto", "../../test/lit/codegen/*.pto"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, p := range corpus.Split(name, string(text)) {
				f.Add(p.Text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, _ := corpus.Read(text, sem.A5); m != nil {
			if why := corpus.Execute(m, sem.A5); why != "" {
				t.Error(why)
			}
		}
	})
}
