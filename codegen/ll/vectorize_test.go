package ll_test

import (
	"regexp"
	"testing"

	"ptogo/codegen/ll"
	"ptogo/codegen/llvmtest"
)

// An exponential is plain arithmetic, so it is vectorized as well.
func TestElementaryFunctionsAreVectorized(t *testing.T) {
	b := ll.NewBench(false)
	b.Exp("exp")
	out := llvmtest.Optimize(t, b.Text())
	if !regexp.MustCompile(`call <\d+ x double> @llvm\.fma`).MatchString(out) {
		t.Errorf("no vectors in\n%s", out)
	}
}
