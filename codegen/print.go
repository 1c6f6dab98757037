package codegen

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

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
		f.printNumber(format, f.text(format.Text), t, f.val(v))
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
	outside := f.text(format.After(pto.PrintBar).Text)
	f.loop("row", index(t.info.Rows), func(r value.Value) {
		ruled := f.and(f.icmp(enum.IPredEQ, r, t.rows), f.icmp(enum.IPredSGT, r, index(0)))
		f.when("rule", ruled, func() { f.printText(pto.PrintRule) })
		f.printRow(format, t.e, index(t.info.Cols), func(c, text value.Value) (value.Value, value.Value) {
			edge := f.and(f.icmp(enum.IPredEQ, c, t.cols), f.icmp(enum.IPredSGT, c, index(0)))
			return f.get(&t, r, c), f.sel(edge, outside, text)
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
	f.loop("row", f.axisLength(&w, pto.MatrixRows), func(r value.Value) {
		f.printRow(format, w.e, f.axisLength(&w, pto.MatrixCols), func(c, text value.Value) (value.Value, value.Value) {
			at := f.add(f.axisOffset(&w, pto.MatrixRows, r), f.axisOffset(&w, pto.MatrixCols, c))
			return f.loadElement(w.e, f.at(w.e.mem, w.base, at)), text
		})
	})
}

// printRow writes printing a line of elements. For each, element gives what to
// print, and how: first and next elements have formats of their own, of which
// it gets the one that is due.
func (f *function) printRow(format pto.PrintFormat, e element, n value.Value, element func(c, text value.Value) (x, how value.Value)) {
	first, next := f.text(format.Text), f.text(format.After(pto.PrintGap).Text)
	f.loop("col", n, func(c value.Value) {
		x, how := element(c, f.sel(f.icmp(enum.IPredEQ, c, index(0)), first, next))
		f.printNumber(format, how, e.f, x)
	})
	f.printText("\n")
}

// printNumber writes printing a number of format t in a text like that of
// format.
func (f *function) printNumber(format pto.PrintFormat, text value.Value, t num.Format, x value.Value) {
	if format.Float {
		f.call(f.intrinsic(printFloat, void, ptr, f64), text, f.toDouble(t, x))
		return
	}
	if isFloat(x.Type()) {
		x = f.bits(x)
	}
	f.call(f.intrinsic(printInt, void, ptr, i64), text, f.resize(x, i64, format.Signed))
}

// printText writes printing plain text.
func (f *function) printText(s string) {
	text := pto.PrintFormat{}.After(s).Text
	f.call(f.intrinsic(printInt, void, ptr, i64), f.text(text), index(0))
}

// text returns the address of a string of C.
func (m *module) text(s string) value.Value {
	key := "text:" + s
	g := m.tables[key]
	if g == nil {
		init := constant.NewCharArrayFromString(s + "\x00")
		g = &llir.Global{ContentType: init.Typ, Init: init, Immutable: true}
		g.Linkage = enum.LinkagePrivate
		g.SetName(fmt.Sprintf("pto.text.%d", len(m.Globals)))
		m.tables[key] = g
		m.Globals = append(m.Globals, g)
	}
	return address{g}
}
