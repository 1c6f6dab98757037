// Package dialect_test tests the dialects that MLIR has as well: what they read,
// print, reject and fold. All stand in one test program, since each program of its
// own would link the whole of ir, which takes longer than its tests.
package dialect_test

import (
	"path/filepath"
	"strings"
	"testing"

	"ptogo/tools/mlirtest"

	_ "ptogo/dialect/all"
)

// TestSamples prints and reads again the samples that stand beside each dialect,
// and asks mlir-opt whether it takes them for the same.
func TestSamples(t *testing.T) {
	for _, name := range []string{"arith", "builtin", "cf", "fn", "llvm", "math", "memref", "scf"} {
		t.Run(name, func(t *testing.T) {
			mlirtest.Samples(t, filepath.Join(name, "testdata"), strings.Replace(name, "fn", "func", 1))
		})
	}
}
