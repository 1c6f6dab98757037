package ll_test

import (
	"regexp"
	"testing"

	"ptogo/codegen/ll"
	"ptogo/codegen/llvmtest"
)

// TestElementaryFunctionsAreVectorized checks that LLVM vectorizes a loop that computes
// exponentials, which consist of plain arithmetic.
func TestElementaryFunctionsAreVectorized(t *testing.T) {
	b := ll.NewBench(false)
	b.Exp("exp")
	out := llvmtest.Optimize(t, b.Text())
	if !regexp.MustCompile(`call <\d+ x double> @llvm\.fma`).MatchString(out) {
		t.Errorf("no vectors in\n%s", out)
	}
}
