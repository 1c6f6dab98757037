package isa_test

import (
	"reflect"
	"sort"
	"strings"
	"testing"

	"ptogo/dialect/pto"
)

// Most kinds of meaning there are, and most that only one definition has. A new
// instruction should be an old kind with other parameters; who makes kinds
// fewer lowers the numbers.
const (
	mostKinds      = 158
	mostKindsOfOne = 50
)

// TestKindCount counts the kinds of meaning.
func TestKindCount(t *testing.T) {
	uses := map[reflect.Type]int{}
	for _, d := range pto.Dialect.All() {
		if d.Sem != nil {
			uses[reflect.TypeOf(d.Sem)]++
		}
	}
	var once []string
	for kind, n := range uses {
		if n == 1 {
			once = append(once, kind.Name())
		}
	}
	sort.Strings(once)
	if len(uses) > mostKinds || len(once) > mostKindsOfOne {
		t.Errorf("%d kinds of meaning, at most %d wanted; %d of one instruction, at most %d wanted:\n%s",
			len(uses), mostKinds, len(once), mostKindsOfOne, strings.Join(once, " "))
	}
}
