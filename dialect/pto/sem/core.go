// This file defines the kinds of cores.

package sem

// Unit is a set of the kinds of cores: those that an operation is for, or that
// a core stands for.
type Unit uint8

// A kernel that does not say which cores it is for runs on one that stands
// for all.
const (
	CubeUnit Unit = 1 << iota
	VectorUnit
	AnyUnit = CubeUnit | VectorUnit
)

// VectorCores is the number of vector cores that share a block with one cube core.
const VectorCores = 2
