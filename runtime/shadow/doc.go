// Package shadow records which instructions of a run cause floating-point errors and
// which amplify them.
//
// The runtime stores a shadow with each float element: the value that the same
// instructions compute in float64 without rounding to the format of the element. A
// [Recorder] receives, for every result of an instruction, three numbers: the element as
// the target computes it, the float64 result of the instruction on the elements that it
// read (the local value), and the shadow. The distance from the element to the local value
// is the error that this instruction adds. The distance from the local value to the shadow
// is the error that it inherited from its operands.
//
// Package numerics runs kernels with a Recorder and reports the errors.
package shadow
