// This file verifies scratch tiles.

package pto

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScratchRule is a rule on the scratch tile of an instruction, which holds intermediate
// values.
//
// With feature LooseScratch, a violation is only a warning. Versions of the public
// compiler before 0.58 did not check these rules, so existing kernels violate them. The
// simulator runs such kernels correctly, because it does not use scratch tiles.
type ScratchRule struct {
	of interface {
		broken(op *ir.Op, v *ir.Verifier) string
	}
}

// Verify implements Rule. If the scratch tile of op violates the rule r, it reports an
// error, or a warning if the feature LooseScratch is on.
func (r ScratchRule) Verify(op *ir.Op, v *ir.Verifier) {
	msg := r.of.broken(op, v)
	switch {
	case msg == "":
	case v.Features&LooseScratch != 0:
		v.Warnf(op, "%s", msg).Note(ir.Loc{}, ScratchNote)
	default:
		v.Errorf(op, "%s", msg)
	}
}

// ScratchNote is the note of messages about scratch tiles that explains which tools
// require them.
const ScratchNote = "PTOAS 0.58 and later require this scratch tile. pto-run does not need it; --pto-scratch=error rejects programs without it"

// ScratchCheck returns a rule on the scratch tile of an instruction. The rule applies
// only on the targets in the given set. The slice contains the names of further operands.
// The function check receives the scratch tile followed by these operands. It returns a
// message for a violation, or "".
func ScratchCheck(on sem.Profiles, others []string, check func(op *ir.Op, tiles []TileInfo) string) Rule {
	return ScratchRule{TileCheck{On: on, Args: append([]string{"tmp"}, others...), Check: check}}
}

// ScratchNeeded returns a rule about a missing scratch tile. The function check decides
// whether an operation must have one: it returns a message if the tile is required but
// missing, and "" otherwise.
func ScratchNeeded(check Check) Rule { return ScratchRule{check} }

// scratchType is the rule that the scratch tile of an instruction has the type that the
// instruction's definition requires.
var scratchType = ScratchRule{scratchTypes{}}

// scratchTypes implements the rule scratchType, which checks the types of scratch
// operands.
type scratchTypes struct{}

func (scratchTypes) broken(op *ir.Op, v *ir.Verifier) string {
	env := v.Env(op)
	for _, a := range op.Form().Operands {
		r, ok := a.Type.(TileRule)
		t := env.Type(a.Name)
		if !ok || !r.scratch || t.IsZero() {
			continue
		}
		r.scratch = false
		if !r.Check(t, env) {
			return onProfile(v.Target, fmt.Sprintf("operand \"%s\" must be %s, but is %s", a.Name, r.Want(env), t))
		}
	}
	return ""
}

// TmpValid returns a rule on the scratch tile, the operand tmp. The rule requires that
// tmp has the same valid region as the operand whose name is the parameter like. It
// applies only on the targets in the given set.
func TmpValid(on sem.Profiles, like string) Rule { return ScratchRule{SameValid(on, "tmp", like)} }

// TmpScratch returns a rule on the size of the scratch tile tmp. The tile must have at
// least the given number of valid rows. It must have at least as many valid columns as
// the operand whose name is the parameter like.
func TmpScratch(targets sem.Profiles, like string, rows int64) Rule {
	return ScratchRule{ValidRule{On: targets, A: "tmp", B: like, Tests: []ValidTest{{Kind: TestAtLeast, N: rows}, {Kind: TestCovers, Axis: 1}}}}
}

// TmpLike returns a rule that requires the scratch tile tmp to have the same element type
// as another operand. The rule applies on the targets in the set on.
func TmpLike(on sem.Profiles, like string) Rule {
	return ScratchCheck(on, []string{like}, func(_ *ir.Op, t []TileInfo) string {
		if t[0].Elem == t[1].Elem {
			return ""
		}
		return fmt.Sprintf("\"tmp\" must have elements of type %s, as \"%s\" has, but has %s", t[1].Elem, like, t[0].Elem)
	})
}

// TmpHolds returns a rule that requires a minimum size of the scratch tile, the operand
// named tmp. The rule applies only on the targets in the set on. The function need
// receives the type of that operand and returns the minimum size in bytes.
func TmpHolds(on sem.Profiles, like string, need func(t TileInfo) int64) Rule {
	return ScratchCheck(on, []string{like}, func(_ *ir.Op, t []TileInfo) string {
		if n := need(t[1]); t[0].Bytes() < n {
			return fmt.Sprintf("\"tmp\" must hold %d bytes, but holds %d", n, t[0].Bytes())
		}
		return ""
	})
}

// TmpDistinct returns a rule that requires the scratch tile tmp to be a different tile
// than each of the operands whose names are in the list others.
func TmpDistinct(targets sem.Profiles, others ...string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		tmp := op.Arg("tmp")
		for _, name := range others {
			if targets.Has(t) && tmp != nil && op.Arg(name) == tmp {
				return "\"tmp\" and \"" + name + "\" must be different tiles"
			}
		}
		return ""
	})
}
