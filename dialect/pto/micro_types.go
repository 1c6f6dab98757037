// This file defines types of micro-instructions.

package pto

import (
	"strconv"

	"ptogo/ir"
)

// EventIDArray is the type !pto.eventid_array, an array of Size event numbers (numbers of
// flags between pipes).
type EventIDArray struct{ Size int64 }

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t EventIDArray) AppendType(b []byte) []byte {
	return append(strconv.AppendInt(append(b, "!pto.eventid_array<"...), t.Size, 10), '>')
}

// microTypes contains parsers of types, by type name. These are the types that only
// vector and synchronization instructions use.
var microTypes = map[string]func(p *ir.Parser) ir.Type{
	"eventid_array": parseEventIDArray,
}

// parseEventIDArray parses the rest of !pto.eventid_array<N> after the name.
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
