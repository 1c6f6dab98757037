// This file defines the kinds of cores.

package sem

// Unit is a set of kinds of cores: those that execute an operation, or those that one
// simulated core represents.
type Unit uint8

// The kinds of cores. A kernel without pto.kernel_kind runs on a core that represents
// both.
const (
	CubeUnit Unit = 1 << iota
	VectorUnit
	AnyUnit = CubeUnit | VectorUnit
)

// VectorCores is the number of vector cores that share a block with one cube core.
const VectorCores = 2
