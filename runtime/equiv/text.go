package equiv

import (
	"fmt"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// Extent returns a text that states what the outcome Equivalent covers: how many bytes of
// which arguments, and for which input data.
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
	}
	return text
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
