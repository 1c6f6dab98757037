// This file writes the reference page of an instruction.

package refpage

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/history"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// This file writes the reference page of an instruction. The page is derived from
// the definition that the parser, the verifier and the engines use, so it cannot
// differ from the behaviour of the tools. The caller supplies the examples.

// Spelling is an example of an instruction in the syntax of one level (1, 2 or PTO-AS) or
// in C++.
type Spelling struct{ Level, Text string }

// Reference returns the reference page of an instruction in Markdown. examples show
// its syntax.
func Reference(d *ir.Def, examples []Spelling) string {
	info := pto.InfoOf(d)
	w := &page{d: d, info: info}
	w.line("# %s", d.Name)
	w.line("")
	w.line("%s", d.Summary)
	w.line("")
	w.facts()
	w.syntax(examples)
	w.args("Operands", func(f *ir.Form) []ir.Arg { return f.Operands })
	w.args("Results", func(f *ir.Form) []ir.Arg { return f.Results })
	w.attributes()
	w.versions()
	w.meaning()
	w.latency()
	w.notes()
	w.device()
	return w.b.String()
}

// page is the reference page of an instruction while it is written.
type page struct {
	b    strings.Builder
	d    *ir.Def
	info *pto.Op
}

// line writes one line to the page. The text is the result of formatting args with
// format. An empty line ends a paragraph or a table of Markdown.
func (w *page) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// facts writes the table at the top of the page: group, profiles, pipe and effects of the
// instruction.
func (w *page) facts() {
	w.line("| | |")
	w.line("|---|---|")
	w.line("| group | %s, %s |", w.info.Group, w.info.Family)
	w.line("| profiles | %s |", profilesText(w.info.On))
	// The pipe of some instructions depends on their operands or on the target, so
	// the definition alone does not determine it.
	if w.info.PipeOf != nil {
		w.line("| pipe | depends on the operands |")
	} else {
		w.line("| pipe | %s |", w.info.Pipe)
	}
	w.line("| effects | %s |", w.effects())
	w.line("| source | %s |", w.d.Page)
	w.line("| versions of ptoas | %s |", VersionsOf(history.Op(w.d.Name)))
	w.line("")
}

// profilesText returns the names of the profiles that have an instruction. The A2
// and A3 chips share one profile.
func profilesText(on sem.Profiles) string {
	switch on {
	case sem.OnA2A3:
		return "A2/A3"
	case sem.OnA5:
		return "A5"
	}
	return "A2/A3, A5"
}

// effects returns a text about which operands the instruction reads and writes.
func (w *page) effects() string {
	if w.d.Traits&ir.Pure != 0 {
		return "none"
	}
	var reads, writes []string
	form := w.d.Forms[len(w.d.Forms)-1] // the destination-passing form, if there is one
	for _, a := range form.Operands {
		read, write := w.access(a)
		if read {
			reads = append(reads, a.Name)
		}
		if write {
			writes = append(writes, a.Name)
		}
	}
	var parts []string
	if len(reads) > 0 {
		parts = append(parts, "reads "+strings.Join(reads, ", "))
	}
	if len(writes) > 0 {
		parts = append(parts, "writes "+strings.Join(writes, ", "))
	}
	if len(parts) == 0 {
		return "orders other instructions or has effects beside memory"
	}
	return strings.Join(parts, "; ")
}

// access reports whether the instruction reads or writes the operand a. The definition of
// the instruction can declare the access. If it does not, access derives the result from
// the role of the operand, such as In or Out.
func (w *page) access(a ir.Arg) (read, write bool) {
	for _, acc := range w.info.Access {
		if acc.Arg == a.Name {
			return acc.Read, acc.Write
		}
	}
	switch a.Role {
	case ir.Out:
		return false, true
	case ir.InOut, ir.Scratch:
		return true, true
	}
	return namesMemory(a.Type), false
}

// namesMemory reports whether the type constraint c accepts tiles or views.
func namesMemory(c ir.Constraint) bool {
	if c == nil {
		return false
	}
	// A constraint has no list of types, so its description of the types that it
	// accepts is searched. The choice of A5 as target is arbitrary.
	env := &ir.Env{Form: &ir.Form{Level: ir.DPS}, Target: sem.A5}
	want := c.Want(env)
	return strings.Contains(want, "tile") || strings.Contains(want, "view")
}

// syntax writes the section with examples of the instruction, grouped by level.
func (w *page) syntax(examples []Spelling) {
	w.line("## Syntax")
	w.line("")
	w.line("```mlir")
	level := ""
	for _, e := range examples {
		if e.Level == CppLevel {
			continue
		}
		if e.Level != level {
			level = e.Level
			w.line("// %s", level)
		}
		w.line("%s", e.Text)
	}
	w.line("```")
	w.line("")
	w.cpp(examples)
}

// CppLevel is the level of an example in C++.
const CppLevel = "C++"

// cpp writes the section about C++ of a reference page: the call of the C++ library, or
// the reason why the library has no such call.
func (w *page) cpp(examples []Spelling) {
	for _, e := range examples {
		if e.Level == CppLevel {
			w.line("In C++ (`--emit=cpp`):")
			w.line("")
			w.line("```cpp")
			w.line("%s", e.Text)
			w.line("```")
			w.line("")
		}
	}
	if w.info.Cpp.None != "" {
		w.line("It cannot be written as C++: %s.", w.info.Cpp.None)
		w.line("")
	}
}

// args writes a section with the given title and a table of the operands or the results
// of the instruction. The table contains the types that each profile (chip family)
// accepts. The parameter of is a function that returns the operands or the results of a
// form of the instruction.
func (w *page) args(title string, of func(*ir.Form) []ir.Arg) {
	form := w.d.Forms[0]
	if len(of(form)) == 0 {
		return
	}
	w.line("## %s", title)
	w.line("")
	w.line("| name | %s |", strings.Join(w.columns(), " | "))
	w.line("|---|%s", strings.Repeat("---|", len(w.columns())))
	// The accepted types may differ between profiles, so each profile has a column.
	for _, a := range of(form) {
		cells := make([]string, 0, 2)
		for _, t := range w.targets() {
			env := &ir.Env{Def: w.d, Form: &ir.Form{Level: form.Level}, Target: t}
			cells = append(cells, a.Type.Want(env))
		}
		w.line("| %s%s | %s |", a.Name, arityText(a), strings.Join(cells, " | "))
	}
	w.line("")
}

// targets returns one target for each column of the tables on the page. A2 and A3 have a
// common column, for which the target is A3; A5 has its own column. A column is omitted
// if the instruction does not exist on its target.
func (w *page) targets() []ir.Target {
	var ts []ir.Target
	if w.info.On&sem.OnA2A3 != 0 {
		ts = append(ts, sem.A3)
	}
	if w.info.On&sem.OnA5 != 0 {
		ts = append(ts, sem.A5)
	}
	return ts
}

// columns returns the headings of the table columns, one per target: "A2/A3" or "A5".
func (w *page) columns() []string {
	var cs []string
	for _, t := range w.targets() {
		cs = append(cs, map[ir.Target]string{sem.A3: "A2/A3", sem.A5: "A5"}[t])
	}
	return cs
}

// arityText returns a note if the operand a is optional or may be repeated. It returns ""
// for all other operands.
func arityText(a ir.Arg) string {
	switch a.Arity {
	case ir.Optional:
		return " (optional)"
	case ir.Variadic:
		return " (any number)"
	}
	return ""
}

// attributes writes the section about the attributes of the instruction.
func (w *page) attributes() {
	if len(w.d.Attrs) == 0 {
		return
	}
	w.line("## Attributes")
	w.line("")
	w.line("| name | value | default | |")
	w.line("|---|---|---|---|")
	for _, a := range w.d.Attrs {
		// An attribute without a default is required unless the definition says
		// that it is optional.
		def := "required"
		switch {
		case !a.Default.IsZero():
			def = "`" + a.Default.String() + "`"
		case a.Optional:
			def = "none"
		}
		w.line("| %s | %s | %s | %s |", a.Name, escapeCell(a.Type.WantAttr()), escapeCell(def), a.Doc)
	}
	w.line("")
}

// escapeCell escapes the character that separates the cells of a Markdown table.
func escapeCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// meaning writes the section on what the instruction computes.
func (w *page) meaning() {
	text := Meaning(w.d)
	if text == "" {
		return
	}
	w.line("## Meaning")
	w.line("")
	w.line("%s", text)
	w.line("")
}

// notes writes the section about contradictions between the public sources.
func (w *page) notes() {
	if len(w.info.Notes) == 0 {
		return
	}
	w.line("## Where the sources differ")
	w.line("")
	for _, n := range w.info.Notes {
		w.line("- %s", n)
	}
	w.line("")
}

// device writes the section about what the device library does otherwise with some
// operands, with the evidence and the way out.
func (w *page) device() {
	first := true
	for _, rule := range w.info.Rules {
		r, ok := rule.(pto.DeviceRule)
		if !ok {
			continue
		}
		if first {
			w.line("## On the device")
			w.line("")
			first = false
		}
		w.line("- %s, `--check=device` class `%s`: %s (%s). Way out: %s.", profilesText(r.On), r.Class, r.Does, r.Header, r.Way)
	}
	if !first {
		w.line("")
	}
}

// latency writes the table of the instruction's latencies in cycles.
func (w *page) latency() {
	rows, issue := pto.LatencyOf(w.d), pto.IssueOf(w.d)
	if rows == nil && issue == (pto.Issue{}) {
		return
	}
	w.line("## Latency")
	w.line("")
	// Two independent sources: the issue numbers come from the public simulator of
	// A5, the table from the manual.
	w.issue(issue)
	if rows == nil {
		return
	}
	w.line("The numbers of cycles are those of the PTO manual. On A2/A3, n repeats of 256 bytes need about startup + completion + n * per repeat cycles; the interval is the time between two instructions, not between repeats. Pipes run concurrently, so the time of a kernel is not the sum of the times of its instructions; pto-run --timing predicts the time of a kernel.")
	w.line("")
	w.line("| elements | A5 | A2/A3 startup | completion | per repeat | interval |")
	w.line("|---|---|---|---|---|---|")
	for _, l := range rows {
		w.line("| %s | %s | %s | %s | %s | %s |", cmp.Or(l.Elems, "all"), cmp.Or(l.A5, "-"),
			cycles(l.Startup), cycles(l.Completion), cycles(l.PerRepeat), cycles(l.Interval))
	}
	w.line("")
}

// issue writes the issue and latency cycles that pto-run --timing uses for the
// instruction on A5.
func (w *page) issue(i pto.Issue) {
	var says []string
	for _, part := range []struct {
		cycles int
		format string
	}{
		{i.Latency, "the result is in its register after %d cycles"},
		{i.Forward, "the next instruction can use it after %d"},
		{i.Interval, "its unit is busy for %d"},
		{i.Late, "results of arithmetic are needed %d later than by others"},
	} {
		if part.cycles > 0 {
			says = append(says, fmt.Sprintf(part.format, part.cycles))
		}
	}
	if i.Single {
		says = append(says, "only one of the two compute ports executes it")
	}
	if says != nil {
		w.line("On A5, as the public simulator has it, in cycles: %s.", strings.Join(says, "; "))
		w.line("")
	}
}

// cycles formats a number of cycles. 0 means that the manual states no number, and
// becomes a dash.
func cycles(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}
