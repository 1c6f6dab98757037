// This file defines the kind of print instructions.

package sem

import "ptogo/ir"

// Print writes a scalar as printf of C does with attribute format, or elements
// row by row: of a tile or a view; of a register or a mask, which are a row; or
// after a pointer. What blocks and cores write comes in the order in which they
// run.
type Print struct{}

// Part is a range of rows or columns: all from From on, those before To if To is
// not negative.
type Part struct{ From, To int64 }

// Within is the range of n rows or columns that the part takes.
func (p Part) Within(n int64) (from, to int64) {
	if to = n; p.To >= 0 {
		to = min(p.To, n)
	}
	return min(p.From, to), to
}

// All reports whether the part includes all elements.
func (p Part) All() bool { return p.From == 0 && p.To < 0 }

// Printed is what a Print shows: a scalar, or elements of Source.
type Printed struct {
	Scalar, Source Operand
	// Label is printed on a preceding line, with the position in the run. HasLabel
	// means that there is such a line.
	Label      string
	HasLabel   bool
	Rows, Cols Part
}

// PrintedOf returns what a Print shows.
func PrintedOf(op *ir.Op) Printed {
	p := Printed{Scalar: operand(op, "scalar"), Source: operand(op, "src"), Rows: partOf(op, "rows"), Cols: partOf(op, "cols")}
	p.Label, p.HasLabel = op.Attr("label").AsString()
	return p
}

func partOf(op *ir.Op, name string) Part {
	if a, ok := ir.AttrAs[ir.DenseArrayAttr](op.Attr(name)); ok && len(a.Ints()) == 2 {
		return Part{a.Ints()[0], a.Ints()[1]}
	}
	return Part{0, -1}
}

// Spans returns the elements that are printed through a pointer.
func (Print) Spans(op *ir.Op, _ ir.Target, _ Known) []Span {
	p := PrintedOf(op)
	if !p.Source.Given() {
		return nil
	}
	size := bitsOf(p.Source) / 8
	from, to := p.Cols.From, p.Cols.To
	return spanOf(p.Source, from*size, (to-from)*size)
}

// Doc describes the format of the printed values.
func (Print) Doc() string {
	return "Attribute format is that of printf in C. What blocks and cores print comes in the order in which they run."
}
