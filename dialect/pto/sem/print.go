// This file defines the kind of print instructions.

package sem

import "ptogo/ir"

// Print prints values while the kernel runs. It prints one scalar, with the printf format
// of attribute format, or many elements in rows. The elements are those of a tile or a
// view, or those at a pointer. The lanes of a vector register or of a mask form a single
// row. Output appears in the order in which blocks and cores run.
type Print struct{}

// Part is a range of rows or columns to print. It starts at From and ends before To; a
// negative To means that it is unbounded.
type Part struct{ From, To int64 }

// Within applies the range p to a tile or view with n rows or columns. The result from is
// the first row or column in the range, and the result to is the one after the last. Rows
// and columns beyond n are not in the result.
func (p Part) Within(n int64) (from, to int64) {
	if to = n; p.To >= 0 {
		to = min(p.To, n)
	}
	return min(p.From, to), to
}

// All reports whether the range includes all rows or columns.
func (p Part) All() bool { return p.From == 0 && p.To < 0 }

// Printed holds the operands of a Print instruction. The instruction prints either one
// value, the operand Scalar, or the elements of a tile or tensor, the operand Source.
type Printed struct {
	Scalar, Source Operand
	// Label is the text that is printed before the elements. The output also contains the
	// position of op in the program. HasLabel reports whether op has a label.
	Label      string
	HasLabel   bool
	Rows, Cols Part
}

// PrintedOf decodes the operands and attributes of op, which prints a scalar or elements
// (kind Print).
func PrintedOf(op *ir.Op) Printed {
	p := Printed{Scalar: operand(op, "scalar"), Source: operand(op, "src"), Rows: partOf(op, "rows"), Cols: partOf(op, "cols")}
	p.Label, p.HasLabel = op.Attr("label").AsString()
	return p
}

// partOf decodes a range of rows or columns from the attribute with the given name. If op
// does not have it, the range includes all.
func partOf(op *ir.Op, name string) Part {
	if a, ok := ir.AttrAs[ir.DenseArrayAttr](op.Attr(name)); ok && len(a.Ints()) == 2 {
		return Part{a.Ints()[0], a.Ints()[1]}
	}
	return Part{0, -1}
}

// Spans returns the bytes that op reads if it prints elements through a pointer, and nil
// if it prints anything else.
func (Print) Spans(op *ir.Op, _ ir.Target, _ Known) []Span {
	p := PrintedOf(op)
	if !p.Source.Given() {
		return nil
	}
	size := bitsOf(p.Source) / 8
	from, to := p.Cols.From, p.Cols.To
	return spanOf(p.Source, from*size, (to-from)*size)
}

// Doc returns a text about the instruction for its reference page: what format strings
// may contain, and in which order output appears.
func (Print) Doc() string {
	return "Attribute format is that of printf in C. What blocks and cores print comes in the order in which they run."
}
