// This file writes which public versions have an instruction and its arguments.

package refpage

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/history"
	"ptogo/ir"
)

// VersionsOf describes the versions of ptoas that have a construct, such as "from 0.46
// on", with the public thread that reports the last change. It returns "unknown" if the
// public sources do not say.
func VersionsOf(c history.Construct) string {
	span, ok := history.Lookup(c)
	if !ok {
		return "unknown"
	}
	if source := history.Source(c); source != "" {
		return span.String() + " (" + source + ")"
	}
	return span.String()
}

// versions writes the section on versions: the spellings, arguments and words that are not
// in the same versions as the instruction.
func (w *page) versions() {
	own, known := history.Lookup(history.Op(w.d.Name))
	if !known {
		return
	}
	var rows []string
	add := func(what string, c history.Construct) {
		if span, ok := history.Lookup(c); ok && span != own {
			rows = append(rows, fmt.Sprintf("| %s | %s |", what, VersionsOf(c)))
		}
	}
	for _, name := range append(append([]string{}, w.d.Aliases...), w.d.Old...) {
		add("spelled `"+name+"`", history.Op(name))
	}
	add("of global memory outside of SIMT code", history.GMOutsideSimt(w.d.Name))
	form := w.d.Forms[0]
	for _, a := range append(append([]ir.Arg{}, form.Operands...), form.Results...) {
		add("`"+a.Name+"`", history.Arg(w.d.Name, a.Name))
		add("requires `"+a.Name+"`", history.Must(w.d.Name, a.Name))
	}
	for _, a := range w.d.Attrs {
		add("`"+a.Name+"`", history.Arg(w.d.Name, a.Name))
		add("requires `"+a.Name+"`", history.Must(w.d.Name, a.Name))
		if e, ok := a.Type.(*ir.Enum); ok {
			whole, _ := history.Lookup(history.Attr(e.Name))
			for _, c := range e.Cases {
				if word, _ := history.Lookup(history.Case(e.Name, c.Name)); word == whole {
					continue // as old as the attribute
				}
				add("`"+a.Name+" = #pto."+e.Name+"<"+c.Name+">`", history.Case(e.Name, c.Name))
			}
		}
	}
	if len(rows) > 0 {
		w.line("## Versions of ptoas")
		w.line("")
		w.line("| | |\n|---|---|\n%s", strings.Join(rows, "\n"))
		w.line("")
	}
}
