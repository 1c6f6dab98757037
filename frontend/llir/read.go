// This file reads modules.

package llir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Module contains what Read found in a module.
type Module struct {
	// Functions are the functions of the requested section, in the order of the text.
	Functions []*Function
	// Strings are the contents of constant character arrays by name, without the final
	// zero byte.
	Strings map[string]string
	// Pointers are the contents of constant arrays of pointers by name: the names of the
	// global variables to which they point.
	Pointers map[string][]string
	// Tables are the elements of constant arrays of numbers by name, in the order of memory.
	Tables map[string][]*Value
	// Skipped maps the names of functions that could not be read to the reason. Read fills
	// it only if it reads the functions of all sections.
	Skipped  map[string]error
	structs  map[string]*Type
	globals  map[string]*Value
	metadata map[int]string
	frames   map[int][]Frame
}

// Frame is a position in a source file.
type Frame struct {
	File      string
	Line, Col int
}

// Function is a function with a body.
type Function struct {
	// Symbol is the name in the text, and Name a name that users may change.
	Symbol, Name string
	// Section is the section of the object file that the function names, or "".
	Section string
	// Public reports that other files can call the function: it is neither static nor
	// inline, and not an instance of a template.
	Public bool
	// Void reports that the function returns nothing.
	Void   bool
	Params []*Value
	// Blocks are the basic blocks; the first one is the entry.
	Blocks []*Block
	// Frame is the position of the function in its source, or the zero Frame.
	Frame Frame
}

// Block is a basic block. Its last instruction is its terminator.
type Block struct {
	Name  string
	Insts []*Value
	// Succs are the blocks to which the terminator jumps.
	Succs []*Block
	// Preds are the blocks that jump to this one.
	Preds []*Block
}

// Phis returns the phi instructions at the start of the block.
func (b *Block) Phis() []*Value {
	n := 0
	for n < len(b.Insts) && b.Insts[n].Op == "phi" {
		n++
	}
	return b.Insts[:n]
}

// Term returns the terminator of the block.
func (b *Block) Term() *Value { return b.Insts[len(b.Insts)-1] }

// maxDepth limits the nesting of types and constant expressions.
const maxDepth = 64

// AllSections is an argument of Read: functions of every section.
const AllSections = "*"

// Read parses the text of a module and returns the functions in the given section. For
// AllSections, it leaves out functions that it cannot read; for one section, it fails.
func Read(text, section string) (*Module, error) {
	m := &Module{Strings: map[string]string{}, Pointers: map[string][]string{}, Tables: map[string][]*Value{}, globals: map[string]*Value{}, Skipped: map[string]error{}, structs: map[string]*Type{}, metadata: map[int]string{}, frames: map[int][]Frame{}}
	m.scan(text)
	line := 0
	for rest := text; rest != ""; {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		line++
		if !strings.HasPrefix(l, "define ") {
			continue
		}
		body, after, n := bodyOf(rest)
		if section == AllSections || sectionOf(l) == section {
			f, err := m.function(l, body)
			switch {
			case err == nil:
				m.Functions = append(m.Functions, f)
			case section == AllSections && f != nil:
				m.Skipped[f.Symbol] = err
			default:
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
		}
		rest, line = after, line+n
	}
	return m, nil
}

// sectionOf returns the section that the first line of a function names, or "".
func sectionOf(head string) string {
	_, name, ok := strings.Cut(head, ` section "`)
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, `"`)
	return strings.TrimPrefix(name, "__TEXT,")
}

// bodyOf returns the lines up to the closing brace of a function, the text after it, and
// the number of lines up to there.
func bodyOf(text string) (body []string, after string, lines int) {
	for text != "" {
		var l string
		l, text, _ = strings.Cut(text, "\n")
		lines++
		if l == "}" {
			break
		}
		body = append(body, l)
	}
	return body, text, lines
}

// scan records types, strings and metadata, which may follow their uses.
func (m *Module) scan(text string) {
	var types []string
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\r\n")
		switch {
		case strings.HasPrefix(l, "%"):
			if name, _, ok := strings.Cut(l, " = type "); ok {
				m.structs[name] = &Type{Kind: Other}
				types = append(types, l)
			}
		case strings.HasPrefix(l, "@"):
			m.global(l)
		case strings.HasPrefix(l, "!"):
			if name, value, ok := strings.Cut(l, " = "); ok {
				if n, err := strconv.Atoi(name[1:]); err == nil {
					m.metadata[n] = value
				}
			}
		}
	}
	for _, l := range types {
		name, value, _ := strings.Cut(l, " = type ")
		if t, err := m.parseType(lex(value), 0); err == nil {
			*m.structs[name] = *t
		}
	}
}

// global records a global variable if it is a string or an array of pointers to others.
func (m *Module) global(l string) {
	name, value, ok := strings.Cut(l, " = ")
	if _, list, is := strings.Cut(value, " x ptr] ["); is {
		list, _, _ = strings.Cut(list, "]")
		for _, p := range strings.Split(list, ", ") {
			m.Pointers[nameOf(name)] = append(m.Pointers[nameOf(name)], nameOf(strings.TrimPrefix(p, "ptr ")))
		}
		return
	}
	at := strings.Index(value, ` x i8] c"`)
	if ok && at < 0 {
		if _, array, constant := strings.Cut(value, "constant ["); constant {
			m.table(nameOf(name), lex("["+array))
		}
		return
	}
	if !ok {
		return
	}
	value = value[at+len(` x i8] c"`):]
	end := strings.IndexByte(value, '"')
	if end < 0 {
		return
	}
	bytes := unescape(value[:end])
	m.Strings[nameOf(name)] = strings.TrimSuffix(bytes, "\x00")
	if len(bytes) <= maxTable {
		for _, b := range []byte(bytes) {
			m.Tables[nameOf(name)] = append(m.Tables[nameOf(name)], &Value{Op: "int", Type: byteType, Int: int64(int8(b))})
		}
	}
}

// maxTable is the largest number of elements of an array in Module.Tables.
const maxTable = 1024

var byteType = &Type{Kind: Int, Bits: 8}

// table records a constant array of numbers, whose type and elements are at the lexer. Arrays
// of anything else are left out.
func (m *Module) table(name string, l *lexer) {
	t, err := m.parseType(l, 0)
	if err != nil {
		return
	}
	if items, ok := m.elements(l, t, nil, 0); ok {
		m.Tables[name] = items
	}
}

// elements appends the numbers of a constant of type t to a list.
func (m *Module) elements(l *lexer, t *Type, list []*Value, depth int) (all []*Value, ok bool) {
	if t.Kind != Array {
		v, err := (&bodyReader{m: m, values: map[string]*Value{}}).value(l, t, 0)
		ok = err == nil && (v.Op == "int" || v.Op == "float" || v.Op == "undef") && len(list) < maxTable
		return append(list, v), ok && (len(list) == 0 || list[0].Type.Kind == t.Kind && list[0].Type.Bits == t.Bits)
	}
	if depth > maxDepth || t.Len < 1 || t.Len > maxTable { // so each level has numbers
		return nil, false
	}
	zeros := l.accept("zeroinitializer")
	if !zeros && !l.accept("[") {
		return nil, false
	}
	for range t.Len {
		item := l
		if zeros {
			item = lex("0")
			if t.Elem.Kind == Array {
				item = lex("zeroinitializer")
			}
		} else if _, err := m.parseType(l, 0); err != nil {
			return nil, false
		}
		if list, ok = m.elements(item, t.Elem, list, depth+1); !ok {
			return nil, false
		}
		l.accept(",")
	}
	return list, zeros || l.accept("]")
}

// parseType parses a type at the lexer.
func (m *Module) parseType(l *lexer, depth int) (*Type, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("types are nested too deeply")
	}
	word := l.word
	l.next()
	switch word {
	case "void":
		return voidType, nil
	case "ptr":
		if l.accept("addrspace") {
			for l.word != "" && !l.accept(")") {
				l.next()
			}
		}
		return pointerType, nil
	case "half":
		return halfType, nil
	case "bfloat":
		return bfloatType, nil
	case "float":
		return floatType, nil
	case "double":
		return doubleType, nil
	case "label", "metadata", "token", "opaque", "x86_fp80", "fp128":
		return otherType, nil
	case "[", "<":
		if word == "<" && l.word == "{" {
			t, err := m.parseType(l, depth+1)
			if err != nil || !l.accept(">") {
				return nil, fmt.Errorf("expected '>' at %q", l.word)
			}
			packed := *t
			packed.Packed = true
			return &packed, nil
		}
		n, err := strconv.ParseInt(l.word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("expected the length of an array at %q", l.word)
		}
		l.next()
		if !l.accept("x") {
			return nil, fmt.Errorf("expected 'x' at %q", l.word)
		}
		elem, err := m.parseType(l, depth+1)
		if err != nil {
			return nil, err
		}
		kind, end := Array, "]"
		if word == "<" {
			kind, end = Vector, ">"
		}
		if !l.accept(end) {
			return nil, fmt.Errorf("expected '%s' at %q", end, l.word)
		}
		return &Type{Kind: kind, Len: n, Elem: elem}, nil
	case "{":
		t := &Type{Kind: Struct}
		for !l.accept("}") {
			f, err := m.parseType(l, depth+1)
			if err != nil {
				return nil, err
			}
			t.Fields = append(t.Fields, f)
			l.accept(",")
		}
		return t, nil
	}
	if strings.HasPrefix(word, "i") {
		if n, err := strconv.ParseInt(word[1:], 10, 32); err == nil && n > 0 {
			return &Type{Kind: Int, Bits: n}, nil
		}
	}
	if t := m.structs[word]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("unknown type %q", word)
}

// localLinkage are the words before a definition that other files cannot call, or of which
// they have a copy.
var localLinkage = []string{"private", "internal", "linkonce", "linkonce_odr", "weak", "weak_odr", "available_externally"}

// function parses a function from its first line and the lines of its body.
func (m *Module) function(head string, body []string) (*Function, error) {
	at := strings.IndexByte(head, '@')
	if at < 0 {
		return nil, fmt.Errorf("function without a name")
	}
	l := lex(head[at:])
	f := &Function{Symbol: nameOf(l.word), Name: nameOf(l.word), Section: sectionOf(head)}
	f.Public, f.Void = true, strings.HasSuffix(head[:at], "void ")
	for _, word := range strings.Fields(head[:at]) {
		f.Public = f.Public && !slices.Contains(localLinkage, word)
	}
	l.next()
	r := &bodyReader{m: m, f: f, values: map[string]*Value{}, blocks: map[string]*Block{}}
	if !l.accept("(") {
		return f, fmt.Errorf("expected '(' in the definition of %s", f.Name)
	}
	for l.word != "" && !l.accept(")") {
		t, err := m.parseType(l, 0)
		if err != nil {
			return f, err
		}
		for l.word != "" && l.word != "," && l.word != ")" && l.word[0] != '%' {
			r.attribute(l)
		}
		v := &Value{Op: "param", Type: t, Name: strconv.Itoa(len(f.Params))}
		if l.word != "" && l.word[0] == '%' {
			v.Name = nameOf(l.word)
			l.next()
		}
		r.values[v.Name] = v
		f.Params = append(f.Params, v)
		l.accept(",")
	}
	if i := strings.LastIndex(head, "!dbg !"); i >= 0 {
		n, _ := strconv.Atoi(strings.TrimRight(head[i+len("!dbg !"):], " {"))
		f.Frame.File = m.fileOf(n, 0)
		f.Frame.Line, _ = strconv.Atoi(m.field(n, "line"))
		f.Frame.Col = 1
	}
	return f, r.read(body)
}

// field returns the text of a field of a metadata node, or "".
func (m *Module) field(node int, name string) string {
	text := m.metadata[node]
	at := strings.Index(text, name+": ")
	for at > 0 && text[at-1] != ' ' && text[at-1] != '(' {
		next := strings.Index(text[at+1:], name+": ")
		if next < 0 {
			return ""
		}
		at += 1 + next
	}
	if at < 0 {
		return ""
	}
	text = text[at+len(name)+2:]
	if strings.HasPrefix(text, `"`) {
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return unescape(text[1 : 1+end])
		}
		return ""
	}
	if end := strings.IndexAny(text, ",)"); end >= 0 {
		text = text[:end]
	}
	return text
}

// node returns the number of the metadata node in a field, or -1.
func (m *Module) node(of int, name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(m.field(of, name), "!"))
	if err != nil {
		return -1
	}
	return n
}

// fileOf returns the name of the file of a scope.
func (m *Module) fileOf(scope, depth int) string {
	if depth > maxDepth || scope < 0 {
		return ""
	}
	if n := m.node(scope, "file"); n >= 0 {
		name, dir := m.field(n, "filename"), m.field(n, "directory")
		if dir == "" || strings.HasPrefix(name, "/") {
			return name
		}
		return strings.TrimSuffix(dir, "/") + "/" + strings.TrimPrefix(name, "./")
	}
	return m.fileOf(m.node(scope, "scope"), depth+1)
}

// framesOf returns the source positions of a !DILocation, innermost first.
func (m *Module) framesOf(node int) []Frame {
	if known, ok := m.frames[node]; ok {
		return known
	}
	var all []Frame
	for n := node; n >= 0 && len(all) < maxDepth; n = m.node(n, "inlinedAt") {
		line, _ := strconv.Atoi(m.field(n, "line"))
		col, _ := strconv.Atoi(m.field(n, "column"))
		all = append(all, Frame{m.fileOf(m.node(n, "scope"), 0), line, max(1, col)})
	}
	m.frames[node] = all
	return all
}
