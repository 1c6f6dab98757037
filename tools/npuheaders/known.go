package npuheaders

import (
	"regexp"
	"strings"

	"ptogo/tools/cpptest"
)

// Reason describes one class of differences between the Go engine and the NPU headers.
type Reason struct {
	// Name is a regular expression for the names of cases.
	Name string
	// Outcome is the outcome of the cases, and Detail a part of the message about them.
	Outcome cpptest.Outcome
	Detail  string
	// Class is the short name of the class: "judge" if an intrinsic lacks a meaning,
	// "header" if the headers have a fault or reject the program, "ours" if this project
	// differs by decision, "open" if nobody has decided yet who is right.
	Class string
	// Reason explains the difference, with the evidence.
	Reason string
}

// Known lists the known classes. The first that matches a result applies. The headers are
// those of pto-isa:include/pto.
var Known = []Reason{
	{`.`, cpptest.Aborts, "no meaning: ", "judge", "an intrinsic has no meaning here (host/stubs.hpp)"},
	{`.`, cpptest.Unwritten, "", "ours", "the program is not written as C++; pto-opt reports the reason"},
	{`a5 pto\.tadddeqrelu`, cpptest.Unbuilt, "_IMPL'", "header", "pto_instr_impl.hpp does not include a5/TAddDeqRelu.hpp"},
	{`.`, cpptest.Unbuilt, "float8_e", "judge", "a conversion of 8-bit floats is missing on the host"},
	{`.`, cpptest.Unbuilt, "TLoadL2Hint", "header", "the checkout of pto-isa lacks TLoadL2Hint, which newer ones have"},
	{`pto\.tscatter|scatter_.*mask`, cpptest.Unbuilt, "'unsigned int' and 'int ()'", "header", "TScatter.hpp:192 multiplies by the function GetTimesByMask instead of its result, so debug builds do not compile"},
	{`a3 pto\.(textract_fp|tinsert_fp) `, cpptest.Unbuilt, "static assertion", "header", "TExtract.hpp and TInsert.hpp accept other types and memories with a factor; docs/isa/header-legality.md"},
	{`pto\.tquant`, cpptest.Unbuilt, "Quant INT8", "header", "TQuant.hpp: INT8_SYM writes int8 and INT8_ASYM writes uint8; the IR manual has no such rule, pto-run computes the types of the program"},
	{`a3 pto\.tprelu`, cpptest.Aborts, "src0.GetValidRow() == dst.GetValidRow()", "header", "TPrelu.hpp:42 asserts a scratch tile with more valid rows than dst, and passes it to TCMPS, whose assertion wants as many; one of the two fails in debug builds"},
	{`a3 pto\.tprelu`, cpptest.Aborts, "TPrelu.hpp:42", "header", "TPrelu.hpp:42 asserts a scratch tile with more valid rows than dst, and passes it to TCMPS, whose assertion wants as many; one of the two fails in debug builds"},
	{`a3 pto\.t(shl|shr)s`, cpptest.Aborts, "dstValidRow == srcValidCol", "header", "a typing error of TBitwiseSOp.hpp:37, which compares rows with columns; the assertion is active in debug builds only"},
	{`.`, cpptest.Aborts, "npu/a2a3/TExtract.hpp:22", "header", "TExtract.hpp:223 adds the index, which is unsigned, to DstTileData::ValidRow, which is -1 for an open valid region; debug builds only. Kernels that boards have run do this"},
	{`.`, cpptest.Aborts, "GlobalTensorDim::DIM_0) > 0", "ours", "copies without elements are legal here and do nothing; tload_common.hpp:328 asserts elements in debug builds"},
	{`pto\.tload`, cpptest.Aborts, "tload_common.hpp", "ours", "a part larger than the valid region is legal here; tload_common.hpp asserts equal sizes in debug builds"},
	{`pto\.tmatmul\.bias`, cpptest.Aborts, "floating point exception", "ours", "views without elements: tstore_common.hpp divides by the last size (ndNum = validCol / gShape4)"},
	{`pto\.tload`, cpptest.Unbuilt, "static assertion", "header", "shapes that tload_common.hpp or pto_tile.hpp reject at compile time; docs/isa/header-legality.md"},
	{`pto\.tgather `, cpptest.Unbuilt, "no matching function", "open", "no overload of TGATHER takes these arguments"},
	{`pto\.(textract|textract_fp|tinsert_fp|tmov|tpartargmax|mgather|treshape|tgemv.mx|tmatmul.mx|tmatmul.mx.acc|tload) `, cpptest.Unbuilt, "static assertion", "header", "types or layouts that the headers reject at compile time; docs/isa/header-legality.md"},
	{`a3 pto\.textract `, cpptest.Aborts, "indexRow", "header", "textract_common.hpp:85 asserts that indexRow is a multiple of 16 (on A5 the low bits are cut); this project extracts from any row"},
	{`a3 pto\.txor `, cpptest.Aborts, "TXor.hpp:41", "ours", "--emit=cpp declares a scratch tile that is valid in full; TXor.hpp:41 asserts the valid region of dst in debug builds and does not use it"},
	{`a3 pto\.tmrgsort `, cpptest.Aborts, "srcCol % (blockLen * BLOCK_NUM)", "ours", "columns after the last four blocks are legal here; TMrgSort.hpp:294 asserts none"},
	{`pto\.tpows? `, cpptest.Differs, "", "judge", "one unit in the last place: the exponential and the logarithm of the host are those of its C library"},
	{`a5 pto\.tgather `, cpptest.Differs, "", "open", "mask patterns with a destination that is too narrow (P1111), and of 64-bit elements, whose path in Int64Rearrange.hpp was not read"},
	{`a5 pto\.tgather `, cpptest.Aborts, "outside vector memory: vgather2", "open", "indices of 16 bits for elements of 32 bits along columns"},
	{`pto\.textract_fp`, cpptest.Differs, "pto.tgemv", "header", "TGEMV computes one row (m = 1, or 16 on A2/A3), whatever the valid rows of its operands are; pto-run computes all (rule row)"},
	{`pto\.tmatmul\.acc`, cpptest.Differs, "", "judge", "the accumulator was written by a product with fewer valid rows: mad packs blocks by m, which is inferred from the headers' compact path (rule blocks)"},
	{`mixed_add|cross_core`, cpptest.Differs, "", "judge", "the host runs the kinds of cores one after the other, so queues from vector cores to the cube core have no data"},
	{`pto\.`, cpptest.Faults, "", "ours", "the generated program violates a rule that pto-run checks, so there is nothing to compare"},
}

// Explain returns the known reason for a result that is not equal, or nil.
func Explain(r *cpptest.Result) *Reason {
	if r.Outcome == cpptest.Equal {
		return nil
	}
	for i := range Known {
		k := &Known[i]
		if k.Outcome == r.Outcome && strings.Contains(r.Detail, k.Detail) && regexp.MustCompile(k.Name).MatchString(r.Name) {
			return k
		}
	}
	return nil
}
