// This file explains failed matches.

package filecheck

import (
	"fmt"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// fileOf returns the file that contains the directive d, for the positions in messages.
// Most directives are in the check file. The patterns of the option --implicit-check-not
// count as lines of a virtual file, which fileOf returns for them.
func (e *engine) fileOf(d *directive) *file {
	if d.kind == kindImplicitNot {
		return e.options
	}
	return e.check
}

// add appends a diagnostic.
func (e *engine) add(d Diagnostic) { e.diags = append(e.diags, d) }

// note appends a match to the list of matches that the check returns. The directive d
// matched the text in the range found of the input. The entry contains the position of
// the directive in the check file, and the position of the matched text.
func (e *engine) note(d *directive, found textRange) {
	if d.kind == kindEOF {
		return
	}
	e.matches = append(e.matches, Match{
		Directive: d.spelling(), CheckLine: e.check.lineOf(d.pos) + 1,
		Line: e.input.lineOf(found.lo) + 1, Column: e.input.column(found.lo),
		Text: ere.Narrow(e.text(found)),
	})
}

// missing reports that the directive d has no match in the region of the input. If errs
// is not empty, the search did not start, and errs are the reasons.
func (e *engine) missing(d *directive, region textRange, repetition int, errs []matchError) {
	if e.untried(d, errs) {
		return
	}
	times := ""
	if d.count > 1 {
		times = fmt.Sprintf(" (%d out of %d)", repetition, d.count)
	}
	e.add(e.fileOf(d).at(d.pattern.pos, SeverityError, "%s: expected string not found in input%s", d.spelling(), times))
	e.add(e.input.at(e.skipNewline(region), SeverityNote, "scanning from here"))
	e.tellValues(d.pattern)
	e.tellProgress(d.pattern, region)
	e.tellNearest(d.pattern, region)
}

// skipNewline returns the offset at which a person would start to search in the region.
// If the region starts at a line end, this is the start of the next line; if it does not,
// it is the start of the region.
func (e *engine) skipNewline(region textRange) int {
	if region.lo+1 < region.hi && e.input.text[region.lo] == '\n' {
		return region.lo + 1
	}
	return region.lo
}

// untried reports the errors that prevented a search, and returns whether there are
// any.
func (e *engine) untried(d *directive, errs []matchError) bool {
	for _, err := range errs {
		pos := err.pos
		if pos < 0 {
			pos = d.pattern.pos
		}
		e.add(e.fileOf(d).at(pos, SeverityError, "%s: %s", d.spelling(), err.message))
	}
	return len(errs) > 0
}

// unwanted reports that the NOT directive d matched text of the input, although a NOT
// directive must not match. found is the range of this text. If errs is not empty, the
// search for d did not start; unwanted then reports the errors in errs instead.
func (e *engine) unwanted(d *directive, found textRange, errs []matchError) {
	if e.untried(d, errs) {
		return
	}
	e.add(e.fileOf(d).at(d.pattern.pos, SeverityError, "%s: excluded string found in input", d.spelling()))
	e.add(e.input.at(found.lo, SeverityNote, "found here"))
	e.tellValues(d.pattern)
}

// misplaced reports that directive d matches on the wrong line. The parameter what is the
// error message. skipped is the range from the previous match to this one, and found is
// the range of this match. If between is set, a note shows the first line after the
// previous match.
func (e *engine) misplaced(d *directive, what string, skipped, found textRange, between bool) {
	e.add(e.check.at(d.pattern.pos, SeverityError, "%s: %s", d.spelling(), what))
	e.add(e.input.at(found.lo, SeverityNote, "this match was here"))
	e.add(e.input.at(skipped.lo, SeverityNote, "the previous match ended here"))
	if between {
		newline := skipped.lo + strings.IndexByte(e.text(skipped), '\n')
		e.add(e.input.at(newline+1, SeverityNote, "the first line in between is here"))
	}
}

// tellValues adds notes with the values of the variables that the pattern p uses.
func (e *engine) tellValues(p *pattern) {
	for _, piece := range p.pieces {
		name, value := "", ""
		switch piece := piece.(type) {
		case usePiece:
			if piece.same >= 0 {
				continue
			}
			name, value = piece.name, e.vars.strings[piece.name]
		case *numberPiece:
			if piece.expr == nil {
				continue
			}
			name, value = piece.text, e.shown(piece)
		default:
			continue
		}
		e.add(Diagnostic{Severity: SeverityNote, Message: fmt.Sprintf("with %q equal to %q", ere.Narrow(name), ere.Narrow(value))})
	}
}

// shown returns the value of a numeric block as text. If the value cannot be computed, it
// returns the text of the block itself.
func (e *engine) shown(n *numberPiece) string {
	if n.expr != nil {
		if value, err := n.expr.eval(e.vars); err == nil {
			if text, err := n.format.text(value); err == nil {
				return text
			}
		}
	}
	return "[[#" + n.text + "]]"
}

// tellProgress adds a note that shows how much of the pattern p matches in the region,
// and which part does not.
func (e *engine) tellProgress(p *pattern, region textRange) {
	parts := p.parts()
	// If a prefix of the parts matches, so does every shorter one: search by
	// bisection.
	lo, hi := 0, len(parts)-1
	var best []int
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if loc := e.tryParts(p, parts[:mid], region); loc != nil {
			lo, best = mid, loc
		} else {
			hi = mid - 1
		}
	}
	if best == nil {
		return
	}
	rest := strings.TrimSpace(e.render(parts[lo:]))
	e.add(e.input.at(region.lo+best[1], SeverityNote, "the pattern matches up to here, but not '%s'", rest))
}

// tryParts searches the region for a prefix of the pattern p. parts are the elements of
// the prefix. It returns the ranges of the match, or nil. The match need not extend to
// the end of a line, because the pattern continues after the prefix.
func (e *engine) tryParts(p *pattern, parts []piece, region textRange) []int {
	expr, _, errs := p.expression(parts, e.vars)
	if errs != nil {
		return nil
	}
	if p.blanks {
		expr = " *" + expr
	}
	if p.anchored {
		expr = "^" + expr
	}
	re, err := ere.Compile(expr, p.fold)
	if err != nil {
		return nil
	}
	loc, _ := re.Find(e.text(region))
	return loc
}

// parts returns the elements of the pattern, with literals split into words, so that the
// reported progress is precise to a word. A back reference identifies another element by
// its number in the unsplit pattern, and splitting literals changes these numbers.
// Therefore the list ends before the first back reference.
func (p *pattern) parts() []piece {
	var parts []piece
	for _, piece := range p.pieces {
		switch piece := piece.(type) {
		case literalPiece:
			for word := range strings.SplitAfterSeq(string(piece), " ") {
				if word != "" {
					parts = append(parts, literalPiece(word))
				}
			}
		case usePiece:
			if piece.same >= 0 {
				return parts
			}
			parts = append(parts, piece)
		default:
			parts = append(parts, piece)
		}
	}
	return parts
}

// render returns the given elements of a pattern as readable text, with the values of
// variables.
func (e *engine) render(pieces []piece) string {
	var b strings.Builder
	for _, piece := range pieces {
		switch piece := piece.(type) {
		case literalPiece:
			b.WriteString(string(piece))
		case regexPiece:
			b.WriteString("{{" + piece.expr + "}}")
		case definePiece:
			b.WriteString("[[" + piece.name + ":" + piece.expr + "]]")
		case usePiece:
			if value, ok := e.vars.strings[piece.name]; ok && piece.same < 0 {
				b.WriteString(value)
			} else {
				b.WriteString("[[" + piece.name + "]]")
			}
		case *numberPiece:
			b.WriteString(e.shown(piece))
		}
	}
	return b.String()
}
