package equiv

import (
	"fmt"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// Extent returns a text that states what the outcome Equivalent covers: how many bytes of
// which arguments, for which input data, and under which assumptions.
func (v *Verdict) Extent(o *Options) string {
	c := &comparison{o: *o}
	var parts, known []string
	for arg, n := range v.Written {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s", ir.Count(n, "byte"), c.name(arg)))
		}
		if c.known(arg) && o.Args[arg].Buf != nil {
			known = append(known, c.name(arg))
		}
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		text = "no byte of an argument changes"
	}
	text += ", for all data"
	if len(known) > 0 {
		text += " with the given " + strings.Join(known, ", ")
		if o.Zeros {
			text += ", which are zeros"
		}
	}
	if a := o.Assumptions(); a != "" {
		text += ", " + a
	}
	return text
}

// Assumptions returns a text with the assumptions of each outcome Equivalent: the values
// of scalar arguments, and that buffers do not overlap, because the comparison gives each
// buffer memory of its own. It returns "" if there are none.
func (o *Options) Assumptions() string {
	c := &comparison{o: *o}
	var list []string
	buffers := 0
	for arg, a := range o.Args {
		switch {
		case a.Buf == nil:
			list = append(list, c.name(arg)+" = "+c.scalar(arg))
		case !a.Context:
			buffers++
		}
	}
	text := ""
	if list != nil {
		text = "for " + strings.Join(list, ", ")
	}
	if buffers > 1 {
		if text != "" {
			text += ", "
		}
		text += "if the arguments do not overlap"
	}
	return text
}

// scalar returns the value of a scalar argument as text.
func (c *comparison) scalar(arg int) string {
	bits := c.o.Args[arg].Bits
	if arg < len(c.o.Elems) && !c.o.Elems[arg].IsZero() {
		if f, ok := ir.FormatOf(c.o.Elems[arg]); ok && f.IsFloat() {
			return fmt.Sprint(num.Decode(f, bits))
		} else if ok && f.Signed() || ok && f.Bits() == 64 {
			return fmt.Sprint(int64(bits<<(64-f.Bits())) >> (64 - f.Bits()))
		}
	}
	return fmt.Sprint(bits)
}

// Difference returns a text that describes the differing element, for the outcome
// Differs.
func (v *Verdict) Difference(o *Options) string {
	if v.Place == nil {
		return v.Why
	}
	c, p := &comparison{o: *o}, v.Place
	f := c.elem(p.Arg)
	text := func(b []byte) string {
		if len(b) == f.Bytes() && f.IsFloat() {
			return fmt.Sprint(num.Decode(f, num.Load(f, b)))
		}
		return fmt.Sprintf("%#x", b)
	}
	return fmt.Sprintf("element %d of %s (byte %d) is %s against %s on %s", p.Byte/max(p.Size, 1), c.name(p.Arg), p.Byte, text(p.Values[0]), text(p.Values[1]), p.Trial)
}
