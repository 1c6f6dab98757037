package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
)

// unfollowedKinds are the kinds of meaning whose expressions are not followed, and those
// that execute nothing. docs/equivalence.md describes the instructions.
var unfollowedKinds = strings.Fields(`AtomicChange Barrier CommCollective CommSession KeptState LaneHistogram LaneMask LaneReduce
	LaneShuffle MemoryFence PermuteBytes Prefetch ScaleAddress ScopeYield Stop ThreadFence UbMap VecSort Vote WideProduct`)

// TestEveryKindIsFollowed compares the kinds without a routine for expressions with the
// list above.
func TestEveryKindIsFollowed(t *testing.T) {
	missing := map[string]bool{}
	for _, d := range pto.Dialect.All() {
		kind, ours := strings.CutPrefix(fmt.Sprintf("%T", d.Sem), "sem.")
		if ours && !HasLineage(d.Sem) {
			missing[kind] = true
		}
	}
	if got := slices.Sorted(maps.Keys(missing)); !slices.Equal(got, unfollowedKinds) {
		t.Errorf("kinds without a routine for expressions:\n%v\nwant\n%v", got, unfollowedKinds)
	}
}
