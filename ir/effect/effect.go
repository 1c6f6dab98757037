// Package effect names what operations do besides computing their results from
// their operands and from the memory that those stand for.
package effect

// Set is a set of effects.
type Set uint16

// The effects.
const (
	// MayFault stops the program on some operands: a division by zero, an
	// access out of bounds. Such an operation is executed only where the program
	// would have.
	MayFault Set = 1 << iota
	// ReadsState depends on what earlier operations have set in the machine:
	// registers, settings of a core, the valid region of a buffer.
	ReadsState
	// WritesState sets such a thing.
	WritesState
	// Waits for what another core of the block does.
	Waits
	// WaitsAcross waits for what cores of other blocks do.
	WaitsAcross
	// Meets waits for the other work items of a launch.
	Meets
	// Signals lets another pipe, core or rank go on.
	Signals
	// Reserves storage, which nobody misses if the result is not used.
	Reserves
	// GivesAddress gives an address as a value, by which memory can be reached
	// that the operand stands for.
	GivesAddress
	// TellsCores does something else on each vector core of a block.
	TellsCores
)

// Has reports whether the set has one of others.
func (s Set) Has(others Set) bool { return s&others != 0 }
