// This file implements --explain.

package cli

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/example"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// The method explain implements --explain. It prints the reference page with the given
// name, which is that of an instruction, a type, a pass, a diagnostic code or a topic. If
// no page has this name, it lists the instructions of the group with this name, or the
// instructions that match the word.
func (t *optTool) explain(name string) int {
	if info, ok := ir.CodeInfoOf(name); ok {
		fmt.Fprint(t.streams.out, codePage(info, "docs/"))
		return exitOK
	}
	short := strings.TrimPrefix(name, "pto.")
	def := ir.Lookup("pto." + short)
	page, isType := refpage.TypePageOf(name)
	switch {
	case def == nil && isType:
		fmt.Fprint(t.streams.out, page.Reference())
		return exitOK
	case strings.HasPrefix(name, "!"):
		return t.fail("unknown type '%s'%s", name, typesLike(name))
	case def == nil && registry.Lookup(strings.TrimPrefix(name, "--")) != nil:
		var page strings.Builder
		passPage(&page, registry.Lookup(strings.TrimPrefix(name, "--")))
		fmt.Fprint(t.streams.out, page.String())
		return exitOK
	case def == nil && topicOf(name) != nil:
		fmt.Fprint(t.streams.out, topicOf(name).page())
		return exitOK
	case ir.Lookup(name) != nil && def == nil:
		return t.fail("'%s' is documented by MLIR; --explain only has pages on PTO", name)
	case def == nil && !isWord(name) && refpage.ValuePage(short) != "": // a word is searched for
		fmt.Fprint(t.streams.out, refpage.ValuePage(short))
		return exitOK
	case def == nil && (isWord(short) && t.search(short) || t.listGroups(name) || t.search(short)):
		return exitOK
	case def == nil:
		return t.fail("there is no instruction '%s'%s", name, instructionsLike(short))
	}
	fmt.Fprint(t.streams.out, refpage.Reference(def, example.Named(def)))
	if isWord(name) { // not with "pto."
		fmt.Fprint(t.streams.out, "\nInstructions that this may be about, too:\n\n")
		t.search(name)
	}
	return exitOK
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
	return didYouMean("", "pto."+word, names)
}

// typesLike returns a suggestion for an error message about an unknown type name: the
// name of a type that is similar. It returns "" if no type name is similar.
func typesLike(name string) string {
	var names []string
	for _, p := range refpage.TypePages {
		names = append(names, "!pto."+p.Name)
	}
	return didYouMean("", name, names)
}

// instructionNames returns the names of all instructions.
func instructionNames() []string {
	var names []string
	for _, d := range pto.Dialect.All() {
		names = append(names, d.Name)
	}
	return names
}
