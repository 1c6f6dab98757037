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
	{`a5 pto\.(mgather|mscatter|tmrgsort|trandom|tprefetch|thistogram)`, cpptest.Unbuilt, "_IMPL'", "judge", "the header is left out (SIMT, queues, sorting; host/headers_a5.hpp)"},
	{`a5 pto\.tadddeqrelu`, cpptest.Unbuilt, "_IMPL'", "header", "npu/a5 has no TADDDEQRELU_IMPL"},
	{`.`, cpptest.Unbuilt, "float8_e", "judge", "the types of 8-bit floats of the host have no conversion from float"},
	{`.`, cpptest.Unbuilt, "TLoadL2Hint", "header", "the checkout of pto-isa lacks TLoadL2Hint, which newer ones have"},
	{`pto\.tscatter`, cpptest.Unbuilt, "'unsigned int' and 'int ()'", "judge", "a constant of the compiler is missing on the host"},
	{`a3 pto\.(textract_fp|tinsert_fp|tsels?) `, cpptest.Unbuilt, "", "judge", "a builtin of the compiler, or an overload of vsel, is missing on the host"},
	{`pto\.tquant`, cpptest.Unbuilt, "Quant INT8", "header", "TQuant.hpp: INT8_SYM writes int8 and INT8_ASYM writes uint8; the IR manual has no such rule, pto-run computes the types of the program"},
	{`a3 pto\.tprelu`, cpptest.Unbuilt, "", "open", "after the scratch tile became one of uint8, the C++ still does not compile; not examined"},
	{`a3 pto\.trem `, cpptest.Aborts, "TRem.hpp:197", "open", "TRem.hpp:197 wants a scratch tile with more columns than the one that --emit=cpp adds"},
	{`a3 pto\.t(shl|shr)s`, cpptest.Aborts, "dstValidRow == srcValidCol", "header", "a typing error of TBitwiseSOp.hpp:37, which compares rows with columns; the assertion is active in debug builds only"},
	{`.`, cpptest.Aborts, "GlobalTensorDim::DIM_0) > 0", "ours", "copies without elements are legal here and do nothing; tload_common.hpp:328 asserts elements in debug builds"},
	{`pto\.tload`, cpptest.Aborts, "tload_common.hpp", "ours", "a part larger than the valid region is legal here; tload_common.hpp asserts equal sizes in debug builds"},
	{`pto\.tload`, cpptest.Unbuilt, "static assertion", "header", "shapes that tload_common.hpp or pto_tile.hpp reject at compile time; docs/isa/header-legality.md"},
	{`pto\.tgather `, cpptest.Unbuilt, "no matching function", "open", "no overload of TGATHER takes these arguments"},
	{`pto\.(textract|textract_fp|tinsert_fp|tmov|tpartargmax|mgather|treshape|tgemv.mx|tmatmul.mx|tmatmul.mx.acc|tload) `, cpptest.Unbuilt, "static assertion", "header", "types or layouts that the headers reject at compile time; docs/isa/header-legality.md"},
	{`a3 pto\.textract `, cpptest.Aborts, "indexRow", "open", "textract_common.hpp:85 asserts that indexRow is a multiple of 16; ours takes all rows"},
	{`a3 pto\.txor `, cpptest.Aborts, "TXor.hpp:41", "open", "TXor.hpp:41 asserts that the valid region of the scratch tile is that of dst"},
	{`pto\.tpows? `, cpptest.Differs, "", "judge", "one unit in the last place: the exponential and the logarithm of the host are those of its C library"},
	{`pto\.tpartargm(ax|in)`, cpptest.Differs, "", "open", "ties: the headers take the index of src1, ours that of src0"},
	{`a3 pto\.tgatherb`, cpptest.Differs, "", "open", "rows of fewer than 8 blocks of 32 bytes: the meaning of vgatherb across rows is not settled"},
	{`a3 pto\.tmatmul\.(acc|bias)`, cpptest.Differs, "", "open", "valid regions that do not fill blocks: the packing of the accumulator in mad is inferred (rule blocks)"},
	{`a5 pto\.(tfusedmuladd|tfusedmuladdrelu|tmuladddst) `, cpptest.Differs, "", "open", "the destination that the headers load (TTernOp.hpp:35) has no influence here; the meaning of vmadd and vmula, or the host, is wrong"},
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
