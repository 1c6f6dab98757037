// This file finds the loads whose results an instruction uses.

package analysis

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Readers returns the instructions that read from memory the data from which the operands
// of op are computed. It follows registers, masks and scalars, including those that loops
// and branches carry.
func Readers(op *ir.Op) []*ir.Op {
	var readers []*ir.Op
	seen := map[*ir.Value]bool{}
	var todo []*ir.Value
	push := func(v *ir.Value) {
		if v != nil && !seen[v] {
			seen[v] = true
			todo = append(todo, v)
		}
	}
	for _, v := range op.Operands() {
		if carries(v) {
			push(v)
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range sources(v, func(op *ir.Op) { readers = append(readers, op) }) {
			push(from)
		}
	}
	return readers
}

// carries reports whether the value v may contain data that was read from memory. It
// returns true if v is a register, a mask or a scalar. It returns false if v is an
// address, such as a pointer, a tile or a view.
func carries(v *ir.Value) bool {
	return pto.SpaceOf(v.Type()) == sem.NoSpace && !ir.Is[pto.PtrType](v.Type())
}

// sources returns the values from which v is computed; if an instruction computes v,
// these are operands of the instruction. If the instruction also reads memory, sources
// calls the function reader with it.
func sources(v *ir.Value, reader func(op *ir.Op)) []*ir.Value {
	op := v.Op()
	if op == nil {
		return argSources(v)
	}
	if len(op.Regions()) > 0 {
		return regionSources(op, v)
	}
	var from []*ir.Value
	reads := false
	for _, o := range op.Operands() {
		if carries(o) {
			from = append(from, o)
			continue
		}
		reads = reads || pto.SpaceOf(o.Type()) != sem.NoSpace
	}
	if reads && pto.InfoOf(op.Def()) != nil {
		reader(op)
	}
	return from
}

// argSources returns the values that v, a block argument, may have. For a loop, these are
// the initial value and the value that the previous iteration yields.
func argSources(v *ir.Value) []*ir.Value {
	b := v.Block()
	op := b.Parent()
	if op == nil {
		return nil
	}
	var from []*ir.Value
	args := b.Args()
	k := -1
	for i, a := range args {
		if a == v {
			k = len(args) - i // counted from the end, where loops have what they carry
		}
	}
	if n := op.NumOperands(); k > 0 && k <= n {
		from = append(from, op.Operand(n-k))
	}
	for _, r := range op.Regions() {
		for inner := range r.Blocks() {
			if end := inner.Terminator(); end != nil && k > 0 && k <= end.NumOperands() {
				from = append(from, end.Operand(end.NumOperands()-k))
			}
		}
	}
	return from
}

// regionSources returns the values that the regions of op may yield as its result v.
func regionSources(op *ir.Op, v *ir.Value) []*ir.Value {
	var from []*ir.Value
	k := 0
	for i, r := range op.Results() {
		if r == v {
			k = op.NumResults() - i
		}
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if end := b.Terminator(); end != nil && k > 0 && k <= end.NumOperands() {
				from = append(from, end.Operand(end.NumOperands()-k))
			}
		}
	}
	if n := op.NumOperands(); k > 0 && k <= n && len(op.Regions()) == 1 {
		from = append(from, op.Operand(n-k)) // a loop that does not run
	}
	return from
}
