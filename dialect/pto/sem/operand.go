// This file defines named operands.

package sem

import "ptogo/ir"

// Operand is an operand of an instruction, with its name in messages. Value is nil if the
// instruction omits it.
type Operand struct {
	Name string
	*ir.Value
}

// operand finds the operand that the form of op calls name.
func operand(op *ir.Op, name string) Operand { return Operand{name, op.Arg(name)} }

// operands finds several.
func operands(op *ir.Op, names ...string) []Operand {
	list := make([]Operand, len(names))
	for i, name := range names {
		list[i] = operand(op, name)
	}
	return list
}

// Given reports whether the instruction has the operand.
func (o Operand) Given() bool { return o.Value != nil }

// Field is a bit field of a 64-bit word: Bits bits, starting at bit From.
type Field struct{ From, Bits uint8 }

// Of returns the field of a word.
func (f Field) Of(word uint64) uint64 { return word >> f.From & f.Most() }

// Most is the largest value that fits.
func (f Field) Most() uint64 { return 1<<f.Bits - 1 }

// Known returns the value of an operand if the program has a constant for it.
type Known func(v *ir.Value) (int64, bool)

// of returns the value of an operand, or absent if the instruction omits it. The bool
// result is false if the value is unknown.
func (k Known) of(o Operand, absent int64) (int64, bool) {
	if !o.Given() {
		return absent, true
	}
	return k(o.Value)
}

// all are the values of several operands; those left out are zero.
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

// flag reads an attribute that is true or false.
func flag(op *ir.Op, name string) bool {
	on, _ := op.Attr(name).AsBool()
	return on
}

// keyword reads an attribute that is one of several words.
func keyword(op *ir.Op, name string) string { return op.Attr(name).Keyword() }
