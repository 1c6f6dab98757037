// This file defines edits that a note can carry, and applies them to a text.

package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fix is an edit of the program text: it replaces the bytes [Off, End) of Src by New. A
// fix belongs to a note of an error. After the edit, the tool no longer reports this
// error; other errors may remain.
type Fix struct {
	Src      *Source
	Off, End int
	New      string
}

// Title returns a sentence that describes the edit, for menus of editors.
func (f *Fix) Title() string {
	old := Visible(f.Src.Text[f.Off:f.End])
	switch {
	case old == "":
		return fmt.Sprintf("Insert '%s'", Visible(f.New))
	case f.New == "":
		return fmt.Sprintf("Remove '%s'", old)
	}
	return fmt.Sprintf("Replace '%s' by '%s'", old, Visible(f.New))
}

// Replace adds a fix to the last note of d. The fix replaces the source text at loc,
// which must equal the parameter old, by the parameter text. If the source text is
// different, Replace leaves the note without a fix. Replace returns d.
func (d *Diag) Replace(loc Loc, old, text string) *Diag {
	if len(d.Notes) > 0 && loc.src != nil && strings.HasPrefix(loc.src.Text[min(loc.off, len(loc.src.Text)):], old) {
		d.Notes[len(d.Notes)-1].Fix = &Fix{loc.src, loc.off, loc.off + len(old), text}
	}
	return d
}

// didYouMean is the start of the notes that DidYouMean adds.
const didYouMean = "did you mean '"

// DidYouMean adds the note "did you mean 'right'?", where right represents the parameter
// right. The note has a fix, which replaces the text wrong at the location loc by the
// text right. DidYouMean returns d.
func (d *Diag) DidYouMean(loc Loc, wrong, right string) *Diag {
	return d.Note(loc, didYouMean+right+"'?").Replace(loc, wrong, right)
}

// FirstFix returns the first fix that the notes of d offer, or nil.
func (d *Diag) FirstFix() *Fix {
	for _, n := range d.Notes {
		if n.Fix != nil {
			return n.Fix
		}
	}
	return nil
}

// ApplyFixes applies the first fix of each diagnostic to the text of src. It returns the
// new text and the number of fixes that were applied. If several fixes overlap, only the
// fix that starts first is applied.
func ApplyFixes(src *Source, diags []*Diag) (text string, n int) {
	var fixes []*Fix
	for _, d := range diags {
		if f := d.FirstFix(); f != nil && f.Src == src {
			fixes = append(fixes, f)
		}
	}
	return Apply(src, fixes)
}

// Apply applies fixes to the text of src. It returns the new text and the number of fixes
// that were applied. If fixes overlap, only the one that starts first is applied.
func Apply(src *Source, fixes []*Fix) (text string, n int) {
	fixes = slices.Clone(fixes)
	slices.SortStableFunc(fixes, func(a, b *Fix) int { return cmp.Compare(a.Off, b.Off) })
	var b strings.Builder
	done := 0
	for i, f := range fixes {
		if f.Off < done || i > 0 && *f == *fixes[i-1] {
			continue
		}
		b.WriteString(src.Text[done:f.Off])
		b.WriteString(f.New)
		done = f.End
		n++
	}
	b.WriteString(src.Text[done:])
	return b.String(), n
}

// startsLine reports whether an operation whose name follows text is the first one on its
// line. text is the start of the line. It may contain only white space and the list of
// results with an equals sign.
func startsLine(text string) bool {
	text = strings.Trim(text, " \t")
	return text == "" || strings.HasPrefix(text, "%") && strings.IndexByte(text, '=') == len(text)-1
}

// LineBefore returns a fix that inserts a separate line before the operation at loc, with
// the same indentation. LineBefore returns nil if another operation precedes the
// operation on the same source line, because the new line would then separate the two.
func LineBefore(loc Loc, line string) *Fix {
	src, off := loc.Source()
	if src == nil || off > len(src.Text) {
		return nil
	}
	start := strings.LastIndexByte(src.Text[:off], '\n') + 1
	if !startsLine(src.Text[start:off]) {
		return nil
	}
	return &Fix{src, start, start, indentation(src.Text[start:off]) + line + "\n"}
}

// LineAfter returns a fix that inserts a line after the operation at loc, with the same
// indentation. The operation ends at the first source line on which all its brackets are
// closed. If another operation precedes it on its first line, LineAfter returns nil.
func LineAfter(loc Loc, line string) *Fix {
	before := LineBefore(loc, line)
	if before == nil {
		return nil
	}
	text, depth := before.Src.Text, 0
	for at := before.Off; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		code, _, _ := strings.Cut(text[at:end], "//")
		depth += strings.Count(code, "(") + strings.Count(code, "{") + strings.Count(code, "[")
		depth -= strings.Count(code, ")") + strings.Count(code, "}") + strings.Count(code, "]")
		at = end
		if depth <= 0 && strings.HasSuffix(text[:end], "\n") {
			return &Fix{before.Src, end, end, before.New}
		}
	}
	return nil
}

// indentation returns the blanks and tabs at the start of text.
func indentation(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }
