// This file is the entry point of a check.

package filecheck

import (
	"slices"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// Match is the text that a directive matched, with its position in the input.
type Match struct {
	// Directive is the directive as written, such as CHECK-NEXT.
	Directive string
	// CheckLine is the line in the check file, from 1. For implicit directives it is the
	// number of the option.
	CheckLine int
	// Line and Column are the position in the input, from 1.
	Line   int
	Column int
	Text   string
}

// Check verifies the input against the directives of the check file. It returns the match
// of each positive directive, which is a directive that requires a match. The error, if
// any, is an *Error.
func Check(check source, input []byte, o Options) ([]Match, error) {
	p, err := prepare(check, &o)
	if err != nil {
		return nil, err
	}
	if len(input) == 0 && !o.AllowEmpty {
		return nil, setupError("'%s' is empty", o.inputName())
	}
	e := &engine{
		check: p.check, options: p.options, o: &o, vars: p.vars,
		input: newFile(o.inputName(), input, o.StrictWhitespace),
	}
	e.run(p.steps)
	if len(e.diags) > 0 {
		return e.matches, &Error{Diagnostics: e.diags}
	}
	return e.matches, nil
}

// prepared is a parsed check file, ready for matching.
type prepared struct {
	// check is the check file. options is the virtual file with the patterns of
	// --implicit-check-not.
	check, options *file
	// vars are the variables that the option -D defines, and steps are the directives in
	// the order of matching.
	vars  *values
	steps []matchStep
}

// prepare parses the options and the check file. It returns an *Error if either is wrong.
func prepare(check source, o *Options) (*prepared, error) {
	prefixes, comments, err := o.prefixes()
	if err != nil {
		return nil, setupError("%v", err)
	}
	// Variables from the command line are declared first, since patterns of the
	// check file and of options may use them.
	decls := newDeclarations()
	vars, problems := newValues(o.Defines, decls)
	s := &scanner{
		file: newFile(check.Name, check.Text, o.StrictWhitespace), o: o, vars: decls,
		check: longestFirst(prefixes), comment: longestFirst(comments), used: map[string]bool{},
	}
	options, implicit, more := implicitNots(o, decls)
	problems = append(problems, more...)
	if len(problems) > 0 {
		return nil, &Error{Setup: true, Diagnostics: problems}
	}
	s.scan()
	if len(s.problems) > 0 {
		return nil, &Error{Setup: true, Diagnostics: s.problems}
	}
	if err := s.unused(prefixes); err != nil {
		return nil, err
	}
	return &prepared{s.file, options, vars, makeSteps(s.found, implicit)}, nil
}

// unused returns an error if a prefix is not used by any directive of the check file. The
// option AllowUnusedPrefixes permits this if at least one prefix is used. The default
// prefix may always be unused if there are implicit checks.
func (s *scanner) unused(prefixes []string) error {
	var missing []string
	for _, p := range prefixes {
		if !s.used[p] {
			missing = append(missing, "'"+p+":'")
		}
	}
	if len(missing) == 0 || s.o.AllowUnusedPrefixes && len(missing) < len(prefixes) {
		return nil
	}
	if len(s.o.Prefixes) == 0 && len(s.o.ImplicitNot) > 0 {
		return nil
	}
	plural := ""
	if len(missing) > 1 {
		plural = "es"
	}
	return setupError("no check strings found with prefix%s %s", plural, strings.Join(missing, ", "))
}

// implicitNots parses the patterns of --implicit-check-not. It returns a virtual file
// with one pattern per line, which diagnostics refer to. It also returns a directive for
// each pattern, and the errors in the patterns. decls are the variables that patterns may
// use.
func implicitNots(o *Options, decls *declarations) (*file, []*directive, []Diagnostic) {
	f := fileOf("command line", ere.Widen(strings.Join(o.ImplicitNot, "\n")))
	var ds []*directive
	var problems []Diagnostic
	pos := 0
	for i, text := range o.ImplicitNot {
		text = ere.Widen(text)
		body := canonical(text, o.StrictWhitespace)
		if !o.literalSpace() {
			body = strings.Trim(body, " \t")
		}
		d := &directive{suffix: suffix{kind: kindImplicitNot, count: 1}, prefix: "IMPLICIT-CHECK", pos: pos}
		var err *patternError
		if d.pattern, err = parsePattern(d, body, pos, i+1, o, decls); err != nil {
			problems = append(problems, f.at(min(err.pos, len(f.text)), SeverityError, "%s", err.message))
		}
		ds = append(ds, d)
		pos += len(text) + 1
	}
	return f, slices.Clip(ds), problems
}
