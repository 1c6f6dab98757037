package kernels

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestCopyBlocks copies blocks of several sizes with the instructions of each level, and
// compares every byte of the destination with a copy that moves one byte at a time.
func TestCopyBlocks(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{1, 16, 32, 48, 64, 96, 128} {
		for _, s := range [][2]int{{1, 1}, {1, 5}, {7, 1}, {16, 4}, {3, 9}, {0, 4}, {4, 0}} {
			rows, cols := s[0], s[1]
			packed, spread := Grid{Down: cols * size, Across: size}, Grid{Down: size + 3, Across: (rows+1)*(size+3) + 5}
			for _, back := range []bool{false, true} {
				to, from := packed, spread
				if back {
					to, from = spread, packed
				}
				fill := func(g *Grid) {
					g.Data = make([]byte, 1+rows*g.Down+cols*g.Across+size)[1:] // not aligned
					random.Read(g.Data)
				}
				fill(&to)
				fill(&from)
				want := bytes.Clone(to.Data)
				for r := range rows {
					for c := range cols {
						for i := range size {
							want[r*to.Down+c*to.Across+i] = from.Data[r*from.Down+c*from.Across+i]
						}
					}
				}
				start := bytes.Clone(to.Data)
				for _, level := range Levels() {
					copy(to.Data, start)
					CopyBlocks(level, to, from, rows, cols, size)
					if !bytes.Equal(to.Data, want) {
						t.Fatal(fmt.Sprint(size, s, back, level), "copied other bytes")
					}
				}
			}
		}
	}
}
