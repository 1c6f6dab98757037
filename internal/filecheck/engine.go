// This file matches directives in order.

package filecheck

import "strings"

// engine matches the steps of a check file against an input. A step is a directive that
// requires a match, with the NOT and DAG directives before it.
type engine struct {
	// check is the check file.
	check *file
	// options are the patterns of --implicit-check-not, one per line.
	options *file
	// input is the text to check.
	input *file
	o     *Options
	// vars are the values of variables.
	vars *values

	// diags are the diagnostics so far.
	diags []Diagnostic
	// matches are the matches so far.
	matches []Match
}

// run matches the steps block by block, where a block ends with a label. A mismatch ends
// only its block, so that the following blocks are still checked.
func (e *engine) run(steps []matchStep) {
	at := 0
	for begin := 0; begin < len(steps); {
		end := begin
		for end < len(steps) && steps[end].kind != kindLabel {
			end++
		}
		region := textRange{at, len(e.input.text)}
		if end < len(steps) {
			found, ok := e.find(steps[end].directive, region, 1)
			if !ok {
				return // without the label, the limits of the next blocks are unknown
			}
			region.hi = found.hi
			end++
		}
		if begin > 0 && e.o.EnableVarScope {
			e.vars.clearLocal()
		}
		e.block(steps[begin:end], region)
		at, begin = region.hi, end
	}
}

// block matches the given steps one after the other inside a region of the input. A step
// consists of a directive that must match the input in this order, such as CHECK, and the
// NOT and DAG directives before it. block stops at the first step that fails.
func (e *engine) block(steps []matchStep, region textRange) {
	for i := range steps {
		found, ok := e.step(&steps[i], region)
		if !ok {
			return
		}
		region.lo = found.hi
	}
}

// step checks one positive directive (one that requires a match) and the NOT and DAG
// directives that precede it. region is the range of the input in which they may match.
// step returns the range of the match, and whether all checks succeeded.
func (e *engine) step(s *matchStep, region textRange) (textRange, bool) {
	pending, from, ok := e.before(s.before, region)
	if !ok {
		return textRange{}, false
	}
	var first, last textRange
	search := textRange{from, region.hi}
	for i := range s.count {
		if last, ok = e.find(s.directive, search, i+1); !ok {
			return textRange{}, false
		}
		if i == 0 {
			first = last
		}
		e.note(s.directive, last)
		if last == (textRange{search.lo, search.lo}) {
			break // an empty match would repeat forever
		}
		search.lo = last.hi
	}
	skipped := textRange{from, first.lo}
	if !e.distance(s.directive, skipped, first) || !e.absent(pending, skipped) {
		return textRange{}, false
	}
	return last, true
}

// distance checks how many lines are between two matches. skipped is the text between the
// previous match and the new match, and found is the text of the new match. The
// directives -NEXT, -EMPTY and -SAME restrict the number of line ends in the skipped
// text. If the number is wrong, distance reports an error and returns false.
func (e *engine) distance(d *directive, skipped, found textRange) bool {
	newlines := strings.Count(e.text(skipped), "\n")
	switch d.kind {
	case kindNext, kindEmpty:
		switch {
		case newlines == 0:
			e.misplaced(d, "is on the same line as the previous match", skipped, found, false)
			return false
		case newlines > 1:
			e.misplaced(d, "is not on the line after the previous match", skipped, found, true)
			return false
		}
	case kindSame:
		if newlines > 0 {
			e.misplaced(d, "is not on the same line as the previous match", skipped, found, false)
			return false
		}
	}
	return true
}

// find searches a region of the input for the first match of the directive d and returns
// the range of the match. If no match exists, find reports an error and the bool result
// is false.
func (e *engine) find(d *directive, region textRange, repetition int) (textRange, bool) {
	found, ok, errs := d.pattern.match(e.text(region), e.vars)
	if ok {
		return found.shift(region.lo), true
	}
	e.missing(d, region, repetition, errs)
	return textRange{}, false
}

// shift converts a range of offsets. The offsets of s count bytes from the start of a
// region of the input, which is at offset n of the input. The result has the same range
// in offsets from the start of the input.
func (s textRange) shift(n int) textRange { return textRange{s.lo + n, s.hi + n} }

// text returns the text of a region of the input. Patterns are matched against this text
// only, so that ^ and $ also match at its bounds, as in LLVM's tool.
func (e *engine) text(s textRange) string { return e.input.text[s.lo:s.hi] }
