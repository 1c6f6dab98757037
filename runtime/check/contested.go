// This file reports operands for which public sources define different meanings.

package check

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime"
)

// contested adds a remark if the operands of event e are a case for which public sources
// disagree about the result (docs/isa/differences.md). Examples are NaN in a maximum or
// minimum, shift counts beyond the width, and row vectors of 32 bytes with different
// elements. This runtime follows one of the sources, so other machines may compute other
// results.
func (c *Checker) contested(e *runtime.Event, s *site) {
	k := findingKey{Init, "contested", s.id, 0}
	if c.found[k] != nil {
		return // one remark per operation is enough
	}
	text, note := disputed(e)
	if text == "" {
		return
	}
	c.finding(k, ir.Remark, e.Number, "'%s' %s", e.Op.Name(), text).note(ir.Loc{}, "%s", note)
}

// disputed returns a text and a note about a disagreement between public sources that
// affects the result of event e. The text and the note are "" if the sources agree.
func disputed(e *runtime.Event) (text, note string) {
	switch fn := sem.ElementFn(e.Op); fn {
	case scalar.Max, scalar.Min:
		if anyNaN(e) {
			return "computes a maximum or minimum with NaN, on which sources disagree", "NaN wins here, as in the pto-isa pages and in public golden data; pto-spec lets the number win, the CPU simulator the operand that comes first"
		}
	case scalar.Shl, scalar.Shr, scalar.ShlWide, scalar.ShrWide:
		if shiftsFar(e) {
			beyond := "the count is taken modulo the width here, as in public golden data; the CPU simulator shifts everything out"
			if fn == scalar.ShlWide || fn == scalar.ShrWide {
				beyond = "everything is shifted out here, as in public golden data and in the CPU simulator; pto-spec takes the count modulo the width"
			}
			return "shifts by its width or more, on which sources disagree", beyond
		}
	}
	if x, ok := e.Op.Def().Sem.(sem.TileExpand); ok && x.InTurn() && sem.OnA5.Has(ir.TargetOf(e.Op)) && uneven(e) {
		return "repeats rows of 32 bytes whose elements differ, on which sources disagree", "the elements are repeated in turn here, as in the ISA page, the NPU headers and the CPU simulator; the IR compiler's templates for A5 and golden data made for them repeat the first element"
	}
	return "", ""
}

// anyNaN reports whether a lane of an operand of event e, which the mask of the instruction
// does not exclude, is a NaN.
func anyNaN(e *runtime.Event) bool {
	on := lanesOf(e)
	for _, v := range e.Op.Operands() {
		if f, ok := ir.FormatOf(ir.ElementType(v.Type())); !ok || !f.IsFloat() {
			continue
		}
		x, ok := e.Elements(v, false)
		if ok && (on == nil && num.AnyNaN(x.Format, x.Data) || on != nil && anyElement(x, on, num.IsNaN)) {
			return true
		}
	}
	return false
}

// lanesOf returns the mask operand of event e with one byte per lane, or nil if the
// instruction has no mask.
func lanesOf(e *runtime.Event) []byte {
	for _, v := range e.Op.Operands() {
		if ir.Is[pto.Mask](v.Type()) {
			x, _ := e.Elements(v, false)
			return x.Data
		}
	}
	return nil
}

// anyElement reports whether at least one element of x has the property that a callback
// tests. The callback is the last argument; it receives the format and the bits of an
// element. The slice on has one byte for each element: anyElement skips an element whose
// byte is 0. If on is shorter than x, it does not skip the remaining elements.
func anyElement(x runtime.Elements, on []byte, is func(f num.Format, bits uint64) bool) bool {
	for i := 0; (i+1)*x.Size <= len(x.Data); i++ {
		if (i >= len(on) || on[i] != 0) && is(x.Format, num.Load(x.Format, x.Data[i*x.Size:])) {
			return true
		}
	}
	return false
}

// shiftsFar reports whether event e shifts 8-bit or 16-bit elements by at least their
// width. It returns false if the result has overwritten the shift counts, because they
// are then unknown.
func shiftsFar(e *runtime.Event) bool {
	op := e.Op
	count := op.Arg("rhs")
	for _, name := range []string{"src1", "scalar"} {
		if count == nil {
			count = op.Arg(name)
		}
	}
	if count == nil || count == op.Arg("dst") {
		return false
	}
	first, ok := ir.FormatOf(ir.ElementType(op.Operand(0).Type()))
	x, known := e.Elements(count, false)
	if !ok || !known || first.Bits() > 16 {
		return false
	}
	return anyElement(x, lanesOf(e), func(f num.Format, bits uint64) bool {
		return bits&(1<<f.Bits()-1) >= uint64(first.Bits())
	})
}

// uneven reports whether the broadcast operand of event e has a row with different
// elements, if this operand is row-major with 32 bytes per row. Public sources disagree
// about such a row: some broadcast its first element, and some use all its elements.
func uneven(e *runtime.Event) bool {
	d, name := e.Arg("dst"), "src1"
	if a, b := e.Arg("src0"), e.Arg("src1"); b.Rows == d.Rows && b.Cols == d.Cols && (a.Rows != d.Rows || a.Cols != d.Cols) {
		name = "src0"
	}
	v := e.Op.Arg(name)
	if v == nil {
		return false
	}
	const block = 32
	info, _ := pto.TileOf(v.Type())
	x, known := e.Elements(v, true)
	if !known || info.BLayout != pto.RowMajor || len(x.Shape) != 2 || int(x.Shape[1])*x.Size != block {
		return false
	}
	for row := range min(d.Rows, int(x.Shape[0])) {
		line := x.Data[row*block:][:min(block, d.Cols*x.Size)]
		if len(line) > 0 && string(line[x.Size:]) != string(line[:len(line)-x.Size]) {
			return true
		}
	}
	return false
}
