// This file describes labels of print instructions.

package pto

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// PlaceNumber says what number a piece of a label shows.
type PlaceNumber uint8

// The numbers of a place in a run.
const (
	NoNumber PlaceNumber = iota
	BlockNumber
	SubBlockNumber
	LoopVariable
)

// PlacePiece is a piece of the line that a label makes: text around a number of the
// run, or text alone.
type PlacePiece struct {
	PrintFormat
	Number PlaceNumber
	Value  *ir.Value // of a loop
}

// PlaceOf returns the line before what a TPrint with a label shows, such as
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

func counted(before string, n PlaceNumber, v *ir.Value) PlacePiece {
	return PlacePiece{PrintFormat{Text: strings.ReplaceAll(before, "%", "%%") + "%lld", Signed: true}, n, v}
}

// loopVariables are those of the loops around op, the outermost first.
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
