// This file defines what the proof asks about the memory of a program.

package syncproof

import (
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/term"
)

// Memory determines which bytes the instructions of one core access. The proof tells it
// the current values of integers when it creates the Memory (see Input).
type Memory interface {
	// Accesses returns the accesses of op with the current values, in the order of the
	// steps of op if several pipes execute it.
	Accesses(op *ir.Op) []Touch
	// Places returns the memory to which v refers now.
	Places(v *ir.Value) Places
	// Bind makes v refer to p. Bind(v, nil) makes v refer to what its definition
	// determines.
	Bind(v *ir.Value, p Places)
	// Anywhere returns places that include all of the objects in which p is.
	Anywhere(p Places) Places
}

// Places is the memory to which a value refers, as a Memory represents it.
type Places interface {
	// Key identifies the places: places with equal keys are the same bytes.
	Key() string
	// Terms are the terms on which the places depend.
	Terms() []term.Term
	// Union returns places that include these and those of the other value.
	Union(Places) Places
	// Minus returns the constant distance from the other places to these. ok is false if it
	// is not constant.
	Minus(Places) (d Distance, ok bool)
	// Plus returns the places k times the distance d further.
	Plus(d Distance, k term.Term) Places
}

// Distance is a number of bytes between places.
type Distance int64

// Touch is an access of an instruction to memory.
type Touch struct {
	Op *ir.Op
	// Line is the pipe of the access.
	Line  order.Line
	Write bool
	// Atomic accesses add to memory. Two of them need no order.
	Atomic bool
	// Source means that later accesses wait for this one, but that the access itself never
	// waits. Frees means the opposite.
	Source, Frees bool
	Space         sem.Space
	// Root is the object from whose start From counts. A nil root is the memory space
	// itself.
	Root *ir.Value
	// Vectors is the set of vector cores whose unified buffer a cube core accesses.
	Vectors uint
	// From is the first byte. If it is not known, the access may be anywhere in the object.
	From term.Linear
	// Size is the number of bytes up to the last one that the access may touch. 0 means
	// that it is not known.
	Size int64
	// An access with a width touches only runs of this many bytes, Pitch bytes apart.
	Width, Pitch int64
	// View reports that the access is to a view whose different indices refer to different
	// bytes, if they are less than its extents. Base is the start of the view and ViewTerms are
	// its strides: views that agree in them refer to the same bytes with the same indices. Dims
	// are the ranges of indices that the access touches.
	View      bool
	Base      term.Linear
	ViewTerms []term.Term
	Dims      []Extent
}

// Extent is a range of indices of a dimension of a view, whose extent is Of. A Size that is
// not known is unlimited.
type Extent struct{ From, Size, Of term.Linear }

// anywhere reports whether the access may touch any byte of its space.
func (t *Touch) anywhere() bool { return t.Root == nil && !t.From.Known() }

// conflicts reports whether two accesses would need an order if they touched a common
// byte.
func (t *Touch) conflicts(o *Touch) bool {
	return t.Space == o.Space && (t.Write || o.Write) && !(t.Atomic && o.Atomic) &&
		(t.Root == o.Root || t.anywhere() || o.anywhere())
}
