// What the NPU headers of pto-isa expect of the vendor's compiler, as far as a
// syntax check needs it: qualifiers, element types, and the names of intrinsics
// with any arguments. None of it computes anything. Static assertions of the
// headers look at types and constants alone, so they hold or fail here as they do
// for the device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Qualifiers of pointers. Only that of global memory is part of a type that the
// headers compare, so it must change the type.
#define __gm__ volatile
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __ssbuf__
#define __tf__
#define __in__
#define __out__
#define __inout__
#define __aicore__
#define __global__
#define __VEC_SCOPE__
#define __simt_vf__
#define __simd_vf__
#define __simd_callee__
#define __cce_get_tile_ptr(x) x

// any is what intrinsics and their registers are: made of anything, and anything.
struct any {
    template <class... A> constexpr any(A&&...) {}
    template <class T> constexpr operator T() const { return T{}; }
};

// Element types.
typedef _Float16 half;
typedef _Float16 float16_t;
typedef float float32_t;
typedef __bf16 bfloat16_t;
#define BYTE_TYPE(name)                                           \
    struct name {                                                 \
        unsigned char bits;                                       \
        name() = default;                                         \
        template <class T> constexpr explicit name(T) : bits(0) {} \
        operator float() const { return 0; }                      \
    }
BYTE_TYPE(hifloat8_t);
BYTE_TYPE(float8_e4m3_t);
BYTE_TYPE(float8_e5m2_t);
BYTE_TYPE(float8_e8m0_t);
BYTE_TYPE(float4_e2m1x2_t);
BYTE_TYPE(float4_e1m2x2_t);

// Enumerations of the intrinsics.
enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum QuantMode_t {
    NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, REQ8, VREQ8, SHIFTS322S16, VSHIFTS322S16, QF322B8_PRE, VQF322B8_PRE,
    QF322F16_PRE, VQF322F16_PRE, QF322BF16_PRE, VQF322BF16_PRE, QF322F32_PRE, VQF322F32_PRE, QF322FP8_PRE,
    VQF322FP8_PRE, QF322HIF8_PRE, VQF322HIF8_PRE, QS322BF16_PRE, VQS322BF16_PRE
};
enum atomic_type_t { ATOMIC_NONE };
enum pad_t { PAD_NONE };
enum class cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum mem_dsb_t { DSB_DDR };
enum class DistVST {};
namespace __cce_scalar {
enum addr_cal_mode_t { INC };
}
namespace __cce_simd {
struct RoundRType {};
struct RoundAType {};
struct RoundFType {};
struct RoundCType {};
struct RoundZType {};
struct RoundOType {};
}
enum word {
    BLK, BLOCK_SIZE = 32, CCE_VL = 256, DINTLV_B16, DINTLV_B32, E2B_B16, ELE_CNT_B16 = 128, ELE_CNT_B32 = 64, ELE_CNT_B8 = 256, INC_ORDER,
    INTLV_B32, LOWER, MODE_MERGING, MODE_ZEROING, NORM, NORM_B16, NORM_B32, NORM_B8, PART_EVEN, PART_ODD,
    PART_P0, PAT_ALL, PAT_VL1, PAT_VL16, PK_B16, PK_B32, PK_B64, POST_UPDATE, POS_LOWEST, ROUND_A, ROUND_R,
    ROUND_Z, RS_DISABLE, UNPK_B16, UNPK_B32, UNPK_B8, US, VST_VLD, VST_VST
};

// Registers.
#define REGISTER(name) struct name : any { using any::any; }
REGISTER(MaskReg); REGISTER(UnalignReg); REGISTER(vector_address); REGISTER(vector_align);
REGISTER(vector_bf16); REGISTER(vector_bool); REGISTER(vector_f16); REGISTER(vector_f32);
REGISTER(vector_f4e1m2x2); REGISTER(vector_f4e2m1x2); REGISTER(vector_f8e4m3); REGISTER(vector_f8e5m2);
REGISTER(vector_f8e8m0); REGISTER(vector_hif8); REGISTER(vector_s16); REGISTER(vector_s32);
REGISTER(vector_s64); REGISTER(vector_s8); REGISTER(vector_u16); REGISTER(vector_u32); REGISTER(vector_u64);
REGISTER(vector_u8);

// Intrinsics.
constexpr uint64_t get_ctrl() { return 0; }
#define INTRINSIC(name) template <class... A> constexpr any name(A&&...) { return {}; }
INTRINSIC(copy_cbuf_to_bt) INTRINSIC(copy_cbuf_to_fbuf) INTRINSIC(copy_cbuf_to_gm) INTRINSIC(copy_gm_to_cbuf)
INTRINSIC(copy_gm_to_cbuf_align_v2) INTRINSIC(copy_gm_to_cbuf_multi_dn2nz)
INTRINSIC(copy_gm_to_cbuf_multi_nd2nz) INTRINSIC(copy_gm_to_cbuf_multi_nd2nz_b16)
INTRINSIC(copy_gm_to_cbuf_multi_nd2nz_b32s) INTRINSIC(copy_gm_to_cbuf_multi_nd2nz_b8)
INTRINSIC(copy_gm_to_ubuf_align_b16) INTRINSIC(copy_gm_to_ubuf_align_b32) INTRINSIC(copy_gm_to_ubuf_align_b8)
INTRINSIC(copy_gm_to_ubuf_align_v2) INTRINSIC(copy_matrix_cc_to_cbuf) INTRINSIC(copy_matrix_cc_to_gm)
INTRINSIC(copy_matrix_cc_to_ub) INTRINSIC(copy_ubuf_to_cbuf) INTRINSIC(copy_ubuf_to_gm_align_b16)
INTRINSIC(copy_ubuf_to_gm_align_b32) INTRINSIC(copy_ubuf_to_gm_align_b8) INTRINSIC(copy_ubuf_to_gm_align_v2)
INTRINSIC(copy_ubuf_to_ubuf) INTRINSIC(dcci) INTRINSIC(dsb) INTRINSIC(img2colv2_cbuf_to_ca)
INTRINSIC(img2colv2_cbuf_to_cb) INTRINSIC(load_cbuf_to_ca) INTRINSIC(load_cbuf_to_ca_mx) INTRINSIC(load_cbuf_to_ca_s4)
INTRINSIC(load_cbuf_to_ca_transpose) INTRINSIC(load_cbuf_to_cb) INTRINSIC(load_cbuf_to_cb_mx) INTRINSIC(load_cbuf_to_cb_s4)
INTRINSIC(load_cbuf_to_cb_transpose) INTRINSIC(mad) INTRINSIC(mad_mx) INTRINSIC(max) INTRINSIC(mem_bar)
INTRINSIC(min) INTRINSIC(pand) INTRINSIC(pipe_barrier) INTRINSIC(plds) INTRINSIC(plt_b16) INTRINSIC(plt_b32)
INTRINSIC(plt_b8) INTRINSIC(pnot) INTRINSIC(por) INTRINSIC(ppack) INTRINSIC(psel) INTRINSIC(pset_b16)
INTRINSIC(pset_b32) INTRINSIC(pset_b8) INTRINSIC(psts) INTRINSIC(punpack) INTRINSIC(pxor) INTRINSIC(sbitset0)
INTRINSIC(sbitset1) INTRINSIC(set_atomic_add) INTRINSIC(set_atomic_bf16) INTRINSIC(set_atomic_f16)
INTRINSIC(set_atomic_f32) INTRINSIC(set_atomic_none) INTRINSIC(set_atomic_s16) INTRINSIC(set_atomic_s32)
INTRINSIC(set_atomic_s8) INTRINSIC(set_channel_para) INTRINSIC(set_ctrl) INTRINSIC(set_deqscale)
INTRINSIC(set_ffts_base_addr) INTRINSIC(set_flag) INTRINSIC(set_fmatrix) INTRINSIC(set_fmatrix_b)
INTRINSIC(set_fpc) INTRINSIC(set_loop1_stride_outtol1) INTRINSIC(set_loop1_stride_outtoub)
INTRINSIC(set_loop1_stride_ubtoout) INTRINSIC(set_loop2_stride_outtol1) INTRINSIC(set_loop2_stride_outtoub)
INTRINSIC(set_loop2_stride_ubtoout) INTRINSIC(set_loop3_para) INTRINSIC(set_loop_size_outtol1)
INTRINSIC(set_loop_size_outtoub) INTRINSIC(set_loop_size_ubtoout) INTRINSIC(set_mask_count)
INTRINSIC(set_mask_norm) INTRINSIC(set_mov_pad_val) INTRINSIC(set_mte2_nz_para) INTRINSIC(set_nd_para)
INTRINSIC(set_pad_val_outtol1) INTRINSIC(set_quant_pre) INTRINSIC(set_vector_mask) INTRINSIC(vadd)
INTRINSIC(vaddc) INTRINSIC(vaddcs) INTRINSIC(vadds) INTRINSIC(vand) INTRINSIC(vbr) INTRINSIC(vcadd)
INTRINSIC(vci) INTRINSIC(vcmax) INTRINSIC(vcmin) INTRINSIC(vcmp_eq) INTRINSIC(vcmp_ge) INTRINSIC(vcmp_gt)
INTRINSIC(vcmp_le) INTRINSIC(vcmp_lt) INTRINSIC(vcmp_ne) INTRINSIC(vconv_bf162f32) INTRINSIC(vconv_bf162s32a)
INTRINSIC(vconv_bf162s32c) INTRINSIC(vconv_bf162s32f) INTRINSIC(vconv_bf162s32r) INTRINSIC(vconv_bf162s32z)
INTRINSIC(vconv_deq) INTRINSIC(vconv_f162f32) INTRINSIC(vconv_f162s16a) INTRINSIC(vconv_f162s16c)
INTRINSIC(vconv_f162s16f) INTRINSIC(vconv_f162s16r) INTRINSIC(vconv_f162s16z) INTRINSIC(vconv_f162s32a)
INTRINSIC(vconv_f162s32c) INTRINSIC(vconv_f162s32f) INTRINSIC(vconv_f162s32r) INTRINSIC(vconv_f162s32z)
INTRINSIC(vconv_f162s4) INTRINSIC(vconv_f162s4a) INTRINSIC(vconv_f162s4c) INTRINSIC(vconv_f162s4f)
INTRINSIC(vconv_f162s4r) INTRINSIC(vconv_f162s4z) INTRINSIC(vconv_f162s8a) INTRINSIC(vconv_f162s8c)
INTRINSIC(vconv_f162s8f) INTRINSIC(vconv_f162s8r) INTRINSIC(vconv_f162s8z) INTRINSIC(vconv_f162u8a)
INTRINSIC(vconv_f162u8c) INTRINSIC(vconv_f162u8f) INTRINSIC(vconv_f162u8r) INTRINSIC(vconv_f162u8z)
INTRINSIC(vconv_f322bf16a) INTRINSIC(vconv_f322bf16c) INTRINSIC(vconv_f322bf16f) INTRINSIC(vconv_f322bf16r)
INTRINSIC(vconv_f322bf16z) INTRINSIC(vconv_f322f16a) INTRINSIC(vconv_f322f16c) INTRINSIC(vconv_f322f16f)
INTRINSIC(vconv_f322f16o) INTRINSIC(vconv_f322f16r) INTRINSIC(vconv_f322f16z) INTRINSIC(vconv_f322f32a)
INTRINSIC(vconv_f322f32c) INTRINSIC(vconv_f322f32f) INTRINSIC(vconv_f322f32r) INTRINSIC(vconv_f322f32z)
INTRINSIC(vconv_f322s16a) INTRINSIC(vconv_f322s16c) INTRINSIC(vconv_f322s16f) INTRINSIC(vconv_f322s16r)
INTRINSIC(vconv_f322s16z) INTRINSIC(vconv_f322s32a) INTRINSIC(vconv_f322s32c) INTRINSIC(vconv_f322s32f)
INTRINSIC(vconv_f322s32r) INTRINSIC(vconv_f322s32z) INTRINSIC(vconv_f322s64a) INTRINSIC(vconv_f322s64c)
INTRINSIC(vconv_f322s64f) INTRINSIC(vconv_f322s64r) INTRINSIC(vconv_f322s64z) INTRINSIC(vconv_s162f16)
INTRINSIC(vconv_s162f16a) INTRINSIC(vconv_s162f16c) INTRINSIC(vconv_s162f16f) INTRINSIC(vconv_s162f16r)
INTRINSIC(vconv_s162f16z) INTRINSIC(vconv_s162f32) INTRINSIC(vconv_s322f32) INTRINSIC(vconv_s322f32a)
INTRINSIC(vconv_s322f32c) INTRINSIC(vconv_s322f32f) INTRINSIC(vconv_s322f32r) INTRINSIC(vconv_s322f32z)
INTRINSIC(vconv_s322s16) INTRINSIC(vconv_s322s64) INTRINSIC(vconv_s42f16) INTRINSIC(vconv_s642f32a)
INTRINSIC(vconv_s642f32c) INTRINSIC(vconv_s642f32f) INTRINSIC(vconv_s642f32r) INTRINSIC(vconv_s642f32z)
INTRINSIC(vconv_s642s32) INTRINSIC(vconv_s82f16) INTRINSIC(vconv_u82f16) INTRINSIC(vcopy) INTRINSIC(vcvt)
INTRINSIC(vdintlv) INTRINSIC(vdiv) INTRINSIC(vdup) INTRINSIC(vector_dup) INTRINSIC(vgather2) INTRINSIC(vintlv)
INTRINSIC(vldas) INTRINSIC(vlds) INTRINSIC(vldus) INTRINSIC(vmula) INTRINSIC(vmull) INTRINSIC(vmuls)
INTRINSIC(vnot) INTRINSIC(vor) INTRINSIC(vsel) INTRINSIC(vselr) INTRINSIC(vshl) INTRINSIC(vshls)
INTRINSIC(vshr) INTRINSIC(vshrs) INTRINSIC(vsstb) INTRINSIC(vstas) INTRINSIC(vsts) INTRINSIC(vstus)
INTRINSIC(vsub) INTRINSIC(vsubc) INTRINSIC(vsubcs) INTRINSIC(vtrc) INTRINSIC(wait_flag)
INTRINSIC(wait_flag_dev)

// Names of headers that are left out, in declarations that nothing here uses.
namespace pto {
enum class GatherExec : uint8_t;
}

// The macros that put attributes of the vendor's compiler before functions.
#include <pto/common/type.hpp>
#undef AICORE
#undef PTO_INLINE
#undef OP_NAME
#undef OP_TYPE
#define AICORE
#define PTO_INLINE inline
#define OP_NAME(name)
#define OP_TYPE(name)

// The compiler's own macros: both kinds of cores, so that no code is left out, unless
// WITHOUT_CUBE or WITHOUT_VEC is defined.
#ifndef WITHOUT_CUBE
#define __DAV_CUBE__
#endif
#ifndef WITHOUT_VEC
#define __DAV_VEC__
#endif
#if __NPU_ARCH__ == 2201
#define __CCE_AICORE__ 220
#ifdef __DAV_CUBE__
#define __DAV_C220_CUBE__
#endif
#ifdef __DAV_VEC__
#define __DAV_C220_VEC__
#endif
#define HEADER(name) <pto/npu/a2a3/name.hpp>
#else
#define __CCE_AICORE__ 310
#define HEADER(name) <pto/npu/a5/name.hpp>
#endif

// The headers of the instructions that are looked at, and the calls of the library;
// the headers of all others are left out.
#include <pto/common/arch_macro.hpp>
#include <pto/common/arch_capability.hpp>
#include <pto/common/pto_tile.hpp>
#include <pto/common/arch_cce_intrinsic.hpp>
#include <pto/common/utils.hpp>
#include <pto/common/event.hpp>
#include HEADER(TLoad)
#include HEADER(TStore)
#include HEADER(TMov)
#include HEADER(TExtract)
#include HEADER(TInsert)
#include HEADER(TCvt)
#include HEADER(TReshape)
#include HEADER(TMatmul)
#include HEADER(TSync)
#include HEADER(TAssign)
#define PTO_INSTR_IMPL_HPP
#define PTO_COMM_NOT_SUPPORTED
#include <pto/common/pto_instr.hpp>
