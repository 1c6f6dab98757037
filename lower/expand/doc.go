// Package expand replaces tile instructions of A5 by loops of vector instructions.
// Pass is the pass; start with pass.go.
//
// An expansion is derived from the meaning of the instruction. The package has one
// routine for each kind of meaning, in the file of its name. A routine describes the
// operands and emits what one vector register computes; the rest is shared:
//
//	vector_of.go  the vector instruction that computes a function
//	operand.go    where the elements of a tile are
//	nest.go       the loops over lines and registers, and their masks
//	access.go     loads and stores, and what orders them
//
// A routine that cannot expand an instruction returns the reason, and the tile
// instruction stays.
package expand
