package cpptest

import (
	"regexp"
	"strings"
)

// known is a disagreement that is not ours to fix, or not decided.
type known struct {
	name    string  // regular expression on the names of cases and instructions
	outcome Outcome // what becomes of them
	detail  string  // is part of what is said about it
	worst   float64 // how far apart numbers may be, relative; 0: any
	reason  string
	source  string
}

// Known are the disagreements of which reason and source are known.
var Known = []known{
	{`.`, Unwritten, "is a micro instruction", 0, "the library has tile instructions only", "pto-isa include/pto/common/pto_instr.hpp"},
	{`make_fmatrix_config|timg2col|conv2d`, Unwritten, "has no C++ form", 0, "the library's ConvTile is a feature map and its patches, where the IR has a tile and settings", "pto-isa cpu/TImg2col.hpp"},
	{`exp|softmax|attention|tlog|tpow|trsqrt|tsqrt|trecip`, Differs, "", 1e-5, "transcendental functions differ in the last bits: ours are rounded correctly or nearly so", "README, Accuracy"},
	{`layernorm`, Differs, "", 1e-4, "sums of rows are added in another order", "pto-isa issue 304"},
	{`tdivs`, Differs, "", 1e-3, "A5 multiplies by the rounded reciprocal, the simulator divides", "pto.tdivs, notes"},
	{`tpack|taddrelu|taddreluconv|set(h|t)f32mode|timg2col`, Unwritten, "", 0, "the library has no such call", "pto-isa include/pto/common/pto_instr.hpp"},
	{`tcmps?\b|tcmp/`, Unbuilt, "data type must be", 0, "the library takes fewer types: masks of unsigned elements, no 16-bit integers", "pto-isa cpu/TCmp.h"},
	{`tcmps?\b|tcmps?/`, Differs, "", 0, "both agree inside of the packed bits; the simulator writes what lies beside them, too", "pto-isa cpu/TCmps.hpp"},
	{`trandom`, Differs, "", 0, "public golden data are those of Philox in another order than the simulator's", "pto.trandom, notes"},
	{`tfusedmuladd|taxpy`, Differs, "", 1e-2, "one rounding or two", "pto-isa cpu/ElementTileOp.h"},
}

// explain returns the known disagreement that a result is one of.
func (r *Result) explain() *known {
	for i := range Known {
		k := &Known[i]
		if k.outcome != r.Outcome || !strings.Contains(r.Detail, k.detail) || k.worst > 0 && r.Worst > k.worst {
			continue
		}
		if regexp.MustCompile(k.name).MatchString(r.Name) || r.Op != "" && regexp.MustCompile(k.name).MatchString(r.Op) {
			return k
		}
	}
	return nil
}
