// This file checks that declared tiles are only used after a queue has filled them.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// withPoppedCheck wraps s, the step of op, with a check. If op reads a declared tile
// before an entry was popped into it, the step faults. Each tile operand may be a
// declared tile, so every instruction needs the check; programs without declared tiles
// skip it.
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
