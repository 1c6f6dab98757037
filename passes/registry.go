// This file looks up passes by name and defines the order rules between them.

package passes

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/ir"
)

// Order is the rule that pass Before must precede pass After in pipelines that contain
// both. Why is the reason, which the warning shows.
type Order struct{ Before, After, Why string }

// Registry contains the passes that a tool offers. They come from several packages.
type Registry struct {
	// list holds the passes in the order of their packages.
	list []*Pass
	// names finds a pass by its name.
	names map[string]*Pass
	// order are the constraints that CheckOrder checks.
	order []Order
}

// Table is the passes and rules that one package adds to a registry.
type Table struct {
	Passes []*Pass
	Order  []Order
}

// NewRegistry returns a registry of all tables. It panics if the order of the
// passes breaks a rule, so that tables and rules cannot contradict each other.
func NewRegistry(tables ...Table) *Registry {
	r := &Registry{names: map[string]*Pass{}}
	for _, t := range tables {
		for _, p := range t.Passes {
			if r.names[p.Name] != nil {
				panic("BUG: pass " + p.Name + " is in the table twice")
			}
			r.names[p.Name] = p
			r.list = append(r.list, p)
		}
		r.order = append(r.order, t.Order...)
	}
	for _, o := range r.order {
		a, b := r.index(o.Before), r.index(o.After)
		if a < 0 || b < 0 || a >= b {
			panic(fmt.Sprintf("BUG: pass %s must precede %s in the table: %s", o.Before, o.After, o.Why))
		}
	}
	return r
}

// index returns the position of a pass in the tables, or -1 for an unknown
// name.
func (r *Registry) index(name string) int {
	return slices.IndexFunc(r.list, func(p *Pass) bool { return p.Name == name })
}

// Passes returns all passes in the order of the tables.
func (r *Registry) Passes() []*Pass { return r.list }

// Lookup returns the pass with the given name, or nil.
func (r *Registry) Lookup(name string) *Pass { return r.names[name] }

// nearest returns the pass name that is most similar to name, for a suggestion, or "".
func (r *Registry) nearest(name string) string {
	names := make([]string, len(r.list))
	for i, p := range r.list {
		names[i] = p.Name
	}
	return ir.Nearest(name, names)
}

// CheckOrder warns about passes whose order in the pipeline breaks a rule. It is
// only a warning, because the program stays correct.
func (r *Registry) CheckOrder(p *Pipeline, diags *ir.Diags) {
	var flat []string
	p.walk(func(s *Step) {
		if s.Pass != nil {
			flat = append(flat, s.Pass.Name)
		}
	})
	for _, o := range r.order {
		// A pass can occur several times. The rule is broken only if After comes
		// before the first Before.
		first := slices.Index(flat, o.After)
		if first < 0 || slices.Contains(flat[:first], o.Before) || !slices.Contains(flat[first:], o.Before) {
			continue
		}
		diags.Add(ir.Warning, ir.Loc{}, fmt.Sprintf("pass '%s' follows '%s', but must precede it: %s", o.Before, o.After, o.Why))
	}
}

// Help returns the descriptions of all passes and options for the help text of a
// tool.
func (r *Registry) Help() string {
	var b strings.Builder
	for _, p := range r.list {
		helpLine(&b, "  --"+p.Name, p.Doc)
		for _, o := range p.Options {
			helpLine(&b, "      "+o.Name+"="+o.placeholder(), o.Doc+o.defaultText())
		}
	}
	return b.String()
}

// helpColumn is the column, from 1, at which descriptions in the help text start.
// helpWidth is the maximal length of a line.
const (
	helpColumn = 43
	helpWidth  = 120
)

// helpLine writes one entry of the help text to b: the name and its description. The
// description, the parameter about, is wrapped to the width of the help text.
func helpLine(b *strings.Builder, name, about string) {
	line := fmt.Sprintf("%-*s", helpColumn-1, name)
	for _, word := range strings.Fields(about) {
		if len(line)+1+len(word) > helpWidth {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", helpColumn-1)
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// placeholder returns the text that represents the value of the option in the help text.
func (o *Option) placeholder() string {
	switch {
	case o.Kind == Flag:
		return "BOOL"
	case o.Kind == Number:
		return "N"
	case len(o.Choices) > 0:
		return strings.Join(o.Choices, "|")
	case o.Kind == words:
		return "NAME,..."
	}
	return "NAME"
}

// defaultText returns the text that is appended to the description of the option in the
// help text: the default value in parentheses, or "" if there is none.
func (o *Option) defaultText() string {
	if o.Default == "" {
		return ""
	}
	return " (default " + o.Default + ")"
}
