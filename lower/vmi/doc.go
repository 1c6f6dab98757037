// Package vmi lowers VMI instructions, which work on vectors of any length, to vector
// instructions on registers. Passes lists the passes; start with pass.go.
//
// Lowering has two steps. The pass vmi-layout-assignment decides where the lanes of each
// value are in registers (its layout). The pass vmi-to-vpto replaces each value by its
// registers and each instruction by vector instructions.
//
// Both steps use one table (table.go), which has an entry for each kind of instruction: the
// layouts that its operands and results can have, and the routine that lowers it. The cost
// of a combination of layouts is the cost of the code that the routine emits for it
// (emit.go). Therefore every combination that the solver chooses can be lowered.
//
//	place.go    maps the lanes of a layout to lanes of registers
//	emit.go     vector instructions, constants and masks
//	move.go     moves lanes between registers
//	relayout.go converts between layouts
//	solve.go    chooses the layouts with the lowest cost
package vmi
