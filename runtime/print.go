// This file compiles instructions that print scalars, tiles, views and memory.

package runtime

import (
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// print compiles op into a step, a function that prints a scalar, or elements of a tile,
// view or pointer.
func (p *planner) print(op *ir.Op, _ sem.Print) step {
	p.prints = true
	what := sem.PrintedOf(op)
	if what.Scalar.Given() {
		return p.printScalar(op, what.Scalar.Value)
	}
	rows := p.printed(op, &what)
	if rows == nil {
		return nil
	}
	place := p.printPlace(op)
	return func(fr *frame) *Fault {
		var b strings.Builder
		place(fr, &b)
		if f := rows(fr, &b); f != nil {
			return f
		}
		return fr.core.print(op, b.String())
	}
}

// writeRows is a function that formats the elements that a print instruction prints, and
// appends the text to b. It returns a fault if an element is out of bounds.
type writeRows func(fr *frame, b *strings.Builder) *Fault

// printed returns a function that formats the elements that op prints. The parameter what
// describes the operand and the selected range of elements.
func (p *planner) printed(op *ir.Op, what *sem.Printed) writeRows {
	switch v := what.Source.Value; p.classOf(v.Type()) {
	case viewClass:
		return p.printView(op, what)
	case tileClass:
		return p.printTile(op, what)
	case vectorClass:
		at := p.slot(v)
		return printRow(op, what, func(fr *frame) (Elements, *Fault) {
			x, _ := vectorElements(v.Type(), fr.v[at].bytes())
			return x, nil
		})
	case maskClass:
		at := p.slot(v)
		return printRow(op, what, func(fr *frame) (Elements, *Fault) {
			x, _ := maskElements(v.Type(), &fr.m[at])
			return x, nil
		})
	case rowClass:
		at := p.slot(v)
		return printRow(op, what, func(fr *frame) (Elements, *Fault) {
			x, _ := rowElements(v.Type(), fr.r[at])
			return x, nil
		})
	case scalarClass:
		if ir.Is[pto.PtrType](v.Type()) {
			return p.printPointer(op, what)
		}
	}
	p.errorf(op, "prints a value of type %s, which pto-run does not support", what.Source.Type())
	return nil
}

// printPlace returns a function that writes a label to b at run time. The label precedes
// the elements that op prints. It can contain the number of the block and of the vector
// core, and the values of loop variables.
func (p *planner) printPlace(op *ir.Op) func(fr *frame, b *strings.Builder) {
	pieces := pto.PlaceOf(op)
	at := make([]slot, len(pieces))
	for i, piece := range pieces {
		if piece.Number == pto.LoopVariable {
			at[i] = p.slot(piece.Value)
		}
	}
	return func(fr *frame, b *strings.Builder) {
		for i, piece := range pieces {
			n := uint64(0)
			switch piece.Number {
			case pto.BlockNumber:
				n = uint64(fr.core.cluster.block)
			case pto.SubBlockNumber:
				n = uint64(fr.core.sub)
			case pto.LoopVariable:
				f, _ := ir.FormatOf(piece.Value.Type())
				n = uint64(num.Int(f, fr.x[at[i]]))
			}
			b.WriteString(pto.Printf(piece.Text, n))
		}
	}
}

// printTile returns a function that formats the elements of a tile, one row per line. In
// each row, a vertical bar separates the elements in the valid region from the elements
// outside it.
func (p *planner) printTile(op *ir.Op, what *sem.Printed) writeRows {
	src := p.tileOperand(op, what.Source)
	if src.l == nil {
		return nil
	}
	first := pto.ElementFormat(op, src.l.f)
	next, outside := first.After(pto.PrintGap), first.After(pto.PrintBar)
	row, rows := within(what.Rows, src.l.rows)
	col, cols := within(what.Cols, src.l.cols)
	return func(fr *frame, b *strings.Builder) *Fault {
		t := fr.t[src.at]
		for r := row; r < rows; r++ {
			if r == t.rows && r > row {
				b.WriteString(pto.PrintRule)
			}
			for c := col; c < cols; c++ {
				format := next
				switch c {
				case col:
					format = first
				case t.cols:
					format = outside
				}
				b.WriteString(format.Print(src.l.f, src.l.get(t, r, c)))
			}
			b.WriteByte('\n')
		}
		return nil
	}
}

// printRow returns a function that formats the elements of a printed operand in a single
// line. The function elements returns these elements at run time. The parameter what
// describes the format.
func printRow(op *ir.Op, what *sem.Printed, elements func(fr *frame) (Elements, *Fault)) writeRows {
	return func(fr *frame, b *strings.Builder) *Fault {
		x, fault := elements(fr)
		if fault != nil {
			return fault
		}
		first := pto.ElementFormat(op, x.Format)
		format, next := first, first.After(pto.PrintGap)
		from, to := within(what.Cols, len(x.Data)/x.Size)
		for i := from; i < to; i++ {
			b.WriteString(format.Print(x.Format, num.Load(x.Format, x.Data[i*x.Size:])))
			format = next
		}
		b.WriteByte('\n')
		return nil
	}
}

// within returns the range of rows or columns to print, out of n. p describes the range
// in the print instruction. The result from is the first index of the range, and the
// result to is the index after the last one.
func within(p sem.Part, n int) (from, to int) {
	a, b := p.Within(int64(n))
	return int(a), int(b)
}

// printPointer returns a function that formats the elements which a print instruction
// reads through a pointer. The parameter what describes the pointer operand and the range
// of elements.
func (p *planner) printPointer(op *ir.Op, what *sem.Printed) writeRows {
	v := what.Source
	f, ok := p.format(op, ir.ElementType(v.Type()))
	if !ok {
		return nil
	}
	size := pto.ByteSize(ir.ElementType(v.Type()))
	at, mem := p.slot(v.Value), pointee{op: op, name: v.Name, how: reads, space: pto.SpaceOf(v.Type())}
	from, n := what.Cols.From, int(what.Cols.To-what.Cols.From)
	all := *what
	all.Cols = sem.Part{From: 0, To: -1}
	return printRow(op, &all, func(fr *frame) (Elements, *Fault) {
		data, fault := mem.bytes(fr.core, fr.x[at]+uint64(from*int64(size)), n*size)
		return Elements{Format: f, Size: size, Data: data}, fault
	})
}

// printView returns a function that formats a tensor view. Each line contains the
// elements along the last dimension.
func (p *planner) printView(op *ir.Op, what *sem.Printed) writeRows {
	v := what.Source.Value
	_, size := p.viewShape(op, v.Type())
	f, _ := p.format(op, ir.ElementType(v.Type()))
	at, gm := p.slot(v), newPlace(op, what.Source.Name, reads)
	first := pto.ElementFormat(op, f)
	next := first.After(pto.PrintGap)
	return func(fr *frame, b *strings.Builder) *Fault {
		w := &fr.w[at]
		row, rows := within(what.Rows, matrixRows.length(w))
		col, cols := within(what.Cols, matrixCols.length(w))
		for r := row; r < rows; r++ {
			format := first
			for c := col; c < cols; c++ {
				i := matrixRows.offset(w, r) + matrixCols.offset(w, c)
				data, fault := gm.bytes(fr.core, w.addr+uint64(i*int64(size)), size)
				if fault != nil {
					return fault
				}
				b.WriteString(format.Print(f, num.Load(f, data)))
				format = next
			}
			b.WriteByte('\n')
		}
		return nil
	}
}

// printScalar compiles op into a step, a function that prints the scalar v with a printf
// format string.
func (p *planner) printScalar(op *ir.Op, v *ir.Value) step {
	f, ok := p.format(op, v.Type())
	if !ok {
		return nil
	}
	at, format := p.slot(v), pto.ScalarFormat(op, f)
	return func(fr *frame) *Fault { return fr.core.print(op, format.Print(f, fr.x[at])) }
}

// stop compiles op, an instruction that stops the kernel, into a step. The step returns a
// fault, which ends the launch with an error.
func (p *planner) stop(op *ir.Op, _ sem.Stop) step {
	return func(*frame) *Fault { return faultAt(op, "stops the kernel") }
}
