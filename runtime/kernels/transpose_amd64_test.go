package kernels

import (
	"bytes"
	"testing"
)

func TestTranspose(t *testing.T) {
	const lines, n, gap = 29, 48, 5
	a := make([]byte, lines*(n+gap))
	for i := range a {
		a[i] = byte(i * 37)
	}
	for _, level := range Levels() {
		for _, size := range []int{2, 4} {
			across := (lines + 3) * size
			d, want := make([]byte, n/size*across), make([]byte, n/size*across)
			done := Transpose(level, d, a, size, across, n+gap, lines, n)
			if level > None && done != 24 {
				t.Errorf("%s: only %d lines", level, done)
			}
			for l := range done {
				for i := range n / size {
					copy(want[i*across+l*size:][:size], a[l*(n+gap)+i*size:])
				}
			}
			if !bytes.Equal(d, want) {
				t.Errorf("%s: words of %d bytes are not transposed", level, size)
			}
		}
	}
}
