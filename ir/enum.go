// This file defines enum attributes of dialects.

package ir

import (
	"slices"
	"strings"
)

// Enum is a closed set of keywords that a dialect defines, such as rounding modes.
// Attributes and custom text refer to its cases.
type Enum struct {
	// Dialect is the name of the dialect that defines the enum.
	Dialect string
	// Name is the mnemonic, as in #dialect.name<case>.
	Name string
	// Cases are the keywords with their values, in the order of the reference pages.
	Cases []EnumCase
	// Short makes the printer write #dialect<name case> instead of
	// #dialect.name<case>. The parser accepts both.
	Short bool
	// Base is a more general enum, or nil. Where this enum is expected, the parser also
	// accepts a case of Base and converts it to the case with the same keyword.
	Base *Enum
}

// EnumCase is one keyword with its numeric value.
type EnumCase struct {
	Name  string
	Value int64
}

// NewEnum returns the enum #dialect.name whose cases are the given keywords, with the
// values 0, 1, 2, ...
func NewEnum(dialect, name string, cases ...string) *Enum {
	e := &Enum{Dialect: dialect, Name: name}
	for i, c := range cases {
		e.Cases = append(e.Cases, EnumCase{c, int64(i)})
	}
	return e
}

// Lookup returns the attribute for a keyword, and false if no such case exists. An
// exact match has priority. Otherwise upper and lower case do not matter, because some
// documents write keywords in capitals that programs write in lower case.
func (e *Enum) Lookup(keyword string) (Attr, bool) {
	i := slices.IndexFunc(e.Cases, func(c EnumCase) bool { return c.Name == keyword })
	if i < 0 {
		i = slices.IndexFunc(e.Cases, func(c EnumCase) bool { return strings.EqualFold(c.Name, keyword) })
	}
	if i < 0 {
		return Attr{}, false
	}
	return AttrOf(EnumAttr{e, e.Cases[i].Value}), true
}

// Canonical converts a case of a more general enum to a case of e. If the attribute a is
// a case of e.Base, the result is the case of e with the same keyword. Canonical returns
// every other attribute unchanged.
func (e *Enum) Canonical(a Attr) Attr {
	if d, ok := AttrAs[EnumAttr](a); ok && e.Base != nil && d.Enum == e.Base {
		if own, ok := e.Lookup(d.Keyword()); ok {
			return own
		}
	}
	return a
}

// ByValue returns the attribute for a numeric value, and false if no case has it.
func (e *Enum) ByValue(v int64) (Attr, bool) {
	if !slices.ContainsFunc(e.Cases, func(c EnumCase) bool { return c.Value == v }) {
		return Attr{}, false
	}
	return AttrOf(EnumAttr{e, v}), true
}

// Attr returns the attribute for a keyword. It panics if e has no such case, so it is
// meant for keywords that are written in Go code, not for those of programs.
func (e *Enum) Attr(keyword string) Attr {
	a, ok := e.Lookup(keyword)
	if !ok {
		panic("BUG: enum " + e.Name + " has no case " + keyword)
	}
	return a
}

// Keywords returns the keywords of all cases in order.
func (e *Enum) Keywords() []string {
	names := make([]string, len(e.Cases))
	for i, c := range e.Cases {
		names[i] = c.Name
	}
	return names
}

// EnumAttr is one case of an Enum.
type EnumAttr struct {
	Enum  *Enum
	Value int64
}

// Keyword returns the keyword of the case.
func (a EnumAttr) Keyword() string {
	for _, c := range a.Enum.Cases {
		if c.Value == a.Value {
			return c.Name
		}
	}
	return "<<bad case>>"
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a EnumAttr) AppendAttr(b []byte) []byte {
	b = append(append(b, '#'), a.Enum.Dialect...)
	if a.Enum.Short {
		b = append(append(append(b, '<'), a.Enum.Name...), ' ')
	} else {
		b = append(append(append(b, '.'), a.Enum.Name...), '<')
	}
	return append(append(b, a.Keyword()...), '>')
}

// Keyword returns the keyword of an enum attribute, or "" for another attribute.
func (a Attr) Keyword() string {
	if d, ok := AttrAs[EnumAttr](a); ok {
		return d.Keyword()
	}
	return ""
}
