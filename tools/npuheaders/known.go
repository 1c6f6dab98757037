package npuheaders

import (
	"regexp"

	"ptogo/tools/cpptest"
)

// Reason describes one class of differences between the Go engine and the NPU headers.
type Reason struct {
	// Name is a regular expression for the names of cases.
	Name string
	// Outcome is the outcome of the cases, and Detail a regular expression for a part of the
	// message about them.
	Outcome cpptest.Outcome
	Detail  string
	// Class is the short name of the class: "judge" if an intrinsic lacks a meaning,
	// "header" if the headers have a fault or reject the program, "ours" if this project
	// differs by decision, "open" if nobody has decided yet who is right.
	Class string
	// Reason explains the difference, with the evidence.
	Reason string
	// Boards means that kernels that boards have run have the difference, and no variation
	// of an example.
	Boards bool
}

// Known lists the known classes. The first that matches a result applies. The headers are
// those of pto-isa:include/pto.
var Known = []Reason{
	{Name: `.`, Outcome: cpptest.Unwritten, Detail: `op cannot be written as C\+\+: `, Class: "ours", Reason: "the library has no call; pto-opt reports the reason"},
	{Name: `pto\.tload`, Outcome: cpptest.Unwritten, Detail: `has operands for padding or filling`, Class: "ours", Reason: "the library pads by the pad of the tile type only; pto-opt reports it"},
	{Name: `.`, Outcome: cpptest.Aborts, Detail: `no meaning: `, Class: "judge", Reason: "an intrinsic has no meaning here (host/stubs.hpp)"},
	{Name: `a5 pto\.tadddeqrelu`, Outcome: cpptest.Unbuilt, Detail: `_IMPL'`, Class: "header", Reason: "pto_instr_impl.hpp does not include a5/TAddDeqRelu.hpp"},
	{Name: `.`, Outcome: cpptest.Unbuilt, Detail: `TLoadL2Hint`, Class: "header", Reason: "the checkout of pto-isa lacks TLoadL2Hint, which newer ones have"},
	{Name: `pto\.tscatter|scatter_.*mask`, Outcome: cpptest.Unbuilt, Detail: `'unsigned int' and 'int \(\)'`, Class: "header", Reason: "TScatter.hpp:192 multiplies by the function GetTimesByMask instead of its result, so debug builds do not compile"},
	{Name: `a3 pto\.(textract_fp|tinsert_fp) `, Outcome: cpptest.Unbuilt, Detail: `static assertion`, Class: "header", Reason: "TExtract.hpp and TInsert.hpp accept other types and memories with a factor; docs/isa/header-legality.md"},
	{Name: `pto\.tquant`, Outcome: cpptest.Unbuilt, Detail: `Quant INT8`, Class: "header", Reason: "TQuant.hpp: INT8_SYM writes int8 and INT8_ASYM writes uint8; the IR manual has no such rule, pto-run computes the types of the program"},
	{Name: `a3 pto\.tprelu`, Outcome: cpptest.Asserts, Detail: `src0\.GetValidRow\(\) == dst\.GetValidRow\(\)`, Class: "header", Reason: "TPrelu.hpp:42 asserts a scratch tile with more valid rows than dst, and passes it to TCMPS, whose assertion wants as many; one of the two fails in debug builds"},
	{Name: `a3 pto\.tprelu`, Outcome: cpptest.Asserts, Detail: `TPrelu\.hpp:42`, Class: "header", Reason: "TPrelu.hpp:42 asserts a scratch tile with more valid rows than dst, and passes it to TCMPS, whose assertion wants as many; one of the two fails in debug builds"},
	{Name: `a3 pto\.t(shl|shr)s`, Outcome: cpptest.Asserts, Detail: `dstValidRow == srcValidCol`, Class: "header", Reason: "a typing error of TBitwiseSOp.hpp:37, which compares rows with columns; the assertion is active in debug builds only"},
	{Name: `.`, Outcome: cpptest.Asserts, Detail: `GlobalTensorDim::DIM_0\) > 0`, Class: "ours", Reason: "copies without elements are legal here and do nothing; tload_common.hpp:328 asserts elements in debug builds"},
	{Name: `pto\.tload`, Outcome: cpptest.Asserts, Detail: `tload_common\.hpp`, Class: "ours", Reason: "a part larger than the valid region is legal here; tload_common.hpp asserts equal sizes in debug builds"},
	{Name: `pto\.tgather `, Outcome: cpptest.Unbuilt, Detail: `no matching function`, Class: "open", Reason: "no overload of TGATHER takes these arguments"},
	{Name: `.`, Outcome: cpptest.Unbuilt, Detail: `Cols % InnerCols == 0`, Class: "header", Reason: "pto_tile.hpp rejects tiles whose rows are smaller than a box, 32 bytes; the public compiler accepts them"},
	{Name: `pto\.(t\w+)`, Outcome: cpptest.Asserts, Detail: `<= MMAD_MAX_SUPPORT_LENGTH`, Class: "ours", Reason: "products without rows or columns are legal here and do nothing; TMatmul.hpp asserts at least one in debug builds"},
	{Name: `preQuantScalar.*reluPreMode = #pto<relu_pre_mode normal_relu>`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "a negative factor: whether the relu precedes the factor is not documented, and no kernel with known results has one"},
	{Name: `a3 pto\.textract_fp src, indexRow`, Outcome: cpptest.Differs, Detail: `pto\.textract_fp`, Class: "ours", Reason: "set_quant_vector sets the factors of TEXTRACT_FP, and no instruction of the IR calls it, so pto-run uses none"},
	{Name: `a3 pto\.tmrgsort `, Outcome: cpptest.Asserts, Detail: `srcCol % \(blockLen \* BLOCK_NUM\)`, Class: "ours", Reason: "columns after the last four blocks are legal here; TMrgSort.hpp:294 asserts none"},
	{Name: `pto\.tpows? `, Outcome: cpptest.Differs, Detail: `worst [0-9.]+e-0[78]:`, Class: "judge", Reason: "one unit in the last place: the exponential and the logarithm of the host are those of its C library"},
	{Name: `a3 pto\.(txors?|tpows?|tgather) `, Outcome: cpptest.Asserts, Detail: `tmp\.GetValid|TXor\.hpp:41|TOr\.hpp:75`, Class: "ours", Reason: "the scratch tile that lowering adds is valid in full; the headers assert the valid region of another operand in debug builds"},
	{Name: `.`, Outcome: cpptest.Asserts, Detail: `assertion: npu/\S+: [^\n]*Valid(Row|Col)s?\b[^\n]*==`, Class: "ours", Reason: "the headers assert equal valid regions in debug builds, and use that of dst; larger sources are legal here"},
	{Name: `.`, Outcome: cpptest.Asserts, Detail: `assertion: npu/\S+: [^\n]*Valid(Row|Col)s?(\(\))? (!= 0|> 0|>= 1)`, Class: "ours", Reason: "tiles without elements are legal here; the headers assert elements in debug builds"},
	{Name: `.`, Outcome: cpptest.Aborts, Detail: `floating point exception`, Class: "header", Reason: "views without elements: tstore_common.hpp divides by the last size (ndNum = validCol / gShape4)"},
	{Name: `a5 pto\.ttrans .*valid=\?`, Outcome: cpptest.Aborts, Detail: `outside vector memory: v(sts|lds|scatter)`, Class: "header", Reason: "a tile without rows: a5/TTrans.hpp counts its loops down from 0"},
	{Name: `pto\.m(scatter|gather) .*valid=`, Outcome: cpptest.Unbuilt, Detail: `(MSCATTER|MGATHER)( A2/A3)? Coalesce::(Row|Elem) requires (index tile|GlobalTensor inner)`, Class: "header", Reason: "MScatter.hpp and MGather.hpp compare valid regions of types, where one that the run determines is -1"},
	{Name: `.`, Outcome: cpptest.Unwritten, Detail: `does not fit into memory`, Class: "ours", Reason: "the tiles of the program and their scratch tiles need more memory than the core has"},
	{Name: `a5 pto\.tstore src, fp`, Outcome: cpptest.Unbuilt, Detail: `TMov: (Invalid data type|When TileType is Scaling)`, Class: "header", Reason: "TMov.hpp moves factors of 64 bits to scaling, in multiples of 128 bytes; public golden kernels have f32, so the verifier warns"},
	{Name: `pto\.tquant src, fp, offset`, Outcome: cpptest.Unbuilt, Detail: `no matching function`, Class: "header", Reason: "TQUANT has one template parameter for factors and offsets, whose types differ in the valid region"},
	{Name: `.`, Outcome: cpptest.Asserts, Detail: `npu/a2a3/T(Extract|Insert)\.hpp:\d+: idx(Row|Col) \+ \w+::Valid(Row|Col) <=`, Class: "header", Reason: "TExtract.hpp and TInsert.hpp add the index, which is unsigned, to ValidRow, which is -1 for an open valid region; kernels that boards have run do this"},
	{Name: `a3 pto\.textract .*xi8, loc=`, Outcome: cpptest.Asserts, Detail: `% fractalSize\) == 0`, Class: "header", Reason: "textract_common.hpp asserts windows at multiples of 32 for elements of one byte in this direction, and moves those at multiples of 16 alike"},
	{Name: `a3 pto\.tcmps? .*(valid=|x(1|16|32|48|96)x)`, Outcome: cpptest.Differs, Detail: ``, Class: "ours", Reason: "bits past the valid columns are 0 here; the headers compare whole repeats, also past the valid region"},
	{Name: `a5 pto\.mscatter `, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "several elements for one place: the order of threads decides, and the host runs one after the other"},
	{Name: `pto\.tfillpad .*f4E`, Outcome: cpptest.Unbuilt, Detail: `TFillPad Dst/Src vecTile Rows/Cols must be the same`, Class: "header", Reason: "a C++ tile of 4-bit floats has a column for each number, one of bytes for each pair"},
	{Name: `a3 pto\.tsels `, Outcome: cpptest.Unbuilt, Detail: `TSEL only support same data type`, Class: "header", Reason: "overloads of TSELS: a mask of the type of dst is taken for another operand"},
	{Name: `a3 pto\.t(insert|extract) .*valid=`, Outcome: cpptest.Unbuilt, Detail: `ValidCol\)? \* sizeof.*% sizeof|must be at least 2-byte aligned`, Class: "header", Reason: "TInsert.hpp and TExtract.hpp want an even number of valid bytes in the type, where a number that the run determines is -1"},
	{Name: `pto\.t(gemv|matmul)\.mx.*valid=`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "valid regions that the run determines: where mad_mx finds blocks and scales is inferred from the headers (rule blocks)"},
	{Name: `pto\.t(gemv|matmul)\.acc acc_in.*valid=`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "the accumulator was written by a product with fewer valid rows or columns: where mad finds blocks is inferred from the headers (rule blocks)"},
	{Name: `a3 pto\.tstore src, (fp|preQuantScalar)`, Outcome: cpptest.Unbuilt, Detail: `must be restricted to int8_t/uint8_t when the source data type is float`, Class: "header", Reason: "TStore.hpp scales f32 to 8-bit integers only; the verifier warns"},
	{Name: `pto\.tload .*loc=mat`, Outcome: cpptest.Unbuilt, Detail: `the last 2 dim must be static`, Class: "header", Reason: "tload_common.hpp wants views of 16 rows of 32 bytes for tiles in boxes, and this tile has one row"},
	{Name: `.`, Outcome: cpptest.Unbuilt, Detail: `only support ND2(ND|NZ)`, Class: "ours", Reason: "the C++ of a view with one column has the layout DN, which the headers do not load into this tile in mat"},
	{Name: `a3 pto\.mgather `, Outcome: cpptest.Unbuilt, Detail: `table must use Layout::ND or Layout::NZ`, Class: "header", Reason: "MGather.hpp rejects tables in columns"},
	{Name: `a3 pto\.tconcatidx `, Outcome: cpptest.Aborts, Detail: `outside vector memory: vcopy`, Class: "header", Reason: "a count of 0: TConcat.hpp copies 0 - 1 repeats"},
	{Name: `.`, Outcome: cpptest.Unbuilt, Detail: `assignData|no member named 'data' in 'pto::Tile<pto::TileType::Mat`, Class: "header", Reason: "tiles in mat that pto_tile.hpp rejects, for example with rows smaller than a box"},
	{Name: `a3 pto\.mscatter `, Outcome: cpptest.Unbuilt, Detail: `kIsTableND`, Class: "header", Reason: "MScatter.hpp rejects tables in columns"},
	{Name: `pto\.tpartarg(max|min) `, Outcome: cpptest.Unbuilt, Detail: `idx type must be integral type|TPARTARG invalid data type`, Class: "header", Reason: "the headers accept indices of 32 bits, and of 16 bits for f16 only"},
	{Name: `pto\.tscatter .*P1111`, Outcome: cpptest.Unbuilt, Detail: `The shape of src needs to be the same`, Class: "header", Reason: "TScatter.hpp calls TMOV for the pattern P1111, which needs tiles of one shape"},
	{Name: `\.pto:`, Outcome: cpptest.Unwritten, Detail: `is a micro instruction|a tile in mat, which the C\+\+ emitter does not support|copies a boxed tile in vec`, Class: "ours", Reason: "the library has tile instructions only, multiplies tiles in left and right, and copies boxes in vec from views with boxes", Boards: true},
	{Name: `a5 examples/(level2/)?layernorm`, Outcome: cpptest.Differs, Detail: `worst [0-9.]+e-0[678]:`, Class: "ours", Reason: "trsqrt: TRsqrt.hpp rounds the root and the quotient, in default precision by vsqrt and vdiv, whose last bit no public source defines; pto-run rounds once", Boards: true},
	{Name: `examples/`, Outcome: cpptest.Faults, Detail: `peer_func|never pushed`, Class: "judge", Reason: "two functions that exchange entries by queues: the host runs the kinds of cores one after the other, and one vector core", Boards: true},
	{Name: `mixed_add|cross_core`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "the host runs the kinds of cores one after the other, so queues from vector cores to the cube core have no data", Boards: true},
	{Name: `pto\.t(add|sub)reluconv .*xf16.*#\d+ at edges|a3 pto\.tadddeqrelu .* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "f16 beyond 65504: a comment of a5/TAddReluConv.hpp and the page TADDDEQRELU say that the conversion saturates; the conversion of the host gives infinity"},
	{Name: `a5 pto\.trems .*xui64`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "a5/Int64Div.hpp stores quotients in dst and reads src again; results of one kernel in a thousand are not below the divisor"},
	{Name: `a5 pto\.tcvt .*xf32.* -> \S+xi(16|32)\b.* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "f32 beyond an integer without saturation: which bits remain is not documented"},
	{Name: `a3 pto\.trems .*xf32.* at edges`, Outcome: cpptest.Differs, Detail: `worst [01][:.]`, Class: "header", Reason: "a2a3/TRemS.hpp selects by one mask of 64 bits (mode 0 of vsel), so beyond column 63 it corrects signs by those of other columns"},
	{Name: `pto\.tpows? .* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "ours", Reason: "zeros, infinities and NaN are as in C, and powers are rounded nearly correctly; the headers multiply a logarithm (docs/isa/differences.md, pto.tpow)"},
	{Name: `a5 pto\.(trsqrt|texp|tlog) .* at edges`, Outcome: cpptest.Differs, Detail: `worst [0-9.]+e-0[78]:|xf16`, Class: "ours", Reason: "one unit in the last place: the headers round a root and a quotient, or take the exponential or logarithm of the host, where pto-run rounds once"},
	{Name: `pto\.t(row|col)expandexpdif .* at edges`, Outcome: cpptest.Differs, Detail: `worst [0-9.]+e-0[5678]:|xf16`, Class: "judge", Reason: "the difference is rounded before the exponential here; whether vexpdif rounds it is not documented, and the exponential is that of the host"},
	{Name: `a5 pto\.(trecip|tdivs?|tsqrt) .*high_precision.* at edges`, Outcome: cpptest.Differs, Detail: `worst [0-9.]+e-0[78]:`, Class: "header", Reason: "high precision: the last bit of denormal results, which the steps of the header round twice"},
	{Name: `a5 pto\.tsh[lr]s? .*xu?i64.* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "counts of shifts beyond the halves of 64-bit numbers, which the headers shift one by one"},
	{Name: `a5 pto\.tdivs .*f(32|16).* at edges`, Outcome: cpptest.Differs, Detail: `worst [0-9.]+e-0[478]:|worst 0.000`, Class: "open", Reason: "in default precision a5/TDivS.hpp calls vdiv, where this project multiplies by the rounded reciprocal, as public sources for A5 did before"},
	{Name: `a3 pto\.tcolarg(max|min) .*xui(16|32)`, Outcome: cpptest.Differs, Detail: ``, Class: "header", Reason: "a2a3/TColReduceIdx.hpp compares unsigned elements as f16 and f32 (TCmp), so large ones count as negative or as NaN"},
	{Name: `a5 pto\.tcvt .*(f8E|hif8).* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "judge", Reason: "8-bit floats: the host rounds to nearest in every mode of vcvt"},
	{Name: `a3 pto\.tcvt .*xf32.* -> \S+xf16.* at edges`, Outcome: cpptest.Differs, Detail: `here and 0x[7f]c00`, Class: "judge", Reason: "f32 beyond f16: the greatest number here; the host gives infinity, because no public source names the bit of the control register"},
	{Name: `a5 pto\.tcvt .*xi32> -> \S+xui(16|8)\S* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "i32 beyond ui16 and ui8: wrapped here, clamped by the conversion of the host"},
	{Name: `a5 pto\.(tdivs?) .*xi64.* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "quotients of 64 bits at their limits: a5/Int64Div.hpp corrects an estimate in f32, which is exact for small numbers only"},
	{Name: `a5 pto\.t(row|col)expanddiv .*high_precision.* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "high precision with denormal numbers: the header scales operands and results by steps that lose a scale for operands of one row or column"},
	{Name: `a5 pto\.tquant\.mx .* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "scales of groups with NaN, infinity or denormal numbers"},
	{Name: `pto\.t(add|sub)reluconv .*xi16.* at edges`, Outcome: cpptest.Differs, Detail: ``, Class: "open", Reason: "sums and differences beyond i16: exact here before they are clamped; in i16, as the headers of A5 compute them, they wrap"},
	{Name: `a5 pto\.tquant\.mx .*xf16`, Outcome: cpptest.Differs, Detail: `xf16`, Class: "ours", Reason: "max and scaling of f16 are numbers of f16 here; the header leaves bits of bf16 for OCP (docs/isa/differences.md, pto.tquant.mx)"},
	{Name: `a5 pto\.t(gemv|matmul)\.mx.*valid=`, Outcome: cpptest.Unbuilt, Detail: `SFractal is \[16,2\] when Layout is MX_`, Class: "ours", Reason: "scales of one row whose number the run determines: the C++ of their view has one row, and the header loads boxes of 16"},
	{Name: `a5 pto\.tmatmul\.mx`, Outcome: cpptest.Unbuilt, Detail: `TMov_mx: SrcTile Invalid Fractal`, Class: "header", Reason: "TMov.hpp moves scales in boxes; this operand has two rows without boxes"},
	{Name: `pto\.`, Outcome: cpptest.Faults, Detail: ``, Class: "ours", Reason: "the generated program violates a rule that pto-run checks, so there is nothing to compare"},
}

// explain returns the known reason for a result that is not equal, or nil.
func explain(r *cpptest.Result) *Reason {
	for i := range Known {
		k := &Known[i]
		if k.Outcome == r.Outcome && regexp.MustCompile(k.Detail).MatchString(r.Detail) && regexp.MustCompile(k.Name).MatchString(r.Name) {
			return k
		}
	}
	return nil
}
