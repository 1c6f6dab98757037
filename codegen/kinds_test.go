package codegen_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"ptogo/codegen"
	"ptogo/dialect/pto"
)

// ranks is the reason for not writing a kind.
const ranks = "there is one rank"

// unwritten are the kinds of meaning that no LLVM IR is written for, with the
// reason. Whoever adds a kind to the code generator takes it off this list.
var unwritten = map[string]string{
	"CommCollective": ranks,
	"CommCopy":       ranks,
	"CommEvent":      ranks,
	"CommNotify":     ranks,
	"CommSession":    ranks,
	"CommWait":       ranks,
	"Prefetch":       ranks,
}

// TestKinds walks all kinds of meaning.
func TestKinds(t *testing.T) {
	all := map[string]bool{}
	for _, d := range pto.Dialect.Defs {
		if d.Sem == nil {
			continue
		}
		kind := reflect.TypeOf(d.Sem).Name()
		all[kind] = true
		switch why, known := unwritten[kind]; {
		case codegen.Writes(d.Sem) && known:
			t.Errorf("%s (%s) is written, but the list says: %s", kind, d.Name, why)
		case !codegen.Writes(d.Sem) && !known:
			t.Errorf("%s (%s) is not written and not on the list", kind, d.Name)
		}
	}
	for kind := range unwritten {
		if !all[kind] {
			t.Errorf("no instruction has the kind %s", kind)
		}
	}
	t.Logf("LLVM IR is written for %d of %d kinds; not for %v", len(all)-len(unwritten), len(all), slices.Sorted(maps.Keys(unwritten)))
}
