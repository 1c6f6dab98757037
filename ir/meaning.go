// This file defines the interface between the definition of an operation and the
// packages that give it semantics.

package ir

import "ptogo/ir/effect"

// Meaning describes what an operation computes. Its dynamic type is called a kind, and
// the set of kinds is small and closed. The interpreter and the code generators have one
// routine per kind. Other code queries a kind through the method Effects and through
// optional interfaces. Package dialect/pto/sem defines the kinds of the tile ISA.
type Meaning interface {
	// Effects returns the possible effects of operations of the kind other than computing
	// results, such as faults or writes to memory.
	Effects() effect.Set
}

// exactMeaning is a Meaning whose effects are not the same for all operations with this
// meaning. They can depend, for example, on an attribute of the operation.
type exactMeaning interface {
	// EffectsOf returns the effects of the operation op, a subset of Effects.
	EffectsOf(op *Op) effect.Set
}

// Effects returns the possible effects of op other than computing its results, such as
// faults or writes to memory. For an operation without a meaning it returns only
// MayFault.
func (op *Op) Effects() effect.Set {
	switch kind := op.Def().Sem.(type) {
	case nil:
		return effect.MayFault
	case exactMeaning:
		return kind.EffectsOf(op)
	default:
		return kind.Effects()
	}
}
