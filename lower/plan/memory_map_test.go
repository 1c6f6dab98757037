package plan

import (
	"math/rand/v2"
	"testing"
)

// TestPeak compares the largest number of bytes in use with a count of the bytes at each
// point, for random tiles that may share addresses.
func TestPeak(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		points := 1 + r.IntN(12)
		var s SpaceMap
		for range r.IntN(8) {
			from := r.IntN(points)
			s.Tiles = append(s.Tiles, TileLife{Addr: int64(r.IntN(20)), Size: int64(r.IntN(8)), From: from, To: from + r.IntN(points-from)})
		}
		s.measure(points)
		most, mostAt := int64(0), 0
		for at := range points {
			used := map[int64]bool{}
			for _, l := range s.Tiles {
				for b := l.Addr; l.live(at) && b < l.Addr+l.Size; b++ {
					used[b] = true
				}
			}
			if n := int64(len(used)); n > most {
				most, mostAt = n, at
			}
		}
		if s.Peak != most || s.PeakAt != mostAt {
			t.Fatalf("seed %d: peak %d at %d, but %d bytes are in use at %d: %+v", seed, s.Peak, s.PeakAt, most, mostAt, s.Tiles)
		}
	}
}
