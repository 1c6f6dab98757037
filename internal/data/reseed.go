package data

import (
	"ptogo/ir"
	"ptogo/runtime"
)

// Random reports whether the elements of an argument are random floats.
func (a *Arg) Random() bool {
	return a.Seeded && a.Array != nil && !ir.Is[ir.IntegerType](a.Array.Elem)
}

// Reseed replaces the elements of all random float arguments by those of other seeds, for
// the repetition of a run with the given number. fresh are copies of the arguments, which
// Reseed changes. Arguments with equal seeds have equal seeds again.
func Reseed(args []*Arg, run int, fresh []runtime.Arg) {
	const apart = 1_000_003 // more than users number seeds
	for i, a := range args {
		if a.Random() {
			array := *a.Array
			array.Data = fresh[i].Buf.Data[:len(a.Array.Data)]
			array.Randomize(a.Seed + apart*uint64(run+1))
		}
	}
}
