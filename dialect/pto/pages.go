// This file names the public pages that definitions cite.

package pto

// The pages that define instructions, as Op.Page names them: the public project,
// a colon, and the path in it.

// Files of public repositories that definitions cite: the instruction definitions of the
// public compiler (PTOAS), and the manual of its IR. The part before the colon names the
// repository.
const (
	PtoODS  = "PTOAS:include/PTO/IR/PTOOps.td"
	VptoODS = "PTOAS:include/PTO/IR/VPTOOps.td"
	Manual  = "PTOAS:docs/PTO_IR_manual.md"
)

// IsaPage returns the reference of a tile instruction's page in the ISA manual, as
// repository:path.
func IsaPage(name string) string { return "pto-isa:docs/isa/" + name + ".md" }

// VectorPage returns the reference of a vector instruction's page in the ISA manual, as
// repository:path.
func VectorPage(chapter, name string) string {
	return "pto-isa:docs/isa/vector/ops/" + chapter + "/" + name + ".md"
}

// ScalarPage returns the reference of a scalar instruction's page in the ISA manual, as
// repository:path.
func ScalarPage(chapter, name string) string {
	return "pto-isa:docs/isa/scalar/ops/" + chapter + "/" + name + ".md"
}

// MicroPage returns the reference of a chapter in the public compiler's manual of vector
// instructions, as repository:path.
func MicroPage(chapter string) string { return "PTOAS:docs/isa/micro-isa/" + chapter + ".md" }
