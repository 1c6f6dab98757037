package pto

func microPage(chapter string) string { return "PTOAS:docs/isa/micro-isa/" + chapter + ".md" }

func isaPage(name string) string { return "pto-isa:docs/isa/" + name + ".md" }

func vectorPage(family, name string) string {
	return "pto-isa:docs/isa/vector/ops/" + family + "/" + name + ".md"
}

func scalarPage(family, name string) string {
	return "pto-isa:docs/isa/scalar/ops/" + family + "/" + name + ".md"
}

const ptoODS = "PTOAS:include/PTO/IR/PTOOps.td"

const manual = "PTOAS:docs/PTO_IR_manual.md"

const vptoODS = "PTOAS:include/PTO/IR/VPTOOps.td"
