// This file defines named operands.

package sem

import "ptogo/ir"

// Operand is an operand of an instruction together with its name, which messages show.
// Value is nil if the instruction omits the operand.
type Operand struct {
	Name string
	*ir.Value
}

// operand returns the operand of op with the given name in its definition. Its Value is
// nil if op omits it.
//
//go:noinline
func operand(op *ir.Op, name string) Operand { return Operand{name, op.Arg(name)} }

// operands returns the operands of op with the given names, in the order of the names.
func operands(op *ir.Op, names ...string) []Operand {
	list := make([]Operand, len(names))
	for i, name := range names {
		list[i] = operand(op, name)
	}
	return list
}

// Given reports whether the instruction has the operand, which a program may omit.
func (o Operand) Given() bool { return o.Value != nil }

// Field is a bit field of a 64-bit word. It has Bits bits and starts at bit From, where
// bit 0 is the lowest.
type Field struct{ From, Bits uint8 }

// Of extracts the bit field f from word, shifted down to bit 0.
func (f Field) Of(word uint64) uint64 { return word >> f.From & f.Most() }

// Most returns the largest unsigned value that the bit field f can hold.
func (f Field) Most() uint64 { return 1<<f.Bits - 1 }

// Known is a function that returns the value of v if it is a known constant. Its bool
// result is false otherwise.
type Known func(v *ir.Value) (int64, bool)

// of returns the known value of the operand o. If the instruction omits o, it returns the
// parameter absent and true. The bool result is false if the value is unknown.
func (k Known) of(o Operand, absent int64) (int64, bool) {
	if !o.Given() {
		return absent, true
	}
	return k(o.Value)
}

// all returns the known values of several operands; omitted operands have the value 0.
// The bool result is false if one value is unknown.
func (k Known) all(list ...Operand) ([]int64, bool) {
	values := make([]int64, len(list))
	for i, o := range list {
		n, ok := k.of(o, 0)
		if !ok {
			return nil, false
		}
		values[i] = n
	}
	return values, true
}

// flag returns the value of the Boolean attribute with the given name, or false if op
// does not have it.
func flag(op *ir.Op, name string) bool {
	on, _ := op.Attr(name).AsBool()
	return on
}

// keyword returns the attribute with the given name as a keyword, such as atomic_add, or
// "" if op does not have it.
func keyword(op *ir.Op, name string) string { return op.Attr(name).Keyword() }
