package splitcores

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// access is what an operation does to global memory.
type access struct {
	op     *ir.Op
	base   *ir.Value
	writes bool
}

// memory checks that no core uses global memory that the other one writes.
func (w *work) memory() *refusal {
	var all []access
	for op := range w.f.Walk() {
		for _, e := range pto.Effects(op) {
			if e.Space == sem.GM {
				all = append(all, access{op, baseOf(e.Value), e.Kind&pto.Writes != 0})
			}
		}
	}
	for _, a := range all {
		for _, b := range all {
			if a.writes && w.unit[a.op]|w.unit[b.op] == sem.AnyUnit && a.base == b.base {
				return refuse(b.op, "uses on the %s core global memory that '%s' writes on the %s core", name(w.unit[b.op]), a.op.Name(), name(w.unit[a.op]))
			}
		}
	}
	return nil
}

// baseOf returns what a view or pointer into global memory starts from.
func baseOf(v *ir.Value) *ir.Value {
	for v.Op() != nil && v.Op().NumOperands() > 0 {
		v = v.Op().Operand(0)
	}
	return v
}
