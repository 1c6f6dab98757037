// This file checks that declared tiles are only used after a queue has filled them.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// declares reports whether a program declares tiles that a queue fills in later.
func declares(module *ir.Op) bool {
	for op := range module.Walk() {
		if _, ok := op.Def().Sem.(sem.Declare); ok && classOf(op.Result(0).Type()) == tileClass {
			return true
		}
	}
	return false
}

// withPoppedCheck adds a fault to a step that uses a declared tile before an entry was
// popped into it. A tile operand may be declared anywhere, so every instruction needs
// the check. Programs without declared tiles skip it.
func (p *planner) withPoppedCheck(op *ir.Op, s step) step {
	if !p.declares || !sem.ReadsTiles(op) || s == nil || pto.InfoOf(op.Def()) == nil {
		return s
	}
	var tiles []slot
	for _, e := range pto.Effects(op) {
		if p.classOf(e.Value.Type()) == tileClass {
			tiles = append(tiles, p.slot(e.Value))
		}
	}
	if len(tiles) == 0 {
		return s
	}
	return func(fr *frame) *Fault {
		for _, at := range tiles {
			if t := fr.t[at]; t != nil && t.declared != nil {
				return faultAt(op, "uses a tile before an entry was popped into it").note(t.declared.Loc(), "it was declared here")
			}
		}
		return s(fr)
	}
}
