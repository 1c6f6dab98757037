// This file defines the kinds of operations on arrays and structs.

package sem

import "ptogo/ir/effect"

// Local is the kind of instructions that declare, read or write storage on the stack of a
// core: an array, a struct, or an array of event numbers (numbers of flags between
// pipes).
type Local struct {
	Act LocalAct
	// Events reports that the elements are event numbers. Only instructions that set or
	// await flags can use them.
	Events bool
}

// LocalAct is the operation of an instruction on stack storage: declare, read or write.
type LocalAct uint8

// The actions of instructions on arrays and structs on the stack of a core, such as to
// declare an array or to read a member.
const (
	LocalDeclare LocalAct = iota
	LocalGet
	LocalSet
)

// Doc returns a sentence for reference pages, which describes what the instruction does
// with an array or struct on the stack.
func (m Local) Doc() string {
	switch {
	case m.Act == LocalDeclare && m.Events:
		return "Makes an array of event numbers."
	case m.Act == LocalDeclare:
		return "Reserves the storage of its result, an array or a struct. The contents are undefined until they are written. " +
			"Each execution makes new storage."
	case m.Events && m.Act == LocalGet:
		return "Gives array[index]."
	case m.Events:
		return "Sets array[index] to value."
	case m.Act == LocalGet:
		return "Gives one scalar of the first operand: of an array the one at indices, each of which must be below its extent; " +
			"of a struct the one at the attribute path, the number of a field at every level."
	}
	return "Writes value at the place of the first operand that the indices or the attribute path name."
}

// Effects returns the effects of an access to stack storage. The access may fault,
// because indices may be out of bounds.
func (m Local) Effects() effect.Set {
	switch {
	case m.Act == LocalGet || m.Act == LocalSet && !m.Events:
		return effect.MayFault
	case m.Act == LocalDeclare && !m.Events:
		return effect.Reserves
	}
	return 0
}
