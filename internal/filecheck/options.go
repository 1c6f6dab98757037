// This file defines the options of a check.

package filecheck

import (
	"fmt"
	"slices"
)

// Options are the options of a check. The zero value has FileCheck's defaults.
type Options struct {
	// Prefixes are the prefixes of directives; an empty list means CHECK.
	Prefixes []string
	// CommentPrefixes mark the rest of a line as a comment; nil means COM and RUN.
	CommentPrefixes []string
	// ImplicitNot are patterns that must not occur between positive matches.
	ImplicitNot []string
	// Defines are the definitions of variables: NAME=VALUE, or #FORMAT,NAME=EXPR
	// for a numeric one, where FORMAT is optional.
	Defines []string

	// MatchFullLines makes positive matches cover whole lines.
	MatchFullLines bool
	// StrictWhitespace distinguishes runs of blanks of different lengths.
	StrictWhitespace bool
	// EnableVarScope undefines variables without $ after each label.
	EnableVarScope bool
	// AllowEmpty accepts an empty input.
	AllowEmpty bool
	// AllowUnusedPrefixes accepts prefixes without directives.
	AllowUnusedPrefixes bool
	// AllowDagOverlap allows matches in one DAG group to overlap.
	AllowDagOverlap bool
	// IgnoreCase ignores the case of ASCII letters.
	IgnoreCase bool

	// InputName is the name of the input in diagnostics; empty means <stdin>.
	InputName string
}

// literalSpace reports whether blanks around a pattern belong to the pattern.
func (o *Options) literalSpace() bool { return o.StrictWhitespace && o.MatchFullLines }

// inputName returns the name of the input for diagnostics.
func (o *Options) inputName() string {
	if o.InputName == "" {
		return "<stdin>"
	}
	return o.InputName
}

// prefixes returns the check prefixes and the comment prefixes, or an error if one of
// them is illegal.
func (o *Options) prefixes() (check, comment []string, err error) {
	check, comment = o.Prefixes, o.CommentPrefixes
	if len(check) == 0 {
		check = []string{"CHECK"}
	}
	if comment == nil {
		comment = []string{"COM", "RUN"}
	}
	var seen []string
	validate := func(kind, p string) error {
		switch {
		case p == "":
			return fmt.Errorf("supplied %s prefix must not be the empty string", kind)
		case !validPrefix(p):
			return fmt.Errorf("supplied %s prefix must contain only alphanumeric characters, hyphens, and underscores: '%s'", kind, p)
		case slices.Contains(seen, p):
			return fmt.Errorf("supplied %s prefix must be unique among check and comment prefixes: '%s'", kind, p)
		}
		seen = append(seen, p)
		return nil
	}
	for _, p := range check {
		if err := validate("check", p); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range comment {
		if err := validate("comment", p); err != nil {
			return nil, nil, err
		}
	}
	return check, comment, nil
}

// validPrefix reports whether p consists only of characters that the prefix of a check
// directive, such as CHECK, may contain.
func validPrefix(p string) bool {
	for i := range len(p) {
		if !isPrefixByte(p[i]) {
			return false
		}
	}
	return true
}

// isPrefixByte reports whether the byte c can be part of a check prefix. FileCheck does
// not recognize a prefix directly after such a byte, because it would be the end of a
// longer word.
func isPrefixByte(c byte) bool {
	return c == '-' || isNameByte(c)
}

// isNameByte reports whether the byte c can be part of a variable name.
func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
