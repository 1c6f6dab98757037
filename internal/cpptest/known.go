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
	{`tload`, Differs, "", 0, "the library asks for a view as large as what is valid of the tile, pads by the type of the tile only, and the simulator fills all of the tile first", "pto-isa cpu/TLoad.hpp, CheckTileData and TLOAD_TILE_IMPL"},
	{`mgather`, Differs, "", 0, "the library takes the number of an element for its place behind the start of the table, also where rows lie apart", "pto-isa cpu/MGather.hpp"},
	{`tmov`, Differs, "", 0, "the simulator drops the factor of a move", "pto-isa cpu/TMov.hpp, preQuantScalar"},
	{`tsort32`, Differs, "", 0, "of equal values the simulator takes that with the smaller index first, here that which comes first: the same where indices ascend", "pto-isa docs/isa/TSORT32.md, cpu/TSort32.hpp"},
	{`tmrgsort`, Differs, "", 0, "the library merges whole groups of four blocks only", "pto-isa npu/a2a3/TMrgSort.hpp, repeatTimes; cpu/TMrgSort.hpp"},
	{`trowexpand(add|sub|mul|div|max|min|expdif)`, Differs, "", 0, "of a row of 32 bytes the library takes the elements in turn, golden data repeat the first", "pto.trowexpandadd, notes"},
	{`tgather\b`, Differs, "", 0, "the destination is narrower than what is selected, which the library writes one behind the other", "pto-isa cpu/TGather.hpp, GATHER_ROW"},
	{`tgather\b`, Unbuilt, "TGATHER", 0, "the library takes a tile of values to compare with, the IR a scalar; the simulator has no body for either", "pto-isa docs/isa/TGATHER.md, cpu/TGather.hpp"},
	{`tgatherb`, Differs, "", 0, "the simulator leaves a last block that is not whole", "pto-isa cpu/TGatherB.hpp"},
	{`tquant\.mx`, Differs, "", 0, "the simulator puts exponents by rows, also into a tile of one row", "pto-isa cpu/TQuant.hpp 480"},
	{`(tmatmul|tgemv)\.mx.*x2x(u?i8|!pto\.f4E\w+|f8E4M3FN|f8E5M2), loc=scaling`, Differs, "", 0, "scales of other types than f8E8M0 are exponents here and numbers in the simulator", "pto-isa cpu/TMatmul.hpp, TMatmulMX"},
	{`tmatmul\.acc`, Unbuilt, "TMATMUL_ACC_IMPL", 0, "the simulator has no accPhase there", "pto-isa cpu/TMatmul.hpp"},
	{`taddreluconv`, Unbuilt, "TADDRELUCONV_IMPL", 0, "the simulator has no body", "pto-isa cpu"},
	{`.`, Unbuilt, "std::is_same_v", 0, "the simulator takes fewer element types", "the static_assert named"},
	{`tscatter`, Unbuilt, "must be 16 or 32-bit wide", 0, "the library scatters by a pattern elements of 16 and 32 bits only", "pto-isa cpu/TScatter.hpp"},
	{`tprefetch`, Differs, "", 0, "the simulator takes the rows of a view for as far apart as those of the tile", "pto-isa cpu/TPrefetch.hpp"},
	{`t(extract|insert)_fp`, Unbuilt, "Non-conforming matrix fractal", 0, "an accumulator without boxes, which the public compiler accepts and the library does not", "pto-isa cpu/TExtract.hpp"},
	{`.`, Unbuilt, "AllowedType", 0, "the simulator takes fewer element types", "the static_assert named"},
	{`trowprod|tcolprod`, Differs, "", 1e-2, "factors are multiplied in another order", "pto-isa cpu/TRowProd.hpp"},
	{`timg2col`, Faults, "works on a map", 0, "the program is one that no device runs", "pto.timg2col"},
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
