// This file implements attributes in assembly formats.

package ir

import "strings"

// quotedAttr is an enum attribute that the printer writes in quotes, as "KEYWORD". The
// parser also accepts the bare keyword, the keyword in angle brackets and the full
// attribute #dialect.name<KEYWORD>.
type quotedAttr struct{ attrPart }

// print writes the keyword in quotes, or nothing if the attribute is absent.
func (e quotedAttr) print(w *Printer, op *Op) {
	if a := op.Attr(e.def.Name); !a.IsZero() {
		w.Text(a.Keyword())
	}
}

// fullAttr is an attribute that the printer writes with its dialect and name,
// #dialect.name<...>. The parser also accepts the short form without them.
type fullAttr struct{ attrPart }

// print writes the attribute in the form #dialect.name<...>, or nothing if it is absent.
func (e fullAttr) print(w *Printer, op *Op) {
	if a := op.Attr(e.def.Name); !a.IsZero() {
		w.Attr(a)
	}
}

// quoted compiles the element quoted($x): the enum attribute x in quotes.
func (c *compiler) quoted() element { return quotedAttr{c.attrArg("quoted")} }

// fullAttr compiles the element full($x): the attribute x with its dialect and name.
func (c *compiler) fullAttr() element { return fullAttr{c.attrArg("full")} }

// attrArg reads the text ($x) in a format string, where x must be the name of an
// attribute. It returns the part of the compiled format that parses and prints this
// attribute. The string argument is the name of the enclosing construct, such as
// "quoted", for the error message.
func (c *compiler) attrArg(of string) attrPart {
	c.expect("(")
	e, ok := c.variable(strings.TrimPrefix(c.take(), "$")).(attrPart)
	if !ok {
		c.fail(of + "() requires an attribute as its argument")
	}
	c.expect(")")
	return e
}

// keyedAttrs is a list of attributes as {key = value, ...}. Unlike in an attribute
// dictionary, the printer writes the values in their short form.
type keyedAttrs struct{ keys []keyedAttr }

// keyedAttr is one entry key = value of a keyedAttrs list. full selects the long form
// #dialect.name<...> of the value.
type keyedAttr struct {
	key string
	attrPart
	full bool
}

// keyed compiles the element keys($a, other=$b, c=full($c)): a list of attributes as key
// = value.
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
				c.fail("keys() requires attributes as its arguments")
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

// names returns the keys of the attributes in the list. Error messages suggest them when
// a program contains an unknown key.
func (e keyedAttrs) names() []string {
	var names []string
	for _, k := range e.keys {
		names = append(names, k.key)
	}
	return names
}

// print writes the attributes that are present as {key = value, ...}, in the order of the
// format. The text therefore does not depend on the order in the input.
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

// EnumIn returns a constraint that accepts the cases of all given enums. The program may
// write a keyword, bare or in quotes; it denotes the case of the first enum that contains
// the keyword.
func EnumIn(enums ...*Enum) AttrConstraint { return &enumIn{enums} }

// enumIn is the constraint that EnumIn returns. If a keyword occurs in several enums, the
// first enum in the list has priority.
type enumIn struct{ enums []*Enum }

// CheckAttr implements AttrConstraint. It accepts a case of any of the enums.
func (c *enumIn) CheckAttr(a Attr) bool {
	for _, e := range c.enums {
		if e.CheckAttr(a) {
			return true
		}
	}
	return false
}

// WantAttr implements AttrConstraint. It returns a description of all accepted keywords,
// for diagnostics.
func (c *enumIn) WantAttr() string {
	wants := make([]string, len(c.enums))
	for i, e := range c.enums {
		wants[i] = e.WantAttr()
	}
	return strings.Join(wants, " or ")
}

// read parses one case, either as a full attribute #dialect.name<case> or as a keyword in
// one of the short forms.
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
		p.ErrorAt(off, "'%s' is not a case of %s", word, c.WantAttr()).As(CodeUnknownWord)
	}
	return Attr{}
}
