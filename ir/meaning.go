package ir

import "ptogo/ir/effect"

// Meaning is what an operation does: one of a small closed set of kinds.
// Execution and code generation have a routine for each kind; everybody else
// asks the kind, by this method and by interfaces that a kind may have besides
// (those of the tile ISA are in dialect/pto/sem).
type Meaning interface {
	// Effects returns what operations of the kind may do besides computing their
	// results.
	Effects() effect.Set
}

// exactMeaning is a Meaning that knows more of a single operation.
type exactMeaning interface {
	// EffectsOf returns what op may do, a part of Effects.
	EffectsOf(op *Op) effect.Set
}

// Effects returns what op may do besides computing its results. Nothing is
// known of an operation without a meaning but that it may fault.
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
