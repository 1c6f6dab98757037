package ir_test

import (
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/tools/mlirtest"
)

// The samples hold what the grammar allows; mlir-opt, where it is installed,
// takes them for the same as we do.
func TestSamples(t *testing.T) { mlirtest.Samples(t, "testdata") }
