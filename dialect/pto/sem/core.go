// This file defines the kinds of cores.

package sem

// Unit is a set of core types (cube core, vector core): the cores that execute an
// operation, or the cores that one simulated core represents.
type Unit uint8

// The core types. A kernel without the attribute pto.kernel_kind runs on a single
// simulated core that represents both types, AnyUnit.
const (
	CubeUnit Unit = 1 << iota
	VectorUnit
	AnyUnit = CubeUnit | VectorUnit
)

// VectorCores is the number of vector cores that belong to one cube core. Together they
// form a block, the unit of a launch.
const VectorCores = 2
