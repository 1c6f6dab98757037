// This file lists, by kind of instruction, how an equivalence proof follows it. A kind
// without an entry makes a proof undecided.

package runtime

import (
	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/memref"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// Each kind of instruction has a function that compiles its symbolic execution. The
// function wraps the ordinary step of the instruction, which is in p.plain. If a kind has
// no such function, the launch ends with a fault that has Undecided set when an
// instruction of that kind executes.

// allTraces and rowTraces map each kind of instruction to the function that compiles its
// symbolic execution. rowTraces contains the instructions on logical vectors (VMI).
var allTraces, rowTraces plans

func init() {
	allTraces = routine.New(tracedScalars, tracedStructure, tracedTiles, tracedVectors, tracedMachine)
	rowTraces = routine.New(tracedRows)
}

// withLineage wraps s, the step of op, if Options.Lineage is set. The wrapped step
// executes s and computes symbolic expressions of the results. If symbolic execution does
// not support the kind of op, the wrapped step ends the proof as undecided.
func (p *planner) withLineage(op *ir.Op, s step) step {
	if p.opts.Lineage == nil || p.failed || s == nil {
		return s
	}
	p.plain = s
	if p.isVMI(op) {
		if t, ok := rowTraces.Run(p, op); ok {
			return t
		}
	}
	switch {
	case p.isVMI(op) && rowPlans.Has(op.Def().Sem): // what follows is about registers
	case op.Is(fn.Call):
		return s
	default:
		if t, ok := allTraces.Run(p, op); ok {
			return t
		}
		if lineageDescriptions.Describes(op) {
			return p.tracedNest(op)
		}
	}
	if p.opts.Lineage.Shadows != nil {
		return p.withoutShadows(op)
	}
	return func(fr *frame) *Fault {
		return fr.core.undecided(op, nil, "is not supported by equivalence proofs")
	}
}

// HasLineage reports whether symbolic execution (Options.Lineage) supports instructions
// of the given kind.
func HasLineage(kind ir.Meaning) bool {
	return allTraces.Has(kind) || rowTraces.Has(kind) || lineageDescriptions.Has(kind)
}

// movesBytes compiles an instruction that moves complete bytes without changing them.
// The step executes the instruction once on the data, and then on tokens, the numbers
// that identify the expression of each byte. Tokens thus move in the same way as the
// bytes.
func movesBytes[S ir.Meaning](p *planner, op *ir.Op, _ S) step { return p.moveStep(op, p.plain) }

// movesData compiles an instruction that moves elements without changing them. The result
// is a step, a Go function that computes the results and, for equivalence proofs, their
// symbolic expressions. movesData rejects elements of 4 bits, because a token (the number
// of an expression) describes a complete byte.
func movesData[S ir.Meaning](p *planner, op *ir.Op, _ S) step {
	if p.movesNibbles(op) {
		return p.unfollowed(op, "moves numbers that share bytes")
	}
	return p.moveStep(op, p.plain)
}

// describes compiles an instruction whose operands may not depend on symbolic inputs, in
// general because it only computes addresses and sizes. The result is a step, the function
// that executes the instruction, for symbolic execution. The step faults if an operand
// depends on symbolic inputs. It marks the results as known, which means independent of
// inputs.
func describes[S ir.Meaning](p *planner, op *ir.Op, _ S) step { return p.knownStep(op, p.plain) }

// follows returns the ordinary step of an instruction, because this step is correct in
// symbolic execution too. It is used for instructions that compute no values themselves.
// The steps of the operations in their regions compute the expressions of results. Copies
// between values also copy the expressions of these values.
func follows[S ir.Meaning](p *planner, _ *ir.Op, _ S) step { return p.plain }

// knownStep returns a step for symbolic execution of an instruction whose operands must
// be known: they must not depend on symbolic inputs. The step faults if an operand is not
// known. It then executes s and marks the results as known. The elements of tile operands
// may be symbolic, because the instructions that use knownStep do not read them.
func (p *planner) knownStep(op *ir.Op, s step) step {
	var numbers []*ir.Value
	for _, v := range op.Operands() {
		if c := p.classOf(v.Type()); c == vectorClass || c == rowClass {
			numbers = append(numbers, v)
		}
	}
	m := p.moved(op, numbers...)
	m.control, m.data = append(m.control, m.data...), nil
	var results []home
	for _, v := range op.Results() {
		if p.classOf(v.Type()) != noClass {
			results = append(results, p.home(v))
		}
	}
	return func(fr *frame) *Fault {
		if f := m.mustKnow(fr); f != nil {
			return f
		}
		if f := s(fr); f != nil {
			return f
		}
		fr.forget(results)
		return nil
	}
}

// forget marks the values in the locations vs as known, which means that they do not
// depend on symbolic inputs and have no expression.
func (fr *frame) forget(vs []home) {
	for _, h := range vs {
		switch h.class {
		case scalarClass:
			fr.lin.x[h.at] = 0
		case vectorClass:
			fr.lin.v[h.at] = [4]vreg{}
		case maskClass:
			fr.lin.m[h.at] = nil
		case alignClass:
			fr.lin.a[h.at] = [4]alignState{}
		case rowClass:
			r := fr.tracedRow(h.at)
			r.p.known(0, len(r.real))
		}
	}
}

// skipped is a special result of functions that compute symbolic expressions of elements.
// It means that equivalence proofs cannot represent the elements that a step accesses.
// The function computed receives this result. It then executes the step without storing
// expressions for these elements.
var skipped = &Fault{}

// computed returns a step that executes the step s and computes the symbolic expressions
// of its results. It first calls the function in the parameter values, which computes the
// expressions; this must happen before s, which may overwrite operands. Then it executes
// s and stores the expressions. There are two exceptions. If the call of values returns a
// fault, the step ends with this fault and does not execute s. If the call returns
// skipped, the step executes s without storing expressions, and an equivalence proof ends
// as undecided.
func computed(s step, values func(fr *frame, x *tracer) *Fault) step {
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		x.begin()
		found := values(fr, x)
		if found != nil && found != skipped {
			return found
		}
		if f := s(fr); f != nil {
			return f
		}
		if found == skipped && x.shadows != nil {
			return nil // the old shadows do not fit the new elements
		}
		if found == skipped {
			return fr.core.undecided(x.t.At, nil, "accesses elements that equivalence proofs do not follow")
		}
		x.commit()
		return nil
	}
}

// decides returns a check that the scalar in the given slot does not depend on input
// data. The check is necessary because op uses the scalar as a branch condition. Without
// Options.Lineage, the check does nothing.
func (p *planner) decides(op *ir.Op, at slot) func(fr *frame) *Fault {
	if p.opts.Lineage == nil {
		return func(*frame) *Fault { return nil }
	}
	return func(fr *frame) *Fault {
		if v := fr.core.lin.scalar(fr, at); !v.known {
			return fr.core.undecided(op, &v, "branches on a condition that depends on input data")
		}
		return nil
	}
}

// tracedStructure lists, for each kind of control flow and memref operation, the function
// that compiles its symbolic execution.
func tracedStructure() rows {
	return rows{
		routine.Makes(follows[scf.Control]), // control.go checks what decides
		routine.Makes(describes[cf.Check]),
		routine.Makes(follows[sem.Scope]),
		routine.Makes((*planner).tracedMemref),
	}
}

// tracedMemref compiles an operation of MLIR's memref dialect. The operation is a load,
// a store, or the computation of an address.
func (p *planner) tracedMemref(op *ir.Op, kind memref.Action) step {
	switch kind {
	case memref.Read:
		return p.moveStep(op, p.plain)
	case memref.Write:
		v := op.Operand(0) // the definition has the value first
		return p.moved(op).stores(p.slot(v), p.elemSizeOf(v)).step(p.plain)
	}
	return p.knownStep(op, p.plain)
}

// elemSizeOf returns the number of bytes that scalar v occupies in memory.
func (p *planner) elemSizeOf(v *ir.Value) int {
	f, _ := ir.FormatOf(v.Type())
	return f.Bytes()
}

// tracedLocal compiles an operation on an array or struct on the stack.
func (p *planner) tracedLocal(op *ir.Op, kind sem.Local) step {
	switch {
	case kind.Events:
		return p.knownStep(op, p.plain)
	case kind.Act == sem.LocalSet:
		v := sem.LocalUseOf(op).Value.Value
		return p.moved(op).stores(p.slot(v), p.elemSizeOf(v)).step(p.plain)
	}
	return p.moveStep(op, p.plain)
}

// tracedScalars lists, for each kind of scalar operation, the function that compiles its
// symbolic execution.
func tracedScalars() rows {
	return rows{
		routine.Makes(follows[scalar.Literal]),
		routine.Makes(func(p *planner, op *ir.Op, kind scalar.Elementwise) step { return p.tracedElementwise(op, kind.Fn) }),
		routine.Makes(func(p *planner, op *ir.Op, kind sem.SignedMap) step { return p.tracedElementwise(op, kind.For(op)) }),
		routine.Makes((*planner).tracedExtended),
		routine.Makes((*planner).tracedComparison),
		routine.Makes((*planner).tracedChoice),
		routine.Makes((*planner).tracedCast),
		routine.Makes((*planner).tracedSimtConvert),
		routine.Makes((*planner).tracedReinterpret),
		routine.Makes(describes[sem.CastPtr]),
		routine.Makes(describes[sem.AddPtr]),
		routine.Makes(movesData[sem.LoadElement]),
		routine.Makes(movesData[sem.StoreElement]),
		routine.Makes((*planner).tracedLocal),
		routine.Makes(describes[sem.SetBit]),
		routine.Makes(describes[sem.Query]),
	}
}

// tracedTiles lists, for each kind of tile instruction without a description in package
// nest, the function that compiles its symbolic execution. A kind with a description is in
// the list if some of its instructions only move elements, or are not described.
func tracedTiles() rows {
	return rows{
		routine.Makes(describes[sem.MakeView]),
		routine.Makes(describes[sem.PartView]),
		routine.Makes(describes[sem.ViewDim]),
		routine.Makes(describes[sem.AddressOf]),
		routine.Makes(describes[sem.AllocTile]),
		routine.Makes(describes[sem.TileSlot]),
		routine.Makes(describes[sem.PlaceTile]),
		routine.Makes(describes[sem.SubTile]),
		routine.Makes(describes[sem.SameStorage]),
		routine.Makes(describes[sem.SetValid]),
		routine.Makes(describes[sem.GetValid]),
		routine.Makes((*planner).tracedTileLoad),
		routine.Makes(movesBytes[sem.TileStore]),
		routine.Makes(movesData[sem.TileMove]),
		routine.Makes(movesData[sem.TilePad]),
		routine.Makes(movesData[sem.TileTranspose]),
		routine.Makes((*planner).tracedConcat),
		routine.Makes(movesData[sem.TileInterleave]),
		routine.Makes(describes[sem.MakePatches]),
		routine.Makes(describes[sem.SetPatches]),
		routine.Makes(movesData[sem.TileImg2Col]),
		routine.Makes(movesData[sem.TileIndex]),
		routine.Makes(movesData[sem.TileTri]),
		routine.Makes(movesData[sem.TileRandom]),
		routine.Makes(movesData[sem.TileGet]),
		routine.Makes(movesData[sem.TileSet]),
		routine.Makes((*planner).tracedGather),
		routine.Makes((*planner).tracedPlaces),
		routine.Makes((*planner).tracedScatter),
		routine.Makes(tracedTable[sem.MemGather]),
		routine.Makes(tracedTable[sem.MemScatter]),
		routine.Makes((*planner).tracedTileExpand),
		routine.Makes((*planner).tracedTileMatmul),
		routine.Makes((*planner).tracedTileConvert),
		routine.Makes(opaqueTiles[sem.TileSort]),
		routine.Makes(opaqueTiles[sem.TileMerge]),
		routine.Makes(opaqueTiles[sem.TileQuant]),
		routine.Makes(opaqueTiles[sem.TileDequant]),
		routine.Makes(opaqueTiles[sem.TileQuantMX]),
		routine.Makes(opaqueTiles[sem.TileAddReluConvert]),
		routine.Makes(opaqueTiles[sem.TilePairSum]),
		routine.Makes(opaqueTiles[sem.TileHistogram]),
	}
}

// tracedVectors lists, for each kind of vector instruction, the function that compiles
// its symbolic execution.
func tracedVectors() rows {
	return rows{
		routine.Makes((*planner).tracedVecMap),
		routine.Makes((*planner).tracedVecRound),
		routine.Makes((*planner).tracedVecCompare),
		routine.Makes((*planner).tracedVecSelect),
		routine.Makes((*planner).tracedVecConvert),
		routine.Makes((*planner).tracedVecWiden),
		routine.Makes((*planner).tracedVecReduce),
		routine.Makes((*planner).tracedVecBroadcast),
		routine.Makes(describes[sem.VecIndex]),
		routine.Makes((*planner).tracedVecRearrange),
		routine.Makes(movesBytes[sem.VecLoad]),
		routine.Makes(movesBytes[sem.VecStore]),
		routine.Makes(movesData[sem.VecBlocks]),
		routine.Makes(tracedIndexed[sem.VecGather]),
		routine.Makes(tracedIndexed[sem.VecScatter]),
		routine.Makes(movesData[sem.AlignInit]),
		routine.Makes(movesData[sem.AlignLoad]),
		routine.Makes(movesData[sem.AlignStore]),
		routine.Makes(movesData[sem.AlignFlush]),
		routine.Makes(describes[sem.StreamEnd]),
		routine.Makes((*planner).tracedVecExtended),
		routine.Makes((*planner).tracedVecCarry),
		routine.Makes(describes[sem.VecHistogram]), // expressions cannot represent its counts
		routine.Makes(movesData[sem.TransposeBlock]),
		routine.Makes(describes[sem.MaskPattern]),
		routine.Makes(describes[sem.MaskTail]),
		routine.Makes((*planner).tracedMaskLogic),
		routine.Makes((*planner).tracedMaskRearrange),
		routine.Makes((*planner).tracedMaskLoad),
		routine.Makes((*planner).tracedMaskStore),
	}
}

// tracedMachine lists, for each kind of DMA, cube, queue and synchronization instruction,
// the function that compiles its symbolic execution.
func tracedMachine() rows {
	return rows{
		routine.Makes(movesBytes[sem.CopyBursts]),
		routine.Makes(describes[sem.StoreAtomic]),
		routine.Makes(describes[sem.OperandRounding]),
		routine.Makes(describes[sem.WriteRegister]),
		routine.Makes(describes[sem.ReadRegister]),
		routine.Makes(describes[sem.UbMask]),
		routine.Makes(describes[sem.SetFlag]),
		routine.Makes(describes[sem.WaitFlag]),
		routine.Makes(describes[sem.CrossSet]),
		routine.Makes(describes[sem.CrossWait]),
		routine.Makes(describes[sem.SyncAllCores]),
		routine.Makes(describes[sem.BufAcquire]),
		routine.Makes(describes[sem.BufRelease]),
		routine.Makes(describes[sem.QueueInit]),
		routine.Makes(describes[sem.QueueEntry]), // movedOperands.copies moves the data of the entry
		routine.Makes(describes[sem.LocalBuffer]),
		routine.Makes(describes[sem.ConfigSet]),
		routine.Makes(describes[sem.Declare]),
		routine.Makes((*planner).tracedMad),
		routine.Makes(movesBytes[sem.LoadFractals]),
		routine.Makes(movesData[sem.LoadOperand]),
		routine.Makes(movesBytes[sem.LoadScales]),
		routine.Makes(movesData[sem.LoadParams]),
		routine.Makes(movesData[sem.FillWords]),
		routine.Makes(movesData[sem.StoreProduct]),
		routine.Makes(movesData[sem.CommCopy]),
		routine.Makes((*planner).tracedNotify),
		routine.Makes((*planner).tracedWait),
		routine.Makes(describes[sem.CommEvent]),
		routine.Makes(follows[sem.Print]), // printed text is not a result
		routine.Makes(describes[sem.SimtDims]),
		routine.Makes(describes[sem.WorkItem]),
		routine.Makes(follows[sem.SimtLaunch]),
		routine.Makes(follows[sem.SyncThreads]),
	}
}
