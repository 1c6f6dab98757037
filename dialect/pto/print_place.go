// This file describes labels of print instructions.

package pto

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// PlaceNumber selects the number that a piece of a label shows.
type PlaceNumber uint8

// The numbers: none, the block, the vector core in the block, and the variable of a loop.
const (
	NoNumber PlaceNumber = iota
	BlockNumber
	SubBlockNumber
	LoopVariable
)

// PlacePiece is a piece of the line that a label produces: text with a number of the run,
// or only text.
type PlacePiece struct {
	PrintFormat
	Number PlaceNumber
	// Value is the loop variable.
	Value *ir.Value
}

// PlaceOf returns the line that precedes the output of a TPrint with a label, such as
// "sum: line 12, block 0, subblock 1, %row = 16".
func PlaceOf(op *ir.Op) []PlacePiece {
	p := sem.PrintedOf(op)
	if !p.HasLabel {
		return nil
	}
	text := p.Label + ":"
	if src, off := op.Loc().Source(); src != nil {
		line, _ := src.Position(off)
		text += fmt.Sprintf(" line %d,", line)
	}
	pieces := []PlacePiece{counted(text+" block ", BlockNumber, nil), counted(", subblock ", SubBlockNumber, nil)}
	for _, v := range loopVariables(op) {
		pieces = append(pieces, counted(", %"+v.Name()+" = ", LoopVariable, v))
	}
	return append(pieces, PlacePiece{PrintFormat: PrintFormat{Text: "\n"}})
}

// counted returns a piece that consists of text and a number.
func counted(before string, n PlaceNumber, v *ir.Value) PlacePiece {
	return PlacePiece{PrintFormat{Text: strings.ReplaceAll(before, "%", "%%") + "%lld", Signed: true}, n, v}
}

// loopVariables returns the variables of the loops around op, outermost first.
func loopVariables(op *ir.Op) (vs []*ir.Value) {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Is(scf.For) {
			vs = append([]*ir.Value{p.Region(0).Entry().Arg(0)}, vs...)
		}
	}
	return vs
}

// lanesFormat prints the lanes of masks, which are 0 or 1.
var lanesFormat = PrintFormat{Text: "%llu"}
