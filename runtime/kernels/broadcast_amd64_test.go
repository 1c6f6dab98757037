package kernels

import (
	"slices"
	"testing"
)

// TestBroadcast fills lines of every length at every level, and checks that what
// lies between them stays.
func TestBroadcast(t *testing.T) {
	const pitch, lines, most = 150, 5, 24
	a := make([]byte, most*lines)
	for i := range a {
		a[i] = byte(i + 1)
	}
	for _, level := range Levels() {
		for _, size := range []int{1, 2, 4, 8} {
			for n := range pitch {
				step := []int{size, 12, most}[n%3] // bytes between elements
				d, want := make([]byte, lines*pitch), make([]byte, lines*pitch)
				done := Broadcast(level, d, a, size, step, pitch, n, lines)
				if level != None && (n-done >= 64 || n >= 32 && done == 0) || done > n {
					t.Fatalf("%s does %d of %d bytes", level, done, n)
				}
				for line := range lines {
					for i := range done {
						want[line*pitch+i] = a[line*step+i%size]
					}
				}
				if !slices.Equal(d, want) {
					t.Fatalf("%s differs for lines of %d bytes of %d", level, n, size)
				}
			}
		}
	}
}
