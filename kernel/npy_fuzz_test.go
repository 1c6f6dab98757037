package kernel

import (
	"bytes"
	"testing"

	"ptogo/ir"
)

// FuzzReadNpy reads anything as a .npy file. An array that is read has as many bytes
// as its shape has elements, and the file that it is written to holds the same array.
func FuzzReadNpy(f *testing.F) {
	for _, a := range []*Array{ArrayOf([]float32{1, -2, 0.5}, 3), ArrayOf([]int8{1, 2, 3, 4}, 2, 2), Zeros(ir.I8, 0)} {
		file := a.Npy()
		f.Add(file)
		f.Add(file[:len(file)-1])
		f.Add(file[:40])
		for _, change := range [][2]string{
			{"False", "True"}, {"<f4", ">f4"}, {"<f4", "|O"}, {"<f4", "<c16"}, {"(3,)", "()"}, {"(3,)", "(4294967296,)"}, {"(2, 2,)", "(1073741824, 1073741824, 16)"},
			{"\x93NUMPY\x01", "\x93NUMPY\x02"}, {"\x93NUMPY\x01", "\x93NUMPY\xff"}, {"{'descr'", "{'shape'"},
		} {
			f.Add(bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadNpy(data)
		if err != nil {
			return
		}
		size, n := a.Size()
		if want, ok := product(a.Shape); !ok || int64(n) != want || size*n != len(a.Data) {
			t.Fatalf("shape %v of %d bytes each, but %d bytes", a.Shape, size, len(a.Data))
		}
		if len(a.Shape) > 1000 {
			return // the header of a file that Npy writes has at most 64 KiB
		}
		back, err := ReadNpy(a.Npy())
		if err != nil || !bytes.Equal(back.Data, a.Data) {
			t.Fatalf("array of shape %v and type %s is not read back: %v", a.Shape, a.Elem, err)
		}
	})
}
