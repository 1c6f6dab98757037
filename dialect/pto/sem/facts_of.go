// This file lists the effects of kinds on tiles and memory.

package sem

import (
	"slices"

	"ptogo/ir"
	"ptogo/ir/effect"
	"ptogo/ir/scalar"
)

// What single operations do where their operands, attributes or parameters
// decide.

// elementwise is the effect of kinds that compute tiles element by element. Most extents
// are constants of the tile types. If an extent is dynamic, the instruction checks it at
// run time and may fault.
const elementwise = effect.MayFault

func (TileMap) Effects() effect.Set            { return elementwise }
func (TileExpand) Effects() effect.Set         { return elementwise }
func (TilePart) Effects() effect.Set           { return elementwise }
func (TileReduce) Effects() effect.Set         { return elementwise }
func (TileCompare) Effects() effect.Set        { return elementwise }
func (TileSelect) Effects() effect.Set         { return elementwise }
func (TileConvert) Effects() effect.Set        { return elementwise }
func (TileAddReluConvert) Effects() effect.Set { return elementwise }
func (TileTranspose) Effects() effect.Set      { return elementwise }
func (TileConcat) Effects() effect.Set         { return elementwise }
func (TileInterleave) Effects() effect.Set     { return elementwise }
func (TilePairSum) Effects() effect.Set        { return elementwise }
func (TileIndex) Effects() effect.Set          { return elementwise }
func (TileTri) Effects() effect.Set            { return elementwise }

// EffectsOf returns MayFault in two cases: op may divide an integer by zero, or the type
// of a tile does not determine its valid rows or columns, so they must be checked at run
// time.
func (m TileMap) EffectsOf(op *ir.Op) effect.Set {
	return openExtents(op) | divisions(op, m.Steps(op, ir.TargetOf(op))...)
}

// EffectsOf returns MayFault in two cases: op may divide an integer by zero, or the type
// of a tile does not determine its valid rows or columns, so they must be checked at run
// time.
func (m TileExpand) EffectsOf(op *ir.Op) effect.Set {
	return openExtents(op) | divisions(op, m.Fn, m.Then)
}

// EffectsOf reports a possible fault if the function divides integers, or if the type of
// a tile leaves its valid rows or columns to run time.
func (m TilePart) EffectsOf(op *ir.Op) effect.Set { return openExtents(op) | divisions(op, m.Fn) }

// EffectsOf reports a possible fault if the function divides integers, or if the type of
// a tile leaves its valid rows or columns to run time.
func (m TileReduce) EffectsOf(op *ir.Op) effect.Set { return openExtents(op) | divisions(op, m.Fn) }

// EffectsOf returns MayFault if the number of valid rows or columns of a tile is known
// only at run time, because the instruction then checks it at run time. Otherwise it
// returns 0. The methods of the kinds below do the same.
func (TileCompare) EffectsOf(op *ir.Op) effect.Set        { return openExtents(op) }
func (TileSelect) EffectsOf(op *ir.Op) effect.Set         { return openExtents(op) }
func (TileConvert) EffectsOf(op *ir.Op) effect.Set        { return openExtents(op) }
func (TileAddReluConvert) EffectsOf(op *ir.Op) effect.Set { return openExtents(op) }
func (TileTranspose) EffectsOf(op *ir.Op) effect.Set      { return openExtents(op) }
func (TileInterleave) EffectsOf(op *ir.Op) effect.Set     { return openExtents(op) }
func (TilePairSum) EffectsOf(op *ir.Op) effect.Set        { return openExtents(op) }
func (TileIndex) EffectsOf(op *ir.Op) effect.Set          { return openExtents(op) }
func (TileTri) EffectsOf(op *ir.Op) effect.Set            { return openExtents(op) }

// EffectsOf returns MayFault if op can fail at run time, and 0 otherwise. It can fail for
// two reasons. First, operands may contain the numbers of columns to copy, which may be
// too large for the tiles. Second, a valid region may be dynamic, so the columns of both
// sources may not fit into dst.
func (m TileConcat) EffectsOf(op *ir.Op) effect.Set {
	if m.Counts {
		return effect.MayFault
	}
	return openExtents(op)
}

// Effects returns MayFault and ReadsState for a move of a tile. The move reads state
// because settings of the core affect the conversion of elements that are copied out of
// the accumulator.
func (TileMove) Effects() effect.Set { return effect.MayFault | effect.ReadsState }

// EffectsOf returns the effects of op. A copy of a window of a tile may fault, because
// the window may exceed the tile. A copy with a dynamic valid region may fault too. A
// copy out of L0C, the accumulator, also reads state of the core.
func (m TileMove) EffectsOf(op *ir.Op) effect.Set {
	set := openExtents(op)
	if m.Src || m.Dst {
		set |= effect.MayFault
	}
	if SpaceOf(op.Operand(0).Type()) == L0C {
		set |= effect.ReadsState
	}
	return set
}

// openExtents returns MayFault if the type of a tile of op does not determine its number
// of valid rows or columns, and 0 otherwise. Such a number is known only at run time.
func openExtents(op *ir.Op) effect.Set {
	open := func(v *ir.Value) bool {
		t, ok := v.Type().Data().(interface{ StaticValid() bool })
		return ok && !t.StaticValid()
	}
	if slices.ContainsFunc(op.Operands(), open) || slices.ContainsFunc(op.Results(), open) {
		return effect.MayFault
	}
	return 0
}

// divisions returns MayFault if op has integer elements and one of fns is a division,
// because its divisor may be zero. Otherwise, it returns 0.
func divisions(op *ir.Op, fns ...*scalar.Fn) effect.Set {
	for _, v := range append(op.Results(), op.Operands()...) {
		f, ok := ir.FormatOf(ir.ElementType(v.Type()))
		if ok && f.IsInt() && slices.ContainsFunc(fns, func(fn *scalar.Fn) bool { return fn != nil && fn.Divisor > 0 }) {
			return effect.MayFault
		}
	}
	return 0
}

// partial returns MayFault if one of fns is a division, and 0 otherwise. Elements of fns
// may be nil.
func partial(fns ...*scalar.Fn) effect.Set {
	if slices.ContainsFunc(fns, func(fn *scalar.Fn) bool { return fn != nil && fn.Divisor > 0 }) {
		return effect.MayFault
	}
	return 0
}

func (m VecMap) Effects() effect.Set    { return partial(m.Fn) }
func (m VecWiden) Effects() effect.Set  { return partial(m.Fn) }
func (m SignedMap) Effects() effect.Set { return partial(m.Signed, m.Unsigned) }

// Effects returns ReadsState for GetValid. The valid region of a tile buffer is state,
// because instructions can change it.
func (GetValid) Effects() effect.Set { return effect.ReadsState }

// EffectsOf returns ReadsState if op reads a valid region that other instructions can
// change. This is the case if the operand of op is a tile buffer and its type does not
// determine the valid region. In all other cases EffectsOf returns no effects.
func (GetValid) EffectsOf(op *ir.Op) effect.Set {
	buf, ok := op.Operand(0).Type().Data().(interface {
		StaticValid() bool
		IsBuffer() bool
	})
	if ok && buf.IsBuffer() && !buf.StaticValid() {
		return effect.ReadsState
	}
	return 0
}

// Effects returns TellsCores for queries about the vector core, because their results
// differ between the vector cores of a block. Other queries have no effect.
func (m Query) Effects() effect.Set {
	if m.What == SubBlockIdx || m.What == SubBlockNum {
		return effect.TellsCores
	}
	return 0
}

// Effects returns the effects of an instruction that waits for a signal of another rank
// or, if m.Test is set, only tests the signal. Both read state, because other ranks
// change the signal, and both may fault. An instruction that waits also has the effects
// Waits and WaitsAcross.
func (m CommWait) Effects() effect.Set {
	if m.Test {
		return effect.MayFault | effect.ReadsState
	}
	return effect.MayFault | effect.ReadsState | effect.Waits | effect.WaitsAcross
}

func (SyncAllCores) Effects() effect.Set {
	return effect.WritesState | effect.Signals | effect.Waits | effect.WaitsAcross | effect.TellsCores
}

func (CrossSet) Effects() effect.Set { return effect.WritesState | effect.Signals | effect.TellsCores }

// Effects returns the effects of waiting for a signal between cores. If all cores of the
// chip share the signal (ReachAll), the instruction waits for other blocks, too.
func (m CrossWait) Effects() effect.Set {
	if m.Reach == ReachAll {
		return effect.WritesState | effect.Waits | effect.WaitsAcross
	}
	return effect.WritesState | effect.Waits
}
