// This file defines attributes that are sets of keywords.

package ir

import (
	"slices"
	"strings"
)

// Flags is a set of keywords that can be combined, such as the fast-math flags of
// floating-point operations. In the text it is an attribute #dialect.name<a,b>.
type Flags struct {
	// Dialect is the name of the dialect that defines the flags.
	Dialect string
	// Name is the mnemonic of the attribute.
	Name string
	// Cases are the keywords, each with its own bit.
	Cases []EnumCase
	// Sep is the separator that the printer writes between keywords.
	Sep string
	// Groups are keywords that denote several cases at once, such as "fast" for all
	// cases. If all bits of a group are set, the printer writes the keyword of the group
	// instead of the keywords of its cases.
	Groups []EnumCase
}

// flagsAttr is the content of an attribute that consists of flags. The field Flags is the
// definition of all possible flags, and the field Bits contains the flags that are set.
type flagsAttr struct {
	Flags *Flags
	Bits  uint32
}

// NewFlags returns the flags #dialect.name whose cases are the given keywords, with the
// values 1, 2, 4, ... sep is the separator that the printer writes between keywords.
func NewFlags(dialect, name, sep string, cases ...string) *Flags {
	f := &Flags{Dialect: dialect, Name: name, Sep: sep}
	for i, c := range cases {
		f.Cases = append(f.Cases, EnumCase{c, 1 << i})
	}
	return f
}

// Attr returns the attribute in which the given bits are set. The bits are the values of
// Cases.
func (f *Flags) Attr(bits uint32) Attr { return AttrOf(flagsAttr{f, bits}) }

// Bit returns the bits of a keyword: one bit for a case, several for a group, and 0 if
// the keyword is unknown.
func (f *Flags) Bit(keyword string) uint32 {
	for _, cs := range [][]EnumCase{f.Groups, f.Cases} {
		if i := slices.IndexFunc(cs, func(c EnumCase) bool { return c.Name == keyword }); i >= 0 {
			return uint32(cs[i].Value)
		}
	}
	return 0
}

// CheckAttr implements AttrConstraint. It accepts every combination of the flags of f,
// including the empty one.
func (f *Flags) CheckAttr(a Attr) bool {
	d, ok := AttrAs[flagsAttr](a)
	return ok && d.Flags == f
}

// WantAttr implements AttrConstraint. It returns the syntax of the attribute with all
// keywords, for diagnostics.
func (f *Flags) WantAttr() string {
	return "#" + f.Dialect + "." + f.Name + "<" + strings.Join(f.keywords(), ",") + ">"
}

// keywords returns all keywords that the program text may use: "none", the cases and the
// groups. Diagnostics list them.
func (f *Flags) keywords() []string {
	names := []string{"none"}
	for _, c := range slices.Concat(f.Cases, f.Groups) {
		names = append(names, c.Name)
	}
	return names
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a flagsAttr) AppendAttr(b []byte) []byte {
	b = append(append(b, '#'), a.Flags.Dialect...)
	b = append(append(b, '.'), a.Flags.Name...)
	return a.AppendCases(b)
}

// AppendCases appends the keywords for the set bits, in angle brackets. A group is a
// keyword for several bits. If all bits of a group are set, AppendCases writes the
// keyword of the group instead of the keywords of its bits.
func (a flagsAttr) AppendCases(b []byte) []byte {
	b = append(b, '<')
	if a.Bits == 0 {
		return append(b, "none>"...)
	}
	rest, sep := a.Bits, ""
	for _, c := range slices.Concat(a.Flags.Groups, a.Flags.Cases) {
		if v := uint32(c.Value); rest&v == v {
			b = append(append(b, sep...), c.Name...)
			rest, sep = rest&^v, a.Flags.Sep
		}
	}
	return append(b, '>')
}

// Flags reads a list of keywords <a, b, ...> and returns the combined flags as an
// attribute. The keyword "none" denotes the empty set.
func (p *Parser) Flags(f *Flags) Attr {
	p.Expect("<")
	bits := uint32(0)
	p.List(">", func() {
		off, word := p.start, p.Ident()
		bit := f.Bit(word)
		if bit == 0 && word != "none" && !p.bad {
			p.ErrorAt(off, "'%s' is not a case of #%s.%s: expected %s", word, f.Dialect, f.Name, strings.Join(f.keywords(), ", ")).As(CodeUnknownWord).
				Suggest(LocAt(p.src, off), word, f.keywords()...)
		}
		bits |= bit
	})
	p.Expect(">")
	return f.Attr(bits)
}
