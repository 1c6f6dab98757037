// This file defines edits that a note can carry, and applies them to a text.

package ir

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Fix replaces the bytes [Off, End) of the source of a note by New. If a tool applies
// it, the error that the note belongs to is gone; other errors may remain.
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

// Replace makes the last note of d offer to replace old, which must be the text at
// loc, by text. Without old at loc the note has no fix. It returns d.
func (d *Diag) Replace(loc Loc, old, text string) *Diag {
	if len(d.Notes) > 0 && loc.src != nil && strings.HasPrefix(loc.src.Text[min(loc.off, len(loc.src.Text)):], old) {
		d.Notes[len(d.Notes)-1].Fix = &Fix{loc.src, loc.off, loc.off + len(old), text}
	}
	return d
}

// DidYouMean adds the note that right may be meant instead of wrong, with the fix that
// replaces wrong at loc. It returns d.
func (d *Diag) DidYouMean(loc Loc, wrong, right string) *Diag {
	return d.Note(loc, "did you mean '"+right+"'?").Replace(loc, wrong, right)
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

// ApplyFixes returns the text of src after the first fix of each diagnostic, and the
// number of fixes. Of fixes that overlap it applies the first one.
func ApplyFixes(src *Source, diags []*Diag) (text string, n int) {
	var fixes []*Fix
	for _, d := range diags {
		if f := d.FirstFix(); f != nil && f.Src == src {
			fixes = append(fixes, f)
		}
	}
	return Apply(src, fixes)
}

// Apply returns the text of src after fixes of it, and the number of fixes. Of fixes that
// overlap it applies the first one.
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

// results matches what precedes the name of an operation on its line.
var results = regexp.MustCompile(`^[ \t]*(?:%[^=\n]*=[ \t]*)?$`)

// LineBefore returns the fix that inserts a line before the operation at loc, with its
// indentation. It returns nil if the operation does not begin its line.
func LineBefore(loc Loc, line string) *Fix {
	src, off := loc.Source()
	if src == nil || off > len(src.Text) {
		return nil
	}
	start := strings.LastIndexByte(src.Text[:off], '\n') + 1
	if !results.MatchString(src.Text[start:off]) {
		return nil
	}
	return &Fix{src, start, start, indentation(src.Text[start:off]) + line + "\n"}
}

// LineAfter returns the fix that inserts a line after the operation at loc, which ends
// with the first line on which all its brackets are closed. It returns nil if the
// operation does not begin its line.
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

// indentation returns the blanks at the start of a text.
func indentation(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }
