package ir

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// TestInternTogether creates equal types on many goroutines and checks that they are
// identical.
func TestInternTogether(t *testing.T) {
	const n = 500
	var made [4][n]Type
	var wg sync.WaitGroup
	for g := range made {
		wg.Go(func() {
			for i := range made[g] {
				made[g][i] = TypeOf(OpaqueType{"together", fmt.Sprint(i)})
			}
		})
	}
	wg.Wait()
	for i := range n {
		for g := range made {
			if made[g][i] != made[0][i] {
				t.Fatalf("two types for %v", made[0][i])
			}
		}
		if i > 0 && made[0][i] == made[0][i-1] {
			t.Fatalf("%v and %v are one type", made[0][i], made[0][i-1])
		}
	}
}

// TestInternInterface interns a value through an interface, so that its type is known
// only at run time.
func TestInternInterface(t *testing.T) {
	buf := []byte("text that changes")
	var d AttrData = StringAttr{S: string(buf)}
	a := AttrOf(StringAttr{S: "text that changes"})
	if AttrOf(d) != a {
		t.Error("two attributes for one text")
	}
}

// TestInternCollected checks that garbage collections free interned values without
// references, and keep those that are in use.
func TestInternCollected(t *testing.T) {
	var table internTable[TypeData]
	collected := func(body string) *interned[TypeData] {
		d := OpaqueType{"collected", body}
		return intern(&table, hashData(d), func(known TypeData) bool { return known == d }, func() TypeData { return d })
	}
	const n = 10_000
	kept := collected("0")
	for i := 1; i < n; i++ {
		collected(fmt.Sprint(i))
	}
	for range 4 {
		runtime.GC()
		table.age()
	}
	if left := table.size(); left > 2*internBlock {
		t.Errorf("%d of %d values are left", left, n)
	}
	if collected("0") != kept {
		t.Error("a value in use was made again")
	}
	again := collected("17")
	if again != collected("17") || again.data != (OpaqueType{"collected", "17"}) {
		t.Error("what was forgotten cannot be made again")
	}
}

func (t *internTable[D]) size() (n int) {
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		n += s.used
		s.mu.Unlock()
	}
	return n
}
