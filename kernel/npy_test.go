package kernel

import (
	"bytes"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestNpyShape compares what a header says with what the file holds, also
// where the number of elements does not fit 64 bits.
func TestNpyShape(t *testing.T) {
	for shape, want := range map[string]string{
		"0":                                     "",
		"2147483647, 2147483647, 2147483647, 0": "",
		"3":                                     "the file has 0 elements, but its shape requires 3",
		"1073741824, 1073741824, 16":            "requires more than any file can have",
		"1073741824, 1073741824, 8":             "requires more than any file can have",
		"4294967296":                            "expected a shape such as (32, 64)",
	} {
		file := Zeros(ir.I8, 0).Npy()
		file = bytes.Replace(file, []byte("(0,)"), []byte("("+shape+",)"), 1)
		size := len(file) - 10 // of the header, which has grown
		file[8], file[9] = byte(size), byte(size>>8)
		_, err := ReadNpy(file)
		switch {
		case want == "" && err != nil:
			t.Errorf("(%s): %v", shape, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("(%s): got %v, want %q", shape, err, want)
		}
	}
}
