// This file converts positions to those of the editor.

package playground

import "unicode/utf8"

// Range is a range of the program text: from offset From up to, but not including, offset
// To. Offsets count UTF-16 units, as JavaScript does.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// units converts byte offsets of a text to offsets in UTF-16 units, which JavaScript
// uses.
type units struct {
	text  string
	ascii bool
}

// newUnits returns a value that converts byte offsets in text to UTF-16 offsets. It
// records whether text is ASCII, because both offsets are then equal.
func newUnits(text string) units {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return units{text, false}
		}
	}
	return units{text, true}
}

// at returns the UTF-16 offset that corresponds to the byte offset off.
func (u units) at(off int) int {
	off = max(0, min(off, len(u.text)))
	if u.ascii {
		return off
	}
	n := 0
	for _, r := range u.text[:off] {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}

// span returns the UTF-16 range that corresponds to the bytes [from, to).
func (u units) span(from, to int) Range { return Range{u.at(from), u.at(to)} }
