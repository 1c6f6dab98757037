// This file implements attributes in assembly formats.

package ir

import "strings"

// quotedAttr is an enum that the printer writes in quotes, as "KEYWORD". The parser
// also accepts it bare, in angle brackets and in full.
type quotedAttr struct{ attrPart }

// print writes the keyword in quotes, or nothing if the attribute is absent.
func (e quotedAttr) print(w *Printer, op *Op) {
	if a := op.Attr(e.def.Name); !a.IsZero() {
		w.Text(a.Keyword())
	}
}

// fullAttr is an attribute that the printer writes with its dialect and name. The
// parser also accepts its short form.
type fullAttr struct{ attrPart }

// print writes the attribute in the form #dialect.name<...>, or nothing if it is absent.
func (e fullAttr) print(w *Printer, op *Op) {
	if a := op.Attr(e.def.Name); !a.IsZero() {
		w.Attr(a)
	}
}

// quoted compiles quoted($x).
func (c *compiler) quoted() element { return quotedAttr{c.attrArg("quoted")} }

// fullAttr compiles full($x).
func (c *compiler) fullAttr() element { return fullAttr{c.attrArg("full")} }

// attrArg reads ($x), where x must be an attribute. of is the name of the construct
// for the error message.
func (c *compiler) attrArg(of string) attrPart {
	c.expect("(")
	e, ok := c.variable(strings.TrimPrefix(c.take(), "$")).(attrPart)
	if !ok {
		c.fail(of + "() takes an attribute")
	}
	c.expect(")")
	return e
}

// keyedAttrs is a list of attributes as {key = value, ...}. Unlike in an attribute
// dictionary, the printer writes the values in their short form.
type keyedAttrs struct{ keys []keyedAttr }

// keyedAttr is one entry: full selects the long form of the value.
type keyedAttr struct {
	key string
	attrPart
	full bool
}

// keyed compiles keys($a, other=$b, c=full($c)).
func (c *compiler) keyed() element {
	var e keyedAttrs
	c.expect("(")
	for {
		t := c.take()
		key := strings.TrimPrefix(t, "$")
		if t[0] != '$' {
			c.expect("=")
			t = c.take()
		}
		if t == "full" {
			e.keys = append(e.keys, keyedAttr{key, c.attrArg(t), true})
		} else {
			part, ok := c.variable(strings.TrimPrefix(t, "$")).(attrPart)
			if !ok {
				c.fail("keys() takes attributes")
			}
			e.keys = append(e.keys, keyedAttr{key, part, false})
		}
		if c.peek() != "," {
			break
		}
		c.take()
	}
	c.expect(")")
	return e
}

// parse reads key = value pairs in any order, each at most once.
func (e keyedAttrs) parse(p *Parser, st *OpParse) {
	p.Expect("{")
	p.List("}", func() {
		off, word := p.Offset(), p.Ident()
		if p.bad {
			return
		}
		for _, k := range e.keys {
			if k.key != word {
				continue
			}
			if !st.GetAttr(k.def.Name).IsZero() {
				p.ErrorAt(off, "'%s' is given twice", word)
				return
			}
			p.Expect("=")
			k.parse(p, st)
			return
		}
		p.ErrorAt(off, "'%s' op has no '%s' here", st.Def.Name, word).As(CodeUnknownWord).Suggest(p.LocAt(off), word, e.names()...)
	})
	p.Expect("}")
}

// names returns the keys, for suggestions in error messages.
func (e keyedAttrs) names() []string {
	var names []string
	for _, k := range e.keys {
		names = append(names, k.key)
	}
	return names
}

// print writes the pairs in the order of the format, so that the text does not
// depend on the order in the input.
func (e keyedAttrs) print(w *Printer, op *Op) {
	w.part()
	w.Raw("{")
	first := true
	for _, k := range e.keys {
		if !k.present(op) {
			continue
		}
		if !first {
			w.Raw(", ")
		}
		first = false
		w.Raw(k.key + " = ")
		if k.full {
			w.Attr(op.Attr(k.def.Name))
		} else {
			k.print(w, op)
		}
	}
	w.Raw("}")
	w.glue, w.punct = false, true
}

// EnumIn returns a constraint that accepts the cases of several enums. The text may
// give a keyword, bare or in quotes. It means the first enum that has the keyword.
func EnumIn(enums ...*Enum) AttrConstraint { return &enumIn{enums} }

// enumIn is the constraint that EnumIn returns. The order of enums decides which one a
// keyword means.
type enumIn struct{ enums []*Enum }

// CheckAttr implements AttrConstraint.
func (c *enumIn) CheckAttr(a Attr) bool {
	for _, e := range c.enums {
		if e.CheckAttr(a) {
			return true
		}
	}
	return false
}

// WantAttr implements AttrConstraint.
func (c *enumIn) WantAttr() string {
	wants := make([]string, len(c.enums))
	for i, e := range c.enums {
		wants[i] = e.WantAttr()
	}
	return strings.Join(wants, " or ")
}

// read reads one case: a full attribute, or a keyword in any of the short forms.
func (c *enumIn) read(p *Parser) Attr {
	if p.kind == tokHash {
		return p.Attr()
	}
	angle := p.Accept("<")
	off, word := p.start, ""
	if p.kind == tokString {
		word = p.Quoted()
	} else {
		word = p.Ident()
	}
	if angle {
		p.Expect(">")
	}
	for _, e := range c.enums {
		if a, ok := e.Lookup(word); ok {
			return a
		}
	}
	if !p.bad {
		p.ErrorAt(off, "'%s' is no case of %s", word, c.WantAttr()).As(CodeUnknownWord)
	}
	return Attr{}
}
