package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// Places is what lets somebody who stops compiled code learn where it was. Such
// code keeps words about that in the variable PlaceWords of its thread, and
// changes them before what may take long: loops, calls, waiting, and
// instructions on tiles and whole ranges of memory. Instructions on registers
// are too short for it: a loop of those is one place.
type Places struct {
	at []Place
}

// Place is where a core was.
type Place struct {
	Op   *ir.Op
	Unit sem.Unit // AnyUnit if one core stands for all
	// Block and Sub number the block and the vector core.
	Block, Sub int64
	Rounds     []Round // of the counted loops around, the outermost first
}

// Round is the value of the induction variable of a loop.
type Round struct {
	Loop  *ir.Op
	Index int64
}

// PlaceWords is the name of the variable, an array of i64 that is defined beside
// the code: the number of the place, from 1; the block; the vector core; and the
// induction variables of the loops around, the outermost first. Who starts a
// block clears it and sets the block.
const PlaceWords = "pto_place"

// Words of the variable.
const (
	placeNumber = iota
	placeBlock
	placeSub
	placeRounds
)

// MostPlaceWords is how many words the variable has. Loops deeper than that are
// not told.
const MostPlaceWords = 64

// Read decodes the source position in words; ok is false if they do not hold one.
func (p *Places) Read(words []int64) (Place, bool) {
	if len(words) != MostPlaceWords || words[placeNumber] < 1 || words[placeNumber] > int64(len(p.at)) {
		return Place{}, false
	}
	at := p.at[words[placeNumber]-1]
	at.Block, at.Sub = words[placeBlock], words[placeSub]
	for i, loop := range toldLoops(at.Op) {
		at.Rounds = append(at.Rounds, Round{loop, words[placeRounds+i]})
	}
	return at, true
}

// toldLoops are those of the loops around whose induction variables have a word.
func toldLoops(op *ir.Op) []*ir.Op {
	loops := loopsAround(op)
	return loops[:min(len(loops), MostPlaceWords-placeRounds)]
}

// loopsAround are the counted loops that an operation lies in, the outermost
// first, in its function or section of work items: these may be functions of
// their own in the code.
func loopsAround(op *ir.Op) []*ir.Op {
	var loops []*ir.Op
	for up := op.Parent(); up != nil && !isItems(up); up = up.Parent() {
		if up.Is(scf.For) {
			loops = append([]*ir.Op{up}, loops...)
		}
	}
	return loops
}

// isItems reports whether an operation runs its region once per work item.
func isItems(op *ir.Op) bool {
	s, ok := op.Def().Sem.(sem.Scope)
	return ok && s.Kind == sem.SimtSection
}

// isPlace reports whether something may take long enough to be distinguished.
func (f *function) isPlace(op *ir.Op) bool {
	if loop, ok := op.Def().Sem.(scf.Control); ok {
		return loop == scf.CountedLoop || loop == scf.ConditionalLoop
	}
	if isItems(op) || analysis.CalleeOf(op) != nil || op.Effects().Has(effect.Waits|effect.WaitsAcross|effect.Meets) {
		return true
	}
	if _, orders := op.Def().Sem.(sem.NamesPipe); orders {
		return false // code has nothing for it
	}
	switch pto.PipeFor(op, f.opts.Target) {
	case sem.NoPipe, sem.PipeS:
		return false
	case sem.PipeV:
		return hasTile(op)
	}
	return true
}

// hasTile reports whether an operand is a tile.
func hasTile(op *ir.Op) bool {
	for _, v := range op.Operands() {
		if pto.IsTile(v.Type()) {
			return true
		}
	}
	return false
}

// mark says that the code is before an operation from here on.
func (f *function) mark(op *ir.Op) {
	p := f.opts.Places
	if p == nil {
		return
	}
	f.marked = op
	p.at = append(p.at, Place{Op: op, Unit: f.unit})
	f.tellPlace(placeNumber, ll.Index(int64(len(p.at))))
	if f.team != nil { // one thread runs all its cores
		f.tellPlace(placeBlock, f.blockIdx)
		f.tellPlace(placeSub, f.vectorCore)
	}
	for i, loop := range toldLoops(op) {
		index := f.val(loop.Region(0).Entry().Arg(0))
		f.tellPlace(placeRounds+i, f.Resize(index, ll.I64, true))
	}
}

// tellPlace emits the store of one word of the current source position. The generated
// code never reads it, so the store is volatile; otherwise LLVM would remove or move
// it.
func (f *function) tellPlace(word int, x value.Value) {
	at := f.At(ll.I64, f.External(PlaceWords), ll.Index(int64(word)))
	f.Do(&llir.InstStore{Src: x, Dst: at, Volatile: true, Align: 8})
}
