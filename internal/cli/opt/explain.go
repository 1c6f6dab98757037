// This file implements --explain.

package opt

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/report"
	"ptogo/internal/example"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// explain implements --explain. It prints the reference page with the given
// name, which is that of an instruction, a type, a pass, a diagnostic code or a topic. If
// no page has this name, it lists the instructions of the group with this name, or the
// instructions that match the word.
func explain(s *report.Streams, name string) int {
	if info, ok := ir.CodeInfoOf(name); ok {
		fmt.Fprint(s.Out, codePage(info, "docs/"))
		return exit.OK
	}
	short := strings.TrimPrefix(name, "pto.")
	def := ir.Lookup("pto." + short)
	page, isType := refpage.TypePageOf(name)
	switch {
	case def == nil && isType:
		fmt.Fprint(s.Out, page.Reference())
		return exit.OK
	case strings.HasPrefix(name, "!"):
		return s.Fail("unknown type '%s'%s", name, typesLike(name))
	case def == nil && registry.Lookup(strings.TrimPrefix(name, "--")) != nil:
		var page strings.Builder
		passPage(&page, registry.Lookup(strings.TrimPrefix(name, "--")))
		fmt.Fprint(s.Out, page.String())
		return exit.OK
	case def == nil && topicOf(name) != nil:
		fmt.Fprint(s.Out, topicOf(name).page())
		return exit.OK
	case ir.Lookup(name) != nil && def == nil:
		return s.Fail("'%s' is documented by MLIR; --explain only has pages on PTO", name)
	case def == nil && !isWord(name) && refpage.ValuePage(short) != "": // a word is searched for
		fmt.Fprint(s.Out, refpage.ValuePage(short))
		return exit.OK
	case def == nil && (isWord(short) && search(s, short) || listGroups(s, name) || search(s, short)):
		return exit.OK
	case def == nil:
		return s.Fail("there is no instruction '%s'%s", name, instructionsLike(short))
	}
	fmt.Fprint(s.Out, refpage.Reference(def, example.Named(def)))
	if isWord(name) { // not with "pto."
		fmt.Fprint(s.Out, "\nInstructions that this may be about, too:\n\n")
		search(s, name)
	}
	return exit.OK
}

// instructionsLike returns the end of an error message about an unknown instruction
// called word. It lists the instructions whose names contain the word. If no name
// contains the word, it suggests the most similar name instead. The result is "" if the
// word is empty or if more than 40 names contain it.
func instructionsLike(word string) string {
	names := instructionNames()
	with := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.Contains(n, word) })
	switch {
	case word == "" || len(with) > 40:
		return ""
	case len(with) > 0:
		return "; there are " + strings.Join(with, ", ")
	}
	return ir.DidYouMean("", "pto."+word, names)
}

// typesLike returns a suggestion for an error message about an unknown type name: the
// name of a type that is similar. It returns "" if no type name is similar.
func typesLike(name string) string {
	var names []string
	for _, p := range refpage.TypePages {
		names = append(names, "!pto."+p.Name)
	}
	return ir.DidYouMean("", name, names)
}

// instructionNames returns the names of all instructions.
func instructionNames() []string {
	var names []string
	for _, d := range pto.Dialect.All() {
		names = append(names, d.Name)
	}
	return names
}
