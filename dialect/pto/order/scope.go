// This file models the order of accesses inside a vector function.

package order

import "strings"

// AccessClass is a class of accesses in a vecscope, as mem_bar distinguishes them.
type AccessClass uint8

// The classes.
const (
	VectorLoad AccessClass = iota
	VectorStore
	ScalarLoad
	ScalarStore
	numClasses
)

// Seen is the number of completed accesses of each class in a vecscope.
type Seen [numClasses]uint32

// Join adds everything that o knows.
func (s *Seen) Join(o Seen) {
	for i, n := range o {
		s[i] = max(s[i], n)
	}
}

// Scope orders the accesses in one execution of a vecscope. They are ordered only by
// registers that one access writes and another reads, by barriers, and transitively.
// Scalar accesses are in order among each other.
type Scope struct {
	// n is the number of accesses so far.
	n Seen
	// behind is the state that is complete when the next access of each class starts.
	behind [numClasses]Seen
	// known is what was complete when all accesses of the class so far started.
	known [numClasses]Seen
}

// Reset starts a new execution of a vecscope.
func (s *Scope) Reset() { *s = Scope{} }

// Count returns the number of accesses of a class so far.
func (s *Scope) Count(c AccessClass) uint32 { return s.n[c] }

// Step counts an access of class c and returns its number, from 1. start is what was
// complete when the accesses that produced its registers started, and carried are these
// accesses themselves. The result Seen is what is complete when the access starts. It
// does not include carried, because carried contains single accesses and not all earlier
// ones.
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

// BarrierSides returns the classes that a mem_bar, such as VST_VLD or VS_ALL, waits for,
// and those that wait for it.
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

// BarrierFor returns the weakest barrier that makes accesses of class after wait for
// those of class before.
func BarrierFor(before, after AccessClass) string {
	names := [numClasses]string{"VLD", "VST", "LD", "ST"}
	return names[before] + "_" + names[after]
}
