// This file names the public pages that definitions cite.

package pto

// The pages that define instructions, as Op.Page names them: the public project,
// a colon, and the path in it.

// Public sources that pages refer to: the definitions of the public compiler, and the
// manual of its IR.
const (
	PtoODS  = "PTOAS:include/PTO/IR/PTOOps.td"
	VptoODS = "PTOAS:include/PTO/IR/VPTOOps.td"
	Manual  = "PTOAS:docs/PTO_IR_manual.md"
)

// IsaPage returns the page of a tile instruction in the ISA manual.
func IsaPage(name string) string { return "pto-isa:docs/isa/" + name + ".md" }

// VectorPage returns the page of a vector instruction in the ISA manual.
func VectorPage(family, name string) string {
	return "pto-isa:docs/isa/vector/ops/" + family + "/" + name + ".md"
}

// ScalarPage returns the page of a scalar instruction in the ISA manual.
func ScalarPage(family, name string) string {
	return "pto-isa:docs/isa/scalar/ops/" + family + "/" + name + ".md"
}

// MicroPage returns a chapter of the public compiler's manual of vector
// instructions.
func MicroPage(chapter string) string { return "PTOAS:docs/isa/micro-isa/" + chapter + ".md" }
