// Package effect names the effects of operations: what an operation does in addition to
// computing its results. Reading and writing the memory of an operand is not one of these
// effects, because the definition of the operation declares it for each operand.
package effect

// Set is a set of effects.
type Set uint16

// The effects. Passes use them to decide whether an operation may be removed, moved or
// merged with another one.
const (
	// MayFault means that the operation stops the program with an error for some
	// operands, for example a zero divisor or an address out of bounds. A pass must not
	// execute the operation where the original program would not.
	MayFault Set = 1 << iota
	// ReadsState means that the operation depends on machine state that earlier
	// operations have set: registers, settings of a core, or the valid region of a buffer
	// (the part that holds data).
	ReadsState
	// WritesState means that the operation changes machine state on which later
	// operations depend: registers, settings of a core, or the valid region of a buffer.
	WritesState
	// Waits means that the operation waits for an action of another core of the same
	// block (a cube core with its vector cores).
	Waits
	// WaitsAcross means that the operation waits for actions of cores of other blocks.
	WaitsAcross
	// Meets means that the operation waits for the other work items of a launch, or
	// exchanges values with them.
	Meets
	// Signals means that the operation allows another pipe (hardware queue), core or rank
	// (device) that waits for it to continue.
	Signals
	// Reserves means that the operation reserves storage. A pass may remove the operation
	// if its result is not used.
	Reserves
	// GivesAddress means that the result is an address through which other operations can
	// access the memory of the operand.
	GivesAddress
	// TellsCores means that the operation has a different effect or result on each vector
	// core of a block.
	TellsCores
)

// Has reports whether the set s contains at least one effect of another set, the
// parameter others.
func (s Set) Has(others Set) bool { return s&others != 0 }
