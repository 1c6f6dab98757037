// This file describes what an instruction computes.

package refpage

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Meaning returns a text about what the instruction d computes. It is a formula if the
// kind of the instruction has one, and a description of the kind if it has none.
func Meaning(d *ir.Def) string {
	const elements = "For every element of the valid region of the destination: "
	switch kind := d.Sem.(type) {
	case sem.TileMap:
		return elements + steps(d, kind) + "."
	case sem.VecMap:
		names := kind.Args[:]
		// Without names in the definition, the arguments of the formula are the
		// operands in the order of the text.
		if names[0] == "" {
			names = operands(d)
		}
		return lanewise(d, kind.Fn.Formula(names...))
	case scalar.Elementwise:
		return "The result is " + kind.Fn.Formula(operands(d)...) + "."
	case scalar.Choice:
		names := operands(d)
		return fmt.Sprintf("For every lane: that of %s where %s is set, else that of %s.", names[1], names[0], names[2])
	case scalar.Literal:
		return "The result is the attribute " + kind.Attr + "."
	case sem.Described:
		return kind.Doc()
	case sem.DescribedFor:
		return kind.DocFor(d)
	}
	return ""
}

// lanewise returns a sentence for the reference page: each lane of the result has the
// given value. If the instruction has a mask operand, the sentence also describes the
// lanes that the mask does not select.
func lanewise(d *ir.Def, value string) string {
	if !slices.Contains(operands(d), "mask") {
		return "For every lane: " + value + "."
	}
	return "For every lane that the mask selects: " + value + ". Other lanes become zero."
}

// steps returns the formula that an elementwise instruction on tiles computes. The
// formula consists of the instruction's function and the further functions that it
// applies to the result.
func steps(d *ir.Def, m sem.TileMap) string {
	names := m.Args
	if names == nil {
		names = operands(d)
	}
	text := m.Fn.Formula(names...)
	for _, then := range m.Then {
		text = then.Fn.Formula("("+text+")", then.Arg)
	}
	return text
}

// operands returns the names of the operands of the instruction d.
func operands(d *ir.Def) []string {
	var names []string
	for _, a := range d.Forms[0].Operands {
		names = append(names, a.Name)
	}
	return names
}
