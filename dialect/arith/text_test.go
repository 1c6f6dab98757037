package arith_test

import (
	"testing"

	"ptogo/internal/mlirtest"

	_ "ptogo/dialect/arith"
)

func TestSamples(t *testing.T) { mlirtest.Samples(t, "testdata", "arith") }
