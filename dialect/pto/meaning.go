package pto

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Meaning says what an instruction computes: a formula, where its kind of
// meaning is one, or else what the comment on the kind says, with the
// parameters of the instruction.
func Meaning(d *ir.Def) string {
	const elements = "For every element of the valid region of the destination: "
	switch kind := d.Sem.(type) {
	case nil:
		return ""
	case sem.TileMap:
		return elements + steps(d, kind) + "."
	case sem.VecMap:
		return "For every lane that the mask selects: " + formula(kind.Fn, operands(d)) + ". Other lanes become zero."
	case scalar.Elementwise:
		return "The result is " + formula(kind.Fn, operands(d)) + "."
	case scalar.Choice:
		names := operands(d)
		return fmt.Sprintf("For every lane: that of %s where %s is set, else that of %s.", names[1], names[0], names[2])
	case scalar.Literal:
		return "The result is the attribute " + kind.Attr + "."
	}
	if kind, ok := d.Sem.(sem.Described); ok {
		return kind.Doc()
	}
	return kindText(d.Sem)
}

// steps is the formula of a map of tiles.
func steps(d *ir.Def, m sem.TileMap) string {
	names := m.Args
	if names == nil {
		names = operands(d)
	}
	text := formula(m.Fn, names)
	for _, then := range m.Then {
		text = formula(then.Fn, []string{"(" + text + ")", then.Arg})
	}
	return text
}

// operands are the names of what an instruction takes.
func operands(d *ir.Def) []string {
	var names []string
	for _, a := range d.Forms[0].Operands {
		names = append(names, a.Name)
	}
	return names
}

// formula is the documentation of fn with the names of the operands.
func formula(fn *scalar.Fn, names []string) string {
	s := fn.Doc
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		single := (i == 0 || !isLetter(s[i-1])) && (i+1 == len(s) || !isLetter(s[i+1]))
		if k := int(s[i] - 'a'); single && k >= 0 && k < fn.Arity && k < len(names) {
			b.WriteString(names[k])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// kindText is the comment on a kind, without the name of the kind, that on the
// kind which it is said to be like, and the parameters.
func kindText(kind ir.Meaning) string {
	docs := kindDocs()
	name := reflect.TypeOf(kind).Name()
	text := docs.types[name]
	if text == "" {
		return ""
	}
	paragraphs := []string{sentence(text, name)}
	first, _, _ := strings.Cut(text, ".")
	for _, word := range strings.FieldsFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if word != name && docs.kinds[word] {
			paragraphs = append(paragraphs, word+": "+sentence(docs.types[word], word))
		}
	}
	if list := parameters(reflect.ValueOf(kind), docs); len(list) > 0 {
		paragraphs = append(paragraphs, "Here:\n- "+strings.Join(list, "\n- "))
	}
	return strings.Join(paragraphs, "\n\n")
}

// sentence is a comment that begins with a name, without it: "Kind is a = b"
// becomes "a = b", "Kind adds" becomes "Adds".
func sentence(text, name string) string {
	text = strings.TrimPrefix(text, name+" ")
	if rest, ok := strings.CutPrefix(text, "is "); ok {
		return rest
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// parameters says what the fields of a kind are.
func parameters(kind reflect.Value, docs *kindComments) []string {
	var list []string
	add := func(name, value string) { list = append(list, name+": "+value) }
	for i := range kind.NumField() {
		field, v := kind.Type().Field(i), kind.Field(i)
		constants := docs.constants[field.Type.Name()]
		switch {
		case field.Anonymous:
			list = append(list, parameters(v, docs)...)
		case constants != nil:
			add(field.Name, constants[number(v)])
		case v.Kind() == reflect.Bool && v.Bool():
			add(field.Name, "yes")
		case v.Kind() == reflect.String && v.String() != "":
			add(field.Name, v.String())
		default:
			if fn, _ := v.Interface().(*scalar.Fn); fn != nil {
				add(field.Name, fn.Doc)
			}
		}
	}
	return list
}

// number is the value of a constant of an integer type.
func number(v reflect.Value) uint64 {
	if v.CanUint() {
		return v.Uint()
	}
	return uint64(v.Int())
}
