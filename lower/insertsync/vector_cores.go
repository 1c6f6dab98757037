// This file handles moves from the accumulator that reach only one vector core.

package insertsync

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// Both vector cores of a block execute the vector code of a function without sections: the
// public compiler encloses this code in a section for vector cores, whose C++ does not
// depend on the number of the core (PTOAS:lib/PTO/Transforms/PTONormalizeUncoveredTileSections.cpp).
// But a move from acc to vec fills the unified buffer of the cores that its mode names,
// and without a mode that of vector core 0 (pto-isa:include/pto/npu/a5/TExtract.hpp:601).
// The other core then computes with data that no instruction wrote, and stores it over the
// results of the first one. In a function without separate code for the vector cores, the
// pass therefore lets only vector core 0 store to memory that the cores share. The device
// tests of the library have the same condition around their stores
// (pto-isa:tests/npu/a5/src/st/testcase/tmov_acc2vec/tmov_acc2vec_kernel.cpp).

// filled returns the set of vector cores whose unified buffer a move from acc to vec
// writes, one bit each, or 0 if op is not such a move. The move can copy a window.
func filled(op *ir.Op) (cores uint) {
	if _, moves := op.Def().Sem.(sem.TileMove); !moves || op.Arg("dst") == nil {
		return 0
	}
	src, ok1 := pto.TileOf(op.Operand(0).Type())
	dst, ok2 := pto.TileOf(op.Arg("dst").Type())
	if !ok1 || !ok2 || src.Space != sem.L0C || dst.Space != sem.UB {
		return 0
	}
	for _, p := range isatile.MoveParts(op) {
		cores |= 1 << p.Sub
	}
	return cores
}

// differ reports whether the vector cores hold different data although they execute the
// same code, because a move of f fills only one of them or different parts.
func differ(f *ir.Op) bool {
	for op := range f.Walk() {
		if filled(op) != 0 {
			return true
		}
	}
	return false
}

// storeOnce lets only vector core 0 execute the stores to shared memory of f, a function
// in which moves from acc fill vector core 0 alone. It has no effect on other functions.
func (i *insertion) storeOnce() {
	if ptoanalysis.PerVectorCore(i.f) != nil {
		return
	}
	target := i.c.Target(i.f)
	var stores []*ir.Op
	var one *ir.Op
	for op := range i.f.Walk() {
		switch cores := filled(op); {
		case cores == 1:
			one = op
		case cores != 0:
			return
		}
		if ptoanalysis.StoreUnitFor(op, target) == sem.VectorUnit && len(op.Regions()) == 0 && op.NumResults() == 0 && pto.VectorFunctionAround(op) == nil && slices.ContainsFunc(pto.Effects(op), func(e pto.Effect) bool {
			s := pto.SpaceOf(e.Value.Type())
			return e.Kind&pto.Writes != 0 && (s == sem.GM || s == sem.L1)
		}) {
			stores = append(stores, op)
		}
	}
	if one == nil {
		return
	}
	for _, op := range stores {
		b := ir.Before(op)
		n := b.Op(isabase.GetSubBlockIdx, nil, []ir.Type{ir.I64}).Result(0)
		n = b.Op(arith.IndexCast, []*ir.Value{n}, []ir.Type{ir.Index}).Result(0)
		first := b.Op(arith.CmpI, []*ir.Value{n, arith.Index(b, 0)}, []ir.Type{ir.I1}, ir.NamedAttr{Name: "predicate", Attr: ir.IntAttr(ir.I64, 0)}).Result(0)
		branch := b.Create(ir.State{Def: scf.If, Operands: []*ir.Value{first}, Regions: []*ir.Region{ir.NewRegion(), ir.NewRegion()}})
		body := &ir.Block{}
		branch.Region(0).Append(body)
		op.Remove()
		body.Append(op)
		ir.AtEnd(body, op.Loc()).Op(scf.Yield, nil, nil)
	}
	i.once = len(stores) > 0
	if len(stores) > 0 {
		i.c.Remarkf(i.f, "stores of vector code run on vector core 0 only, because '%s' from acc fills only this core", one.Name()).Note(stores[0].Loc(), "the first of them")
	}
}
