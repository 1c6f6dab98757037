package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// notPlanned are the kinds of meaning that the runtime has no routine for. The
// list only shrinks: who adds a routine takes the name out.
var notPlanned = []string{
	// inside of others
	"ScopeYield",
}

// TestEveryKindIsPlanned asks for each kind of meaning of the dialect whether
// some family of the planner takes it.
func TestEveryKindIsPlanned(t *testing.T) {
	kinds := map[string]any{}
	for _, d := range pto.Dialect.Defs {
		if d.Sem != nil {
			kinds[strings.TrimPrefix(fmt.Sprintf("%T", d.Sem), "sem.")] = d.Sem
		}
	}
	module := parseModule(t, "func.func @k() attributes {pto.kernel} {\n  return\n}")
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if !takes(module, kinds[name]) {
			missing = append(missing, name)
		}
	}
	for _, name := range missing {
		if !slices.Contains(notPlanned, name) {
			t.Errorf("%s has no routine in the runtime", name)
		}
	}
	for _, name := range notPlanned {
		if !slices.Contains(missing, name) {
			t.Errorf("%s has a routine now: take it out of notPlanned", name)
		}
	}
}

// takes reports whether a family has a routine for a kind. It is tried on an
// operation that has nothing the routine needs, so a routine that starts and
// then stumbles counts too.
func takes(op *ir.Op, kind any) bool {
	for _, f := range append(families(), (*planner).rowKind) {
		if starts(f, op, kind) {
			return true
		}
	}
	return false
}

func starts(plan family, op *ir.Op, kind any) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = true
		}
	}()
	p := newPlanner(op, Options{}, &ir.Diags{})
	p.cur, p.slots = &function{}, map[*ir.Value]slot{}
	_, ok = plan(p, op, kind)
	return ok
}
