package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// What kernels print goes number by number to two functions, which whoever
// calls them supplies.
const (
	printInt   = "pto_print_int"
	printFloat = "pto_print_float"
)

// print writes printing a scalar, a tile or a view.
func (f *function) print(op *ir.Op) {
	for _, g := range f.funcs {
		if g.Name() == printInt || g.Name() == printFloat {
			f.errorf(op, "prints by a function of C, @%s, but the program has one of that name", g.Name())
			return
		}
	}
	switch v := op.Arg("scalar"); {
	case v != nil:
		t, _ := ir.FormatOf(v.Type())
		format := pto.ScalarFormat(op, t)
		f.printNumber(format, f.Text(format.Text), t, f.val(v))
	case pto.IsTile(op.Arg("src").Type()):
		f.printTile(op)
	default:
		f.printView(op, op.Arg("src"))
	}
}

// printTile writes printing all elements of a tile.
func (f *function) printTile(op *ir.Op) {
	t, ok := f.tileArg(op, "src")
	if !ok {
		return
	}
	format := pto.ElementFormat(op, t.e.f)
	outside := f.Text(format.After(pto.PrintBar).Text)
	f.Loop("row", ll.Index(t.info.Rows), func(r value.Value) {
		ruled := f.And(f.ICmp(enum.IPredEQ, r, t.rows), f.ICmp(enum.IPredSGT, r, ll.Index(0)))
		f.When("rule", ruled, func() { f.printText(pto.PrintRule) })
		f.printRow(format, t.e, ll.Index(t.info.Cols), func(c, text value.Value) (value.Value, value.Value) {
			edge := f.And(f.ICmp(enum.IPredEQ, c, t.cols), f.ICmp(enum.IPredSGT, c, ll.Index(0)))
			return f.get(&t, r, c), f.Select(edge, outside, text)
		})
	})
}

// printView writes printing a tensor.
func (f *function) printView(op *ir.Op, v *ir.Value) {
	w, ok := f.viewOf(v)
	if ir.Is[ir.MemRefType](v.Type()) {
		w, ok = f.memrefView(v)
	}
	if !ok || w.e.packed {
		f.unsupported(op)
		return
	}
	format := pto.ElementFormat(op, w.e.f)
	f.Loop("row", f.axisLength(&w, pto.MatrixRows), func(r value.Value) {
		f.printRow(format, w.e, f.axisLength(&w, pto.MatrixCols), func(c, text value.Value) (value.Value, value.Value) {
			at := f.Add(f.axisOffset(&w, pto.MatrixRows, r), f.axisOffset(&w, pto.MatrixCols, c))
			return f.loadElement(w.e, f.At(w.e.mem, w.base, at)), text
		})
	})
}

// printRow writes printing a line of elements. For each, element gives what to
// print, and how: first and next elements have formats of their own, of which
// it gets the one that is due.
func (f *function) printRow(format pto.PrintFormat, e element, n value.Value, element func(c, text value.Value) (x, how value.Value)) {
	first, next := f.Text(format.Text), f.Text(format.After(pto.PrintGap).Text)
	f.Loop("col", n, func(c value.Value) {
		x, how := element(c, f.Select(f.ICmp(enum.IPredEQ, c, ll.Index(0)), first, next))
		f.printNumber(format, how, e.f, x)
	})
	f.printText("\n")
}

// printNumber writes printing a number of format t in a text like that of
// format.
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

// printText writes printing plain text.
func (f *function) printText(s string) {
	text := pto.PrintFormat{}.After(s).Text
	f.Call(f.Intrinsic(printInt, ll.Void, ll.Ptr, ll.I64), f.Text(text), ll.Index(0))
}
