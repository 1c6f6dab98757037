package pto

func MicroPage(chapter string) string { return "PTOAS:docs/isa/micro-isa/" + chapter + ".md" }

func IsaPage(name string) string { return "pto-isa:docs/isa/" + name + ".md" }

func VectorPage(family, name string) string {
	return "pto-isa:docs/isa/vector/ops/" + family + "/" + name + ".md"
}

func ScalarPage(family, name string) string {
	return "pto-isa:docs/isa/scalar/ops/" + family + "/" + name + ".md"
}

const PtoODS = "PTOAS:include/PTO/IR/PTOOps.td"

const Manual = "PTOAS:docs/PTO_IR_manual.md"

const VptoODS = "PTOAS:include/PTO/IR/VPTOOps.td"
