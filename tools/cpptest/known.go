package cpptest

import (
	"regexp"
	"strings"
)

// known describes one kind of difference between the results of the Go engine and of the
// simulator. The reason for the difference is known. We do not intend to remove the
// difference, or have not decided yet.
type known struct {
	// name is a regular expression for the names of cases and instructions.
	name string
	// outcome is the outcome of the affected cases.
	outcome Outcome
	// detail is a substring of the message about the case.
	detail string
	// worst is the largest accepted relative difference of numbers; 0 accepts any.
	worst  float64
	reason string
	source string
	// holds, unless it is nil, reports whether the differing elements of a result have
	// the pattern of this known difference.
	holds func(r *Result) bool
}

// Known lists the known differences between the generated C++ and the Go engine, with the
// reason and the source of each. An entry describes its difference as narrowly as names,
// types and the kind of difference permit. This way, another error in the same
// instruction is still reported.
var Known = []known{
	{`.`, Unwritten, "is a micro instruction", 0, "the library has tile instructions only", "pto-isa include/pto/common/pto_instr.hpp", nil},
	{`make_fmatrix_config|timg2col|conv2d`, Unwritten, "cannot be written as C++", 0, "the library's ConvTile is a feature map and its patches, where the IR has a tile and settings", "pto-isa cpu/TImg2col.hpp", nil},
	{`exp|softmax|sinkhorn|attention|tlog|tpow|trsqrt|tsqrt|trecip`, Differs, "", 1e-5, "transcendental functions differ in the last bits: ours are rounded correctly or nearly so", "ir/scalar, TestRoundedWell", nil},
	{`layernorm`, Differs, "", 1e-4, "sums of rows are added in another order", "pto-isa issue 304", nil},
	{`tdivs`, Differs, "", 1e-3, "A5 multiplies by the rounded reciprocal, the simulator divides", "pto.tdivs, notes", nil},
	{`tpack|taddrelu|taddreluconv|set(h|t)f32mode|timg2col`, Unwritten, "", 0, "the library has no such call", "pto-isa include/pto/common/pto_instr.hpp", nil},
	{`tcmps?\b|tcmp/`, Unbuilt, "data type must be", 0, "the library takes fewer types: masks of unsigned elements, no 16-bit integers", "pto-isa cpu/TCmp.h", nil},
	{`tcmps`, Differs, "", 0, "the simulator lets the bits of rows run on into each other where the mask is wider than they are; on the NPU each row starts in one of its own", "pto-isa cpu/TCmps.hpp; npu/a5/TCmps.hpp, DstStride", runOn},
	{`tsort32.*shared_idx`, Differs, "", 0, "for rows that share a row of indices the simulator does nothing; the NPU reads that row again", "pto-isa cpu/TSort32.hpp; npu/a5/TSort32.hpp, idxStride", nothingWritten},
	{`tsort32`, Differs, "", 0, "of several groups of 16-bit scores in a row the simulator puts each half as far as the one before it reaches; the NPU one behind the other", "pto-isa cpu/TSort32.hpp, dstOffset; npu/a5/TSort32.hpp", overlapping},
	{`tpart(max|min)`, Differs, "", 0, "where neither source is valid the simulator writes 0; the NPU's headers and golden data the least or greatest number, which loses against all others", "pto-isa cpu/TPartOp.hpp; npu/a5/TPartBinOps.hpp, TCopyPadOp", zeroForExtreme},
	{`tsort32|order_by_size`, Differs, "", 0, "of equal values the simulator takes that with the smaller index first, here that which comes first: the same where indices ascend", "pto.tsort32, notes", otherOfEqual},
	{`trandom`, Differs, "", 0, "public golden data are those of Philox in another order than the simulator's", "pto.trandom, notes", nil},
	{`tload`, Unwritten, "operands for padding or filling", 0, "the library pads by the type of the tile only", "pto-isa cpu/TLoad.hpp", nil},
	{`f4E`, Unwritten, "4-bit elements that the view packs along one axis", 0, "the library counts numbers, where views and tiles here have pairs", "pto-isa include/pto/common/pto_tile.hpp", nil},
	{`tload_mat|tstore_acc`, Unwritten, "in mat, which the C++ emitter does not support", 0, "the library multiplies tiles in left and right only", "pto-isa npu/a5/TMatmul.hpp, CheckMadValid", nil},
	{`pto\.tmov src, preQuantScalar.* : \(!pto\.tile<\d+x\d+x\w+, loc=acc`, Differs, "", 0, "the simulator drops the factor of a move", "pto-isa cpu/TMov.hpp, preQuantScalar", nil},
	{`tgather src \{maskPattern = #pto.mask_pattern<P1111>, axis = "row"\} : !pto.tile<16x64xf32> -> !pto.tile<16x32xf32>`, Differs, "", 0, "the destination is narrower than what is selected, which the library writes one behind the other", "pto-isa cpu/TGather.hpp, GATHER_ROW", nil},
	{`tgather`, Unbuilt, "TGATHER", 0, "the library takes a tile of values to compare with, the IR a scalar; the simulator has no body for either", "pto-isa docs/isa/TGATHER.md, cpu/TGather.hpp", nil},
	{`tgatherb .*, valid=\d+x\d+>#`, Differs, "", 0, "the simulator leaves a last block that is not whole", "pto-isa cpu/TGatherB.hpp", nil},
	{`tquant\.mx .*!pto.tile<1x256xui8>, !pto.tile<1x256xf32>`, Differs, "", 0, "the simulator puts exponents by rows, also into a tile of one row", "pto-isa cpu/TQuant.hpp 480", nil},
	{`(tmatmul|tgemv)\.mx.*x2x([a-z]\w*|!pto\.hif8|!pto\.f4\w+|f8E[45]\w+), loc=scaling`, Differs, "", 0, "scales of other types than f8E8M0 are bytes of exponents here, which is what the cube unit reads, and numbers in the simulator", "pto-isa docs/isa/TMATMUL_MX.md, cpu/TMatmul.hpp, TMatmulMX", nil},
	{`tmatmul[._]acc`, Unbuilt, "TMATMUL_ACC_IMPL", 0, "the simulator has no accPhase there", "pto-isa cpu/TMatmul.hpp", nil},
	{`taddreluconv`, Unbuilt, "TADDRELUCONV_IMPL", 0, "the simulator has no body", "pto-isa cpu", nil},
	{`tcvt.*bf16_to_f16`, Unbuilt, "", 0, "clang 19 converts no __bf16 to _Float16, which the simulator leaves to the compiler", "pto-isa cpu/TCvt.hpp", nil},
	{`paged_gather_mat`, Differs, "", 0, "the simulator fills a whole tile of boxes before it loads one line into it, and so clears lines that are there", "pto-isa cpu/TLoad.hpp, TLOAD_TILE_IMPL", behindFirstBoxes},
	{`gather_row`, Differs, "", 0, "the simulator fills a whole tile before it loads fewer rows into it, and so clears rows that are there; the NPU writes what is loaded", "pto-isa cpu/TLoad.hpp, TLOAD_TILE_IMPL; npu/a5/TLoad.hpp", nothingWritten},
	{`.`, Unbuilt, "transpose dimension sizes must mirror match", 0, "the simulator compares valid extents of types, where an extent that is known at run time is -1; the NPU's headers and the public compiler accept one of each", "pto-isa cpu/TTrans.hpp, TTRANS_IMPL; npu/a5/TTrans.hpp", nil},
	{`tquant_mx_dn|dn_x2zz`, Unbuilt, "TMOV_IMPL", 0, "the simulator has no move of exponents into boxes, which takes a scratch tile", "pto-isa cpu/TMov.hpp; npu/a5/TMov.hpp", nil},
	{`tquant_mx_dn.*_ND_`, Unbuilt, "Cols % InnerCols == 0", 0, "tiles smaller than one of their boxes, which the public compiler accepts and the library does not", "pto-isa include/pto/common/pto_tile.hpp", nil},
	{`tquant_mx_kernel`, Unbuilt, "Cols * sizeof", 0, "rows of less than 32 bytes, which the public compiler accepts and the library does not", "pto-isa include/pto/common/pto_tile.hpp", nil},
	{`tload`, Unwritten, "boxed tile in vec", 0, "the library loads tiles of boxes into vec from boxes of 16 rows only", "pto-isa include/pto/common/arch/register/tload_common.hpp, StaticCheck", nil},
	{`.`, Unbuilt, "std::is_same_v", 0, "the simulator takes fewer element types", "the static_assert named", nil},
	{`tscatter`, Unbuilt, "must be 16 or 32-bit wide", 0, "the library scatters by a pattern elements of 16 and 32 bits only", "pto-isa cpu/TScatter.hpp", nil},
	{`tprefetch src : .*-> !pto.tile`, Differs, "", 0, "the simulator takes the rows of a view for as far apart as those of the tile", "pto-isa cpu/TPrefetch.hpp", nil},
	{`t(extract|insert)_fp`, Unbuilt, "Non-conforming matrix fractal", 0, "an accumulator without boxes, which the public compiler accepts and the library does not", "pto-isa cpu/TExtract.hpp", nil},
	{`tcvt.*_to_hif8`, Differs, "", 0, "of codes for numbers from 1/2 to 4 the simulator takes the exponent's bit for one of the fraction", "pto-isa cpu/Hifloat8.hpp, mantissaBits = 5 - exponentBits; arXiv:2409.16626", nil},
	{`tcvt.*_to_f4e1m2`, Differs, "", 0, "the simulator cuts what is too large for the exponent, where the largest number is due", "pto-isa cpu/MXTypes.hpp, outExponent", nil},
	{`.`, Unbuilt, "AllowedType", 0, "the simulator takes fewer element types", "the static_assert named", nil},
	{`t(row|col)?(expand|part)?(max|min)s?\b`, Differs, "", 0, "NaN wins in maxima and minima, +0 is above -0; the simulator takes that which std::max and std::min return", "docs/isa/differences.md; pto-isa cpu/ElementOp.h", nanOrZeroSign},
	{`t(sub|add)?relu\b`, Differs, "", 0, "ReLU keeps NaN and gives +0 for -0, where the simulator has std::max", "pto-isa cpu/ElementOp.h, OP_RELU", nanOrZeroSign},
	{`tcvt.* -> .*x(ui|i)(32|64)\b`, Differs, "", 0, "numbers beyond an integer are clamped, as the NPU's headers have it where sat_mode is left out; the simulator leaves it to the host", "pto-isa npu/a5/TCvt.hpp; npu/a2a3/TCvt.hpp; cpu/TCvt.hpp", clamped},
	{`tcvt.*round_mode ODD`, Differs, "", 0, "the NPU's headers round f32 to f16 to odd and take all other pairs as without a mode; the simulator rounds to nearest, ties to odd", "pto-isa npu/a5/TCvt.hpp; cpu/TCvt.hpp, CAST_ODD", nil},
	{`tadddeqrelu`, Differs, "", 0, "f16 saturates, as the page says; the simulator gives infinity", "pto-isa docs/isa/TAddDeqRelu.md, cpu/TAddDeqRelu.hpp", clamped},
	{`mscatter .*coalesce row.*scatter_atomic_op (max|min)`, Differs, "", 0, "the simulator compares each element of a row with the one that the number of the row counts to, not with the one it goes to", "pto-isa cpu/MScatter.hpp, base[idx]", nil},
	{`.`, Aborts, "/include/pto/cpu/", 0, "the simulator overflows signed integers, shifts too far or converts numbers out of range, which the sanitizer stops", "pto-isa cpu/ElementOp.h, cpu/TCvt.hpp", undefinedArithmetic},
	{`t(col|row)?(expand)?divs?\b`, Aborts, "floating point exception", 0, "the least integer by -1, where the simulator ends", "pto-isa cpu/ElementOp.h, OP_DIV", nil},
	{`a5 pto\.t[lp]relu\b`, Differs, "", 0, "on A5 a zero keeps its sign, and meets no slope; the simulator multiplies it", "pto-isa npu/a5/TLRelu.hpp and npu/a5/TPrelu.hpp; pto.vlrelu", nil},
	{`t(rem|rems|abs|colsum)\b`, Differs, "", 0, "the sign of a zero", "pto.trem, notes; pto-isa npu/a5/TUnaryOp.hpp, vabs; npu/a5/TColSum.hpp copies the first row, where the simulator adds it to 0", zeroSigns},
	{`tpows\b.*i(8|16|32)\b`, Differs, "", 0, "integers are multiplied and wrap, as in tpow; the simulator's tpows converts a power of doubles", "pto-isa npu/a2a3/TPow.hpp; cpu/TBinSOps.hpp", nil},
	{`s2_q_reduce`, Differs, "", 1e-2, "of floats to bf16 the simulator rounds ties to even, whatever mode is asked for", "pto-isa cpu/TCvt.hpp", nil},
	{`.`, Unbuilt, "__builtin_cce_set_intra_block", 0, "the simulator has no signals inside a block", "absent from pto-isa include/pto/cpu", nil},
	{`.`, Unbuilt, "_GM' in 'pto::Direction'", 0, "queues through global memory are for A5's own compiler, which defines PTO_NPU_ARCH_A5", "pto-isa include/pto/common/fifo.hpp", nil},
	{`tinsert`, Unbuilt, "'TINSERT", 0, "insertions in parts are for A5's own compiler, which defines PTO_NPU_ARCH_A5", "pto-isa include/pto/common/pto_instr.hpp", nil},
	{`.`, Unbuilt, "call to 'TPOP_IMPL'", 0, "the simulator has no pops of views of slots", "pto-isa cpu/TPop.hpp, TPOP_GLOBAL_IMPL, which no call reaches", nil},
	{`.`, Unbuilt, "TALLOC_IMPL", 0, "the simulator has no queues through global memory", "absent from pto-isa include/pto/cpu", nil},
	{`.`, Unbuilt, "BuildAsyncSession", 0, "the simulator has no asynchronous transfers between devices", "pto-isa include/pto/comm/async", nil},
	{`.`, Unbuilt, "overloaded operator '<<' is ambiguous", 0, "clang 19 has no stream for _Float16, which the simulator leaves to the compiler", "pto-isa cpu/TPrint.hpp", nil},
	{`.`, Unbuilt, "expect b32", 0, "the simulator takes fewer element types", "the static_assert named", nil},
	{`subview.*matmul|matmul.*subview|subview_boxed`, Unbuilt, "Tile<pto::TileType::Right", 0, "the library compares the storage of operands, which of parts is that of the whole tile", "pto-isa cpu/TMatmul.hpp, CheckMadValid", nil},
	{`ptr_int_cast`, Differs, "", 0, "an address as a number", "the host", nil},
	{`.`, Unbuilt, "getFFTSMsg", 0, "the simulator has no signals between cores", "absent from pto-isa include/pto/cpu", nil},
	{`.`, Unbuilt, "set_ffts_base_addr", 0, "the simulator has no signals between cores", "absent from pto-isa include/pto/cpu", nil},
	{`.`, Unbuilt, "get_buf", 0, "the simulator has no locks of buffers", "absent from pto-isa include/pto/cpu", nil},
	{`(row|col)_?prod`, Differs, "", 1e-2, "factors are multiplied in another order", "pto-isa cpu/TRowProd.hpp", nil},
	{`.`, Unbuilt, "TTRI has invalid data type", 0, "the simulator takes fewer element types", "the static_assert named", nil},
	{`^a[35] program \d+$`, Unbuilt, "aka 'const hifloat8_t'", 0, "the simulator converts its other narrow floats to no HiFloat8", "pto-isa cpu/MXTypes.hpp", nil},
	{`^a[35] program \d+$`, Faults, " valid ", 0, "the program breaks a rule about valid regions that is checked when it runs", "the fault", nil},
	{`tload`, Faults, "elements of padding beside", 0, "more padding than the row of the tile holds", "the fault", nil},
	{`tload`, Faults, "requires equal extents of the view and the tile", 0, "tile and part have different extents, which the simulator copies in part", "the fault", nil},
	{`tdequant`, Faults, "must be equal", 0, "the valid regions are known when it runs only, and differ", "the fault", nil},
	{`timg2col`, Faults, "feature map", 0, "the program is one that no device runs", "pto.timg2col", nil},
	{`tfusedmuladd|taxpy`, Differs, "", 1e-2, "one rounding or two", "pto-isa cpu/ElementTileOp.h", nil},
}

// explain returns the first entry in the list of known differences that matches the
// result, or nil.
func (r *Result) explain() *known {
	for i := range Known {
		k := &Known[i]
		if k.outcome != r.Outcome || !strings.Contains(r.Detail, k.detail) || k.worst > 0 && r.Worst > k.worst || k.holds != nil && !k.holds(r) {
			continue
		}
		if regexp.MustCompile(k.name).MatchString(r.Name) || r.Op != "" && regexp.MustCompile(k.name).MatchString(r.Op) {
			return k
		}
	}
	return nil
}

// undefinedArithmetic reports whether the sanitizer stopped in the simulator's own
// headers at arithmetic that C++ leaves undefined. An address out of bounds does not
// count.
func undefinedArithmetic(r *Result) bool {
	return undefined.MatchString(r.Detail) && !strings.Contains(r.Detail, "AddressSanitizer")
}

var undefined = regexp.MustCompile(`/include/pto/cpu/\w+\.(hpp|h):\d+:\d+: runtime error: (signed integer overflow|negation of|shift exponent|\S+ is outside the range of representable values)`)
