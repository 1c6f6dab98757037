package run

import (
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestTimingWorkers predicts blocks that run side by side as it does those that run one after the other.
func TestTimingWorkers(t *testing.T) {
	t.Chdir("../../..")
	predict := func(more ...string) string {
		args := append([]string{"tools/timingcheck/kernels/gemm.pto", "--blocks=4", "--timing",
			"--arg=zeros=512x512xf16", "--arg=zeros=512x512xf16", "--arg=zeros=512x512xf32", "--arg=512", "--arg=512", "--arg=512", "--arg=256", "--arg=256"}, more...)
		code, stdout, stderr := runKernel(args...)
		if code != exit.OK || !strings.Contains(stdout, "predicted") {
			t.Fatalf("%v: exit code %d:\n%s", more, code, stderr)
		}
		return stdout
	}
	one := predict()
	for _, more := range [][]string{{"--workers=4"}, {"--skip-arithmetic"}, {"--skip-arithmetic", "--workers=1"}} {
		if other := predict(more...); other != one {
			t.Errorf("%v gives\n%sinstead of\n%s", more, other, one)
		}
	}
}
