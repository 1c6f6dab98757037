// This file implements hover.

package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"ptogo/dialect/pto"
	"ptogo/internal/example"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// Hover implements protocol.Server. It describes the word at the cursor: the type and
// size of a value, the reference page of an instruction or type, the first line of a
// function, or an attribute.
func (s *server) Hover(_ context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	d, err := s.anyDocument(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	start, end := wordAt(d.src.Text, off)
	var text string
	if d.isCpp() {
		text = describeCall(d.src.Text[start:end])
	} else {
		text = d.describe(start, d.src.Text[start:end])
	}
	if text == "" {
		return nil, nil
	}
	at := d.span(start, end)
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &at}, nil
}

// describe returns a description of the given word as Markdown text, or "" if it has
// none. The word begins at offset start of the document.
func (d *document) describe(start int, word string) string {
	a := d.analysis()
	switch {
	case word == "":
		return ""
	case word[0] == '%':
		if def := a.index.DefAt(start); def != nil {
			return d.describeValue(def)
		}
		return ""
	case word[0] == '@':
		if op := d.symbol(word); op.Op != nil {
			return code(firstLine(d.src.Text[op.Start:op.End]))
		}
		return ""
	case word[0] == '!':
		if page, ok := refpage.TypePageOf(strings.TrimPrefix(word, "!pto.")); ok {
			return page.Reference()
		}
		return ""
	}
	if def := definitionOf(word); def != nil && d.isOpName(start) {
		return describeDef(def)
	}
	if op, ok := a.index.OpAt(start); ok {
		return describeAttr(op.Op.Def(), word)
	}
	return ""
}

// isOpName reports whether the word at offset start can be the name of an operation: it
// is the first word of its line or follows an equals sign.
func (d *document) isOpName(start int) bool {
	before := strings.TrimRight(d.src.Text[d.lineStart(start):start], " \t\"")
	return before == "" || strings.HasSuffix(before, "=")
}

// lineStart returns the offset of the start of the line that contains offset off.
func (d *document) lineStart(off int) int { return d.lines[d.position(off).Line] }

// definitionOf returns the definition of the named operation, or nil. The dialect may be
// omitted if it is builtin or func.
func definitionOf(name string) *ir.Def {
	for _, prefix := range []string{"", "builtin.", "func."} {
		if def := ir.Lookup(prefix + name); def != nil {
			return def
		}
	}
	return nil
}

// describeDef returns the reference page of an operation in Markdown.
func describeDef(def *ir.Def) string {
	if strings.HasPrefix(def.Name, "pto.") {
		return refpage.Reference(def, example.Named(def))
	}
	return "`" + def.Name + "`\n\n" + def.Summary
}

// describeValue returns text about a value: its type, the size if this is the type of a
// tile or of an element, and the lines where the value is defined and used.
func (d *document) describeValue(def *ir.ValueDef) string {
	var b strings.Builder
	for i, v := range def.Values {
		name := def.Name
		if len(def.Values) > 1 {
			name = fmt.Sprintf("%s#%d", name, i)
		}
		b.WriteString(code(name + " : " + v.Type().String()))
		if size := typeSize(v.Type()); size != "" {
			b.WriteString(size + "\n\n")
		}
	}
	from := d.lineStart(def.Off)
	line := firstLine(d.src.Text[from:])
	fmt.Fprintf(&b, "Defined in line %d, used %s.\n\n%s", d.position(def.Off).Line+1, times(len(def.Uses)), code(strings.TrimSpace(line)))
	return b.String()
}

// typeSize returns a text with the size of values of type t in bytes, or "" if the type
// has no size in memory.
func typeSize(t ir.Type) string {
	if info, ok := pto.TileOf(t); ok {
		text := fmt.Sprintf("%d bytes in `%s`", info.Footprint(), info.Space.Loc())
		if rows, cols := info.VRows, info.VCols; rows != info.Rows || cols != info.Cols {
			text += fmt.Sprintf(", valid region %s x %s", extent(rows), extent(cols))
		}
		return text
	}
	if n := pto.ByteSize(t); n > 0 {
		return ir.Count(n, "byte")
	}
	return ""
}

// extent returns an extent in the syntax of types, with ? for a dynamic one.
func extent(n int64) string {
	if n < 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// times returns "once" or "N times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// describeAttr returns a description of the named attribute of an operation, or "".
func describeAttr(def *ir.Def, name string) string {
	for i := range def.Attrs {
		a := &def.Attrs[i]
		if a.Name == name || a.Text == name || a.Alias == name {
			text := "`" + name + "`: " + a.Type.WantAttr()
			if a.Doc != "" {
				text += "\n\n" + a.Doc
			}
			return text
		}
	}
	return ""
}

// code returns text as a code block of Markdown.
func code(text string) string { return "```mlir\n" + text + "\n```\n\n" }

// firstLine returns the text up to its first line end.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
