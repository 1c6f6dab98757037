package cli

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/example"
	"ptogo/ir"
)

// explain prints the reference page of an instruction.
func (t *optTool) explain(name string) int {
	short := strings.TrimPrefix(name, "pto.")
	def := ir.Lookup("pto." + short)
	switch {
	case ir.Lookup(name) != nil && def == nil:
		return t.fail("'%s' is described by MLIR; --explain has pages on instructions", name)
	case def == nil:
		return t.fail("there is no instruction '%s'%s", name, instructionsLike(short))
	}
	fmt.Fprint(t.streams.out, pto.Reference(def, example.Spellings(def)))
	return exitOK
}

// instructionsLike lists the instructions that a word may mean: those with it
// in their name, or else the one that is most like it.
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

func instructionNames() []string {
	var names []string
	for _, d := range pto.Dialect.Defs {
		names = append(names, d.Name)
	}
	return names
}
