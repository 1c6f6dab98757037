package examples

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// coresFiles are the functions for both kinds of cores that pto-split-cores can split.
func coresFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("examples/cores/*.pto")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files, %v", err)
	}
	return files
}

// onArch is the first command of an example for another target.
func onArch(t *testing.T, file, arch string) string {
	t.Helper()
	words := strings.Fields(commandsIn(t, file)[0])
	kept := words[:0]
	for _, w := range words {
		if !strings.HasPrefix(w, "--pto-arch=") {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ") + " --pto-arch=" + arch
}

// launched is the command of a whole function for the two functions that were made of
// it. On A2 and A3 the last argument is memory for the slots of queues.
func launched(command, file, arch string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".pto")
	command += fmt.Sprintf(" --kernel %s_cube,%s_vector", name, name)
	if arch == "a3" {
		command += " --arg ones=65536xf32"
	}
	return command
}

// TestSplitExamples splits the examples for both kinds of cores, on A3 and on A5: the two
// functions compute what the whole function does, bit by bit, on both engines; the
// checkers report nothing, also on random schedules.
func TestSplitExamples(t *testing.T) {
	t.Chdir(root)
	for _, file := range coresFiles(t) {
		for _, arch := range []string{"a3", "a5"} {
			t.Run(filepath.Base(file)+"/"+arch, func(t *testing.T) {
				whole := onArch(t, file, arch)
				command := launched(whole, file, arch)
				want := outputs(t, whole, file)
				for _, passes := range [][]string{{"--pto-split-cores"}, {"--pto-split-cores=slots=1"}, {"--pto-split-cores=slots=3", "--pto-pipeline-cores=stages=3"}} {
					split := filepath.Join(t.TempDir(), filepath.Base(file))
					run(t, cli.Opt, append(passes, "--pto-arch="+arch, "--enable-insert-sync", file, "-o", split)...)
					for _, more := range []string{"", " --engine=llvm", " --check=all --schedule=random:20"} {
						if got := outputs(t, command+more, split); !bytes.Equal(got[0], want[0]) {
							t.Errorf("%v%s computes something else", passes, more)
						}
					}
				}
			})
		}
	}
}

// syncUnit is what one line of synchronization has in common with the others of its unit.
var syncUnit = regexp.MustCompile(`pto\.(?:(?:set|wait)_flag(\[.*\])|(?:set|wait)_intra_block (.*)|sync\.(?:set|wait) (.*)|(barrier .*))`)

// TestSplitUnits takes each unit of inserted synchronization out of the split examples:
// the checkers report a hazard without it.
func TestSplitUnits(t *testing.T) {
	t.Chdir(root)
	for _, file := range coresFiles(t) {
		for _, arch := range []string{"a3", "a5"} {
			t.Run(filepath.Base(file)+"/"+arch, func(t *testing.T) {
				command := launched(onArch(t, file, arch), file, arch)
				split := filepath.Join(t.TempDir(), filepath.Base(file))
				run(t, cli.Opt, "--pto-split-cores", "--pto-arch="+arch, "--enable-insert-sync", file, "-o", split)
				text, err := os.ReadFile(split)
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.SplitAfter(string(text), "\n")
				units := map[string][]int{}
				for i, line := range lines {
					core := strings.Contains(strings.Join(lines[:i], ""), "_vector(")
					if m := syncUnit.FindString(line); m != "" {
						key := fmt.Sprint(core, regexp.MustCompile(`(set|wait)_`).ReplaceAllString(m, ""))
						if strings.HasPrefix(m, "pto.barrier") {
							key = fmt.Sprint(i)
						}
						units[key] = append(units[key], i)
					}
				}
				var silent []string
				for key, at := range units {
					less := append([]string(nil), lines...)
					for _, i := range at {
						less[i] = ""
					}
					if err := os.WriteFile(split, []byte(strings.Join(less, "")), 0o644); err != nil {
						t.Fatal(err)
					}
					args := strings.Fields(command)[1:]
					args[0] = split
					if cli.Run(append(args, "--check=race,sync"), strings.NewReader(""), io.Discard, io.Discard) == 0 {
						silent = append(silent, key)
					}
				}
				t.Logf("%d units, %d of them needed", len(units), len(units)-len(silent))
				if len(silent) > 0 {
					t.Errorf("nothing is reported without %q", silent)
				}
			})
		}
	}
}
