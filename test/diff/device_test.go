package diff

import (
	"flag"
	"testing"

	"ptogo/tools/cpptest"
	"ptogo/tools/npuheaders"
)

var (
	deviceMost = flag.Int("device-most", 2, "how many variations of each example are compared with the NPU headers")
	deviceSeed = flag.Uint64("device-seed", 7, "seed of the variations that are compared with the NPU headers")
)

// TestDeviceInstructions compares each tile instruction with the NPU headers: the use in
// its example and variations with other types and extents.
func TestDeviceInstructions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	cases := instructionCases(sampling{seed: *deviceSeed, tries: 20 * *deviceMost, most: *deviceMost}, func(*use, int) numbers { return cpptest.Calm }, nil)
	npuheaders.Check(t, cases)
}
