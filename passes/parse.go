// This file parses textual pass pipelines.

package passes

import (
	"fmt"
	"strings"

	"ptogo/ir"
)

// maxNesting bounds the nesting of pipelines, so that hostile text causes an error
// and not a stack overflow.
const maxNesting = 64

// ParsePipeline returns the pipeline that text describes. The passes in the text must be
// in the registry r. An example of a text is
//
//	builtin.module(canonicalize,func.func(cse,canonicalize{max-iterations=3 top-down=true}))
//
// After an error it returns nil, and diags has the error with its position in the
// text.
func ParsePipeline(r *Registry, text string, diags *ir.Diags) *Pipeline {
	ps := &pipelineParser{reg: r, src: &ir.Source{Name: "pass pipeline", Text: text}, diags: diags}
	ps.space()
	off := ps.off
	name := ps.name()
	if !ps.at('(') {
		ps.fail(off, "expected the operation that the pipeline runs on, as in builtin.module(...)").
			Note(ir.Loc{}, "write builtin.module("+strings.TrimSpace(text)+")")
		return nil
	}
	p := ps.nested(off, name, 0)
	if !ps.bad && ps.off < len(text) {
		if ps.at(')') {
			ps.fail(ps.off, "no '(' matches this ')'")
		} else {
			ps.fail(ps.off, "unexpected text after the pipeline")
		}
	}
	if ps.bad {
		return nil
	}
	r.CheckOrder(p, diags)
	return p
}

// pipelineParser parses the text of a pipeline. It reports only the first error.
type pipelineParser struct {
	reg   *Registry
	src   *ir.Source
	off   int
	diags *ir.Diags
	bad   bool
}

// fail reports an error at the byte offset off of the pipeline text, unless an error has
// been reported already. The message is the result of formatting args with format.
func (ps *pipelineParser) fail(off int, format string, args ...any) *ir.Diag {
	if ps.bad {
		return &ir.Diag{}
	}
	ps.bad = true
	return ps.diags.Error(ir.LocAt(ps.src, off), fmt.Sprintf(format, args...))
}

// at reports whether c is the next character of the text.
func (ps *pipelineParser) at(c byte) bool {
	return ps.off < len(ps.src.Text) && ps.src.Text[ps.off] == c
}

// space moves past white space in the text of the pipeline.
func (ps *pipelineParser) space() {
	for ps.off < len(ps.src.Text) && strings.IndexByte(" \t\r\n", ps.src.Text[ps.off]) >= 0 {
		ps.off++
	}
}

// until advances the parser to the first byte that is in stop, or to the end of the text.
// It returns the text before that position.
func (ps *pipelineParser) until(stop string) string {
	rest := ps.src.Text[ps.off:]
	n := strings.IndexAny(rest, stop)
	if n < 0 {
		n = len(rest)
	}
	ps.off += n
	return rest[:n]
}

// name parses the name of a pass or operation, without the surrounding white space.
func (ps *pipelineParser) name() string {
	return strings.TrimSpace(ps.until(",(){}"))
}

// nested parses the steps in parentheses that follow the name of an operation, and
// returns them as a pipeline. anchor is this name, and off is its byte offset.
func (ps *pipelineParser) nested(off int, anchor string, nesting int) *Pipeline {
	ps.checkAnchor(off, anchor)
	open := ps.off
	ps.off++
	if nesting > maxNesting {
		ps.fail(off, "the pipeline is nested deeper than %d levels", maxNesting)
	}
	p := &Pipeline{Anchor: anchor}
	ps.space()
	for !ps.bad && !ps.at(')') {
		ps.step(p, nesting)
		if ps.space(); !ps.at(',') {
			break
		}
		ps.off++
		if ps.space(); ps.at(')') {
			ps.fail(ps.off, "expected a pass after the comma")
		}
	}
	switch {
	case ps.at(')'):
		ps.off++
		ps.space()
	case ps.off >= len(ps.src.Text):
		ps.fail(open, "this '(' is not closed")
	default:
		ps.fail(ps.off, "expected ',' or ')'")
	}
	return p
}

// step parses one step of a pipeline and appends it to p. A step is a pass with its
// options, or a nested pipeline on operations of one name. depth is the nesting depth of
// the pipeline p.
func (ps *pipelineParser) step(p *Pipeline, depth int) {
	off := ps.off
	name := ps.name()
	// A name before a parenthesis is an operation, unless it is a pass; that is an
	// error with a better message.
	if ps.at('(') && ps.reg.Lookup(name) == nil {
		p.Steps = append(p.Steps, &Step{Nested: ps.nested(off, name, depth+1)})
		return
	}
	pass := ps.reg.Lookup(name)
	switch {
	case name == "":
		ps.fail(ps.off, "expected the name of a pass")
	case pass == nil:
		ps.unknown(off, name)
	case ps.at('('):
		ps.fail(ps.off, "'%s' is a pass, which cannot contain passes; write its options in braces", name)
	case pass.Anchor != "" && p.Anchor != pass.Anchor:
		ps.fail(off, "pass '%s' runs on %s, not on %s", name, pass.Anchor, p.Anchor).
			Note(ir.Loc{}, "write "+pass.Anchor+"("+name+")")
	}
	if ps.bad {
		return
	}
	s := newStep(pass)
	if ps.at('{') {
		open := ps.off
		ps.off++
		ps.options(s)
		if !ps.at('}') {
			ps.fail(open, "this '{' is not closed")
		}
		ps.off++
	}
	p.Steps = append(p.Steps, s)
}

// unknown reports that no pass has the given name, at offset off of the text, with the
// most similar pass name as a suggestion.
func (ps *pipelineParser) unknown(off int, name string) {
	d := ps.fail(off, "unknown pass '%s'", name)
	if near := ps.reg.nearest(name); near != "" {
		d.Note(ir.LocAt(ps.src, off), "did you mean '"+near+"'?")
	}
}

// checkAnchor reports an error at offset off for a name that no operation can have. It
// accepts operations of unknown dialects, because a program may contain them.
func (ps *pipelineParser) checkAnchor(off int, name string) {
	dialect, _, dotted := strings.Cut(name, ".")
	known := ir.LookupDialect(dialect)
	def := ir.Lookup(name)
	switch {
	case name == anyOp || dotted && known == nil:
	case def == nil:
		d := ps.fail(off, "'%s' is neither a pass nor an operation", name)
		if near := ir.Nearest(name, []string{"builtin.module", "func.func", anyOp}); near != "" {
			d.Note(ir.LocAt(ps.src, off), "did you mean '"+near+"'?")
		} else if near := ps.reg.nearest(name); near != "" {
			d.Note(ir.LocAt(ps.src, off), "did you mean '"+near+"'?")
		}
	case def.Traits&ir.IsolatedFromAbove == 0:
		ps.fail(off, "passes cannot run on '%s', whose regions use values of the surrounding operations", name)
	}
}

// options parses options of the form name=value, separated by white space, up to a
// closing brace or the end of the text.
func (ps *pipelineParser) options(s *Step) {
	for ps.space(); !ps.bad && ps.off < len(ps.src.Text) && !ps.at('}'); ps.space() {
		off := ps.off
		name := ps.until(" \t\r\n={}")
		value, given := "", ps.at('=')
		if given {
			ps.off++
			value = ps.value()
		}
		if name == "" {
			ps.fail(off, "expected the name of an option")
		} else if msg := s.set(name, value, given); msg != "" {
			ps.fail(off, "%s", msg)
		}
		if ps.at('{') && !given {
			ps.fail(ps.off, "expected '=' before the value")
		}
	}
}

// value reads the value of an option: one word, or text in quotes or braces.
func (ps *pipelineParser) value() string {
	open := ps.off
	switch {
	case ps.at('{'):
		// A value in braces may contain a pipeline, which has braces of its own.
		for depth := 0; ps.off < len(ps.src.Text); ps.off++ {
			if ps.at('{') {
				depth++
			} else if ps.at('}') {
				if depth--; depth == 0 {
					ps.off++
					return ps.src.Text[open+1 : ps.off-1]
				}
			}
		}
		ps.fail(open, "this '{' is not closed")
		return ""
	case ps.at('\''), ps.at('"'):
		ps.off++
		v := ps.until(ps.src.Text[open : open+1])
		if ps.off >= len(ps.src.Text) {
			ps.fail(open, "this quote is not closed")
			return ""
		}
		ps.off++
		return v
	}
	return ps.until(" \t\r\n{}")
}
