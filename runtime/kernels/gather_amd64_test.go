package kernels

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestGathers takes elements of every size by numbers of every size at every
// level, with one number too large anywhere, and at the greatest numbers.
func TestGathers(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	const n = 77
	for _, level := range Levels() {
		for _, size := range []int{1, 2, 4, 8} {
			for _, number := range []int{1, 2, 4, 8} {
				p := GathersOf(size, number, level)
				if known := level > None && size < 8 && (number == 2 || number == 4); known != (p.run != nil) {
					t.Fatalf("%s: a loop for %d by %d bytes is there: %t", level, size, number, !known)
				}
				if p.run == nil {
					if done := p.Run(make([]byte, n*size), make([]byte, size), make([]byte, n*number)); done != 0 {
						t.Fatalf("does %d elements without a loop", done)
					}
					continue
				}
				for _, all := range []int{1, 100, 1 << 16, 70000} {
					for bad := range n + 1 {
						testPicks(t, r, p, all, n, bad)
					}
				}
			}
		}
	}
}

// testPicks takes n elements among so many; number bad, if there is one, is too
// large, unless none of its size is.
func testPicks(t *testing.T, r *rand.Rand, p Gathers, all, n, bad int) {
	t.Helper()
	a, at := make([]byte, all*p.size), make([]byte, n*p.number)
	for i := range a {
		a[i] = byte(i*37 + i>>8)
	}
	most := min(all, 1<<(8*p.number))
	d, want := make([]byte, n*p.size), make([]byte, n*p.size)
	number := func(i int) (x int) {
		for k := range p.number {
			x |= int(at[i*p.number+k]) << (8 * k)
		}
		return x
	}
	for i := range n {
		x := []int{r.IntN(most), most - 1}[r.IntN(2)]
		if i == bad {
			x = []int{most, -1}[r.IntN(2)]
		}
		for k := range p.number {
			at[i*p.number+k] = byte(x >> (8 * k))
		}
	}
	done, per := p.Run(d, a, at), 32/p.number
	expect := n / per * per
	if bad < n && number(bad) >= all {
		expect = min(expect, bad/per*per)
	}
	if done != expect {
		t.Fatalf("does %d elements of %d, want %d", done, n, expect)
	}
	for i := range done {
		copy(want[i*p.size:(i+1)*p.size], a[number(i)*p.size:])
	}
	if !bytes.Equal(d, want) {
		t.Fatalf("elements of %d bytes by %d bytes are wrong", p.size, p.number)
	}
}

// Elements that would be written over numbers or over others are left to the
// caller.
func TestGathersOverOperands(t *testing.T) {
	b, other := make([]byte, 256), make([]byte, 256)
	for _, level := range Levels() {
		p := GathersOf(4, 4, level)
		for _, at := range []int{0, 4, 60} {
			d, in := b[at:64+at], b[:64]
			if p.Run(d, other, in) != 0 || p.Run(in, other, d) != 0 || p.Run(d, in, other) != 0 || p.Run(in, d, other) != 0 {
				t.Errorf("%s: writes over what is %d bytes away", level, at)
			}
		}
	}
}
