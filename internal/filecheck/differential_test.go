package filecheck

import (
	"os/exec"
	"strings"
	"testing"

	"ptogo/tools/outside"
)

// llvmNames lists possible names of LLVM's tool. Its messages differ between versions,
// but its exit status rarely does. The cases were written with version 19.
var llvmNames = []string{"FileCheck-19", "FileCheck"}

// findLLVM returns the path of LLVM's tool, or skips the test.
func findLLVM(t *testing.T) string {
	t.Helper()
	for _, name := range llvmNames {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("LLVM's FileCheck not found; looked for %s on PATH", strings.Join(llvmNames, ", "))
	return ""
}

// runLLVM runs the test case with LLVM's tool, and returns the exit status and the
// messages.
func runLLVM(t *testing.T, tool string, c testCase) (int, string) {
	t.Helper()
	a, err := outside.Ask(outside.Question{
		Tool: tool, Args: append(append([]string{"--dump-input=never"}, c.args...), "check.txt"),
		Stdin: c.input, Files: map[string]string{"check.txt": c.check},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a.Status, a.Stdout + a.Stderr
}

// TestCasesAgainstLLVM checks the expected results of the test cases with LLVM's tool.
func TestCasesAgainstLLVM(t *testing.T) {
	tool := findLLVM(t)
	for group, cases := range allCases {
		for _, c := range cases {
			status, out := runLLVM(t, tool, c)
			if (status == c.want) == c.ours {
				t.Errorf("%s/%s: LLVM ends with %d, the table says %d (ours alone: %v)\n%s", group, c.name, status, c.want, c.ours, out)
			}
		}
	}
}

// TestGeneratedAgainstLLVM compares our exit status with that of LLVM's tool on generated
// cases.
func TestGeneratedAgainstLLVM(t *testing.T) {
	tool := findLLVM(t)
	const shards, perShard = 8, 125
	var verdicts [shards][3]int
	t.Run("shards", func(t *testing.T) {
		for shard := range shards {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for i := range perShard {
					c := generate(uint64(shard*perShard + i))
					theirs, theirOut := runLLVM(t, tool, c)
					ours, ourOut := runOurs(t, dir, c)
					if ours != theirs {
						t.Errorf("%s: ours ends with %d, LLVM's with %d\nargs: %q\ncheck:\n%sinput:\n%s\nours:\n%sLLVM's:\n%s",
							c.name, ours, theirs, c.args, c.check, c.input, ourOut, theirOut)
					}
					if theirs >= 0 && theirs < 3 {
						verdicts[shard][theirs]++
					}
				}
			})
		}
	})
	var total [3]int
	for _, v := range verdicts {
		for i, n := range v {
			total[i] += n
		}
	}
	t.Logf("%d cases match, %d do not, %d are faulty", total[0], total[1], total[2])
	// A generator that makes only one kind of case would prove nothing.
	for i, atLeast := range []int{200, 200, 20} {
		if total[i] < atLeast {
			t.Errorf("only %d cases end with status %d, want at least %d", total[i], i, atLeast)
		}
	}
}
