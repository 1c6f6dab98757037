package codegen

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// function writes one function of the program.
type function struct {
	*code
	op                 *ir.Op
	values             map[*ir.Value]parts
	blockIdx, blockNum value.Value
	blocks             map[*ir.Block]*join // of regions with several blocks
	leave              []func(end *ir.Op)  // what ends the regions around, the innermost last
	section            *ir.Op              // a part for one kind of core, if there was one
}

// parts returns what stands for a value.
func (f *function) parts(v *ir.Value) parts {
	p, ok := f.values[v]
	if !ok { // what defines it was reported
		p = poisonParts(v.Type())
	}
	return p
}

func poisonParts(t ir.Type) parts {
	ts, ok := partsOf(t)
	if !ok {
		return parts{poison(i64)}
	}
	p := make(parts, len(ts))
	for i, t := range ts {
		p[i] = poison(t)
	}
	return p
}

// val returns the only part of a value.
func (f *function) val(v *ir.Value) value.Value { return f.parts(v)[0] }

// arg returns the only part of the operand of that name.
func (f *function) arg(op *ir.Op, name string) value.Value { return f.val(op.Arg(name)) }

// set says what stands for a value, and gives it the name of the program if
// it has none.
func (f *function) set(v *ir.Value, p ...value.Value) {
	f.values[v] = p
	if name := v.Name(); len(p) == 1 && name != "" && !isDigit(name[0]) {
		if x, ok := p[0].(interface {
			IsUnnamed() bool
			SetName(string)
		}); ok && x.IsUnnamed() {
			x.SetName(f.unique(name))
		}
	}
}

// isDigit reports whether c starts a number, which LLVM gives out itself.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// all returns the parts of values, one after the other.
func (f *function) all(vs []*ir.Value) []value.Value {
	var out []value.Value
	for _, v := range vs {
		if ts, ok := partsOf(v.Type()); ok {
			p := f.parts(v)
			out = append(out, p[:len(ts)]...)
		}
	}
	return out
}

// unsupported reports an operation that cannot be written yet.
func (f *function) unsupported(op *ir.Op) { f.errorf(op, "cannot be written as LLVM IR yet") }

// fits checks that every value of an operation has a form in LLVM, so that the
// routines need not.
func (f *function) fits(op *ir.Op) bool {
	for _, v := range append(op.Operands(), op.Results()...) {
		switch _, ok := partsOf(v.Type()); {
		case ok:
		case ir.Is[pto.Tile](v.Type()):
			f.errorf(op, "works on a Level-1 tile, %s, which must become a tile_buf first", v.Type())
			return false
		default:
			f.errorf(op, "has a value of type %s, which has no form in LLVM IR yet", v.Type())
			return false
		}
	}
	return true
}

// ops writes the operations of a block. A terminator that is missing, as in
// the body of a scope, leaves the current block open.
func (f *function) ops(b *ir.Block) {
	for op := range b.Ops() {
		if f.block == nil {
			return
		}
		if f.fits(op) {
			f.write(op)
		}
	}
}

// write writes one operation: one routine for each kind of meaning.
func (f *function) write(op *ir.Op) {
	switch sem := op.Def().Sem.(type) {
	case scalar.Literal:
		f.literal(op, sem)
	case scalar.Elementwise:
		f.elementwise(op, sem)
	case scalar.Extended:
		f.extended(op, sem)
	case scalar.Comparison:
		f.comparison(op)
	case scalar.Choice:
		f.choice(op)
	case scalar.Cast:
		f.cast(op)
	case scalar.Reinterpret:
		f.reinterpret(op)
	case scf.Control:
		f.control(op, sem)
	case cf.Jump:
		f.jumpTo(op, sem)
	case cf.Check:
		f.trapIf(f.not(f.val(op.Operand(0))))
	default:
		f.instruction(op)
	}
}

// instruction writes an operation of the pto dialect, or of func.
func (f *function) instruction(op *ir.Op) {
	switch sem := op.Def().Sem.(type) {
	case pto.CastPtr:
		f.castPtr(op)
	case pto.AddPtr:
		f.addPtr(op)
	case pto.Query:
		f.query(op, sem)
	case pto.MakeView:
		f.makeView(op)
	case pto.PartView:
		f.partView(op)
	case pto.AllocTile:
		f.allocTile(op)
	case pto.CopyBursts:
		f.copyBursts(op, sem)
	case pto.SetFlag, pto.WaitFlag, pto.Barrier, pto.BufAcquire, pto.BufRelease, pto.MemoryFence:
		// Instructions run in program order, which is one of the orders that
		// these allow.
	case pto.Scope:
		f.scope(op, sem)
	case pto.ScopeYield:
		f.leave[len(f.leave)-1](op)
	default:
		f.scalarInstruction(op)
	}
}

// tileView writes an operation that describes memory.
func (f *function) tileView(op *ir.Op) {
	switch sem := op.Def().Sem.(type) {
	case pto.ViewDim:
		f.viewDim(op, sem)
	case pto.AddressOf:
		f.addressOfValue(op)
	case pto.PlaceTile:
		f.placeTile(op)
	case pto.SubTile:
		f.subTile(op)
	case pto.SameStorage:
		f.sameStorage(op)
	case pto.SetValid:
		f.setValid(op)
	case pto.GetValid:
		f.getValid(op, sem)
	default:
		f.tileInstruction(op)
	}
}

// tileInstruction writes an instruction on tiles.
func (f *function) tileInstruction(op *ir.Op) {
	switch sem := op.Def().Sem.(type) {
	case pto.TileMap:
		f.tileMap(op, sem)
	case pto.TileLoad:
		f.tileLoad(op)
	case pto.TileStore:
		f.tileStore(op)
	case pto.TileCompare:
		f.tileCompare(op, sem)
	case pto.TileSelect:
		f.tileSelect(op)
	case pto.TileReduce:
		f.tileReduce(op, sem)
	case pto.TileExpand:
		f.tileExpand(op, sem)
	case pto.TilePart:
		f.tilePart(op, sem)
	case pto.TileConvert:
		f.tileConvert(op, sem)
	case pto.TileMove:
		f.tileMove(op, sem)
	case pto.TilePad:
		f.tilePad(op)
	case pto.TileTranspose:
		f.tileTranspose(op)
	case pto.TileConcat:
		f.tileConcat(op, sem)
	case pto.TileInterleave:
		f.tileInterleave(op, sem)
	case pto.TileMatmul:
		f.tileMatmul(op, sem)
	case pto.TileSort:
		f.tileSort(op)
	case pto.TileMerge:
		f.tileMerge(op)
	default:
		f.vecInstruction(op)
	}
}

// vecInstruction writes an instruction on registers.
func (f *function) vecInstruction(op *ir.Op) {
	switch sem := op.Def().Sem.(type) {
	case pto.VecMap:
		f.vecMap(op, sem)
	case pto.VecExtended:
		f.vecExtended(op, sem)
	case pto.VecCarry:
		f.vecCarry(op, sem)
	case pto.VecRound:
		f.vecRound(op)
	case pto.VecCompare:
		f.vecCompare(op)
	case pto.VecSelect:
		f.vecSelect(op)
	case pto.VecBroadcast:
		f.vecBroadcast(op)
	case pto.VecIndex:
		f.vecIndex(op)
	case pto.VecConvert:
		f.vecConvert(op, sem)
	case pto.VecWiden:
		f.vecWiden(op, sem)
	case pto.VecReduce:
		f.vecReduce(op, sem)
	case pto.VecHistogram:
		f.vecHistogram(op, sem)
	case pto.VecRearrange:
		f.vecRearrange(op, sem.Kind)
	default:
		f.vecMemory(op)
	}
}

// vecMemory writes an instruction that moves registers and masks between the
// core and its memory, or one on masks.
func (f *function) vecMemory(op *ir.Op) {
	switch sem := op.Def().Sem.(type) {
	case pto.VecLoad:
		f.vecLoad(op)
	case pto.VecStore:
		f.vecStore(op)
	case pto.VecBlocks:
		f.vecBlocks(op, sem)
	case pto.VecGather:
		f.vecGather(op, sem)
	case pto.VecScatter:
		f.vecScatter(op)
	case pto.SortGroups:
		f.sortGroups(op)
	case pto.MergeSorted:
		f.mergeSorted(op)
	case pto.MergedCounts:
		f.mergedCounts(op)
	case pto.AlignInit, pto.AlignPrime:
		f.alignInit(op)
	case pto.AlignLoad:
		f.alignLoad(op)
	case pto.AlignStore:
		f.alignStore(op, sem)
	case pto.AlignFlush:
		f.alignFlush(op)
	case pto.SprClear:
		f.store(index(0), f.coreState("ar"), 8)
	case pto.SprStore:
		f.sprStore(op, sem)
	case pto.MaskPattern:
		f.maskPattern(op, sem)
	case pto.MaskTail:
		f.maskTail(op, sem)
	case pto.MaskLogic:
		f.maskLogic(op, sem)
	case pto.MaskRearrange:
		f.maskRearrange(op, sem)
	case pto.MaskLoad:
		f.maskLoad(op, sem)
	case pto.MaskStore:
		f.maskStore(op, sem)
	default:
		f.other(op)
	}
}

// other writes operations that are known by their definition.
func (f *function) other(op *ir.Op) {
	switch {
	case op.Is(fn.Call):
		f.callFunc(op)
	case op.Is(fn.Return):
		f.giveBack(op)
	default:
		f.unsupported(op)
	}
}

// giveBack returns from the function.
func (f *function) giveBack(op *ir.Op) {
	vs := f.all(op.Operands())
	switch len(vs) {
	case 0:
		f.ret(nil)
	case 1:
		f.ret(vs[0])
	default:
		var s value.Value = poison(f.fn.Sig.RetType)
		for i, v := range vs {
			s = add(f.code, llir.NewInsertValue(s, v, uint64(i)))
		}
		f.ret(s)
	}
}

// callFunc calls another function of the program, on the same block.
func (f *function) callFunc(op *ir.Op) {
	callee := f.funcs[ir.LookupSymbol(op, op.Attr("callee"))]
	if callee == nil {
		f.errorf(op, "calls %s, which could not be written", op.Attr("callee"))
		return
	}
	r := f.call(callee, append(f.all(op.Operands()), f.blockIdx, f.blockNum)...)
	var all []value.Value
	for _, v := range op.Results() {
		ts, _ := partsOf(v.Type())
		for range ts {
			all = append(all, r)
		}
	}
	if len(all) > 1 {
		for i := range all {
			all[i] = add(f.code, llir.NewExtractValue(r, uint64(i)))
		}
	}
	for i, p := range splitParts(all, op.Results()) {
		f.set(op.Result(i), p...)
	}
}
