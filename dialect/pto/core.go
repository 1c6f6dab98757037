// This file determines the type of core that executes an instruction.

package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// CoreOf returns which core executes op, the cube core or a vector core. The enclosing
// sections and functions determine this. If they do not, the result is QueueHandle, the
// zero value, which means that the core is not known.
func CoreOf(op *ir.Op) sem.QueueSide {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if s, ok := p.Def().Sem.(sem.Scope); ok {
			switch s.Kind {
			case sem.CubeSection:
				return sem.CubeSide
			case sem.VectorSection:
				return sem.VectorSide
			}
		}
		switch p.Attr("pto.kernel_kind").Keyword() {
		case "cube":
			return sem.CubeSide
		case "vector":
			return sem.VectorSide
		}
	}
	return sem.QueueHandle
}
