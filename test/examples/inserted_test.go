package examples

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// TestInserted lets pto-insert-sync order the examples, taking out what they
// have themselves, with one buffer per tile and with rings. The checkers are
// silent then, random orders of the pipes change nothing, and results are those
// of the example, bit by bit.
func TestInserted(t *testing.T) {
	t.Chdir(root)
	files, err := filepath.Glob("examples/*.pto")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files, %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("pto.sync.wait")) {
			continue // has a protocol between cores that is its own
		}
		for _, buffers := range []string{"no-rings", "pto-multi-buffer"} {
			t.Run(filepath.Base(file)+"/"+buffers, func(t *testing.T) {
				for _, c := range commandsIn(t, file) {
					ordered := inserted(t, file, c, buffers == "pto-multi-buffer")
					want := outputs(t, c, file)
					for _, with := range []string{"--check=race,sync", "--schedule=random:20"} {
						for i, got := range outputs(t, c+" "+with, ordered) {
							if !bytes.Equal(got, want[i]) {
								t.Errorf("output %d of %s %s differs where synchronization is inserted", i, c, with)
							}
						}
					}
				}
			})
		}
	}
}

// inserted is an example with inserted synchronization, for the profile that a
// command runs it on.
func inserted(t *testing.T, file, command string, rings bool) string {
	t.Helper()
	ordered := filepath.Join(t.TempDir(), filepath.Base(file))
	args := []string{file, "--pto-bufferize"}
	if rings {
		args = append(args, "--pto-multi-buffer")
	}
	args = append(args, "--pto-plan-memory", "--pto-insert-sync=force=true", "-o", ordered)
	run(t, cli.Opt, append(args, archOf(command)...)...)
	return ordered
}

// archOf returns the options of a command that choose the profile.
func archOf(command string) []string {
	var args []string
	for _, word := range strings.Fields(command) {
		if strings.HasPrefix(word, "--pto-arch=") {
			args = append(args, word)
		}
	}
	return args
}
