// Package vmi lowers VMI instructions, which work on vectors of any length, to vector
// instructions on registers. Passes lists the passes; start with pass.go.
//
// Lowering has two steps. The pass vmi-layout-assignment decides where the lanes of each
// value are in registers (its layout). The pass vmi-to-vpto replaces each value by its
// registers and each instruction by vector instructions.
//
// Both steps use one table (table.go), which has an entry for each kind of meaning: the
// layouts that its operands and results can have, and the routine that lowers it. The cost
// of a choice is what the routine emits for it (emit.go). Therefore a choice that the
// solver makes can always be lowered.
//
//	place.go    where a layout places lanes
//	emit.go     vector instructions, constants and masks
//	move.go     moving lanes between registers
//	relayout.go conversions between layouts
//	solve.go    the choice of layouts with the lowest cost
package vmi
