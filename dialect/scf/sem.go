// This file defines the kinds of control flow.

package scf

import "ptogo/ir/effect"

// Control identifies what an operation of the scf dialect does. The definition of each
// operation specifies its operands and regions. The interpreter and the code generators
// have one routine for each value of this type.
type Control uint8

// The constants are the control structures of the operations, for example a loop or a
// conditional. The last three end a region of another operation.
const (
	// CountedLoop runs region 0 for the counter lb, lb+step, ... while it is below
	// ub.
	CountedLoop Control = iota + 1
	// ConditionalLoop runs region 0, which computes the condition. While it is
	// true, the loop runs region 1 and then region 0 again.
	ConditionalLoop
	// TwoWay runs region 0 if the operand is true, else region 1.
	TwoWay
	// ManyWay runs the region of the case that the operand equals, or else region
	// 0.
	ManyWay
	// Once runs region 0, which may have several blocks.
	Once
	// ParallelLoop is a nest of counted loops whose iterations may run in any
	// order.
	ParallelLoop
	// Grid is a parallel loop over a grid of threads.
	Grid
	// Leave ends a region and returns its operands to the enclosing operation.
	Leave
	// Decide ends region 0 of a ConditionalLoop. Operand 0 is the condition.
	Decide
	// Combine ends the body of a ParallelLoop and combines the values of its
	// iterations.
	Combine
)

// Effects returns no effects. The trait RecursiveSide adds the effects of the
// operations in the regions.
func (Control) Effects() effect.Set { return 0 }
