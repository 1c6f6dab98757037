package order

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestGroups compares clocks with groups to clocks without them, on random operations.
// Every group has three cores with at most nine instructions of each timeline.
func TestGroups(t *testing.T) {
	const groups, size, most = 5, 3, 9
	of := make([]int32, groups*size)
	for i := range of {
		of[i] = int32(i / size)
	}
	g := NewGroups(of, groups)
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		var with, plain [4]Clock
		for range 30 {
			i, k := rng.IntN(4), rng.IntN(4)
			switch rng.IntN(5) {
			case 0:
				group := int32(rng.IntN(groups))
				with[i].AddGroup(g, group)
				for core := group * size; core < (group+1)*size; core++ {
					for l := range NumLines {
						plain[i].Add(Epoch{core, l, most})
					}
				}
			case 1, 2:
				e := Epoch{int32(rng.IntN(len(of))), Line(rng.IntN(int(NumLines))), uint32(1 + rng.IntN(most))}
				with[i].Add(e)
				plain[i].Add(e)
			case 3:
				with[i].Join(&with[k])
				plain[i].Join(&plain[k])
			case 4:
				with[i].Set(&with[k])
				plain[i].Set(&plain[k])
			}
		}
		for i := range with {
			for core := range int32(len(of)) {
				for l := range NumLines {
					for n := uint32(1); n <= most; n++ {
						if e := (Epoch{core, l, n}); with[i].Has(e) != plain[i].Has(e) {
							t.Fatalf("round %d, clock %d: %+v is %v, want %v", round, i, e, with[i].Has(e), plain[i].Has(e))
						}
					}
				}
			}
		}
	}
}

// TestEndedSets compares sets of groups to sets of numbers, on random unions. Half of the
// unions add groups that follow the last one, as the tasks of a graph do.
func TestEndedSets(t *testing.T) {
	const groups = 700
	g := NewGroups(make([]int32, groups), groups)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var c Clock
		want := map[int32]bool{}
		other, others := Clock{}, map[int32]bool{}
		next := int32(0)
		for range rng.IntN(900) {
			group := rng.Int32N(groups)
			if rng.IntN(4) > 0 {
				group, next = next%groups, next+1
			}
			if rng.IntN(3) == 0 {
				other.AddGroup(g, group)
				others[group] = true
			} else {
				c.AddGroup(g, group)
				want[group] = true
			}
		}
		held := true
		for group := range others {
			held = held && want[group]
		}
		if got := c.ended.contains(other.ended); got != held {
			t.Fatalf("contains is %v, want %v", got, held)
		}
		c.Join(&other)
		maps.Copy(want, others)
		got := map[int32]bool{}
		c.ended.each(func(group int32) { got[group] = true })
		if !maps.Equal(got, want) {
			t.Fatalf("the set has %d groups, want %d", len(got), len(want))
		}
		for group := range int32(groups) {
			if c.ended.hasGroup(group) != want[group] {
				t.Fatalf("hasGroup(%d) is %v", group, !want[group])
			}
		}
		if s := c.ended; s != nil && s.full > 0 && len(s.bits) > (groups+63)/64-s.full {
			t.Fatalf("%d full words and %d more", s.full, len(s.bits))
		}
	}
}

// TestWordGroups compares what waits for words promise with and without groups.
func TestWordGroups(t *testing.T) {
	const groups, most = 4, 5
	of := []int32{0, 1, 2, 3}
	g := NewGroups(of, groups)
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 2000 {
		with, plain := NewWord(0), NewWord(0)
		n := 1 + rng.IntN(4)
		for i := range n {
			var a, b Clock
			for group := range int32(groups) {
				switch rng.IntN(3) {
				case 0:
					a.AddGroup(g, group)
					for l := range NumLines {
						b.Add(Epoch{group, l, most})
					}
				case 1:
					e := Epoch{group, MTE2, uint32(1 + rng.IntN(most))}
					a.Add(e)
					b.Add(e)
				}
			}
			e := Epoch{int32(100 + i), Issue, 1}
			a.Add(e)
			b.Add(e)
			with.Change(e, 1, true, &a)
			plain.Change(e, 1, true, &b)
		}
		want := int64(1 + rng.IntN(n))
		var none, a, b Clock
		fulfils := func(v int64) bool { return v >= want }
		with.Promised(&none, fulfils, &a)
		plain.Promised(&none, fulfils, &b)
		for core := range int32(groups) {
			for l := range NumLines {
				for k := uint32(1); k <= most; k++ {
					if e := (Epoch{core, l, k}); a.Has(e) != b.Has(e) {
						t.Fatalf("round %d: %+v is %v, want %v", round, e, a.Has(e), b.Has(e))
					}
				}
			}
		}
	}
}
