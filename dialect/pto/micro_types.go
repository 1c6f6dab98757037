// This file defines types of micro-instructions.

package pto

import (
	"strconv"

	"ptogo/ir"
)

// EventIDArray is !pto.eventid_array: Size event numbers.
type EventIDArray struct{ Size int64 }

// AppendType implements ir.TypeData.
func (t EventIDArray) AppendType(b []byte) []byte {
	return append(strconv.AppendInt(append(b, "!pto.eventid_array<"...), t.Size, 10), '>')
}

// microTypes reads the types that only vector instructions and their kin use.
var microTypes = map[string]func(p *ir.Parser) ir.Type{
	"eventid_array": parseEventIDArray,
}

// parseEventIDArray parses the body of !pto.eventid_array.
func parseEventIDArray(p *ir.Parser) ir.Type {
	p.Expect("<")
	off := p.Offset()
	n := p.Integer()
	switch {
	case p.Failed():
	case n <= 0:
		p.ErrorAt(off, "an array of event numbers must have at least one element, but its size is %d", n)
	case n > 1<<20:
		p.ErrorAt(off, "an array of %d event numbers does not fit any stack", n)
	}
	p.Expect(">")
	return ir.TypeOf(EventIDArray{n})
}
