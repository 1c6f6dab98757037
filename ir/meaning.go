// This file defines the interface between the definition of an operation and the
// packages that give it semantics.

package ir

import "ptogo/ir/effect"

// Meaning is what an operation does: one of a small closed set of kinds. The
// interpreter and the code generators have one routine per kind. Other code asks
// the kind through this method and through optional interfaces; package
// dialect/pto/sem defines those of the tile ISA.
type Meaning interface {
	// Effects returns what operations of the kind may do besides computing their
	// results.
	Effects() effect.Set
}

// exactMeaning is a Meaning whose effects depend on the single operation.
type exactMeaning interface {
	// EffectsOf returns what op may do: a subset of Effects.
	EffectsOf(op *Op) effect.Set
}

// Effects returns what op may do besides computing its results. For an operation
// without a meaning it returns only MayFault.
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
