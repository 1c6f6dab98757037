// This file records decisions on questions on which public sources contradict each
// other.

package analysis

// Decision describes a question on which public sources contradict each other and which
// affects several instructions, with the behavior that this project implements.
type Decision struct {
	// About is the question, in a few words.
	About string
	// Choice is the behavior that this project implements.
	Choice string
	// Sources lists what each public source specifies.
	Sources string
}

// Decided are the decisions that affect several instructions. Decisions about a single
// instruction are in the field Notes of its definition.
//
// If public sources disagree, all decisions use the same order of precedence. The NPU
// headers come first if the public simulator or reports from devices confirm them,
// because this code runs on devices. The other sources follow in this order: public
// golden data (inputs with published results), the ISA manual, and the IR manual.
var Decided = []Decision{
	{
		"Order of sums and products of floats",
		"trowsum, trowprod, tcolsum and tcolprod combine as the headers of the target do; vcadd, vcgadd and vcpadd add neighbours in pairs. Sums of f16 rows and registers are made in f32 and rounded once.",
		"pto-isa:include/pto/npu/a2a3/TRowReduceOps.hpp, TRowSum.hpp, TRowProd.hpp, TColSum.hpp and those of a5: as under Meaning. The simulator: left to right. Inside a register nothing is public; pto-isa issue 304 assumes pairs.",
	},
	{
		"NaN where conversions saturate",
		"Vector conversions (vcvt, vmi) with SAT: 0, in every destination. tcvt with saturation: 0 in integers and floats of 8 bits, and on A5 in f16 and bf16; on A2/A3 these keep NaN.",
		"Public golden data of vcvt f32 to f16 with special values: 0. The public A5 expansion of tcvt is vcvt with SAT. pto-spec: 0 for tcvt too. The simulator keeps NaN in tcvt. The pages do not say.",
	},
	{
		"Floats of the accumulator that do not fit what they are stored as (tstore, tmov, textract, tinsert)",
		"As bits 48 and 50 of CTRL say, which a kernel finds zero: the largest finite number, and 0 for NaN.",
		"The public compiler's design of these stores writes bit 48 for an attribute alone; no public source says what a launch finds there. The simulator: infinity and NaN, the largest number where a factor scales.",
	},
	{
		"Infinity where conversions saturate",
		"The largest finite number, also in formats that could hold infinity; a format that has every number of the source keeps it.",
		"Public golden data of vcvt f32 to f16. The pages do not say.",
	},
	{
		"Padding with the maximum or minimum of floats (tfillpad, padded loads)",
		"An infinity, where the format has one; else the largest or lowest number.",
		"pto-isa:include/pto/common/constants.hpp, the simulator, the ISA page and the device tests of a production frontend: infinities. Data of tilelang_st: the largest finite f32; those cases fail here.",
	},
	{
		"Elements that neither source of tpartmax and tpartmin has",
		"The lowest or the largest finite number.",
		"The tile-op pages: the extreme of the type. The headers have infinities for it; no data decides.",
	},
	{
		"Maximum and minimum with NaN",
		"NaN wins, in every element-wise maximum and minimum and in reductions.",
		"pto-isa vmax page and public golden data of vmin: NaN wins. The micro-ISA formula: the second operand. pto-spec: NaN loses. The simulator depends on the order of operands.",
	},
	{
		"Counts of shifts of 8 and 16 bits beyond the width",
		"Tile instructions: the count is taken modulo 32, so that everything is shifted out from the width on. Vector instructions: modulo the width.",
		"Golden data of tile shifts and the simulator promote as C does. Golden data of vshl and vshr, and pto-spec: modulo the width. The micro-ISA leaves it to the target.",
	},
	{
		"f8E8M0 of 0 and of 2^-128",
		"The smallest number, 2^-127.",
		"pto-spec: 0xFF, NaN. The OCP format leaves it open.",
	},
	{
		"A tile divided by a scalar on A5 (tdivs in default precision)",
		"Multiplied by the rounded reciprocal.",
		"The ISA page and the IR manual: the reciprocal. The headers of A5, the simulator and its data: a division. The text goes first here, as it is what kernels are written against.",
	},
	{
		"taxpy of f16 into f32",
		"The product is kept in f32.",
		"The simulator rounds the product to f16. The pages do not say.",
	},
	{
		"Rows that tfillpad fills in vec",
		"The rows up to the valid rows of dst.",
		"pto-isa:include/pto/npu/a2a3/TFillPad.hpp (TFILLPAD: dstValidRow - srcValidRow rows) and a5/TFillPad.hpp, both executed by test/diff (TestDeviceInstructions), and the device tests. The simulator: all rows.",
	},
	{
		"Scales and offsets of tdequant with several columns",
		"The first column, for the whole row.",
		"ApplyScaleAndOffset in a2a3/TDequant.hpp (executed) and BRC_B32 in a5/TDequant.hpp. The simulator: the column of the element.",
	},
	{
		"Halves that tpairreducesum leaves over",
		"Neither an odd last column nor the right half of dst is written.",
		"remainder & ~1 in TPairReduceSum.hpp, and the device tests with odd columns. The ISA page and the simulator round up and write zeros.",
	},
	{
		"taxpy of f16 on A2/A3",
		"The product is rounded to f16 before the addition.",
		"The golden data of the device test (a product and a sum in f16): with one rounding, it would exceed its own thresholds. What vaxpy rounds is not in a header.",
	},
	{
		"Square roots of trsqrt without tmp on A2/A3",
		"Correctly rounded; --perturb applies 3e-3 (f32) or 2 units in the last place (f16).",
		"TRsqrt.hpp: vrsqrt without tmp, 1 / sqrt with tmp. The manual of AscendC::Rsqrt: errors beyond 2e-4; the device test of pto-isa allows 3e-3.",
	},
	{
		"Square roots of trsqrt with tmp on A2/A3, and on A5",
		"Rounded once.",
		"TRsqrt.hpp of both targets rounds the root and the quotient, by vsqrt and vdiv in default precision; the last bit of these is not public. The tile template of A5 in PTOAS: vrsqrt. The results differ by at most two units in the last place.",
	},
	{
		"Row vectors of trowexpandadd and its relatives in row_major",
		"Rows of 32 bytes, all valid, for all of them; other shapes are errors on A2/A3, and on A5 a warning if only the valid columns differ.",
		"src1ValidCol == 32 / sizeof(T) in TRowExpandMul.hpp and the other headers, which repeat all elements of the 32 bytes (executed: rule row vector), as do the ISA page, the simulator and device tests. Golden data of tilelang_st and the templates of PTOAS for A5 repeat the first element.",
	},
	{
		"i32 accumulators stored as f16 without a factor",
		"Converted and saturated, with a warning; --emit=cpp refuses it.",
		"GetCastPreQuantMode in a2a3/common.hpp and GetCastPreQuantModeGm in a5/TStore.hpp select no conversion (NoQuant) for these types (rule conversion).",
	},
	{
		"tmrgsort with tmp whose dst is src",
		"Allowed.",
		"TMrgSort.hpp of A2/A3 merges into tmp, then copies to dst. The pages do not say.",
	},
	{
		"Rows that A5 moves from vec to boxes in mat (tmov, tpush_to_aic)",
		"Sorted into boxes, with a warning. --emit=cpp writes a TINSERT for each column of boxes, and pto-split-cores moves a tile into boxes before it pushes it.",
		"TExtractVecToMat in a5/TExtract.hpp and TInsertNDImpl in a5/TInsert.hpp copy the bytes in order (executed: rules packed rows and pushed rows). A frontend whose kernels run on A5 pushes tiles with boxes only. The ISA page of TMOV: rows are sorted into boxes.",
	},
	{
		"Inactive lanes of vector instructions on A5",
		"Zero.",
		"Most ISA pages: the destination is unchanged; vmul and vcvt: zero. The micro-ISA and the VMI manual: A5 hardware zeroes.",
	},
}
