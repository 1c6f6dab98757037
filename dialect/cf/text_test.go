package cf_test

import (
	"testing"

	"ptogo/internal/mlirtest"

	_ "ptogo/dialect/arith"
	_ "ptogo/dialect/cf"
	_ "ptogo/dialect/scf"
)

func TestSamples(t *testing.T) { mlirtest.Samples(t, "testdata", "cf") }
