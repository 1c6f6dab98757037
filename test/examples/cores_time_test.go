package examples

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// cyclesText matches the predicted cycles of a kernel in the output of --timing.
var cyclesText = regexp.MustCompile(`\(([\d,]+) cycles\)`)

// cycles runs pto-run with --timing and returns the predicted cycles of the kernel.
func cycles(t *testing.T, args ...string) int {
	t.Helper()
	var out bytes.Buffer
	if code := cli.Run(append(args, "--timing"), strings.NewReader(""), &out, &out); code != 0 {
		t.Fatal(out.String())
	}
	m := cyclesText.FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no cycles in\n%s", out.String())
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSplitTime compares the predicted time of attention, written as one function and
// split, with that of the kernel that is written by hand for each core. A fortieth more is
// allowed: the split kernel sorts the rows that it pushes into boxes by a move of its own.
func TestSplitTime(t *testing.T) {
	t.Chdir(root)
	split := filepath.Join(t.TempDir(), "attention.pto")
	code := cli.Opt([]string{"--pto-arch=a5", "--pto-split-cores", "--pto-bufferize", "--pto-plan-memory", "--pto-fuse-tiles", "--pto-insert-sync",
		"examples/cores/attention.pto", "-o", split}, strings.NewReader(""), io.Discard, io.Discard)
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	args := []string{"--blocks", "2", "--arg", "rand=64x32xf16,seed=1", "--arg", "rand=128x32xf16,seed=2", "--arg", "rand=128x32xf16,seed=3", "--arg", "zeros=64x32xf32"}
	own := cycles(t, append([]string{split, "--pto-arch=a5", "--kernel", "attention_cube,attention_vector"}, args...)...)
	byHand := cycles(t, append([]string{"examples/mixed_attention.pto"}, args...)...)
	t.Logf("%d cycles, by hand %d", own, byHand)
	if own > byHand+byHand/40 {
		t.Errorf("the split kernel needs %d cycles, but the kernel by hand %d", own, byHand)
	}
}
