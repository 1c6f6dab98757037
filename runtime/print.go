package runtime

import (
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// debugStep plans instructions for finding faults.
func (p *planner) debugStep(op *ir.Op, kind any) (step, bool) {
	switch kind.(type) {
	case sem.Print:
		return p.print(op), true
	case sem.Stop:
		return func(*frame) *Fault { return faultAt(op, "stops the kernel") }, true
	}
	return nil, false
}

// print plans printing a scalar, a tile or a view.
func (p *planner) print(op *ir.Op) step {
	switch v := op.Arg("scalar"); {
	case v != nil:
		return p.printScalar(op, v)
	case classOf(op.Arg("src").Type()) == viewClass:
		return p.printView(op, op.Arg("src"))
	}
	src := p.tileArg(op, "src")
	if src.l == nil {
		return nil
	}
	format := pto.ElementFormat(op, src.l.f)
	return func(fr *frame) *Fault { return fr.core.print(printTile(&src, fr.t[src.at], format)) }
}

// printTile shows all elements of a tile, those outside of the valid region
// behind a bar.
func printTile(o *tileOperand, t *tile, first pto.PrintFormat) string {
	next, outside := first.After(pto.PrintGap), first.After(pto.PrintBar)
	var b strings.Builder
	for r := range o.l.rows {
		if r == t.rows && r > 0 {
			b.WriteString(pto.PrintRule)
		}
		for c := range o.l.cols {
			format := next
			switch c {
			case 0:
				format = first
			case t.cols:
				format = outside
			}
			b.WriteString(format.Print(o.l.f, o.l.get(t, r, c)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// printView plans showing a tensor, a line for each run along its last
// dimension.
func (p *planner) printView(op *ir.Op, v *ir.Value) step {
	_, size := p.viewShape(op, v.Type())
	f, _ := p.format(op, ir.ElementType(v.Type()))
	at, gm := p.slot(v), newPlace(op, "src", reads)
	first := pto.ElementFormat(op, f)
	next := first.After(pto.PrintGap)
	return func(fr *frame) *Fault {
		var b strings.Builder
		w := &fr.w[at]
		for r := range matrixRows.length(w) {
			format := first
			for c := range matrixCols.length(w) {
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
		return fr.core.print(b.String())
	}
}

// printScalar plans printing a scalar in a format of C.
func (p *planner) printScalar(op *ir.Op, v *ir.Value) step {
	f, ok := p.format(op, v.Type())
	if !ok {
		return nil
	}
	at, format := p.slot(v), pto.ScalarFormat(op, f)
	return func(fr *frame) *Fault { return fr.core.print(format.Print(f, fr.x[at])) }
}
