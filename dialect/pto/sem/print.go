// This file defines the kind of print instructions.

package sem

import "ptogo/ir"

// Print prints a scalar in the way of C's printf with attribute format, or elements row
// by row: of a tile or a view; of a register or a mask, which has one row; or at a
// pointer. The output of blocks and cores appears in the order in which they run.
type Print struct{}

// Part is a range of rows or columns that starts at From. It ends before To, or is
// unbounded if To is negative.
type Part struct{ From, To int64 }

// Within returns the range of a part of n rows or columns.
func (p Part) Within(n int64) (from, to int64) {
	if to = n; p.To >= 0 {
		to = min(p.To, n)
	}
	return min(p.From, to), to
}

// All reports whether the part includes all elements.
func (p Part) All() bool { return p.From == 0 && p.To < 0 }

// Printed holds the operands of a Print: a scalar, or a Source of elements.
type Printed struct {
	Scalar, Source Operand
	// Label is printed on a preceding line together with the position in the run, if
	// HasLabel is set.
	Label      string
	HasLabel   bool
	Rows, Cols Part
}

// PrintedOf returns the operands of a Print.
func PrintedOf(op *ir.Op) Printed {
	p := Printed{Scalar: operand(op, "scalar"), Source: operand(op, "src"), Rows: partOf(op, "rows"), Cols: partOf(op, "cols")}
	p.Label, p.HasLabel = op.Attr("label").AsString()
	return p
}

// partOf returns the range in an attribute, or the whole range if it is absent.
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
