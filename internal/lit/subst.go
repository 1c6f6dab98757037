// This file replaces % substitutions.

package lit

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// substitutions replaces names that start with %, such as %s, in RUN lines.
type substitutions struct {
	// values are the values by name, including the %.
	values map[string]string
	// names are the names, the longest first, so that a name is not mistaken for a
	// shorter one.
	names []string
	// features are the features that %if conditions test.
	features map[string]bool
}

// Limits for the expansion of substitutions: the nesting depth of values, and the length
// of a RUN line in bytes. The second limit is necessary because a value that contains
// another one twice doubles the length at each level.
const (
	maxSubstitution = 50
	maxRunLine      = 1 << 20
)

// newSubstitutions returns the substitutions for one test. source is the absolute path of
// the test file, and dir is the absolute path of the directory for its temporary files.
func newSubstitutions(cfg *Config, source, dir string) *substitutions {
	base := filepath.Base(source)
	temp := filepath.Join(dir, base+".tmp")
	s := &substitutions{features: cfg.Features, values: map[string]string{
		"%s": source, "%S": filepath.Dir(source), "%p": filepath.Dir(source),
		"%t": temp, "%T": dir, "%basename_t": base, "%%": "%",
		"%{s:basename}": base, "%{t:stem}": strings.TrimSuffix(temp, filepath.Ext(temp)),
		"%{s:stem}":  strings.TrimSuffix(source, filepath.Ext(source)),
		"%{pathsep}": string(filepath.ListSeparator), "%{fs-sep}": string(filepath.Separator),
		"%{fs-src-root}": "/", "%{fs-tmp-root}": "/",
	}}
	for _, name := range []string{"s", "S", "t", "T", "p"} {
		s.values["%/"+name] = filepath.ToSlash(s.values["%"+name])
		s.values["%{"+name+":real}"] = s.values["%"+name]
	}
	for name, value := range cfg.Substitutions {
		s.values[name] = value
	}
	s.sort()
	return s
}

// sort sorts the names by length, the longest first, so that %tool is not read as
// %t.
func (s *substitutions) sort() {
	s.names = s.names[:0]
	for name := range s.values {
		s.names = append(s.names, name)
	}
	slices.SortFunc(s.names, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
}

// definition matches %{name} = value.
var definition = regexp.MustCompile(`^(%\{[A-Za-z_][-\w:]*\})\s*=\s*(.*?)\s*$`)

// define executes a DEFINE or REDEFINE directive of a test: it sets the value of a
// substitution. It returns an error if the syntax is wrong, or if the directive does not
// fit to the existing substitutions.
func (s *substitutions) define(d directive) error {
	m := definition.FindStringSubmatch(d.text)
	if m == nil {
		return fmt.Errorf("line %d: %s needs %%{name} = value, not %q", d.line, d.keyword, d.text)
	}
	_, exists := s.values[m[1]]
	switch {
	case d.keyword == "DEFINE:" && exists:
		return fmt.Errorf("line %d: %s is already defined; use REDEFINE: to change it", d.line, m[1])
	case d.keyword == "REDEFINE:" && !exists:
		return fmt.Errorf("line %d: %s is not defined; use DEFINE: to define it first", d.line, m[1])
	}
	s.values[m[1]] = m[2]
	s.sort()
	return nil
}

// unknownName matches a name in braces, such as %{name}. The expansion applies it to text
// that does not start with a defined name. A match is then the name of an undefined
// substitution, which is an error.
var unknownName = regexp.MustCompile(`^%\{[A-Za-z_][-\w:]*\}`)

// apply returns the RUN line text in which all names that start with %, such as %s, are
// replaced by their values.
func (s *substitutions) apply(text string) (string, error) {
	var b strings.Builder
	err := s.expand(&b, text, 0)
	return b.String(), err
}

// expand writes the text to b and replaces all names in it by their values. It works from
// left to right and does not expand its own output, so that %%s becomes %s.
func (s *substitutions) expand(b *strings.Builder, text string, nesting int) error {
	if nesting > maxSubstitution || b.Len() > maxRunLine {
		return fmt.Errorf("substitutions must not refer to each other in a cycle")
	}
	for text != "" {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		if strings.HasPrefix(text, "%if ") {
			rest, err := s.conditional(b, text, nesting)
			if err != nil {
				return err
			}
			text = rest
			continue
		}
		name := s.nameAt(text)
		switch {
		case name == "%%":
			b.WriteByte('%')
		case name != "":
			if err := s.expand(b, s.values[name], nesting+1); err != nil {
				return err
			}
		case unknownName.MatchString(text):
			return fmt.Errorf("unknown substitution %s", unknownName.FindString(text))
		default:
			name = "%"
			b.WriteByte('%')
		}
		text = text[len(name):]
	}
	b.WriteString(text)
	return nil
}

// nameAt returns the longest name of a substitution with which the text starts, or "" if
// it starts with none.
func (s *substitutions) nameAt(text string) string {
	for _, name := range s.names {
		if strings.HasPrefix(text, name) {
			return name
		}
	}
	return ""
}

// conditional expands "%if feature %{ ... %} %else %{ ... %}" at the start of the text,
// writes the selected branch to b, and returns the rest of the text. The branch can
// contain substitutions, whose values can contain further ones.
func (s *substitutions) conditional(b *strings.Builder, text string, nesting int) (rest string, err error) {
	feature, rest, ok := strings.Cut(text[len("%if "):], "%{")
	if !ok {
		return "", fmt.Errorf("expected %%{ ... %%} after %%if")
	}
	value, _, err := evaluate(strings.TrimSpace(feature), s.features)
	if err != nil {
		return "", err
	}
	then, rest, err := branch(rest)
	if err != nil {
		return "", err
	}
	otherwise := ""
	if after, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "%else"); ok {
		after, ok = strings.CutPrefix(strings.TrimLeft(after, " "), "%{")
		if !ok {
			return "", fmt.Errorf("expected %%{ ... %%} after %%else")
		}
		if otherwise, rest, err = branch(after); err != nil {
			return "", err
		}
	}
	if !value {
		then = otherwise
	}
	return rest, s.expand(b, then, nesting+1)
}

// branch splits the text at the %} that closes the current branch, and returns the text
// before and after it.
func branch(text string) (inner, rest string, err error) {
	depth := 1
	for i := 0; i+1 < len(text); i++ {
		switch {
		// A substitution such as %{name} ends with a plain brace, so it does not
		// nest.
		case strings.HasPrefix(text[i:], "%{") && !unknownName.MatchString(text[i:]):
			depth++
			i++
		case strings.HasPrefix(text[i:], "%}"):
			if depth--; depth == 0 {
				return strings.TrimSpace(text[:i]), text[i+2:], nil
			}
			i++
		}
	}
	return "", "", fmt.Errorf("expected %%} after %%{")
}
