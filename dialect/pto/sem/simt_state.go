// This file defines the kinds of atomic and stateful SIMT instructions.

package sem

import "ptogo/ir/effect"

// AtomicAct determines how an atomic access (AtomicChange) computes the new value of the
// accessed memory element.
type AtomicAct uint8

// The ways in which an atomic instruction changes an element of memory. AtomicUpdate
// stores a function of the old element and the operand value. AtomicExchange stores value
// itself. AtomicCompare stores value only if the old element equals the operand compare.
const (
	AtomicUpdate AtomicAct = iota
	AtomicExchange
	AtomicCompare
)

// Doc returns a text for reference pages. It describes the value that the atomic
// instruction stores in memory, and the value that it returns.
func (m AtomicChange) Doc() string {
	what := "value"
	switch m.Act {
	case AtomicUpdate:
		what = "the function of it and value"
	case AtomicCompare:
		what = "value where *ptr has the bits of compare"
	}
	text := "Replaces *ptr by " + what + ", and returns the previous value of *ptr. No other access to *ptr happens between the read and the write."
	if m.Act == AtomicUpdate {
		text += "\n\nThe function is " + m.Signed.Formula("*ptr", "value")
		if m.Unsigned != m.Signed {
			text += "; without a sign, " + m.Unsigned.Formula("*ptr", "value")
		}
		text += "."
	}
	return text
}

// Effects returns MayFault, because an atomic access faults if its pointer is invalid.
func (AtomicChange) Effects() effect.Set { return effect.MayFault }

// Doc returns a sentence for reference pages. It describes how the instruction accesses
// state that persists between launches: the instruction stores a value, or returns the
// stored value.
func (m KeptState) Doc() string {
	if m.Resume {
		return "Gives what pto.keep stored there last."
	}
	return "Stores payload under the number of attribute slot and of the work item, for the next launches of the same kernel."
}

// Effects returns the effects of an access to state that persists between launches.
// Storing a value changes the state. Returning the stored value reads the state and may
// fault.
func (m KeptState) Effects() effect.Set {
	if m.Resume {
		return effect.MayFault | effect.ReadsState
	}
	return effect.WritesState
}
