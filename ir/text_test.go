package ir_test

import (
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/tools/mlirtest"
)

// TestSamples parses and prints samples of the whole grammar. If mlir-opt is installed,
// it must parse them as the same programs.
func TestSamples(t *testing.T) { mlirtest.Samples(t, "testdata") }
