package scf

import "ptogo/ir/effect"

// Control is the meaning of an operation of this dialect; operands and regions
// are as the definitions say. Execution and code generation have one routine
// for each.
type Control uint8

// The meanings.
const (
	// CountedLoop runs region 0 for lb, lb+step, ... below ub.
	CountedLoop Control = iota + 1
	// ConditionalLoop runs region 0 until its condition is false, and region 1
	// each time it was true.
	ConditionalLoop
	// TwoWay runs region 0 if the operand is true, else region 1.
	TwoWay
	// ManyWay runs the region of the case that the operand equals, or region 0.
	ManyWay
	// Once runs region 0, which may have several blocks.
	Once
	// ParallelLoop is a nest of counted loops whose turns may run in any order.
	ParallelLoop
	// Grid is a parallel loop over a grid of threads.
	Grid
	// Leave ends a region and gives its operands to the operation around it.
	Leave
	// Decide ends region 0 of a ConditionalLoop.
	Decide
	// Combine ends the body of a ParallelLoop and combines what its turns give.
	Combine
)

// Effects are those of the regions.
func (Control) Effects() effect.Set { return 0 }
