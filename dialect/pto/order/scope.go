// This file models the order of accesses inside a vector function.

package order

import "strings"

// AccessClass says which accesses a mem_bar of a vecscope means.
type AccessClass uint8

// The classes: vector loads and stores, scalar loads and stores.
const (
	VectorLoad AccessClass = iota
	VectorStore
	ScalarLoad
	ScalarStore
	numClasses
)

// Seen is how many accesses of each class of a scope are over.
type Seen [numClasses]uint32

// Join makes what o knows known, too.
func (s *Seen) Join(o Seen) {
	for i, n := range o {
		s[i] = max(s[i], n)
	}
}

// Scope orders the accesses of one entry of a vecscope: only registers that go
// from one to the other and barriers do, and what follows from both. Scalar
// accesses are in order among themselves.
type Scope struct {
	n      Seen             // accesses so far
	behind [numClasses]Seen // what accesses of each class start after
	known  [numClasses]Seen // what all accesses of the class so far start after
}

// Reset makes the scope an entry of its own.
func (s *Scope) Reset() { *s = Scope{} }

// Count returns how many accesses of a class there were.
func (s *Scope) Count(c AccessClass) uint32 { return s.n[c] }

// Step counts an access. Its registers come from others, so it starts after
// start, what these started after, and after carried, them. It returns the
// number of the access, from 1, and what it starts after in all, but for
// carried: those are single accesses, and not all before them.
func (s *Scope) Step(c AccessClass, start, carried Seen) (uint32, Seen) {
	start.Join(s.behind[c])
	if c == ScalarLoad || c == ScalarStore {
		start[ScalarLoad], start[ScalarStore] = s.n[ScalarLoad], s.n[ScalarStore]
	}
	s.n[c]++
	s.known[c].Join(start)
	s.known[c].Join(carried)
	return s.n[c], start
}

// classesOf are the classes that the sides of barrier kinds mean.
var classesOf = map[string][]AccessClass{
	"VLD": {VectorLoad}, "VST": {VectorStore}, "LD": {ScalarLoad}, "ST": {ScalarStore},
	"V": {VectorLoad, VectorStore}, "S": {ScalarLoad, ScalarStore},
}

// BarrierSides splits the kind of a mem_bar, as in VST_VLD or VS_ALL, into the
// classes that come before and those that wait.
func BarrierSides(kind string) (before, after []AccessClass) {
	a, b, _ := strings.Cut(kind, "_")
	if b == "ALL" && len(a) == 2 {
		return classesOf[a[:1]], classesOf[a[1:]]
	}
	return classesOf[a], classesOf[b]
}

// Barrier is a mem_bar.
func (s *Scope) Barrier(kind string) {
	before, after := BarrierSides(kind)
	var over Seen
	for _, c := range before {
		over[c] = max(over[c], s.n[c])
		over.Join(s.known[c])
	}
	for _, c := range after {
		s.behind[c].Join(over)
	}
}

// BarrierFor returns the weakest barrier that makes accesses of class after wait
// for those of class before.
func BarrierFor(before, after AccessClass) string {
	names := [numClasses]string{"VLD", "VST", "LD", "ST"}
	return names[before] + "_" + names[after]
}
