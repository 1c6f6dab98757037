// This file removes suggestions that do not help.

package ir

import (
	"slices"
	"strings"
)

// suggested is an edit that a note of an error proposes.
type suggested struct {
	diag *Diag
	fix  *Fix
	// from and to are the offsets of the new text in the edited text.
	from, to int
}

// keepHelpful removes the edits that leave their error in place or cause another error
// where they change the text, and the notes "did you mean" with such edits. An error in the
// text after an edit is not its consequence: the parser did not read as far before.
// keepHelpful parses the text once, with all edits, since --fix applies them together. The
// function read parses a text and returns its diagnostics.
func (d *Diags) keepHelpful(src *Source, read func(edited *Source) []*Diag) {
	var all []*suggested
	var fixes []*Fix
	for _, e := range d.All() {
		for _, n := range e.Notes {
			if n.Fix != nil && n.Fix.Src == src {
				all = append(all, &suggested{diag: e, fix: n.Fix})
				fixes = append(fixes, n.Fix)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	text, _ := Apply(src, fixes)
	slices.SortStableFunc(all, func(a, b *suggested) int { return a.fix.Off - b.fix.Off })
	shift, done := 0, 0
	all = slices.DeleteFunc(all, func(s *suggested) bool {
		f := s.fix
		if f.Off < done {
			return true // Apply leaves out an alternative to the edit before it
		}
		s.from = f.Off + shift
		s.to = s.from + len(f.New)
		shift, done = shift+len(f.New)-(f.End-f.Off), f.End
		return false
	})
	edited := &Source{Name: src.Name, Text: text}
	after := slices.DeleteFunc(read(edited), func(e *Diag) bool { return e.Severity != Error || e.Loc.src != edited })
	slices.SortStableFunc(after, func(a, b *Diag) int { return a.Loc.off - b.Loc.off })
	for _, s := range all {
		i, _ := slices.BinarySearchFunc(after, s.from, func(e *Diag, off int) int { return e.Loc.off - off })
		for ; i < len(after) && after[i].Loc.off <= s.to; i++ {
			if e := after[i]; s.causes(e, edited) {
				s.diag.withdraw(s.fix)
			}
		}
	}
}

// causes reports whether the edit is the reason for the error e, which is in the new text or
// directly after it. An error at the name of an operation can be about the operation before
// it, which is not complete.
func (s *suggested) causes(e *Diag, edited *Source) bool {
	line := strings.LastIndexByte(edited.Text[:s.from], '\n') + 1
	if e.Loc.off == s.to || e.Loc.off == s.from && startsLine(edited.Text[line:s.from]) {
		return e.Code == s.diag.Code
	}
	return true
}

// withdraw removes a fix from the notes of d, with the note if it only asks whether the
// fix was meant.
func (d *Diag) withdraw(f *Fix) {
	d.Notes = slices.DeleteFunc(d.Notes, func(n Note) bool { return n.Fix == f && strings.HasPrefix(n.Text, didYouMean) })
	for i := range d.Notes {
		if d.Notes[i].Fix == f {
			d.Notes[i].Fix = nil
		}
	}
}
