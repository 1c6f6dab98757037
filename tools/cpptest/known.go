package cpptest

import (
	"regexp"
	"strings"
)

// Known lists the known differences between the generated C++ and the Go engine, with the
// reason and the source of each. An entry describes its difference as narrowly as names,
// types and the kind of difference permit. This way, another error in the same
// instruction is still reported.
var Known = []Reason{
	{Name: `.`, Outcome: Unwritten, Detail: `is a micro instruction`, Reason: "the library has tile instructions only", Source: "pto-isa include/pto/common/pto_instr.hpp"},
	{Name: `make_fmatrix_config|timg2col|conv2d`, Outcome: Unwritten, Detail: `cannot be written as C\+\+`, Reason: "the library's ConvTile is a feature map and its patches, where the IR has a tile and settings", Source: "pto-isa cpu/TImg2col.hpp"},
	{Name: `exp|softmax|sinkhorn|attention|tlog|tpow|trsqrt|tsqrt|trecip`, Outcome: Differs, Worst: 1e-5, Reason: "transcendental functions differ in the last bits: ours are rounded correctly or nearly so", Source: "ir/scalar, TestRoundedWell"},
	{Name: `layernorm`, Outcome: Differs, Worst: 1e-4, Reason: "sums of rows are added in another order", Source: "pto-isa issue 304"},
	{Name: `tdivs`, Outcome: Differs, Worst: 1e-3, Reason: "A5 multiplies by the rounded reciprocal, the simulator divides", Source: "pto.tdivs, notes"},
	{Name: `tpack|taddrelu|taddreluconv|set(h|t)f32mode|timg2col`, Outcome: Unwritten, Reason: "the library has no such call", Source: "pto-isa include/pto/common/pto_instr.hpp"},
	{Name: `tcmps?\b|tcmp/`, Outcome: Unbuilt, Detail: `data type must be`, Reason: "the library takes fewer types: masks of unsigned elements, no 16-bit integers", Source: "pto-isa cpu/TCmp.h"},
	{Name: `tcmps`, Outcome: Differs, Holds: runOn, Reason: "the simulator lets the bits of rows run on into each other where the mask is wider than they are; on the NPU each row starts in one of its own", Source: "pto-isa cpu/TCmps.hpp; npu/a5/TCmps.hpp, DstStride"},
	{Name: `tsort32.*shared_idx`, Outcome: Differs, Holds: nothingWritten, Reason: "for rows that share a row of indices the simulator does nothing; the NPU reads that row again", Source: "pto-isa cpu/TSort32.hpp; npu/a5/TSort32.hpp, idxStride"},
	{Name: `tsort32`, Outcome: Differs, Holds: overlapping, Reason: "of several groups of 16-bit scores in a row the simulator puts each half as far as the one before it reaches; the NPU one behind the other", Source: "pto-isa cpu/TSort32.hpp, dstOffset; npu/a5/TSort32.hpp"},
	{Name: `timg2col`, Outcome: Unbuilt, Detail: `TImg2col: Destination layout`, Reason: "patches have rows of boxes on A2/A3 and columns of boxes on A5, for which the simulator has the static assertion", Source: "pto-isa npu/a2a3/TImg2col.hpp, npu/a5/TImg2col.hpp, cpu/TImg2col.hpp"},
	{Name: `tpartarg(max|min)`, Outcome: Differs, Holds: onlyIntegers, Reason: "of equal values the NPU keeps the index of the first source, and the simulator that of the second", Source: "pto-isa npu/a2a3/TPartArg.hpp, vcmp_ge and vcmp_le; cpu/TPartArgMax.hpp"},
	{Name: `tpairreducesum`, Outcome: Differs, Holds: nothingWritten, Reason: "the simulator clears the whole tile, and the NPU writes only the half that has sums", Source: "pto-isa cpu/TPairReduceSum.hpp; npu/a2a3/TPairReduceSum.hpp, vcpadd"},
	{Name: `tpushpop_cv_nosplit`, Outcome: Differs, Holds: onlyInput, Reason: "of an entry for one vector core the simulator gives the other core nothing, whose tile then has zeros, so that it stores the other summand; the thread that stores last decides. On the NPU both cores read the entry", Source: "pto-isa cpu/TPush.hpp, IsInactiveNoSplitVecLane; npu/a2a3/TPush.hpp, subAIVOffset"},
	{Name: `tpushpop_dir_both`, Outcome: Differs, Holds: onlySlots, Reason: "of a queue in both directions the NPU keeps the slots to the cube core after the others, and the simulator both in one ring", Source: "pto-isa npu/a2a3/TPush.hpp, V2C_ENTRY_OFFSET; cpu/TPush.hpp, next_producer_slot"},
	{Name: `tpart(max|min)`, Outcome: Differs, Holds: zeroForExtreme, Reason: "where neither source is valid the simulator writes 0; the NPU's headers and golden data the least or greatest number, which loses against all others", Source: "pto-isa cpu/TPartOp.hpp; npu/a5/TPartBinOps.hpp, TCopyPadOp"},
	{Name: `tsort32|order_by_size`, Outcome: Differs, Holds: otherOfEqual, Reason: "of equal values the simulator takes that with the smaller index first, here that which comes first: the same where indices ascend", Source: "pto.tsort32, notes"},
	{Name: `trandom`, Outcome: Differs, Reason: "public golden data are those of Philox in another order than the simulator's", Source: "pto.trandom, notes"},
	{Name: `tload`, Outcome: Unwritten, Detail: `operands for padding or filling`, Reason: "the library pads by the type of the tile only", Source: "pto-isa cpu/TLoad.hpp"},
	{Name: `f4E`, Outcome: Unwritten, Detail: `4-bit elements that the view packs along one axis`, Reason: "the library counts numbers, where views and tiles here have pairs", Source: "pto-isa include/pto/common/pto_tile.hpp"},
	{Name: `tload_mat|tstore_acc`, Outcome: Unwritten, Detail: `in mat, which the C\+\+ emitter does not support`, Reason: "the library multiplies tiles in left and right only", Source: "pto-isa npu/a5/TMatmul.hpp, CheckMadValid"},
	{Name: `pto\.tmov src, preQuantScalar.* : \(!pto\.tile<\d+x\d+x\w+, loc=acc`, Outcome: Differs, Reason: "the simulator drops the factor of a move", Source: "pto-isa cpu/TMov.hpp, preQuantScalar"},
	{Name: `tgather src \{maskPattern = #pto.mask_pattern<P1111>, axis = "row"\} : !pto.tile<16x64xf32> -> !pto.tile<16x32xf32>`, Outcome: Differs, Reason: "the destination is narrower than what is selected, which the library writes one behind the other", Source: "pto-isa cpu/TGather.hpp, GATHER_ROW"},
	{Name: `tgather`, Outcome: Unbuilt, Detail: `TGATHER`, Reason: "the library takes a tile of values to compare with, the IR a scalar; the simulator has no body for either", Source: "pto-isa docs/isa/TGATHER.md, cpu/TGather.hpp"},
	{Name: `tgatherb .*, valid=\d+x\d+>#`, Outcome: Differs, Reason: "the simulator leaves a last block that is not whole", Source: "pto-isa cpu/TGatherB.hpp"},
	{Name: `tquant\.mx .*!pto.tile<1x256xui8>, !pto.tile<1x256xf32>`, Outcome: Differs, Reason: "the simulator puts exponents by rows, also into a tile of one row", Source: "pto-isa cpu/TQuant.hpp 480"},
	{Name: `(tmatmul|tgemv)\.mx.*x2x([a-z]\w*|!pto\.hif8|!pto\.f4\w+|f8E[45]\w+), loc=scaling`, Outcome: Differs, Reason: "scales of other types than f8E8M0 are bytes of exponents here, which is what the cube unit reads, and numbers in the simulator", Source: "pto-isa docs/isa/TMATMUL_MX.md, cpu/TMatmul.hpp, TMatmulMX"},
	{Name: `tmatmul[._]acc`, Outcome: Unbuilt, Detail: `TMATMUL_ACC_IMPL`, Reason: "the simulator has no accPhase there", Source: "pto-isa cpu/TMatmul.hpp"},
	{Name: `textract`, Outcome: Unbuilt, Detail: `TEXTRACT_ND2XNZ_IMPL`, Reason: "the simulator has no body for windows of rows into boxes", Source: "pto-isa cpu"},
	{Name: `taddreluconv`, Outcome: Unbuilt, Detail: `TADDRELUCONV_IMPL`, Reason: "the simulator has no body", Source: "pto-isa cpu"},
	{Name: `tcvt.*bf16_to_f16`, Outcome: Unbuilt, Reason: "clang 19 converts no __bf16 to _Float16, which the simulator leaves to the compiler", Source: "pto-isa cpu/TCvt.hpp"},
	{Name: `paged_gather_mat`, Outcome: Differs, Holds: behindFirstBoxes, Reason: "the simulator fills a whole tile of boxes before it loads one line into it, and so clears lines that are there", Source: "pto-isa cpu/TLoad.hpp, TLOAD_TILE_IMPL"},
	{Name: `gather_row`, Outcome: Differs, Holds: nothingWritten, Reason: "the simulator fills a whole tile before it loads fewer rows into it, and so clears rows that are there; the NPU writes what is loaded", Source: "pto-isa cpu/TLoad.hpp, TLOAD_TILE_IMPL; npu/a5/TLoad.hpp"},
	{Name: `.`, Outcome: Unbuilt, Detail: `transpose dimension sizes must mirror match`, Reason: "the simulator compares valid extents of types, where an extent that is known at run time is -1; the NPU's headers and the public compiler accept one of each", Source: "pto-isa cpu/TTrans.hpp, TTRANS_IMPL; npu/a5/TTrans.hpp"},
	{Name: `tquant_mx_dn|dn_x2zz`, Outcome: Unbuilt, Detail: `TMOV_IMPL`, Reason: "the simulator has no move of exponents into boxes, which takes a scratch tile", Source: "pto-isa cpu/TMov.hpp; npu/a5/TMov.hpp"},
	{Name: `tquant_mx_dn.*_ND_`, Outcome: Unbuilt, Detail: `Cols % InnerCols == 0`, Reason: "tiles smaller than one of their boxes, which the public compiler accepts and the library does not", Source: "pto-isa include/pto/common/pto_tile.hpp"},
	{Name: `tquant_mx_kernel`, Outcome: Unbuilt, Detail: `Cols \* sizeof`, Reason: "rows of less than 32 bytes, which the public compiler accepts and the library does not", Source: "pto-isa include/pto/common/pto_tile.hpp"},
	{Name: `tload`, Outcome: Unwritten, Detail: `boxed tile in vec`, Reason: "the library loads tiles of boxes into vec from boxes of 16 rows only", Source: "pto-isa include/pto/common/arch/register/tload_common.hpp, StaticCheck"},
	{Name: `.`, Outcome: Unbuilt, Detail: `std::is_same_v`, Reason: "the simulator takes fewer element types", Source: "the static_assert named"},
	{Name: `tscatter`, Outcome: Unbuilt, Detail: `must be 16 or 32-bit wide`, Reason: "the library scatters by a pattern elements of 16 and 32 bits only", Source: "pto-isa cpu/TScatter.hpp"},
	{Name: `tprefetch src : .*-> !pto.tile`, Outcome: Differs, Reason: "the simulator takes the rows of a view for as far apart as those of the tile", Source: "pto-isa cpu/TPrefetch.hpp"},
	{Name: `t(extract|insert)_fp`, Outcome: Unbuilt, Detail: `Non-conforming matrix fractal`, Reason: "an accumulator without boxes, which the public compiler accepts and the library does not", Source: "pto-isa cpu/TExtract.hpp"},
	{Name: `tcvt.*_to_hif8`, Outcome: Differs, Reason: "of codes for numbers from 1/2 to 4 the simulator takes the exponent's bit for one of the fraction", Source: "pto-isa cpu/Hifloat8.hpp, mantissaBits = 5 - exponentBits; arXiv:2409.16626"},
	{Name: `tcvt.*_to_f4e1m2`, Outcome: Differs, Reason: "the simulator cuts what is too large for the exponent, where the largest number is due", Source: "pto-isa cpu/MXTypes.hpp, outExponent"},
	{Name: `.`, Outcome: Unbuilt, Detail: `AllowedType`, Reason: "the simulator takes fewer element types", Source: "the static_assert named"},
	{Name: `t(row|col)?(expand|part)?(max|min)s?\b`, Outcome: Differs, Holds: nanOrZeroSign, Reason: "NaN wins in maxima and minima, +0 is above -0; the simulator takes that which std::max and std::min return", Source: "docs/isa/differences.md; pto-isa cpu/ElementOp.h"},
	{Name: `t(sub|add)?relu\b`, Outcome: Differs, Holds: nanOrZeroSign, Reason: "ReLU keeps NaN and gives +0 for -0, where the simulator has std::max", Source: "pto-isa cpu/ElementOp.h, OP_RELU"},
	{Name: `tcvt.* -> .*x(ui|i)(32|64)\b`, Outcome: Differs, Holds: clamped, Reason: "numbers beyond an integer are clamped, as the NPU's headers have it where sat_mode is left out; the simulator leaves it to the host", Source: "pto-isa npu/a5/TCvt.hpp; npu/a2a3/TCvt.hpp; cpu/TCvt.hpp"},
	{Name: `tcvt.*round_mode ODD`, Outcome: Differs, Reason: "the NPU's headers round f32 to f16 to odd and take all other pairs as without a mode; the simulator rounds to nearest, ties to odd", Source: "pto-isa npu/a5/TCvt.hpp; cpu/TCvt.hpp, CAST_ODD"},
	{Name: `tadddeqrelu`, Outcome: Differs, Holds: clamped, Reason: "f16 saturates, as the page says; the simulator gives infinity", Source: "pto-isa docs/isa/TAddDeqRelu.md, cpu/TAddDeqRelu.hpp"},
	{Name: `mscatter .*coalesce row.*scatter_atomic_op (max|min)`, Outcome: Differs, Reason: "the simulator compares each element of a row with the one that the number of the row counts to, not with the one it goes to", Source: "pto-isa cpu/MScatter.hpp, base[idx]"},
	{Name: `.`, Outcome: Aborts, Detail: `/include/pto/cpu/`, Holds: undefinedArithmetic, Reason: "the simulator overflows signed integers, shifts too far or converts numbers out of range, which the sanitizer stops", Source: "pto-isa cpu/ElementOp.h, cpu/TCvt.hpp"},
	{Name: `t(col|row)?(expand)?divs?\b`, Outcome: Aborts, Detail: `floating point exception`, Reason: "the least integer by -1, where the simulator ends", Source: "pto-isa cpu/ElementOp.h, OP_DIV"},
	{Name: `a5 pto\.t[lp]relu\b`, Outcome: Differs, Reason: "on A5 a zero keeps its sign, and meets no slope; the simulator multiplies it", Source: "pto-isa npu/a5/TLRelu.hpp and npu/a5/TPrelu.hpp; pto.vlrelu"},
	{Name: `t(rem|rems|abs|colsum)\b`, Outcome: Differs, Holds: zeroSigns, Reason: "the sign of a zero", Source: "pto.trem, notes; pto-isa npu/a5/TUnaryOp.hpp, vabs; npu/a5/TColSum.hpp copies the first row, where the simulator adds it to 0"},
	{Name: `tpows\b.*i(8|16|32)\b`, Outcome: Differs, Reason: "integers are multiplied and wrap, as in tpow; the simulator's tpows converts a power of doubles", Source: "pto-isa npu/a2a3/TPow.hpp; cpu/TBinSOps.hpp"},
	{Name: `s2_q_reduce`, Outcome: Differs, Worst: 1e-2, Reason: "of floats to bf16 the simulator rounds ties to even, whatever mode is asked for", Source: "pto-isa cpu/TCvt.hpp"},
	{Name: `.`, Outcome: Unbuilt, Detail: `__builtin_cce_set_intra_block`, Reason: "the simulator has no signals inside a block", Source: "absent from pto-isa include/pto/cpu"},
	{Name: `.`, Outcome: Unbuilt, Detail: `_GM' in 'pto::Direction'`, Reason: "queues through global memory are for A5's own compiler, which defines PTO_NPU_ARCH_A5", Source: "pto-isa include/pto/common/fifo.hpp"},
	{Name: `tinsert`, Outcome: Unbuilt, Detail: `'TINSERT`, Reason: "insertions in parts are for A5's own compiler, which defines PTO_NPU_ARCH_A5", Source: "pto-isa include/pto/common/pto_instr.hpp"},
	{Name: `.`, Outcome: Unbuilt, Detail: `call to 'TPOP_IMPL'`, Reason: "the simulator has no pops of views of slots", Source: "pto-isa cpu/TPop.hpp, TPOP_GLOBAL_IMPL, which no call reaches"},
	{Name: `.`, Outcome: Unbuilt, Detail: `TALLOC_IMPL`, Reason: "the simulator has no queues through global memory", Source: "absent from pto-isa include/pto/cpu"},
	{Name: `.`, Outcome: Unbuilt, Detail: `BuildAsyncSession`, Reason: "the simulator has no asynchronous transfers between devices", Source: "pto-isa include/pto/comm/async"},
	{Name: `.`, Outcome: Unbuilt, Detail: `overloaded operator '<<' is ambiguous`, Reason: "clang 19 has no stream for _Float16, which the simulator leaves to the compiler", Source: "pto-isa cpu/TPrint.hpp"},
	{Name: `.`, Outcome: Unbuilt, Detail: `expect b32`, Reason: "the simulator takes fewer element types", Source: "the static_assert named"},
	{Name: `subview.*matmul|matmul.*subview|subview_boxed`, Outcome: Unbuilt, Detail: `Tile<pto::TileType::Right`, Reason: "the library compares the storage of operands, which of parts is that of the whole tile", Source: "pto-isa cpu/TMatmul.hpp, CheckMadValid"},
	{Name: `ptr_int_cast`, Outcome: Differs, Reason: "an address as a number", Source: "the host"},
	{Name: `.`, Outcome: Unbuilt, Detail: `getFFTSMsg`, Reason: "the simulator has no signals between cores", Source: "absent from pto-isa include/pto/cpu"},
	{Name: `.`, Outcome: Unbuilt, Detail: `set_ffts_base_addr`, Reason: "the simulator has no signals between cores", Source: "absent from pto-isa include/pto/cpu"},
	{Name: `.`, Outcome: Unbuilt, Detail: `get_buf`, Reason: "the simulator has no locks of buffers", Source: "absent from pto-isa include/pto/cpu"},
	{Name: `(row|col)_?prod`, Outcome: Differs, Worst: 1e-2, Reason: "factors are multiplied in another order", Source: "pto-isa cpu/TRowProd.hpp"},
	{Name: `.`, Outcome: Unbuilt, Detail: `TTRI has invalid data type`, Reason: "the simulator takes fewer element types", Source: "the static_assert named"},
	{Name: `^a[35] program \d+$`, Outcome: Unbuilt, Detail: `aka 'const hifloat8_t'`, Reason: "the simulator converts its other narrow floats to no HiFloat8", Source: "pto-isa cpu/MXTypes.hpp"},
	{Name: `^a[35] program \d+$`, Outcome: Faults, Detail: ` valid `, Reason: "the program breaks a rule about valid regions that is checked when it runs", Source: "the fault"},
	{Name: `tload`, Outcome: Faults, Detail: `elements of padding beside`, Reason: "more padding than the row of the tile holds", Source: "the fault"},
	{Name: `tload`, Outcome: Faults, Detail: `requires equal extents of the view and the tile`, Reason: "tile and part have different extents, which the simulator copies in part", Source: "the fault"},
	{Name: `tdequant`, Outcome: Faults, Detail: `must be equal`, Reason: "the valid regions are known when it runs only, and differ", Source: "the fault"},
	{Name: `timg2col`, Outcome: Faults, Detail: `feature map`, Reason: "the program is one that no device runs", Source: "pto.timg2col"},
	{Name: `tfusedmuladd|taxpy`, Outcome: Differs, Worst: 1e-2, Reason: "one rounding or two", Source: "pto-isa cpu/ElementTileOp.h"},
}

// undefinedArithmetic reports whether the sanitizer stopped in the simulator's own
// headers at arithmetic that C++ leaves undefined. An address out of bounds does not
// count.
func undefinedArithmetic(r *Result) bool {
	return undefined.MatchString(r.Detail) && !strings.Contains(r.Detail, "AddressSanitizer")
}

var undefined = regexp.MustCompile(`/include/pto/cpu/\w+\.(hpp|h):\d+:\d+: runtime error: (signed integer overflow|negation of|shift exponent|\S+ is outside the range of representable values)`)
