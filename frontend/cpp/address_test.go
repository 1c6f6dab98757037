package cpp

import (
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
)

// TestAddress reads kernels that compute with addresses of global memory. A sum with one
// address becomes a pointer. A kernel that uses the number otherwise is not read.
func TestAddress(t *testing.T) {
	program, diags := readFile(t, "testdata/address.cpp", Options{Target: sem.A3})
	expectLines(t, program, map[string][]string{
		"remote": {"pto.castptr %data : !pto.ptr<f32> -> !pto.ptr<ui8>", "%cm1_i64 : i64", "pto.addptr %data_as", "pto.tload", "valid_col = %"},
	})
	var told strings.Builder
	for _, d := range diags.All() {
		told.WriteString(d.Text + "\n")
	}
	for _, kernel := range []string{"shown", "two"} {
		if strings.Contains(program, "@"+kernel+"(") {
			t.Errorf("kernel %s must not be read:\n%s", kernel, program)
		}
		if !strings.Contains(told.String(), "kernel '"+kernel+"' cannot be read: the address of global memory is used as a number") {
			t.Errorf("no warning about kernel %s:\n%s", kernel, told.String())
		}
	}
}
