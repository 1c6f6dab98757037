package filecheck

import (
	"fmt"
	"slices"
)

// Options are the options of a run. The zero value is FileCheck's default.
type Options struct {
	// Prefixes are the directive prefixes; none means CHECK.
	Prefixes []string
	// CommentPrefixes mark the rest of a line as comment; nil means COM and
	// RUN.
	CommentPrefixes []string
	// ImplicitNot are patterns that must not occur between positive matches.
	ImplicitNot []string
	// Defines are NAME=VALUE for string variables and #FORMAT,NAME=EXPR for
	// numeric ones; the format is optional.
	Defines []string

	MatchFullLines      bool // positive matches cover whole lines
	StrictWhitespace    bool // runs of blanks are not alike
	EnableVarScope      bool // names without $ end at each label
	AllowEmpty          bool // the input may be empty
	AllowUnusedPrefixes bool // a prefix may be without directives
	AllowDagOverlap     bool // matches of one DAG group may overlap
	IgnoreCase          bool // ASCII letters match in either case

	// InputName is what diagnostics call the input; empty means <stdin>.
	InputName string
}

// literalSpace reports whether blanks around a pattern belong to it.
func (o *Options) literalSpace() bool { return o.StrictWhitespace && o.MatchFullLines }

func (o *Options) inputName() string {
	if o.InputName == "" {
		return "<stdin>"
	}
	return o.InputName
}

// prefixes returns the check and the comment prefixes, or what is wrong with
// them.
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

// validPrefix reports whether p has only characters a prefix may have.
func validPrefix(p string) bool {
	for i := range len(p) {
		if !isPrefixByte(p[i]) {
			return false
		}
	}
	return true
}

// isPrefixByte reports whether c can be part of a prefix, or glue one to the
// word before it.
func isPrefixByte(c byte) bool {
	return c == '-' || isNameByte(c)
}

// isNameByte reports whether c can be part of a variable name.
func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
