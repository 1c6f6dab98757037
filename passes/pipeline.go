// This file defines pipelines of passes.

package passes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ptogo/ir"
)

// Pipeline is a sequence of passes that runs on every operation whose name is Anchor.
type Pipeline struct {
	// Anchor is the name of the operation that the pipeline runs on, or anyOp.
	Anchor string
	Steps  []*Step
}

// anyOp is the anchor of a pipeline that runs on every operation that is isolated
// from above.
const anyOp = "any"

// Step is a pass with the values of its options, or a nested pipeline. A nested pipeline
// runs on matching operations directly inside the operation of the outer pipeline.
type Step struct {
	// Pass is the pass, or nil for a nested pipeline.
	Pass *Pass
	// values are the values of the options, as text, in the order of Pass.Options.
	values []string
	// Nested is the nested pipeline, or nil.
	Nested *Pipeline
}

// NewPipeline returns an empty pipeline that runs on modules.
func NewPipeline() *Pipeline { return &Pipeline{Anchor: "builtin.module"} }

// newStep returns a step for p in which all options have their defaults.
func newStep(p *Pass) *Step {
	s := &Step{Pass: p, values: make([]string, len(p.Options))}
	for i := range p.Options {
		s.values[i] = p.Options[i].Default
	}
	return s
}

// Add appends a pass to the pipeline. options is the text of its options, such as
// "max-iterations=3 top-down=false". A pass that runs on a different operation than the
// pipeline is added to a nested pipeline for this operation. If the last step of the
// pipeline is such a nested pipeline, Add uses it; otherwise Add appends a new one. Add
// returns false after an error, which it reports to diags.
func (p *Pipeline) Add(pass *Pass, options string, diags *ir.Diags) bool {
	ps := &pipelineParser{src: &ir.Source{Name: "options of --" + pass.Name, Text: options}, diags: diags}
	s := newStep(pass)
	ps.options(s)
	if ps.off < len(options) {
		ps.fail(ps.off, "expected the name of an option")
	}
	if ps.bad {
		return false
	}
	p.append(s)
	return true
}

// append appends a step. It nests the step if the pass runs on another operation than the
// pipeline; see Add.
func (p *Pipeline) append(s *Step) {
	if a := s.Pass.Anchor; a != "" && a != p.Anchor {
		if n := len(p.Steps); n == 0 || p.Steps[n-1].Nested == nil || p.Steps[n-1].Nested.Anchor != a {
			p.Steps = append(p.Steps, &Step{Nested: &Pipeline{Anchor: a}})
		}
		p = p.Steps[len(p.Steps)-1].Nested
	}
	p.Steps = append(p.Steps, s)
}

// Len returns the number of steps of p, without those of nested pipelines.
func (p *Pipeline) Len() int { return len(p.Steps) }

// walk calls f for every step of the pipeline, including the steps of nested pipelines.
// It calls f for a nested pipeline before it calls f for the steps inside.
func (p *Pipeline) walk(f func(s *Step)) {
	for _, s := range p.Steps {
		f(s)
		if s.Nested != nil {
			s.Nested.walk(f)
		}
	}
}

// String returns the text of the pipeline with the values of all options.
func (p *Pipeline) String() string { return string(p.appendTo(nil)) }

// appendTo appends the text of the pipeline to b.
func (p *Pipeline) appendTo(b []byte) []byte {
	b = append(append(b, p.Anchor...), '(')
	for i, s := range p.Steps {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.appendTo(b)
	}
	return append(b, ')')
}

// appendTo appends the text of the step to b.
func (s *Step) appendTo(b []byte) []byte {
	if s.Nested != nil {
		return s.Nested.appendTo(b)
	}
	b = append(b, s.Pass.Name...)
	sep := byte('{')
	for i, o := range s.Pass.Options {
		if s.values[i] == "" && o.Default == "" {
			continue
		}
		b = append(append(append(b, sep), o.Name...), '=')
		b = append(b, quoteValue(s.values[i])...)
		sep = ' '
	}
	if sep == ' ' {
		b = append(b, '}')
	}
	return b
}

// quoteValue returns the option value v in a form that the parser reads as one value:
// unchanged, in braces or in quotes.
func quoteValue(v string) string {
	switch {
	case v != "" && !strings.ContainsAny(v, " \t\r\n{}'\""):
		return v
	case balanced(v):
		return "{" + v + "}"
	case !strings.Contains(v, "'"):
		return "'" + v + "'"
	}
	return `"` + v + `"`
}

// balanced reports whether the braces in v are balanced, so that v can be put in
// braces.
func balanced(v string) bool {
	depth := 0
	for i := range len(v) {
		switch v[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// set assigns a value to the option with the given name. If the parameter given is false,
// the text of the option contains no "=" and no value. It returns an error message, or ""
// on success.
func (s *Step) set(name, value string, given bool) string {
	i := s.Pass.option(name)
	if i < 0 {
		return s.noSuchOption(name)
	}
	o := &s.Pass.Options[i]
	switch o.Kind {
	case Flag:
		if !given || value == "1" || strings.EqualFold(value, "true") {
			value = "true"
		} else if value == "0" || strings.EqualFold(value, "false") {
			value = "false"
		} else {
			return fmt.Sprintf("option '%s' must be true or false, but is '%s'", name, value)
		}
	case Number:
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			value = strconv.FormatInt(n, 10)
		} else {
			return fmt.Sprintf("option '%s' must be an integer, but is '%s'", name, value)
		}
	default:
		if !given {
			return fmt.Sprintf("option '%s' needs a value", name)
		}
		if o.Choices != nil && !slices.Contains(o.Choices, value) {
			return fmt.Sprintf("option '%s' must be one of %s, but is '%s'", name, strings.Join(o.Choices, ", "), value)
		}
	}
	s.values[i] = value
	return ""
}

// noSuchOption returns the message for an unknown option, with a suggestion.
func (s *Step) noSuchOption(name string) string {
	names := make([]string, len(s.Pass.Options))
	for i := range s.Pass.Options {
		names[i] = s.Pass.Options[i].Name
	}
	msg := fmt.Sprintf("pass '%s' has no option '%s'", s.Pass.Name, name)
	switch near := ir.Nearest(name, names); {
	case near != "":
		msg += "; did you mean '" + near + "'?"
	case len(names) > 0:
		msg += "; it has " + strings.Join(names, ", ")
	}
	return msg
}
