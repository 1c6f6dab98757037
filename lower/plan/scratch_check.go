// This file reports missing scratch tiles.

package plan

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// CheckScratch reports instructions of a Level 3 program without the scratch tile that
// they need on the target, because no later pass allocates it. With pto.LooseScratch, the
// diagnostic is a warning; without it, it is an error. CheckScratch returns true if there
// is no error.
func CheckScratch(module *ir.Op, target ir.Target, features ir.Features, diags *ir.Diags) bool {
	ok := true
	for op := range module.Walk() {
		if op.Form().Level != ir.DPS {
			continue
		}
		t := target
		if t == 0 {
			t = ir.TargetOf(op)
		}
		tile, required, _ := pto.MissingScratch(op, t)
		if !required {
			continue
		}
		way := "pass a tile such as " + ir.TypeOf(pto.TileBuf{TileInfo: tile}).String() + ", or let pto-materialize-implicit-tmp do so"
		text := "'" + op.Name() + "' op uses a scratch tile on target " + sem.ProfileName(t) + ": at build level 3 the compiler does not allocate memory, so it needs the operand \"tmp\""
		if features&pto.LooseScratch != 0 {
			diags.Add(ir.Warning, op.Loc(), text).As(ir.CodeScratch).Note(ir.Loc{}, way).Note(ir.Loc{}, pto.ScratchNote)
			continue
		}
		diags.Error(op.Loc(), text).As(ir.CodeScratch).Note(ir.Loc{}, way)
		ok = false
	}
	return ok
}

// HasAddresses reports whether the program assigns an address to at least one tile.
func HasAddresses(module *ir.Op) bool {
	for op := range module.Walk() {
		if _, ok := op.Def().Sem.(sem.AllocTile); ok && op.Arg("addr") != nil {
			return true
		}
	}
	return false
}
