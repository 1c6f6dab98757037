// This file compiles assembly formats, as MLIR's assemblyFormat, into a parser and a
// printer.

package ir

import (
	"fmt"
	"strings"
)

// Syntax reads and writes the custom text of a form, the part after the name of the
// operation.
type Syntax interface {
	// Parse reads the custom text of an operation from p and records operands, attributes
	// and types in st, from which the parser then builds the operation. It reports errors
	// through p and need not check for them after each step; see Parser.
	Parse(p *Parser, st *OpParse)
	// Print writes the text of op so that Parse reads an equal operation.
	Print(w *Printer, op *Op)
}

// Hook is a Syntax that is implemented by two Go functions, for text that the format
// language of Asm cannot describe.
type Hook struct {
	// ParseFn reads the custom text of an operation from p into st, like Syntax.Parse.
	ParseFn func(p *Parser, st *OpParse)
	// PrintFn writes the custom text of op to w, like Syntax.Print.
	PrintFn func(w *Printer, op *Op)
	// Fits reports whether PrintFn can print the operation, for example because its
	// region has an entry block. If Fits returns false, the printer uses the generic
	// form, so that an illegal operation can still be printed.
	Fits func(op *Op) bool
}

// Parse implements Syntax: it parses the custom text of an operation into st.
func (h Hook) Parse(p *Parser, st *OpParse) { h.ParseFn(p, st) }

// Print implements Syntax: it writes the custom text of op.
func (h Hook) Print(w *Printer, op *Op) { h.PrintFn(w, op) }

// Asm returns the Syntax that a format string describes, in the notation of
// MLIR's declarative assembly format:
//
//	`word`              the text itself; `` `` `` writes no space
//	`word?`             the text itself; the program may omit it, the printer writes it
//	`word|other`        the text word; the parser also accepts the text other
//	$name               operands, attribute, region or successors of that name
//	type($name)         the types of an operand or result
//	type($a, $b, ...)   one type that all of them have
//	angled($x)          an enum as <KEYWORD>, also read as "KEYWORD"
//	quoted($x)          an enum as "KEYWORD"
//	full($x)            an attribute in the form #dialect.name<...>
//	keys($x, a=$y)      attributes as {x = value, a = value}, in any order
//	attr-dict           the attributes that no other element of the format contains
//	operands, types     all operands; all types as T, U -> R
//	signature           all types as (T, U) -> R, one operand as T -> R
//	functional-type     all types as (T, U) -> R, one operand as (T) -> R
//	( ... $x^ ... )?    a group that is present if x is; in ( ... )? : ( ... ), the
//	                    second group replaces it if x is absent; a unit attribute x
//	                    has no text of its own
//	( ... )*            once per value of the variadic arguments inside
//	custom<hook>($x)    text of a hook given to AsmWith, which is about $x
//
// The parser accepts each list of types in two styles, T, U -> R and (T, U) -> R. The
// list may omit the types of operands whose definition allows only one type. It may also
// be shorter than the list of operands; the remaining operands have the types of their
// values.
func Asm(format string) Syntax { return &asmFormat{text: format} }

// AsmWith returns the Syntax that a format string describes, like Asm, for a format that
// contains elements custom<name>(...). hooks maps the name of each of these elements to
// its implementation.
func AsmWith(format string, hooks map[string]Hook) Syntax {
	return &asmFormat{text: format, hooks: hooks}
}

// asmFormat is the Syntax of an operation that a format string describes. The string is
// compiled on the first use of the operation's definition, because resolving the names in
// the format needs the complete definition.
type asmFormat struct {
	text  string
	hooks map[string]Hook
	elems []element
	// inline holds the names of the attributes that the format prints itself. The printer
	// omits them from the attribute dictionary.
	inline map[string]bool
}

// element is one component of a compiled format, such as a keyword, an operand or a
// group.
type element interface {
	// parse reads the text of the element from p and records what it denotes in st, the
	// operation that is being parsed.
	parse(p *Parser, st *OpParse)
	// print writes the text that the element has for the operation op to w.
	print(w *Printer, op *Op)
}

// Parse implements Syntax: it parses the custom text of an operation into st.
func (f *asmFormat) Parse(p *Parser, st *OpParse) {
	for _, e := range f.elems {
		if p.bad {
			return
		}
		e.parse(p, st)
	}
}

// Print implements Syntax: it writes the custom text of op.
func (f *asmFormat) Print(w *Printer, op *Op) {
	for _, e := range f.elems {
		e.print(w, op)
	}
}

// compiler translates the text of a format into elements. It panics on an error, because
// formats are part of the Go code of a dialect.
type compiler struct {
	// def and form are the definition and the form to which the format belongs. Names in
	// the format refer to their operands, results, attributes and regions.
	def  *Def
	form *Form
	// f is the format to which the compiler adds elements.
	f *asmFormat
	// toks are the tokens of the format that have not been compiled yet.
	toks []string
}

// compile fills f.elems from f.text, for the given form of d.
func (f *asmFormat) compile(d *Def, form *Form) {
	c := &compiler{def: d, form: form, f: f, toks: formatTokens(f.text)}
	f.inline = map[string]bool{}
	f.elems = c.seq("")
	if len(c.toks) > 0 {
		c.fail("unexpected " + c.toks[0])
	}
}

// fail panics with a message that names the operation and the format.
func (c *compiler) fail(msg string) {
	panic(fmt.Sprintf("BUG: format of %s: %s in %q", c.def.Name, msg, c.f.text))
}

// formatTokens splits a format string into literals (including their backticks), names
// and punctuation.
func formatTokens(s string) []string {
	var toks []string
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case c == '`':
			n := strings.IndexByte(s[i+1:], '`')
			toks = append(toks, s[i:i+n+2])
			i += n + 2
		case c == '$' || isNameStart(c):
			k := i + 1
			for k < len(s) && (isNameByte(s[k]) || s[k] == '-' && k+1 < len(s) && isNameStart(s[k+1])) {
				k++
			}
			toks = append(toks, s[i:k])
			i = k
		default:
			toks = append(toks, s[i:i+1])
			i++
		}
	}
	return toks
}

// take removes the next token of the format and returns it. It panics at the end of the
// format.
func (c *compiler) take() string {
	if len(c.toks) == 0 {
		c.fail("ends too early")
	}
	t := c.toks[0]
	c.toks = c.toks[1:]
	return t
}

// peek returns the next token of the format without removing it, or "" at the end of the
// format.
func (c *compiler) peek() string {
	if len(c.toks) == 0 {
		return ""
	}
	return c.toks[0]
}

// expect removes the next token of the format and panics unless it is t.
func (c *compiler) expect(t string) {
	if got := c.take(); got != t {
		c.fail("expected " + t + ", found " + got)
	}
}

// seq compiles the elements of a format and returns them. It stops before the first token
// that equals the parameter closer, and does not consume this token. If closer is "", it
// compiles all elements up to the end of the format.
func (c *compiler) seq(closer string) []element {
	var es []element
	for len(c.toks) > 0 && c.peek() != closer {
		es = append(es, c.element())
		if c.peek() == "^" { // the anchor of a group
			c.take()
			es[len(es)-1] = anchored{es[len(es)-1]}
		}
	}
	return es
}

// element compiles the next element of a format, such as a keyword or an operand, and
// returns it. The doc comment of Asm describes the notation of formats.
func (c *compiler) element() element {
	t := c.take()
	switch {
	case t[0] == '`':
		if words := strings.Split(t[1:len(t)-1], "|"); len(words) > 1 && words[0] != "" {
			return synonyms(words)
		}
		if word, ok := strings.CutSuffix(t[1:len(t)-1], "?"); ok && word != "" {
			return optionalLiteral(word)
		}
		return literal(t[1 : len(t)-1])
	case t[0] == '$':
		return c.variable(t[1:])
	case t == "(":
		return c.group()
	case t == "type":
		return c.typeOf()
	case t == "angled":
		return c.angled()
	case t == "quoted":
		return c.quoted()
	case t == "full":
		return c.fullAttr()
	case t == "keys":
		return c.keyed()
	case t == "attr-dict", t == "attr-dict-with-keyword":
		return attrDict{f: c.f, keyword: t != "attr-dict"}
	case t == "operands":
		return operandList{c.form.allArgs()}
	case t == "types":
		return typeList{}
	case t == "signature":
		return typeList{parens: true}
	case t == "functional-type":
		return functionalType{typeList{parens: true, always: true}}
	case t == "custom":
		c.expect("<")
		h, ok := c.f.hooks[c.take()]
		if !ok {
			c.fail("unknown hook")
		}
		c.expect(">")
		return hookPart{h, c.hookArgs()}
	}
	c.fail("unexpected " + t)
	return nil
}

// hookArgs reads the list ($x, $y, ...) of names that follows custom<...> in a format. It
// returns one format element for each operand or attribute in the list. A Go function,
// the hook, prints them. For this reason, hookArgs marks the attributes as inline, so
// that the printer omits them from the attribute dictionary.
func (c *compiler) hookArgs() []element {
	if c.peek() != "(" {
		return nil
	}
	c.take()
	var args []element
	for c.peek() != ")" {
		if t := c.take(); t[0] == '$' && t != "$none" {
			args = append(args, c.variable(t[1:]))
		}
	}
	c.take()
	return args
}

// variable compiles the element $name, which refers to an operand, an attribute, a region
// or the successors.
func (c *compiler) variable(name string) element {
	for i := range c.form.Operands {
		if c.form.Operands[i].Name == name {
			return operandPart{i, c.form.Operands[i].Arity}
		}
	}
	if i := c.def.attrIndex(name); i >= 0 {
		c.f.inline[name] = true
		return attrPart{&c.def.Attrs[i]}
	}
	for i := range c.def.Regions {
		if c.def.Regions[i].Name == name {
			return regionPart{i, c.def.Traits&IsolatedFromAbove != 0}
		}
	}
	if name == "successors" {
		return succPart{}
	}
	c.fail("unknown name $" + name)
	return nil
}

// angled compiles the element angled($x): the enum attribute x in angle brackets.
func (c *compiler) angled() element {
	c.expect("(")
	e, ok := c.variable(strings.TrimPrefix(c.take(), "$")).(attrPart)
	if !ok {
		c.fail("angled() requires an attribute as its argument")
	}
	c.expect(")")
	return angledAttr{e}
}

// typeOf compiles the format element type($name), which prints and parses the type of an
// operand or result. The form type($a, $b) represents one type that all the named values
// have.
func (c *compiler) typeOf() element {
	c.expect("(")
	parts := []typePart{c.typePart()}
	for c.peek() == "," {
		c.take()
		parts = append(parts, c.typePart())
	}
	c.expect(")")
	if len(parts) == 1 {
		return parts[0]
	}
	return sharedType{parts}
}

// typePart compiles a name in the list type(...) of a format. The name must be that of an
// operand or a result.
func (c *compiler) typePart() typePart {
	name := strings.TrimPrefix(c.take(), "$")
	for i := range c.form.Operands {
		if c.form.Operands[i].Name == name {
			return typePart{i, false, c.form.Operands[i].Arity}
		}
	}
	for i := range c.form.Results {
		if c.form.Results[i].Name == name {
			return typePart{i, true, c.form.Results[i].Arity}
		}
	}
	c.fail("unknown name in type(" + name + ")")
	return typePart{}
}

// group compiles the elements in parentheses and the ? (optional) or * (repeated) that
// follows them. An optional group needs an anchor, the element marked with ^, whose
// presence decides whether the group is printed.
func (c *compiler) group() element {
	body := c.seq(")")
	c.expect(")")
	switch t := c.take(); t {
	case "*":
		return repeated{body}
	case "?":
		g := optional{body: body}
		if c.peek() == ":" {
			c.take()
			c.expect("(")
			g.otherwise = c.seq(")")
			c.expect(")")
		}
		for _, e := range body {
			if a, ok := e.(anchored); ok {
				g.anchor = a.element
			}
		}
		if g.anchor == nil {
			c.fail("an optional group requires an anchor, marked by ^")
		}
		return g
	default:
		c.fail("expected ? or * after a group")
	}
	return nil
}
