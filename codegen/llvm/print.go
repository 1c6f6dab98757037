// This file emits print instructions as calls of external functions.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

const (
	// Kernels print through two external functions, which receive one number at a time.
	// The surrounding program must supply them.
	printInt   = "pto_print_int"
	printFloat = "pto_print_float"
)

// print emits a print instruction as calls of the two external print functions.
func (f *function) print(op *ir.Op, _ sem.Print) {
	for _, name := range []string{printInt, printFloat} {
		if f.named[name] != nil {
			f.errorf(op, "needs the C function @%s to print, but the program defines another function with this name", name)
			return
		}
	}
	if v := sem.PrintedOf(op).Scalar; v.Given() {
		t, _ := ir.FormatOf(v.Type())
		format := pto.ScalarFormat(op, t)
		f.printNumber(format, f.Text(format.Text), t, f.val(v.Value))
		return
	}
	f.printPlace(op)
	what := sem.PrintedOf(op)
	switch v := what.Source.Value; v.Type().Data().(type) {
	case pto.VReg:
		e, _ := elementOfType(ir.ElementType(v.Type()))
		f.printLanes(op, &what, e, f.val(v))
	case pto.Mask:
		m, _ := ir.As[pto.Mask](v.Type())
		f.printLanes(op, &what, element{f: num.I1}, f.laneMask(f.val(v), int(m.Bits)/8))
	case pto.VMIVReg, pto.VMIMask:
		r, _ := rowOf(v.Type())
		f.printLanes(op, &what, r.element, f.val(v))
	case pto.PtrType:
		f.printPointer(op, &what)
	default:
		if pto.IsTile(v.Type()) {
			f.printTile(op, &what)
		} else {
			f.printView(op, &what)
		}
	}
}

// printPlace emits the text with which a labeled print instruction identifies the
// location of the instruction: the source line, the block, the vector core, and the
// values of loop variables.
func (f *function) printPlace(op *ir.Op) {
	for _, piece := range pto.PlaceOf(op) {
		x, t := value.Value(ll.Index(0)), num.I64
		switch piece.Number {
		case pto.BlockNumber:
			x = f.blockIdx
		case pto.SubBlockNumber:
			x = f.vectorCore
		case pto.LoopVariable:
			x = f.val(piece.Value)
		}
		f.printNumber(piece.PrintFormat, f.Text(piece.Text), t, x)
	}
}

// printTile emits loops that print the elements of a tile, row by row. The parameter what
// describes the tile, the selected range of elements and the format.
func (f *function) printTile(op *ir.Op, what *sem.Printed) {
	t, ok := f.tileOperand(op, what.Source)
	if !ok {
		return
	}
	format := pto.ElementFormat(op, t.e.f)
	outside := f.Text(format.After(pto.PrintBar).Text)
	top, rows := what.Rows.Within(t.info.Rows)
	left, cols := what.Cols.Within(t.info.Cols)
	f.Loop("row", ll.Index(rows-top), func(i value.Value) {
		r := f.Add(i, ll.Index(top))
		ruled := f.And(f.ICmp(enum.IPredEQ, r, t.rows), f.ICmp(enum.IPredSGT, i, ll.Index(0)))
		f.When("rule", ruled, func() { f.printText(pto.PrintRule) })
		f.printRow(format, t.e, ll.Index(left), ll.Index(cols), func(c, text value.Value) (value.Value, value.Value) {
			edge := f.And(f.ICmp(enum.IPredEQ, c, t.cols), f.ICmp(enum.IPredSGT, c, ll.Index(left)))
			return f.get(&t, r, c), f.Select(edge, outside, text)
		})
	})
}

// printLanes emits code that prints the lanes of the vector x, which have type e, in one
// line. The parameter what describes the selected range of lanes and the format.
func (f *function) printLanes(op *ir.Op, what *sem.Printed, e element, x value.Value) {
	from, to := what.Cols.Within(int64(ll.Lanes(x.Type())))
	f.printRow(pto.ElementFormat(op, e.f), e, ll.Index(from), ll.Index(to), func(c, text value.Value) (value.Value, value.Value) {
		return f.Extract(x, c), text
	})
}

// printPointer emits code that prints the elements at a pointer in one line. The
// parameter what describes the pointer, the number of elements and the format.
func (f *function) printPointer(op *ir.Op, what *sem.Printed) {
	e, ok := elementOfType(ir.ElementType(what.Source.Type()))
	if !ok || e.packed {
		f.unsupported(op)
		return
	}
	at := f.val(what.Source.Value)
	f.printRow(pto.ElementFormat(op, e.f), e, ll.Index(what.Cols.From), ll.Index(what.Cols.To), func(c, text value.Value) (value.Value, value.Value) {
		return f.loadElement(e, f.At(e.mem, at, c)), text
	})
}

// printView emits loops that print the elements of a tensor view. The parameter what
// describes the view and the format.
func (f *function) printView(op *ir.Op, what *sem.Printed) {
	v := what.Source.Value
	w, ok := f.viewOf(v)
	if ir.Is[ir.MemRefType](v.Type()) {
		w, ok = f.memrefView(v)
	}
	if !ok || w.e.packed {
		f.unsupported(op)
		return
	}
	format := pto.ElementFormat(op, w.e.f)
	top, rows := f.partWithin(what.Rows, f.axisLength(&w, pto.MatrixRows))
	left, cols := f.partWithin(what.Cols, f.axisLength(&w, pto.MatrixCols))
	f.Loop("row", f.Sub(rows, top), func(i value.Value) {
		r := f.Add(i, top)
		f.printRow(format, w.e, left, cols, func(c, text value.Value) (value.Value, value.Value) {
			at := f.Add(f.axisOffset(&w, pto.MatrixRows, r), f.axisOffset(&w, pto.MatrixCols, c))
			return f.loadElement(w.e, f.At(w.e.mem, w.base, at)), text
		})
	})
}

// partWithin emits the range of rows or columns that p selects among n, where n is known
// only at run time. The result from is the first index of the range, and the result to is
// the index after the last one.
func (f *function) partWithin(p sem.Part, n value.Value) (from, to value.Value) {
	if p.All() {
		return ll.Index(0), n
	}
	if p.To >= 0 {
		n = f.MinInt(ll.Index(p.To), n)
	}
	return f.MinInt(ll.Index(p.From), n), n
}

// printRow emits code that prints a row of elements in one line. The indices of the
// printed elements start at from and end before to. The parameter e is the type of the
// elements, and format describes how to print each of them.
//
// The function argument emits code for one element. It receives the index of the element
// and the address of a C format string. It returns the value of the element, and the
// address of the format string to use. The string that it receives starts with a
// separator, except for the first element.
func (f *function) printRow(format pto.PrintFormat, e element, from, to value.Value, element func(c, text value.Value) (x, how value.Value)) {
	first, next := f.Text(format.Text), f.Text(format.After(pto.PrintGap).Text)
	f.Loop("col", f.Sub(to, from), func(i value.Value) {
		x, how := element(f.Add(i, from), f.Select(f.ICmp(enum.IPredEQ, i, ll.Index(0)), first, next))
		f.printNumber(format, how, e.f, x)
	})
	f.printText("\n")
}

// printNumber emits the call that prints the number x, which has the number format t. The
// parameter format describes the conversion: whether it prints an integer or a float, and
// signed or unsigned. The parameter text is the address of the C format string for this
// conversion.
func (f *function) printNumber(format pto.PrintFormat, text value.Value, t num.Format, x value.Value) {
	if format.Float {
		f.Call(f.Intrinsic(printFloat, ll.Void, ll.Ptr, ll.F64), text, f.ToDouble(t, x))
		return
	}
	if ll.IsFloat(x.Type()) {
		x = f.Bits(x)
	}
	f.Call(f.Intrinsic(printInt, ll.Void, ll.Ptr, ll.I64), text, f.Resize(x, ll.I64, format.Signed))
}

// printText emits the call that prints constant text.
func (f *function) printText(s string) {
	text := pto.PrintFormat{}.After(s).Text
	f.Call(f.Intrinsic(printInt, ll.Void, ll.Ptr, ll.I64), f.Text(text), ll.Index(0))
}
