package runtime

import (
	"fmt"
	"io"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// debugStep plans instructions for finding faults.
func (p *planner) debugStep(op *ir.Op, sem any) (step, bool) {
	switch sem.(type) {
	case pto.Print:
		return p.print(op), true
	case pto.Stop:
		return func(*frame) *Fault { return faultAt(op, "stops the kernel") }, true
	}
	return nil, false
}

// write gives text to whoever wants to see what kernels print.
func (p *Program) write(text string) {
	p.out.Lock()
	defer p.out.Unlock()
	io.WriteString(p.opts.Out, text)
}

// print plans printing a scalar, a tile or a view.
func (p *planner) print(op *ir.Op) step {
	if v := op.Arg("scalar"); v != nil {
		return p.printScalar(op, v)
	}
	v := op.Arg("src")
	float, integer := printWidths(op.Attr("printFormat").Keyword())
	show := func(f num.Format, bits uint64) string {
		if f.IsFloat() {
			return fmt.Sprintf(float, num.Decode(f, bits))
		}
		return fmt.Sprintf(integer, integerOf(f, bits))
	}
	at := p.slot(v)
	if classOf(v.Type()) == viewClass {
		_, size := p.viewShape(op, v.Type())
		f, _ := p.format(op, ir.ElementType(v.Type()))
		gm := newPlace(op, "src", reads)
		return func(fr *frame) *Fault {
			return printView(fr, &gm, &fr.w[at], size, func(b uint64) string { return show(f, b) }, f)
		}
	}
	src := p.tileArg(op, "src")
	if src.l == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		fr.core.prog.write(printTile(&src, fr.t[at], func(b uint64) string { return show(src.l.f, b) }))
		return nil
	}
}

// printWidths are the formats of floats and integers.
func printWidths(name string) (float, integer string) {
	switch name {
	case "width8_precision2":
		return "%8.2f", "%8d"
	case "width10_precision6":
		return "%10.6f", "%10d"
	}
	return "%8.4f", "%8d"
}

func integerOf(f num.Format, bits uint64) any {
	if f.Signed() {
		return num.Int(f, bits)
	}
	return num.Uint(f, bits)
}

// printTile shows all elements of a tile, those outside of the valid region
// behind a bar.
func printTile(o *tileOperand, t *tile, show func(bits uint64) string) string {
	var b strings.Builder
	for r := range o.l.rows {
		if r == t.rows && r > 0 {
			b.WriteString(strings.Repeat("-", 8) + "\n")
		}
		for c := range o.l.cols {
			switch {
			case c == t.cols && c > 0:
				b.WriteString(" |")
			case c > 0:
				b.WriteByte(' ')
			}
			b.WriteString(show(o.l.get(t, r, c)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// printView shows a tensor, a line for each run along its last dimension.
func printView(fr *frame, gm *place, w *view, size int, show func(bits uint64) string, f num.Format) *Fault {
	var b strings.Builder
	for r := range matrixRows.length(w) {
		for c := range matrixCols.length(w) {
			at := matrixRows.offset(w, r) + matrixCols.offset(w, c)
			data, fault := gm.bytes(fr.core, w.addr+uint64(at*int64(size)), size)
			if fault != nil {
				return fault
			}
			if c > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(show(num.Load(f, data)))
		}
		b.WriteByte('\n')
	}
	fr.core.prog.write(b.String())
	return nil
}

// printScalar plans printing a scalar in a format of C.
func (p *planner) printScalar(op *ir.Op, v *ir.Value) step {
	f, ok := p.format(op, v.Type())
	text, _ := op.Attr("format").AsString()
	before, verb, after := splitFormat(text)
	if !ok {
		return nil
	}
	at := p.slot(v)
	return func(fr *frame) *Fault {
		fr.core.prog.write(before + showScalar(verb, f, fr.x[at]) + after)
		return nil
	}
}

// splitFormat finds the first conversion in a format of C; %% is a percent
// sign.
func splitFormat(text string) (before, verb, after string) {
	for i := 0; i+1 < len(text); i++ {
		switch {
		case text[i] != '%':
			continue
		case text[i+1] == '%':
			i++
			continue
		}
		end := i + 1
		for end < len(text) && strings.IndexByte("0123456789+-# .lhzjt", text[end]) >= 0 {
			end++
		}
		end = min(end+1, len(text))
		return percent(text[:i]), text[i:end], percent(text[end:])
	}
	return percent(text), "", ""
}

func percent(s string) string { return strings.ReplaceAll(s, "%%", "%") }

// showScalar converts a number as a conversion of C says.
func showScalar(verb string, f num.Format, bits uint64) string {
	if verb == "" {
		return ""
	}
	n := len(verb) - 1
	flags := strings.Map(func(r rune) rune {
		if strings.ContainsRune("lhzjt", r) {
			return -1
		}
		return r
	}, verb[:n])
	switch verb[n] {
	case 'd', 'i':
		if f.IsInt() {
			return fmt.Sprintf(flags+"d", num.Int(f.AsSigned(), bits))
		}
	case 'u', 'x', 'X', 'o':
		c := strings.Replace(verb[n:], "u", "d", 1)
		return fmt.Sprintf(flags+c, bits&f.Mask())
	case 'f', 'F', 'e', 'E', 'g', 'G':
		if f.IsFloat() {
			return fmt.Sprintf(flags+verb[n:], num.Decode(f, bits))
		}
	}
	if f.IsFloat() {
		return num.FormatFloat(f, bits)
	}
	return fmt.Sprint(integerOf(f, bits))
}
