// This file records the current operation at run time, so that a stopped kernel can
// report where it was.

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

// Places decodes which operation compiled code was executing when it was stopped. The
// code stores this information in the variable PlaceWords of its thread. It does so
// before everything that can run long: loops, calls, waits, and instructions on tiles and
// memory ranges. Register instructions are too short to be recorded individually.
type Places struct {
	at []Place
}

// Place is the position of a core in the program: the operation, the block, and the
// iterations of the enclosing loops.
type Place struct {
	Op *ir.Op
	// Unit is the kind of core; AnyUnit means that one core represents all cores of the
	// block.
	Unit sem.Unit
	// Block and Sub are the numbers of the block and of the vector core.
	Block, Sub int64
	// Rounds are the induction variables of the enclosing counted loops, outermost first.
	Rounds []Round
}

// Round is the value of the induction variable of a counted loop.
type Round struct {
	Loop  *ir.Op
	Index int64
}

// PlaceWords is the name of a thread-local array of i64, which the surrounding program
// must define. Its words are: the number of the recorded operation, from 1; the block;
// the vector core; and the induction variables of the enclosing loops, outermost first.
// The caller of a block clears the array and sets the block.
const PlaceWords = "pto_place"

const (
	// These are the indices of the words in PlaceWords.
	placeNumber = iota
	placeBlock
	placeSub
	placeRounds
)

// MostPlaceWords is the length of the array PlaceWords. Loops that are nested too deeply
// for this length are not recorded.
const MostPlaceWords = 64

// Read decodes the position of a core in the program. Compiled code records this position
// in a thread-local array, whose name is the constant PlaceWords. The parameter words is
// a copy of this array. The result ok is false if the array does not contain a position.
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

// toldLoops returns the counted loops around op, outermost first. A fault report has
// space for a limited number of induction variables (PlaceWords), so toldLoops omits the
// innermost loops that exceed this number.
func toldLoops(op *ir.Op) []*ir.Op {
	loops := loopsAround(op)
	return loops[:min(len(loops), MostPlaceWords-placeRounds)]
}

// loopsAround returns the counted loops around an operation, outermost first. It stops at
// the enclosing function or SIMT section, because the emitted code can contain a SIMT
// section as a separate function.
func loopsAround(op *ir.Op) []*ir.Op {
	var loops []*ir.Op
	for up := op.Parent(); up != nil && !isItems(up); up = up.Parent() {
		if up.Is(scf.For) {
			loops = append([]*ir.Op{up}, loops...)
		}
	}
	return loops
}

// isItems reports whether op is a SIMT section.
func isItems(op *ir.Op) bool {
	s, ok := op.Def().Sem.(sem.Scope)
	return ok && s.Kind == sem.SimtSection
}

// isPlace reports whether the emitted code records op as the current position of the
// execution, for messages about a kernel that does not end. It returns true for
// operations that can run or wait for a long time.
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

// hasTile reports whether op has a tile operand.
func hasTile(op *ir.Op) bool {
	for _, v := range op.Operands() {
		if pto.IsTile(v.Type()) {
			return true
		}
	}
	return false
}

// mark emits stores that record op as the operation which is being executed, if
// Options.Places is set.
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

// tellPlace emits a store of x to one word of PlaceWords, from which the surrounding
// program reads the position of a fault. The store is volatile. Otherwise LLVM would
// remove or move it, because the emitted code itself never reads the variable.
func (f *function) tellPlace(word int, x value.Value) {
	at := f.At(ll.I64, f.External(PlaceWords), ll.Index(int64(word)))
	f.Do(&llir.InstStore{Src: x, Dst: at, Volatile: true, Align: 8})
}
