package npuheaders

import (
	"slices"
	"strings"

	"ptogo/tools/cpptest"
)

// Assumption is a meaning of an intrinsic for which neither a manual nor a kernel with
// known results is the source. An equal result that needs it may be circular, and a rule
// that only such a result shows is a warning, never an error.
type Assumption struct {
	// Name is the name that the files in host pass to device::assumes.
	Name string
	// Meaning is the assumption, and Source where it comes from.
	Meaning, Source string
	// Rules are the classes of the rules (pto.DeviceRule) that rest on the assumption.
	Rules []string
}

// Assumptions lists the assumptions. A kernel that reports another one is an error.
var Assumptions = []Assumption{
	{"blocks of mad", "mad finds the blocks of its operands by m, k and n", "the compact path of the headers (TExtractToACompact)", []string{"blocks", "moved blocks"}},
	{"chistv2", "counts of bytes, each byte also in all later bins", "a5/THistogram.hpp and pto.thistogram", []string{"histogram"}},
	{"counts of shifts", "a count beyond the width is taken modulo 32, and everything is shifted out from the width on", "golden data of tile shifts, docs/isa/differences.md", nil},
	{"factors of fixpipe", "the bits of a factor (19 in a table for columns, as the device tests of pto-isa have it, 32 in the register) and of its offset, rounding before the offset", "pto.tstore, notes, and the public simulator", nil},
	{"index of vcmax and vcmin", "lane 1 is the index of the first extreme element", "a5/TRowReduceIdx.hpp reads it there", nil},
	{"masks in memory", "one bit for each byte of a register, and how loads and stores pack them", "pto.plds and pto.psts", nil},
	{"masks of vsel", "how set_cmpmask and the modes of vsel find the bits", "a2a3/TSel.hpp and a2a3/TSels.hpp", nil},
	{"roundings of products with sums", "on A2/A3 vmadd and vaxpy of f32 round once; vmla and vaxpy of f16 also round the product", "the page TFUSEDMULADD, golden data of tmuladddst and taxpy", nil},
	{"scales of mad_mx", "the scales are at a sixteenth of the address of the operand", "a5/TGetScaleAddr.hpp", nil},
	{"vbitsort", "equal scores keep their order, and NaN is beyond infinity", "pto.tsort32, notes", nil},
	{"vcopy in count mode", "each repeat copies the counted elements", "a2a3/TFillPad.hpp", []string{"fill"}},
	{"vgather2_bc", "elements of 16 bits in lanes of 32 bits", "a5/TGather.hpp stores them by PK_B32", []string{"index width"}},
	{"vgatherb", "eight offsets for each repeat, in bytes from the base", "a2a3/TGatherB.hpp and a5/TGatherB.hpp", []string{"offset rows"}},
	{"vmod", "the remainder has the sign of the divisor, and -1 for a divisor of 0", "pto.trem", nil},
	{"vmrgsort4", "when an exhausted list ends a merge, and which of equal scores comes first", "pto.tmrgsort, notes", nil},
	{"vreducev2", "the elements of all repeats are stored one after the other", "a2a3/TGather.hpp asserts contiguous rows", []string{"gathered rows"}},
	{"vsqz and vstur", "the register AR counts the bytes that were kept", "a5/TGather.hpp", []string{"gathered rows"}},
	{"zeros of maxima and minima", "+0 is greater than -0", "docs/isa/differences.md", nil},
	{"zeros of vlrelu", "on A2/A3 zero meets the slope", "the page TLRELU", nil},
}

// assumed returns the names of the assumptions that the run of r needed.
func assumed(r *cpptest.Result) []string {
	var names []string
	for line := range strings.Lines(r.Messages) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "assumes: "); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
