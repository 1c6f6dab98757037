package diff

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/tools/cpptest"
	"ptogo/tools/npuheaders"
)

var (
	deviceMost     = flag.Int("device-most", 2, "how many variations of each example are compared with the NPU headers")
	deviceProfile  = flag.String("device-profile", "", "compare with the headers of this profile only, a3 or a5")
	deviceFilter   = flag.String("device-filter", "", "compare only the cases whose names match this regular expression")
	devicePage     = flag.String("device-page", "", "write the page about instructions judged by the NPU headers to this file")
	deviceEdges    = flag.Bool("device-edges", true, "compare each kernel also on numbers at edges")
	deviceCampaign = flag.String("device-campaign", "", "folder for the results of series of kernels")
	deviceSeries   = flag.Uint64("device-series", 1, "how many series TestDeviceCampaign compares, from the seed -device-seed on")
	deviceSeed     = flag.Uint64("device-seed", 7, "seed of the variations that are compared with the NPU headers")
)

// sumsInOrder matches uses of instructions that add or multiply numbers whose sum or product
// depends on the order, which the NPU headers do not define: reductions, and those of
// tiles of the cube unit, which products write.
var sumsInOrder = regexp.MustCompile(`^pto\.(t(row|col)(sum|prod)|tpairreducesum|tmatmul|tgemv)|loc=(acc|left|right|bias|scaling)`)

// atEdges returns the generator of numbers at edges for a use of an instruction: NaN,
// infinities, zeros of both signs, denormal numbers, the limits of each format, and values
// halfway between two results.
func atEdges(u *use) numbers {
	switch {
	case !*deviceEdges || sumsInOrder.MatchString(u.key()):
		return nil
	case byOrder.MatchString(u.def.Name):
		return withoutNaN
	}
	return special
}

// deviceCases returns the variations of each tile instruction with a seed.
func deviceCases(seed uint64) []*cpptest.Case {
	s := sampling{seed: seed, tries: 20 * *deviceMost, most: *deviceMost, also: atEdges}
	return instructionCases(s, func(*use, int) numbers { return cpptest.Calm }, nil)
}

// TestDeviceInstructions compares each tile instruction with the NPU headers: the use in
// its example and variations with other types and extents. Each kernel has a second case
// with numbers at edges.
func TestDeviceInstructions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	cases := deviceCases(*deviceSeed)
	filter := regexp.MustCompile(*deviceFilter)
	cases = slices.DeleteFunc(cases, func(c *cpptest.Case) bool { return !filter.MatchString(c.Name) })
	if *deviceProfile != "" {
		cases = slices.DeleteFunc(cases, func(c *cpptest.Case) bool { return c.Source.Arch != *deviceProfile })
	}
	results := npuheaders.Check(t, cases)
	if *devicePage != "" {
		npuheaders.LogUnused(t, results)
		page := npuheaders.Page(results, "go test ./test/diff -run TestDeviceInstructions -device-page FILE")
		if err := os.WriteFile(*devicePage, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDeviceCampaign compares series of kernels with the NPU headers, and keeps the results
// of each series in a file of the folder -device-campaign. A series whose file exists is
// not repeated, so the test can be stopped. It then reports the results in all files.
func TestDeviceCampaign(t *testing.T) {
	if *deviceCampaign == "" {
		t.Skip("no folder for results (-device-campaign)")
	}
	for seed := *deviceSeed; seed < *deviceSeed+*deviceSeries; seed++ {
		for _, profile := range npuheaders.Profiles {
			file := filepath.Join(*deviceCampaign, fmt.Sprintf("%s-%d-%d.json", profile, seed, *deviceMost))
			if npuheaders.Exists(file) || *deviceProfile != "" && profile != *deviceProfile {
				continue
			}
			cases := slices.DeleteFunc(deviceCases(seed), func(c *cpptest.Case) bool { return c.Source.Arch != profile })
			if err := npuheaders.Write(file, npuheaders.Compare(t, cases, profile)); err != nil {
				t.Fatal(err)
			}
		}
	}
	results, err := npuheaders.Read(filepath.Join(*deviceCampaign, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	npuheaders.Report(t, results)
	for _, profile := range npuheaders.Profiles {
		for _, edges := range []bool{false, true} {
			var kernels, equal, reported, other, none int
			for _, j := range results {
				if j.Source.Arch != profile || strings.HasSuffix(j.Name, atEdgesName) != edges {
					continue
				}
				kernels++
				switch {
				case j.Outcome == cpptest.Equal:
					equal++
				case len(j.Reports) > 0:
					reported++
				case j.Known != nil:
					other++
				default:
					none++
				}
			}
			t.Logf("%s, numbers at edges %v: %d kernels, %d equal, %d reported, %d another reason, %d no reason", profile, edges, kernels, equal, reported, other, none)
		}
	}
}
