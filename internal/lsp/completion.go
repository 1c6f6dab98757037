// This file implements completion.

package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"ptogo/internal/refpage"
	"ptogo/ir"
)

// Completion implements protocol.Server. It returns the completions at the cursor: the
// names of visible values and symbols, types, words of enums, operations that the target
// has, and the attributes of the operation around the cursor.
func (s *server) Completion(_ context.Context, p *protocol.CompletionParams) (protocol.CompletionResult, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if d.uri == "" { // a C++ file
		return &protocol.CompletionList{}, nil
	}
	off := d.offset(p.Position)
	start, _ := wordAt(d.src.Text, off)
	c := completer{document: d, start: start, off: off, word: d.src.Text[start:off]}
	c.complete()
	return &protocol.CompletionList{Items: c.items}, nil
}

// completer collects the completions for the word before the cursor.
type completer struct {
	*document
	start, off int
	word       string
	items      []protocol.CompletionItem
}

// add appends a completion that inserts text, if text begins with the word before the
// cursor. detail is a short description; the longer description doc may be empty.
func (c *completer) add(text, detail string, kind protocol.CompletionItemKind, doc string) {
	if !strings.HasPrefix(text, c.word) {
		return
	}
	item := protocol.CompletionItem{Label: text, Kind: kind, TextEdit: &protocol.TextEdit{Range: c.span(c.start, c.off), NewText: text}}
	if detail != "" {
		item.Detail = protocol.NewOptional(detail)
	}
	if doc != "" {
		item.Documentation = &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: doc}
	}
	c.items = append(c.items, item)
}

// complete appends the completions that fit the text before the cursor. After a sigil
// these are values, symbols or types. Inside an enum they are its cases, and at the
// position of an operation name they are operations. At all other positions they are
// attributes.
func (c *completer) complete() {
	enum, inEnum := c.enum()
	switch {
	case strings.HasPrefix(c.word, "%"):
		c.values()
	case strings.HasPrefix(c.word, "@"):
		c.symbols()
	case strings.HasPrefix(c.word, "!"):
		c.types()
	case inEnum:
		for _, word := range enum.Keywords() {
			c.add(word, "", protocol.CompletionItemKindEnumMember, "")
		}
	case c.isOpName(c.start):
		c.operations()
	default:
		c.attributes()
	}
}

// values appends the values that are visible at the cursor to the list of completions,
// with the most recent value first.
func (c *completer) values() {
	defs := c.analysis().index.VisibleAt(c.start)
	slices.Reverse(defs)
	for _, def := range defs {
		c.add(def.Name, def.Values[0].Type().String(), protocol.CompletionItemKindVariable, "")
	}
}

// symbols appends the symbols of the entire file, because a symbol can be used before its
// definition.
func (c *completer) symbols() {
	for _, o := range c.analysis().index.Ops {
		if name, ok := ir.SymbolName(o.Op); ok {
			c.add("@"+name, "", protocol.CompletionItemKindFunction, "")
		}
	}
}

// types appends the types of all dialects to the list of completions, and sorts the list
// by label.
func (c *completer) types() {
	for _, d := range ir.Dialects() {
		for name := range d.Types {
			doc := ""
			if page, ok := refpage.TypePageOf(name); ok && d.Name == "pto" {
				doc = page.Doc
			}
			c.add("!"+d.Name+"."+name, "", protocol.CompletionItemKindStruct, doc)
		}
	}
	slices.SortFunc(c.items, func(a, b protocol.CompletionItem) int { return strings.Compare(a.Label, b.Label) })
}

// enum returns the enum type whose keywords can be completed at the cursor, for example
// after the text #pto.pipe<. The second result is false if the text before the cursor
// does not name an enum.
func (c *completer) enum() (*ir.Enum, bool) {
	before := strings.TrimRight(c.src.Text[c.lineStart(c.start):c.start], " ")
	i := strings.LastIndexByte(before, '#')
	if i < 0 || !strings.HasSuffix(before, "<") {
		return nil, false
	}
	dialect, name, _ := strings.Cut(strings.TrimSuffix(before[i+1:], "<"), ".")
	if d := ir.LookupDialect(dialect); d != nil {
		for _, e := range d.Enums {
			if e.Name == name {
				return e, true
			}
		}
	}
	return nil, false
}

// operations appends completions for the names of the operations that the target
// supports.
func (c *completer) operations() {
	target := c.analysis().target
	for _, d := range ir.Dialects() {
		if !strings.HasPrefix(d.Name+".", c.word) && !strings.HasPrefix(c.word, d.Name+".") {
			continue
		}
		for _, def := range d.All() {
			if def.Exists == nil || def.Exists(target) {
				c.add(def.Name, signatureOf(def), protocol.CompletionItemKindFunction, def.Summary)
			}
		}
	}
}

// attributes adds attributes to the list of completions, each with a description of its
// type. It adds those attributes of the operation on the cursor's line that the line does
// not contain yet.
func (c *completer) attributes() {
	def := c.statement()
	if def == nil {
		return
	}
	line := c.src.Text[c.lineStart(c.start):c.lineEnd(c.off)]
	for i := range def.Attrs {
		a := &def.Attrs[i]
		name := a.Name
		if a.Text != "" {
			name = a.Text
		}
		if !strings.Contains(line, name+" =") {
			c.add(name, a.Type.WantAttr(), protocol.CompletionItemKindProperty, a.Doc)
		}
	}
	for _, f := range def.Forms {
		if f.Level == ir.DPS {
			c.add("ins", "operands", protocol.CompletionItemKindKeyword, "")
			c.add("outs", "destinations", protocol.CompletionItemKindKeyword, "")
		}
	}
}

// statementAt returns the definition of the operation on the line that contains offset
// off, and the offset of its name. The definition is nil if the line starts no known
// operation.
func (d *document) statementAt(off int) (def *ir.Def, start int) {
	for _, t := range ir.Tokens(d.src.Text[d.lineStart(off):off]) {
		at := d.lineStart(off) + t.Start
		if t.Kind != ir.WordToken || !d.isOpName(at) {
			continue
		}
		if def := definitionOf(d.src.Text[at : d.lineStart(off)+t.End]); def != nil {
			return def, at
		}
	}
	return nil, 0
}

// statement returns the definition of the operation on the line of the cursor, or nil.
func (c *completer) statement() *ir.Def {
	def, _ := c.statementAt(c.start)
	return def
}

// signatureOf returns a text with the names of the operands and results of an operation.
// If the operation has several syntax forms, the text describes the first one.
func signatureOf(def *ir.Def) string {
	if len(def.Forms) == 0 {
		return ""
	}
	f := def.Forms[0]
	text := "(" + argNames(f.Operands) + ")"
	if len(f.Results) > 0 {
		text += " -> (" + argNames(f.Results) + ")"
	}
	return text
}

// argNames returns the labels of the arguments as text, separated by commas. The function
// argLabel determines each label.
func argNames(args []ir.Arg) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = argLabel(a)
	}
	return strings.Join(names, ", ")
}

// argLabel returns the name of an argument, followed by ? if it is optional and by ... if
// it can consist of several values.
func argLabel(a ir.Arg) string {
	switch a.Arity {
	case ir.Optional:
		return a.Name + "?"
	case ir.Variadic:
		return a.Name + "..."
	}
	return a.Name
}

// SignatureHelp implements protocol.Server. It returns the operands of the operation at
// the cursor, with the types that each accepts.
func (s *server) SignatureHelp(_ context.Context, p *protocol.SignatureHelpParams) (*protocol.SignatureHelp, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	def, start := d.statementAt(off)
	if def == nil {
		return nil, nil
	}
	given := 0
	for _, t := range ir.Tokens(d.src.Text[start:off]) {
		if t.Kind == ir.ValueToken && start+t.End < off {
			given++
		}
	}
	help := &protocol.SignatureHelp{Signatures: []protocol.SignatureInformation{}}
	for _, f := range def.Forms {
		help.Signatures = append(help.Signatures, d.signature(def, f, given))
	}
	return help, nil
}

// signature describes the form f of the operation with the definition def, for an editor.
// given is the number of operands before the cursor.
func (d *document) signature(def *ir.Def, f *ir.Form, given int) protocol.SignatureInformation {
	env := &ir.Env{Def: def, Form: f, Target: d.analysis().target}
	label := def.Name + " "
	sig := protocol.SignatureInformation{Documentation: protocol.String(def.Summary)}
	for i, a := range f.Operands {
		if i > 0 {
			label += ", "
		}
		from := uint32(len(label))
		label += argLabel(a)
		doc := "must be " + a.Type.Want(env)
		if a.Doc != "" {
			doc = a.Doc + "; " + doc
		}
		sig.Parameters = append(sig.Parameters, protocol.ParameterInformation{
			Label: protocol.ParameterInformationLabelTuple{from, uint32(len(label))}, Documentation: protocol.String(doc),
		})
	}
	if len(f.Results) > 0 {
		label += fmt.Sprintf(" -> %s", argNames(f.Results))
	}
	if n := len(f.Operands); n > 0 {
		sig.ActiveParameter = protocol.NewNullable(uint32(min(given, n-1)))
	}
	sig.Label = label
	return sig
}
