// This file implements definition, references and rename.

package lsp

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/ir"
)

// occurrence is one occurrence of a name in a document.
type occurrence struct {
	// off and len are the offset and the length of the name in bytes.
	off, len int
	// defines reports whether the occurrence is the definition.
	defines bool
}

// occurrences returns the definition and the uses of the value, symbol or block at offset
// off, in text order.
func (d *document) occurrences(off int) []occurrence {
	start, end := wordAt(d.src.Text, off)
	if start == end {
		return nil
	}
	name := d.src.Text[start:end]
	switch name[0] {
	case '%':
		return d.valueOccurrences(start)
	case '@':
		return d.symbolOccurrences(name)
	case '^':
		return d.blockOccurrences(start, name)
	}
	return nil
}

// valueOccurrences returns the definition and the uses of the value whose name is at
// offset off.
func (d *document) valueOccurrences(off int) (all []occurrence) {
	def := d.analysis().index.DefAt(off)
	if def == nil {
		return nil
	}
	all = append(all, occurrence{def.Off, len(def.Name), true})
	for _, use := range def.Uses {
		all = append(all, occurrence{use, len(def.Name), false})
	}
	slices.SortFunc(all, func(a, b occurrence) int { return a.off - b.off })
	return all
}

// symbolOccurrences returns all occurrences of a symbol name in the file.
func (d *document) symbolOccurrences(name string) (all []occurrence) {
	defined := d.symbol(name)
	for _, t := range ir.Tokens(d.src.Text) {
		if t.Kind == ir.SymbolToken && d.src.Text[t.Start:t.End] == name {
			first := !slices.ContainsFunc(all, func(o occurrence) bool { return o.defines })
			all = append(all, occurrence{t.Start, t.End - t.Start, first && defined.Op != nil && defined.Start <= t.Start && t.Start < defined.End})
		}
	}
	return all
}

// blockOccurrences returns the label of the block with the given name and its uses in the
// region that contains offset off. A name at the start of a line is a label if ":" or "("
// follows it.
func (d *document) blockOccurrences(off int, name string) (all []occurrence) {
	region := d.regionOf(off)
	for _, t := range ir.Tokens(d.src.Text) {
		if t.Kind != ir.BlockToken || d.src.Text[t.Start:t.End] != name || t.Start < region.Start || t.End > region.End || d.regionOf(t.Start) != region {
			continue
		}
		all = append(all, occurrence{t.Start, t.End - t.Start, t.Start == d.firstOnLine(t.Start)})
	}
	return all
}

// regionOf returns the innermost region that contains offset off, or a region for the
// entire text.
func (d *document) regionOf(off int) ir.RegionSpan {
	in := ir.RegionSpan{End: len(d.src.Text), Outer: -1}
	for _, r := range d.analysis().index.Regions {
		if r.Start <= off && off < r.End {
			in = r
		}
	}
	return in
}

// firstOnLine returns the offset of the first non-blank character in the line that
// contains offset off.
func (d *document) firstOnLine(off int) int {
	i := d.lineStart(off)
	for i < off && (d.src.Text[i] == ' ' || d.src.Text[i] == '\t') {
		i++
	}
	return i
}

// symbol returns the operation that defines a symbol. The name includes the @. If the
// text has no definition, the Op of the result is nil.
func (d *document) symbol(name string) ir.OpSpan {
	for _, o := range d.analysis().index.Ops {
		if n, ok := ir.SymbolName(o.Op); ok && "@"+n == name {
			return o
		}
	}
	return ir.OpSpan{}
}

// places filters the list all. It returns the text ranges of those occurrences for which
// the function keep returns true.
func (d *document) places(all []occurrence, keep func(o occurrence) bool) []protocol.Location {
	found := []protocol.Location{}
	for _, o := range all {
		if keep(o) {
			found = append(found, protocol.Location{URI: d.uri, Range: d.span(o.off, o.off+o.len)})
		}
	}
	return found
}

// Definition implements protocol.Server. It returns the position of the definition of the
// value, symbol or block at the cursor.
func (s *server) Definition(_ context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return protocol.LocationSlice(d.places(d.occurrences(d.offset(p.Position)), func(o occurrence) bool { return o.defines })), nil
}

// References implements protocol.Server. It returns the positions of the uses of the
// value, symbol or block at the cursor. On request, the definition is included.
func (s *server) References(_ context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return d.places(d.occurrences(d.offset(p.Position)), func(o occurrence) bool { return !o.defines || p.Context.IncludeDeclaration }), nil
}

// DocumentHighlight implements protocol.Server. It returns all occurrences of the value,
// symbol or block at the cursor; the definition counts as a write, and a use as a read.
func (s *server) DocumentHighlight(_ context.Context, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	found := []protocol.DocumentHighlight{}
	for _, o := range d.occurrences(d.offset(p.Position)) {
		kind := protocol.DocumentHighlightKindRead
		if o.defines {
			kind = protocol.DocumentHighlightKindWrite
		}
		found = append(found, protocol.DocumentHighlight{Range: d.span(o.off, o.off+o.len), Kind: kind})
	}
	return found, nil
}

// PrepareRename implements protocol.Server. It returns the range and the text of the name
// at the cursor, and an error if the word there is not a value, a symbol or a block.
func (s *server) PrepareRename(_ context.Context, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	if len(d.occurrences(off)) == 0 {
		return nil, fmt.Errorf("only values, symbols and blocks can be renamed")
	}
	start, end := wordAt(d.src.Text, off)
	return &protocol.PrepareRenamePlaceholder{Range: d.span(start, end), Placeholder: d.src.Text[start:end]}, nil
}

// newNames contains a regular expression for the legal new names of a rename request. The
// key is the first character (%, ^ or @) of the renamed value, block or symbol. The
// regular expression does not include this character.
var newNames = map[byte]*regexp.Regexp{
	'%': regexp.MustCompile(`^(?:[0-9]+|[A-Za-z_$.][\w$.-]*)$`),
	'^': regexp.MustCompile(`^(?:[0-9]+|[A-Za-z_$.][\w$.-]*)$`),
	'@': regexp.MustCompile(`^[A-Za-z_][\w$.]*$`),
}

// Rename implements protocol.Server. It refuses a new name that already exists in the
// scope of the old one, because both names would then denote the same thing.
func (s *server) Rename(_ context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	all := d.occurrences(off)
	if len(all) == 0 {
		return nil, fmt.Errorf("only values, symbols and blocks can be renamed")
	}
	old := d.src.Text[all[0].off : all[0].off+all[0].len]
	name := p.NewName
	if name != "" && name[0] != old[0] {
		name = old[:1] + name
	}
	if name == "" || !newNames[old[0]].MatchString(name[1:]) {
		return nil, fmt.Errorf("'%s' is not a valid name for a %s", ir.Visible(p.NewName), map[byte]string{'%': "value", '@': "symbol", '^': "block"}[old[0]])
	}
	if at := d.taken(all, old, name); at >= 0 {
		return nil, fmt.Errorf("line %d already defines '%s'", d.position(at).Line+1, name)
	}
	var edits []protocol.TextEdit
	for _, o := range all {
		edits = append(edits, protocol.TextEdit{Range: d.span(o.off, o.off+o.len), NewText: name})
	}
	return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{d.uri: edits}}, nil
}

// taken checks whether a symbol, value or block can be renamed. old and name are the old
// and the new name, and the parameter all contains the occurrences of the old name. If
// the new name already occurs, taken returns the offset of its first occurrence;
// otherwise it returns -1. For a value or block, it searches only the function that
// contains it.
func (d *document) taken(all []occurrence, old, name string) int {
	if name == old {
		return -1
	}
	from, to := 0, len(d.src.Text)
	if old[0] != '@' {
		for _, r := range d.analysis().index.Regions {
			if r.Isolated && r.Start <= all[0].off && all[0].off < r.End {
				from, to = r.Start, r.End
			}
		}
	}
	for _, t := range ir.Tokens(d.src.Text) {
		if t.Start >= from && t.End <= to && d.src.Text[t.Start:t.End] == name {
			return t.Start
		}
	}
	return -1
}
