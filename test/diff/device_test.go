package diff

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"testing"

	"ptogo/tools/cpptest"
	"ptogo/tools/npuheaders"
)

var (
	deviceMost    = flag.Int("device-most", 2, "how many variations of each example are compared with the NPU headers")
	deviceProfile = flag.String("device-profile", "", "compare with the headers of this profile only, a3 or a5")
	deviceFilter  = flag.String("device-filter", "", "compare only the cases whose names match this regular expression")
	devicePage    = flag.String("device-page", "", "write the page about instructions judged by the NPU headers to this file")
	deviceSeed    = flag.Uint64("device-seed", 7, "seed of the variations that are compared with the NPU headers")
)

// TestDeviceInstructions compares each tile instruction with the NPU headers: the use in
// its example and variations with other types and extents.
func TestDeviceInstructions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	cases := instructionCases(sampling{seed: *deviceSeed, tries: 20 * *deviceMost, most: *deviceMost}, func(*use, int) numbers { return cpptest.Calm }, nil)
	filter := regexp.MustCompile(*deviceFilter)
	cases = slices.DeleteFunc(cases, func(c *cpptest.Case) bool { return !filter.MatchString(c.Name) })
	if *deviceProfile != "" {
		cases = slices.DeleteFunc(cases, func(c *cpptest.Case) bool { return c.Source.Arch != *deviceProfile })
	}
	results := npuheaders.Check(t, cases)
	if *devicePage != "" {
		page := npuheaders.Page(results, "go test ./test/diff -run TestDeviceInstructions -device-page FILE")
		if err := os.WriteFile(*devicePage, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
