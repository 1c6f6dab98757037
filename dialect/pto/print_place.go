// This file describes labels of print instructions.

package pto

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// PlaceNumber selects a number that is only known at run time, such as the number of the
// executing block. A labeled print instruction first prints a line that contains such
// numbers.
type PlaceNumber uint8

// A labeled print instruction first prints a line with its location, such as "sum: line
// 12, block 0, subblock 1, %row = 16". Each component of this line consists of a text
// and, optionally, a number. These constants are the kinds of numbers: no number, the
// number of the block, the number of the vector core in the block, or the value of a loop
// variable.
const (
	NoNumber PlaceNumber = iota
	BlockNumber
	SubBlockNumber
	LoopVariable
)

// PlacePiece is one component of the line that a labeled print instruction prints before
// its output. It consists of a text, optionally followed by a number that is only known
// at run time.
type PlacePiece struct {
	PrintFormat
	Number PlaceNumber
	// Value is the loop variable, if Number selects one.
	Value *ir.Value
}

// PlaceOf returns the pieces of the line that a labeled print instruction prints before
// its output, such as "sum: line 12, block 0, subblock 1, %row = 16". It returns nil if
// op has no label.
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

// counted returns one piece of a printed line. A labeled print instruction first prints a
// line that describes where it executes. The piece consists of the text in the first
// argument and a number that is only known at run time. n selects this number. If it
// selects the value of a loop variable, the parameter v is this variable; otherwise v is
// nil.
func counted(before string, n PlaceNumber, v *ir.Value) PlacePiece {
	return PlacePiece{PrintFormat{Text: strings.ReplaceAll(before, "%", "%%") + "%lld", Signed: true}, n, v}
}

// loopVariables returns the induction variables of the loops around op, outermost loop
// first.
func loopVariables(op *ir.Op) (vs []*ir.Value) {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Is(scf.For) {
			vs = append([]*ir.Value{p.Region(0).Entry().Arg(0)}, vs...)
		}
	}
	return vs
}

// lanesFormat is the format for the lanes of masks, which are 0 or 1.
var lanesFormat = PrintFormat{Text: "%llu"}
