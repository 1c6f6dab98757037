// This file defines the kinds of atomic and stateful SIMT instructions.

package sem

import "ptogo/ir/effect"

// AtomicAct is how an AtomicChange computes the new value.
type AtomicAct uint8

// A function of *ptr and value; value; or value only if *ptr equals the comparison
// operand.
const (
	AtomicUpdate AtomicAct = iota
	AtomicExchange
	AtomicCompare
)

// Doc describes the new value.
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

// Effects of an atomic access: the pointer may be wrong.
func (AtomicChange) Effects() effect.Set { return effect.MayFault }

// Doc describes the direction of the transfer.
func (m KeptState) Doc() string {
	if m.Resume {
		return "Gives what pto.keep stored there last."
	}
	return "Stores payload under the number of attribute slot and of the work item, for the next launches of the same kernel."
}

// Effects of kept state.
func (m KeptState) Effects() effect.Set {
	if m.Resume {
		return effect.MayFault | effect.ReadsState
	}
	return effect.WritesState
}
