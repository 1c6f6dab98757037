// This file models the order of accesses inside a vector function.

package order

import "strings"

// AccessClass is a class of memory accesses in a vecscope: vector or scalar, load or
// store. Instruction mem_bar orders accesses by class.
type AccessClass uint8

// The classes of memory accesses in a vecscope: loads and stores by the vector unit and
// by the scalar unit.
const (
	VectorLoad AccessClass = iota
	VectorStore
	ScalarLoad
	ScalarStore
	numClasses
)

// Seen holds, for each class of memory accesses in a vecscope, how many accesses are
// known to be complete.
type Seen [numClasses]uint32

// Join adds to s the accesses that are complete according to o.
func (s *Seen) Join(o Seen) {
	for i, n := range o {
		s[i] = max(s[i], n)
	}
}

// Scope determines which memory accesses are ordered in one execution of a vecscope, a
// sequence of vector instructions. Two accesses are ordered if a barrier is between them,
// or if the second one uses a register that the first one writes. A chain of such orders
// orders accesses, too. Scalar accesses are always ordered among each other.
type Scope struct {
	// n is the number of accesses of each class so far.
	n Seen
	// behind holds, for each class of memory accesses (vector or scalar, load or store),
	// the accesses that are complete when the next access of this class starts.
	behind [numClasses]Seen
	// known holds, for each class of memory accesses (vector or scalar, load or store),
	// the accesses that were complete at the start of every access of this class so far.
	known [numClasses]Seen
}

// Reset starts a new execution of a vecscope.
func (s *Scope) Reset() { *s = Scope{} }

// Step counts an access of class c in a vector function. It returns the number of the
// access, counted from 1. It also returns the accesses that are known to be complete when
// this access starts, as a Seen. A Seen contains, for each class, the number n of an
// access; all accesses 1 to n of the class belong to it.
//
// The registers that the access uses were set by other accesses, its producers. The
// parameter start contains the accesses that were complete when the producers started.
// carried contains the producers themselves. They are complete, too, but the returned
// Seen does not contain them: a producer with number n may be complete while earlier
// accesses are not, and a Seen cannot express that.
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

// classesOf maps the words in the kind of a mem_bar, such as VST in VST_VLD, to classes
// of accesses.
var classesOf = map[string][]AccessClass{
	"VLD": {VectorLoad}, "VST": {VectorStore}, "LD": {ScalarLoad}, "ST": {ScalarStore},
	"V": {VectorLoad, VectorStore}, "S": {ScalarLoad, ScalarStore},
}

// BarrierSides decodes the kind of a mem_bar, such as VST_VLD or VS_ALL. The results are
// two lists of access classes. Accesses of the second list that follow the barrier wait
// for accesses of the first list that precede it.
func BarrierSides(kind string) (before, after []AccessClass) {
	a, b, _ := strings.Cut(kind, "_")
	if b == "ALL" && len(a) == 2 {
		return classesOf[a[:1]], classesOf[a[1:]]
	}
	return classesOf[a], classesOf[b]
}

// Barrier records the execution of mem_bar, an instruction that orders memory accesses in
// a vecscope. The kind, such as VST_VLD, determines which earlier accesses it orders
// before which later accesses.
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

// BarrierFor returns the kind of the weakest mem_bar that orders two classes of accesses:
// later accesses of the second class (the parameter after) wait for earlier accesses of
// the first class (the parameter before).
func BarrierFor(before, after AccessClass) string {
	names := [numClasses]string{"VLD", "VST", "LD", "ST"}
	return names[before] + "_" + names[after]
}
