package llvm_test

import (
	"reflect"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/dialect/pto"
)

// TestKinds checks that there is an emitting function for every kind of meaning.
func TestKinds(t *testing.T) {
	all := map[reflect.Type]bool{}
	for _, d := range pto.Dialect.All() {
		if d.Sem == nil {
			continue
		}
		all[reflect.TypeOf(d.Sem)] = true
		if !llvm.Writes(d.Sem) {
			t.Errorf("%T (%s) is not written", d.Sem, d.Name)
		}
	}
	if len(all) < 100 {
		t.Errorf("there are only %d kinds", len(all))
	}
}
