// This file defines tables that follow only the definedness of bytes.

package expr

// A table of NewDefinedness has two expressions instead of one for each computation: an
// expression is Defined if it was computed from defined bytes only, and Garbage if it was
// computed from at least one undefined byte.
var (
	// Defined is the hash of every expression that does not depend on undefined bytes, and
	// Garbage the hash of every other expression.
	Defined = named("defined")
	Garbage = named("garbage")
)

// garbageToken is the token of bytes that were computed from undefined bytes.
const garbageToken Token = 1 << 3

// NewDefinedness returns a table for a run that follows only the definedness of bytes.
func NewDefinedness() *Table {
	t := New(Modulo{}, 0)
	t.definedness, t.next = true, 2
	return t
}

// definedBy returns the hash of an expression that is computed from args.
func definedBy(args ...Hash) Hash {
	for _, a := range args {
		if a == Garbage {
			return Garbage
		}
	}
	return Defined
}
