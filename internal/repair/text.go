// This file finds operations, types and value names in a program text.

package repair

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

// span is a range of bytes of a text.
type span struct{ off, end int }

// overlaps reports whether s and o have a common byte.
func (s span) overlaps(o span) bool { return s.off < o.end && o.off < s.end }

// extent returns the lines of the operation at the offset off, without its regions. They end
// with the first line at whose end all brackets are closed, or with an opening brace.
func extent(text string, off int) span {
	start := strings.LastIndexByte(text[:off], '\n') + 1
	depth := 0
	for at := start; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		code, _, _ := strings.Cut(text[at:end], "//")
		code = strings.TrimRight(code, " \t\r")
		if strings.HasSuffix(code, "{") {
			return span{start, at + len(code)}
		}
		for _, c := range code {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		if depth <= 0 {
			return span{start, at + len(code)}
		}
		at = end + 1
	}
	return span{start, len(text)}
}

// typeWord matches the start of a type: an alias, the name of a dialect type, or a number type.
var typeWord = pattern.Of(`![A-Za-z_][\w.$]*|\b(?:index|bf16|f16|f32|f64|[su]?i(?:1|4|8|16|32|64))\b`)

// types returns the places of the types in s.
func types(text string, s span) []span {
	var all []span
	for at := s.off; at < s.end; {
		m := typeWord().FindStringIndex(text[at:s.end])
		if m == nil {
			break
		}
		off, end := at+m[0], at+m[1]
		at = end
		if text[off] == '!' && end < len(text) && text[end] == '<' {
			end = closing(text, end)
			at = end
		} else if text[off] != '!' && !strings.ContainsRune(":(,> ", rune(before(text, off))) {
			continue // part of a name or of another type
		}
		all = append(all, span{off, end})
	}
	return all
}

// before returns the byte before the offset off, or a space at the start of the text.
func before(text string, off int) byte {
	if off == 0 {
		return ' '
	}
	return text[off-1]
}

// closing returns the offset after the '>' that closes the '<' at the offset off.
func closing(text string, off int) int {
	depth := 0
	for i := off; i < len(text); i++ {
		switch text[i] {
		case '<':
			depth++
		case '>':
			if text[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n':
			return i
		}
	}
	return len(text)
}

// valueName matches a use of a value.
var valueName = pattern.Of(`%[\w$.\-]+(?:#\d+)?`)

// operands returns the places of the value names in s after the results of the operation.
func operands(text string, s span) []span {
	from := s.off
	if eq := strings.Index(text[s.off:s.end], "="); eq >= 0 && strings.HasPrefix(strings.TrimLeft(text[s.off:], " \t"), "%") {
		from += eq + 1
	}
	var all []span
	for _, m := range valueName().FindAllStringIndex(text[from:s.end], -1) {
		all = append(all, span{from + m[0], from + m[1]})
	}
	return all
}

// aliasLine matches the definition of an alias of a type.
var aliasLine = pattern.Of(`(?m)^[ \t]*(![A-Za-z_][\w.$]*)[ \t]*=[ \t]*(.+)$`)

// reader returns types of texts, with the aliases of one program.
type reader struct {
	aliases map[string]span
	text    string
	known   map[string]ir.Type
}

// newReader returns a reader of the types of a program.
func newReader(text string) *reader {
	r := &reader{aliases: map[string]span{}, text: text, known: map[string]ir.Type{}}
	for _, m := range aliasLine().FindAllStringSubmatchIndex(text, -1) {
		r.aliases[text[m[2]:m[3]]] = span{m[4], m[5]}
	}
	return r
}

// typeOf returns the type that a text represents. The result is the zero Type if it is not one.
func (r *reader) typeOf(text string) ir.Type {
	if t, ok := r.known[text]; ok {
		return t
	}
	full := text
	if s, ok := r.aliases[text]; ok {
		full = r.text[s.off:s.end]
	}
	var diags ir.Diags
	p := ir.NewParser(&ir.Source{Text: full}, ir.ParseOptions{}, &diags)
	t := p.Type()
	if p.Failed() || diags.HasErrors() {
		t = ir.Type{}
	}
	r.known[text] = t
	return t
}

// named returns the places among all whose text represents the type that is printed as want.
func (r *reader) named(text string, all []span, want string) []span {
	return slices.DeleteFunc(slices.Clone(all), func(s span) bool {
		t := r.typeOf(text[s.off:s.end])
		return t.IsZero() || t.String() != want
	})
}

// written returns the text of a type: an alias of the program for it, or the type itself.
func (r *reader) written(t ir.Type) string {
	for _, name := range slices.Sorted(maps.Keys(r.aliases)) {
		if r.typeOf(name) == t {
			return name
		}
	}
	return t.String()
}

// ofValue returns the text of the type of the value name that is defined before off, or "".
func ofValue(text, name string, off int) string {
	def := regexp.MustCompile(`(?m)^[ \t]*` + regexp.QuoteMeta(name) + `(?::\d+)?[ \t]*[=,]|` + regexp.QuoteMeta(name) + `[ \t]*:[ \t]*[!\w]`)
	found := def.FindAllStringIndex(text[:off], -1)
	if len(found) == 0 {
		return ""
	}
	m := found[len(found)-1]
	s := extent(text, m[0])
	if text[m[1]-1] != '=' && text[m[1]-1] != ',' {
		s.off = m[0] // an argument: its type follows
		if all := types(text, s); len(all) > 0 {
			return text[all[0].off:all[0].end]
		}
		return ""
	}
	all := types(text, s)
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	return text[last.off:last.end]
}
