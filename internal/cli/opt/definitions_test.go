package opt

import (
	"testing"

	"ptogo/ir"
)

// The syntax of a definition is put together when its first operation is read,
// and panics where it is wrong: here all of them are.
func TestEveryDefinitionHasCorrectSyntax(t *testing.T) {
	for _, dialect := range ir.Dialects() {
		for _, d := range dialect.All() {
			if ir.Lookup(d.Name) != d {
				t.Errorf("%s is not found under its name", d.Name)
			}
		}
	}
}
