// This file formats documents and keeps their comments.

package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"ptogo/ir"
	"ptogo/lower/ptoas"
)

// Formatting implements protocol.Server. It returns an edit that replaces the text by the
// output of the printer, as pto-opt prints it, with the original comments.
func (s *server) Formatting(_ context.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	a := d.analysis()
	switch {
	case a.module == nil:
		return nil, fmt.Errorf("the text has syntax errors")
	case d.hasAliases():
		return nil, fmt.Errorf("the text defines aliases, but formatting does not preserve aliases")
	case ptoas.IsAS(d.src.Text):
		return nil, fmt.Errorf("the text is PTO-AS, but only MLIR syntax can be formatted")
	}
	text := d.print(a.module)
	if text == d.src.Text {
		return []protocol.TextEdit{}, nil
	}
	return []protocol.TextEdit{{Range: d.whole(), NewText: text}}, nil
}

// hasAliases reports whether a line of the text defines an alias or contains metadata.
func (d *document) hasAliases() bool {
	for i := range d.lines {
		line := strings.TrimSpace(d.line(i))
		if strings.HasPrefix(line, "{-#") {
			return true
		}
		if len(line) > 0 && strings.IndexByte("#!", line[0]) >= 0 {
			if _, rest, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(rest, "=") {
				return true
			}
		}
	}
	return false
}

// comment is a comment of the text together with the operation or region that it belongs
// to.
type comment struct {
	// text is the comment with its // and without blanks around it.
	text string
	// trailing reports whether the comment follows code on its line.
	trailing bool
	// anchor is the offset of the name of the operation that the comment precedes or
	// follows, or -1.
	anchor int
	// region is the index of the region at whose end the comment is, or -1 for the end of
	// the text. It is used if anchor is -1.
	region int
	// blank reports whether an empty line precedes the comment.
	blank bool
}

// print returns a module as text. A comment of the document remains at its operation if
// the module still contains this operation; the location identifies the operation. If the
// module does not contain it, the comment moves to the next operation. If the document
// omits the module operation, the text omits it, too.
func (d *document) print(module *ir.Op) string {
	wrapped := !d.hasModule()
	text := string(ir.Bytes(module, ir.PrintOptions{Sequential: true}))
	comments := d.comments()
	if len(comments) == 0 && !wrapped {
		return text
	}
	var index ir.TextIndex
	out := &ir.Source{Name: d.src.Name, Text: text}
	printed, _ := ir.Parse(out, ir.ParseOptions{AllowUnregistered: true, Index: &index}, &ir.Diags{})
	if printed == nil {
		return text
	}
	w := newWeaver(d, text, &index, module)
	if wrapped {
		w.skip = 1
	}
	for _, c := range comments {
		w.add(c)
	}
	return w.result(wrapped)
}

// hasModule reports whether the text of the document contains an explicit module
// operation. The text may omit it; the parser then adds the module.
func (d *document) hasModule() bool {
	module := d.analysis().module
	return module != nil && slices.ContainsFunc(d.analysis().index.Ops, func(o ir.OpSpan) bool { return o.Op == module })
}

// comments returns the comments of the text in order.
func (d *document) comments() (all []comment) {
	index := &d.analysis().index
	starts := slices.Clone(index.Ops)
	slices.SortFunc(starts, func(a, b ir.OpSpan) int { return a.Start - b.Start })
	for _, t := range ir.Tokens(d.src.Text) {
		if t.Kind != ir.CommentToken {
			continue
		}
		c := comment{text: strings.TrimRight(d.src.Text[t.Start:t.End], " \t\r"), anchor: -1, region: -1}
		line := d.lineStart(t.Start)
		if c.trailing = strings.TrimSpace(d.src.Text[line:t.Start]) != ""; c.trailing {
			if o, ok := lastStarting(starts, line, t.Start); ok {
				c.anchor = o.Name
				all = append(all, c)
				continue
			}
			c.trailing = false
		}
		c.blank = line >= 2 && strings.TrimSpace(firstLine(d.src.Text[d.lineStart(line-1):])) == ""
		d.anchor(&c, starts, t.End)
		all = append(all, c)
	}
	return all
}

// anchor sets the anchor of the comment c, which ends at offset end: the operation that
// follows the comment. If no operation of the region follows, the comment belongs to the
// end of the region. starts are the operations in text order.
func (d *document) anchor(c *comment, starts []ir.OpSpan, end int) {
	index := &d.analysis().index
	region, limit := -1, len(d.src.Text)
	for i, r := range index.Regions {
		if r.Start <= end && end < r.End {
			region, limit = i, r.End
		}
	}
	i, _ := slices.BinarySearchFunc(starts, end, func(o ir.OpSpan, end int) int { return o.Start - end })
	if i < len(starts) && starts[i].Start < limit {
		c.anchor = starts[i].Name
		return
	}
	c.region = region
}

// lastStarting returns the last operation that starts in a range of byte offsets. The
// second argument is the offset at which the range starts, and the third is the offset
// before which it ends. starts are the operations, sorted by start. The bool result is
// false if no operation starts in the range.
func lastStarting(starts []ir.OpSpan, from, to int) (ir.OpSpan, bool) {
	i, _ := slices.BinarySearchFunc(starts, to, func(o ir.OpSpan, to int) int { return o.Start - to })
	if i == 0 || starts[i-1].Start < from {
		return ir.OpSpan{}, false
	}
	return starts[i-1], true
}

// weaver inserts comments into the lines of a printed module.
type weaver struct {
	*mapper
	// lineOf maps an operation to its printed line. The key is the offset of the
	// operation's name in the document.
	lineOf map[int]int
	// offs are the keys of lineOf in ascending order.
	offs []int
	// ends holds the line of the closing brace of each region.
	ends []int
	// skip is the number of regions in the printed text that precede the first region of
	// the document.
	skip int
	// before holds the comments to insert before each line.
	before [][]string
	// after holds the trailing comment of each line.
	after []string
}

// newWeaver pairs the operations of the module, whose locations are in d, with the
// operations of its printed text. Both have the same order.
func newWeaver(d *document, text string, index *ir.TextIndex, module *ir.Op) *weaver {
	w := &weaver{mapper: newMapper(text, true), lineOf: map[int]int{}}
	w.before, w.after = make([][]string, len(w.lines)+1), make([]string, len(w.lines)+1)
	var ops []*ir.Op
	var inner func(op *ir.Op)
	inner = func(op *ir.Op) {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for o := range b.Ops() {
					inner(o)
				}
			}
		}
		ops = append(ops, op)
	}
	inner(module)
	spans := index.Ops
	if len(spans) != len(ops) { // a form prints more than one operation: comments move to the end
		spans = nil
	}
	for i, o := range spans {
		src, off := ops[i].Loc().Source()
		if _, known := w.lineOf[off]; src == d.src && !known {
			w.lineOf[off] = int(w.position(o.Start).Line)
			w.offs = append(w.offs, off)
		}
	}
	slices.Sort(w.offs)
	for _, r := range index.Regions {
		w.ends = append(w.ends, int(w.position(r.End-1).Line))
	}
	return w
}

// add inserts the comment c into the formatted text, next to the operation or region to
// which the comment belongs.
func (w *weaver) add(c comment) {
	line := len(w.lines) - 1
	switch {
	case c.anchor >= 0:
		if at, ok := w.lineOf[c.anchor]; ok {
			line = at
		} else if i, _ := slices.BinarySearch(w.offs, c.anchor); i < len(w.offs) {
			line = w.lineOf[w.offs[i]] // the operation is gone: the next one
			c.trailing = false
		}
	case c.region >= 0 && c.region+w.skip < len(w.ends):
		line = w.ends[c.region+w.skip]
	}
	if c.trailing && w.after[line] == "" {
		w.after[line] = c.text
		return
	}
	text := c.text
	if c.blank && len(w.before[line]) > 0 {
		w.before[line] = append(w.before[line], "")
	}
	w.before[line] = append(w.before[line], text)
}

// result returns the formatted text of the program with its comments. If unwrap is set,
// it omits the lines of the enclosing module and reduces the indentation of all other
// lines.
func (w *weaver) result(unwrap bool) string {
	var b strings.Builder
	last := len(w.lines) - 1 // after the final newline
	for i := range w.lines {
		line := w.line(i)
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if unwrap {
			indent, line = strings.TrimPrefix(indent, "  "), strings.TrimPrefix(line, "  ")
		}
		if isEnd := strings.HasPrefix(strings.TrimSpace(line), "}"); isEnd && i != last {
			indent += "  "
		}
		if i == last {
			indent = ""
		}
		for _, c := range w.before[i] {
			b.WriteString(strings.TrimRight(indent+c, " ") + "\n")
		}
		switch {
		case i == last || unwrap && (i == 0 || i == last-1): // the module itself
		case w.after[i] != "":
			b.WriteString(line + " " + w.after[i] + "\n")
		default:
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
