package npuheaders

import (
	"testing"

	"ptogo/tools/cpptest"
)

// TestExamples runs the kernels of examples and of the tutorial, on each target that they
// name, or on all if they name none.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	cases, err := cpptest.Examples("../..", "examples/*.pto", "examples/level2/*.pto", "examples/tutorial/*.pto", "examples/cores/*.pto")
	if err != nil {
		t.Fatal(err)
	}
	Check(t, cases)
}
