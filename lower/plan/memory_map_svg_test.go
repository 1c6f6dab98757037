package plan

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestLabels places the names of random tiles: none lies on another one, outside of
// the panel, or beside its own tile on that of another name.
func TestLabels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const points, top = 100, svgTop
	named := 0
	for range 200 {
		s := SpaceMap{Capacity: 1 << 16, Top: 1 << 16}
		for i := range 1 + rnd.IntN(30) {
			from, size := rnd.IntN(points), int64(1)<<(5+rnd.IntN(11))
			s.Tiles = append(s.Tiles, TileLife{
				Name: fmt.Sprintf("%%tile_%0*d", 1+rnd.IntN(12), i), Addr: rnd.Int64N(1<<16 - size + 1), Size: size,
				From: from, To: min(from+rnd.IntN(30), points-1),
			})
		}
		boxes := s.boxes(points, top)
		labels := s.labels(boxes, top)
		named += len(labels)
		of := map[string]rect{}
		for i, tile := range s.Tiles {
			of[tile.Name] = boxes[i]
		}
		for i, a := range labels {
			if !a.inside(rect{svgLeft, top, svgWidth, svgHeight}) {
				t.Errorf("%s lies outside: %+v", a.text, a.rect)
			}
			for name, box := range of {
				if a.meets(box) && name != a.text && !a.inside(of[a.text]) {
					t.Errorf("%s lies on %s: %+v, %+v", a.text, name, a.rect, box)
				}
			}
			for _, b := range labels[:i] {
				if a.meets(b.rect) {
					t.Errorf("%s and %s lie on each other: %+v, %+v", a.text, b.text, a.rect, b.rect)
				}
			}
		}
	}
	if named == 0 {
		t.Error("no tile has a name")
	}
}
