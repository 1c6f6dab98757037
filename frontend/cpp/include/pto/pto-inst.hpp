// Declarations with which ptogo reads C++ kernels for the PTO tile library. This header
// declares the public names of the library and computes nothing. Each call of a tile
// instruction becomes a sequence of calls of ptogo_* functions, which have no definition.
// After inlining, their arguments are constants wherever the library has types, so the
// LLVM IR of a kernel contains everything that ptogo needs. ptogo_generated.inc, which
// ptogo writes, contains the enumerations, the names of the instructions and the pipes.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <utility>

#ifdef __APPLE__
#define PTOGO_SECTION "__TEXT,pto_kernel"
#else
#define PTOGO_SECTION "pto_kernel"
#endif
#define __global__ __attribute__((used, noinline, section(PTOGO_SECTION)))
#define AICORE
#define __aicore__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __in__
#define __out__
#define __tf__
#define PTO_INLINE inline
#define PTO_INST inline
#define PTO_INTERNAL inline
#define PTO_STATIC_ASSERT(...) static_assert(__VA_ARGS__)
#define PTO_ASSERT(...) ((void)0)
#define PTO_CPU_ASSERT(...) ((void)0)
// Descriptions of kernels for the loader of the device. The kernel itself states its types of cores.
#define PTO_SYNCALL_AIV_KERNEL_META(...) static_assert(true)
#define PTO_SYNCALL_AIC_KERNEL_META(...) static_assert(true)
#define PTO_SYNCALL_MIX_AIC_KERNEL_META(...) static_assert(true)
#define PTO_CEIL(x, y) ((((x) + (y)-1) / (y)) * (y))
#define PTO_DIV_ROUNDUP(x, y) (((x) + (y)-1) / (y))

#define __fp16 _Float16
using half = _Float16;
using bfloat16_t = __bf16;
using aclFloat16 = uint16_t;
using aclrtStream = void *;

// Number formats that C++ compilers lack. Code is the number by which ptogo knows them.
#define PTOGO_FORMAT(NAME, CODE)                  \
  struct NAME {                                   \
    uint8_t bits;                                 \
    static constexpr int ptogo_element = CODE;    \
  };
PTOGO_FORMAT(float8_e4m3_t, 20)
PTOGO_FORMAT(float8_e5m2_t, 21)
PTOGO_FORMAT(hifloat8_t, 22)
PTOGO_FORMAT(float8_e8m0_t, 23)
PTOGO_FORMAT(float4_e1m2x2_t, 24)
PTOGO_FORMAT(float4_e2m1x2_t, 25)
PTOGO_FORMAT(int4b_t, 26)

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_MTE4, PIPE_MTE5, PIPE_V2, PIPE_FIX };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };
enum class cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
constexpr cache_line_t SINGLE_CACHE_LINE = cache_line_t::SINGLE_CACHE_LINE;
constexpr cache_line_t ENTIRE_DATA_CACHE = cache_line_t::ENTIRE_DATA_CACHE;
constexpr dcci_dst_t CACHELINE_OUT = dcci_dst_t::CACHELINE_OUT;

extern "C" {
void ptogo_begin(const char *name) noexcept;
int64_t ptogo_place() noexcept;
void ptogo_mad_mode(bool on, int64_t mode) noexcept;
int64_t ptogo_session(const void *workspace, int64_t sync_id) noexcept;
int64_t ptogo_async(int64_t session) noexcept;
bool ptogo_await(int64_t event, int64_t session, bool test) noexcept;
void ptogo_end() noexcept;
void ptogo_type_argument() noexcept;
void ptogo_enum_argument(int kind, int64_t value) noexcept;
void ptogo_int_argument(int64_t value) noexcept;
void ptogo_tile(int role, int element, int64_t rows, int64_t cols, int blayout, int slayout, int fractal, int64_t pad, int compact,
                int64_t valid_rows, int64_t valid_cols, int64_t address, int64_t rows_now, int64_t cols_now) noexcept;
void ptogo_view(int element, int layout, const void *base, int64_t n0, int64_t n1, int64_t n2, int64_t n3, int64_t n4, int64_t s0,
                int64_t s1, int64_t s2, int64_t s3, int64_t s4) noexcept;
void ptogo_int(int element, int64_t value) noexcept;
void ptogo_f32(float value) noexcept;
void ptogo_f16(half value) noexcept;
void ptogo_bf16(bfloat16_t value) noexcept;
void ptogo_enum(int kind, int64_t value) noexcept;
void ptogo_other(const char *what) noexcept;
void ptogo_pointer() noexcept;
bool ptogo_test() noexcept;
void ptogo_set_flag(int from, int to, int64_t event) noexcept;
void ptogo_wait_flag(int from, int to, int64_t event) noexcept;
void ptogo_barrier(int pipe) noexcept;
int64_t ptogo_new_event(int from, int to) noexcept;
void ptogo_get_buf(int pipe, int64_t id, int64_t mode) noexcept;
void ptogo_rls_buf(int pipe, int64_t id, int64_t mode) noexcept;
void ptogo_signal(const char *name, int pipe, int64_t id) noexcept;
void ptogo_dsb(int memory) noexcept;
void ptogo_dcci(const void *address, int line, int destination) noexcept;
void ptogo_trap() noexcept;
void ptogo_launch(int64_t blocks) noexcept;
void ptogo_pipe(int flag, int direction, int64_t slot_size, int64_t slots, int64_t local_slots, int whole, const void *slots_at,
                int64_t to_vector, int64_t to_cube) noexcept;
void ptogo_push(int flag, int split) noexcept;
int64_t ptogo_pop(int flag, int split) noexcept;
void ptogo_free(int flag, int split) noexcept;
void ptogo_conv(int role, int element, int layout, int64_t size, int dims, int64_t n0, int64_t n1, int64_t n2, int64_t n3, int64_t n4, int64_t n5,
                int64_t address, int64_t rows_now) noexcept;
void ptogo_patches(int64_t fmap_h, int64_t fmap_w, int64_t left, int64_t right, int64_t top, int64_t bottom, int64_t filter_h, int64_t filter_w,
                   int64_t stride_h, int64_t stride_w, int64_t dilation_h, int64_t dilation_w, int64_t channels, int64_t pad, int64_t repeat_stride,
                   int64_t repeat_time, int64_t repeat_mode) noexcept;
void ptogo_slot(const char *use, int flag, int split, int64_t slot_size) noexcept;
__attribute__((const)) int64_t ptogo_get_block_idx() noexcept;
__attribute__((const)) int64_t ptogo_get_block_num() noexcept;
__attribute__((const)) int64_t ptogo_get_subblock_idx() noexcept;
__attribute__((const)) int64_t ptogo_get_subblock_num() noexcept;
int64_t ptogo_get_int(int64_t index) noexcept;
float ptogo_get_f32(int64_t index) noexcept;
half ptogo_get_f16(int64_t index) noexcept;
bfloat16_t ptogo_get_bf16(int64_t index) noexcept;
void ptogo_set(int64_t index) noexcept;
int64_t ptogo_load_dev(int element, const void *address) noexcept;
void ptogo_store_dev(int element, int64_t value, const void *address) noexcept;
void ptogo_missing(const char *what) noexcept;
void ptogo_ignored(const char *what, const char *why) noexcept;
void ptogo_plain(const char *what) noexcept;
void ptogo_copy(const char *name, const void *global, int64_t to, int64_t from, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f) noexcept;
void ptogo_fill_l1(int64_t to, int bits, int64_t value, int64_t config) noexcept;
}

inline void set_flag(pipe_t from, pipe_t to, int64_t event) { ptogo_set_flag(from, to, event); }
inline void wait_flag(pipe_t from, pipe_t to, int64_t event) { ptogo_wait_flag(from, to, event); }
inline void pipe_barrier(pipe_t pipe) { ptogo_barrier(pipe); }
inline void get_buf(pipe_t pipe, int64_t id, int64_t mode) { ptogo_get_buf(pipe, id, mode); }
inline void rls_buf(pipe_t pipe, int64_t id, int64_t mode) { ptogo_rls_buf(pipe, id, mode); }
inline int64_t get_block_idx() { return ptogo_get_block_idx(); }
inline int64_t get_block_num() { return ptogo_get_block_num(); }
inline int64_t get_subblockid() { return ptogo_get_subblock_idx(); }
inline int64_t get_subblockdim() { return ptogo_get_subblock_num(); }
// Objects, and not macros: kernels name variables of their own so.
#define PTOGO_POSITION(NAME) struct ptogo_##NAME { operator int64_t() const { return ptogo_get_##NAME(); } }; constexpr ptogo_##NAME NAME{};
PTOGO_POSITION(block_idx) PTOGO_POSITION(block_num)
// Calls that change nothing here. A warning names each.
#define PTOGO_IGNORED(NAME, WHY) template <class... A> inline int64_t NAME(A...) { ptogo_ignored(#NAME, WHY); return 0; }
PTOGO_IGNORED(get_sys_cnt, "the clock is read as 0; --timing predicts times")
PTOGO_IGNORED(set_mask_count, "tile instructions do not use the mask of the vector unit")
// The usual mask needs no warning: every kernel that pto-opt or ptoas writes sets it.
inline void set_mask_norm() {}
inline void set_vector_mask(uint64_t high, uint64_t low) {
  if (high != -1ull || low != -1ull) ptogo_ignored("set_vector_mask", "tile instructions do not use the mask of the vector unit");
}
template <class T> inline void SetFullVecMaskByDType() {}
PTOGO_IGNORED(set_ffts_base_addr, "signals between cores need no address here")
PTOGO_IGNORED(set_padding, "tile instructions take the value of padding from the tile")
PTOGO_IGNORED(preload, "instructions are always in the instruction cache")
PTOGO_IGNORED(icache_preload, "instructions are always in the instruction cache")
PTOGO_IGNORED(get_icache_prl_st, "instructions are always in the instruction cache")
// Calls without counterpart.
#define PTOGO_MISSING(NAME) template <class... A> inline int64_t NAME(A...) { ptogo_missing(#NAME); return 0; }
inline void set_intra_block(pipe_t pipe, int64_t id) { ptogo_signal("set_intra_block", pipe, id); }
inline void wait_intra_block(pipe_t pipe, int64_t id) { ptogo_signal("wait_intra_block", pipe, id); }
// The configuration of a signal has its mode in bits 4 and 5, and its number from bit 8 on.
constexpr int FFTS_MODE_VAL = 2;
constexpr uint16_t getFFTSMsg(int64_t mode, int64_t id, int64_t base = 1) { return (uint16_t)((base & 15) | (mode & 3) << 4 | (id & 15) << 8); }
inline void ffts_cross_core_sync(pipe_t pipe, uint64_t config) { ptogo_signal("sync.set", pipe, (int64_t)config); }
inline void wait_flag_dev(int64_t id) { ptogo_signal("sync.wait", PIPE_S, id); }
#define __builtin_cce_set_intra_block set_intra_block
#define __builtin_cce_wait_intra_block wait_intra_block
#define __builtin_cce_ffts_cross_core_sync ffts_cross_core_sync
#define __builtin_cce_wait_flag_dev wait_flag_dev
enum mem_bar_t { VV_ALL, VST_VLD, VLD_VST, VST_VST, VS_ALL, VST_LD, VLD_ST, VST_ST, SV_ALL, ST_VLD, LD_VST, ST_VST, SS_ALL, ST_LD, LD_ST, ST_ST };
#define PTOGO_ATOMIC(MODE) inline void set_atomic_##MODE() { ptogo_plain("set_atomic_" #MODE); }
PTOGO_ATOMIC(none) PTOGO_ATOMIC(f32) PTOGO_ATOMIC(f16) PTOGO_ATOMIC(bf16) PTOGO_ATOMIC(s32) PTOGO_ATOMIC(s16) PTOGO_ATOMIC(s8)
PTOGO_ATOMIC(add) PTOGO_ATOMIC(max) PTOGO_ATOMIC(min)
inline void dsb(mem_dsb_t memory) { ptogo_dsb(memory); }
template <class T>
inline void dcci(T *address, cache_line_t line, dcci_dst_t to = dcci_dst_t::CACHELINE_ALL) { ptogo_dcci((const void *)address, (int)line, (int)to); }
inline void trap() { ptogo_trap(); }
// Accesses past the data cache. Public kernels have the offset 0 alone; its unit is not documented.
template <class T> inline T ld_dev(T *address, int64_t offset) {
  if (offset != 0) ptogo_missing("ld_dev with an offset");
  return (T)ptogo_load_dev(100 + 8 * (int)sizeof(T), address);
}
template <class V, class T> inline void st_dev(V value, T *address, int64_t offset) {
  if (offset != 0) ptogo_missing("st_dev with an offset");
  ptogo_store_dev(100 + 8 * (int)sizeof(T), (int64_t)(T)value, address);
}
// Pointers into local memory are addresses above this one, so a pointer that a kernel casts to a tile address keeps its value.
constexpr uint64_t ptogo_local = 1ull << 48;
template <class T> inline int64_t ptogo_local_address(T *p) { return (int64_t)((uint64_t)p & (ptogo_local - 1)); }
template <class D, class S> inline void copy_cbuf_to_ubuf(D *to, S *from, int64_t sid, int64_t n, int64_t length, int64_t from_gap, int64_t to_gap) {
  ptogo_copy("copy_cbuf_to_ubuf", nullptr, ptogo_local_address(to), ptogo_local_address(from), sid, n, length, from_gap, to_gap, 0);
}
template <class D, class S> inline void copy_ubuf_to_cbuf(D *to, S *from, int64_t sid, int64_t n, int64_t length, int64_t from_gap, int64_t to_gap) {
  ptogo_copy("copy_ubuf_to_cbuf", nullptr, ptogo_local_address(to), ptogo_local_address(from), sid, n, length, from_gap, to_gap, 0);
}
// Lengths and gaps of copies from global memory are in blocks of 32 bytes.
template <class D, class S> inline void copy_gm_to_ubuf(D *to, S *from, int64_t sid, int64_t n, int64_t length, int64_t from_gap, int64_t to_gap) {
  ptogo_copy("copy_gm_to_ubuf", (const void *)from, ptogo_local_address(to), 0, sid, n, 32 * length, 32 * (length + from_gap), 32 * (length + to_gap), 0);
}
template <class D, class S> inline void copy_cbuf_to_gm(D *to, S *from, int64_t sid, int64_t n, int64_t length, int64_t from_gap, int64_t to_gap) {
  ptogo_copy("copy_cbuf_to_gm", (const void *)to, 0, ptogo_local_address(from), sid, n, length, from_gap, to_gap, 0);
}
template <class D, class S> inline void copy_ubuf_to_gm(D *to, S *from, int64_t sid, int64_t n, int64_t length, int64_t from_gap, int64_t to_gap) {
  ptogo_copy("copy_ubuf_to_gm", (const void *)to, 0, ptogo_local_address(from), sid, n, 32 * length, 0, 32 * (length + to_gap), 32 * (length + from_gap));
}
#ifdef PTO_NPU_ARCH_A5
template <class D, class S>
inline void copy_ubuf_to_gm_align_v2(D *to, S *from, int64_t sid, int64_t n, int64_t length, int64_t control, int64_t to_stride, int64_t from_stride) {
  ptogo_copy("copy_ubuf_to_gm", (const void *)to, 0, ptogo_local_address(from), sid, n, length, control, to_stride, from_stride);
}
#endif
template <class D> inline void create_cbuf_matrix(D *to, int64_t config, int64_t value) {
  ptogo_fill_l1(ptogo_local_address(to), 8 * (int)sizeof(D), value, config);
}
template <class T> inline T *__cce_get_tile_ptr(T *p) { return p; }
PTOGO_MISSING(copy_gm_to_cbuf_align_v2)
PTOGO_MISSING(mad_mx)
PTOGO_MISSING(load_cbuf_to_ca_mx)
PTOGO_MISSING(load_cbuf_to_cb_mx)
PTOGO_MISSING(vector_dup)
PTOGO_MISSING(copy_matrix_cc_to_gm)
PTOGO_MISSING(set_nd_para)
// The scales of an operand of a matrix product are at its address divided by 16.
template <class T> inline uint64_t GetScaleAddr(T *p) { return (uint64_t)ptogo_local_address(p) >> 4; }
// Functions of work items (SIMT) compile, but a kernel that starts one has no counterpart.
#define __simt_vf__
#define __simt_callee__
#define LAUNCH_BOUND(N)
PTOGO_MISSING(__cce_simt_get_TID_X)
PTOGO_MISSING(__cce_simt_get_TID_Y)
PTOGO_MISSING(__cce_simt_get_TID_Z)
PTOGO_MISSING(__sync_workitems)
PTOGO_MISSING(__builtin_cce_redux_add_f32)
PTOGO_MISSING(__builtin_cce_expf)
namespace cce {
template <class... A> inline void printf(const char *format, A... a) { ::printf(format, a...); }
struct dim3 {
  uint32_t x = 1, y = 1, z = 1;
};
template <auto, class... A> inline void async_invoke(dim3, A...) { ptogo_missing("cce::async_invoke"); }
}
// Functions of the host, which is not converted.
using aclError = int;
constexpr aclError ACL_SUCCESS = 0;
#define PTOGO_HOST(NAME) template <class... A> inline int NAME(A...) { return 0; }
PTOGO_HOST(aclrtSynchronizeStream) PTOGO_HOST(rtGetC2cCtrlAddr)
template <class... A> inline void ptogo_launch_with(int64_t blocks, A...) { ptogo_launch(blocks); }

namespace pto {
constexpr int DYNAMIC = -1;
constexpr int REPEAT_BYTE = 256, REPEAT_MAX = 255, BLOCK_BYTE_SIZE = 32, BLOCK_LEN = 16, CUBE_BLOCK_SIZE = 512, C0_SIZE_BYTE = 32;
constexpr int FRACTAL_NZ_ROW = 16, FRACTAL_ZZ_ROW = 16, ACC_C0_SIZE = 16, MX_COL_LEN = 2, MX_ROW_LEN = 16, MX_BLOCK_SIZE = 32;
constexpr uint32_t TMP_UB_SIZE = 8 * 1024, TMP_UB_OFFSET = 184 * 1024;
constexpr uint64_t BLOCK_MAX_PER_REPEAT = 8;
constexpr int BLOCK_SIZE = 32, CCE_VL = 256, B4_C0_SIZE = 64;
constexpr int32_t SYNCALL_SOFT_WORKSPACE_INT32 = 16;
enum Direction : uint8_t { DIR_C2V = 1, DIR_V2C, DIR_BOTH, DIR_V2C_CTRL, DIR_C2V_GM, DIR_V2C_GM, DIR_BOTH_GM };
namespace GlobalTensorDim {
constexpr int DIM_0 = 0, DIM_1 = 1, DIM_2 = 2, DIM_3 = 3, DIM_4 = 4, TOTAL_DIM = 5;
}
struct TileConfig {
  static constexpr int alignedSize = 32, fixedRowSize = 16, fixedColSize = 16, fixedMxRowSize = 16, fixedMxColSize = 2;
  static constexpr int fractalABSize = 512, fractalCSize = 1024, fractalMxSize = 32;
};
using TRandomKey = uint32_t[2];
using TRandomCounter = uint32_t[4];

template <class T> struct ptogo_enum_kind { static constexpr int value = -1; };
#include "ptogo_enums.inc"
constexpr int32_t CeilDivision(int32_t a, int32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
constexpr uint32_t CeilAlignment(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b * b; }
template <MaskPattern P> constexpr int GetTimesByMask() {
  return P == MaskPattern::P1111 ? 1 : P == MaskPattern::P0101 || P == MaskPattern::P1010 ? 2 : 4;
}
constexpr PadValue PadValueCustom(float x) { return (PadValue)((1ull << 32) | __builtin_bit_cast(uint32_t, x)); }
constexpr PadValue PadValueCustom(half x) { return (PadValue)((1ull << 32) | __builtin_bit_cast(uint16_t, x)); }
constexpr PadValue PadValueCustom(bfloat16_t x) { return (PadValue)((1ull << 32) | __builtin_bit_cast(uint16_t, x)); }
constexpr uint32_t getCustomPadBits(PadValue x) { return (uint32_t)(uint64_t)x; }
constexpr bool isCustomPadValue(PadValue x) { return (uint64_t)x >> 32 != 0; }

template <class T> constexpr int ptogo_element_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, float>) return 1;
  else if constexpr (std::is_same_v<U, half>) return 2;
  else if constexpr (std::is_same_v<U, bfloat16_t>) return 3;
  else if constexpr (std::is_same_v<U, double>) return 4;
  else if constexpr (std::is_same_v<U, bool>) return 5;
  else if constexpr (std::is_integral_v<U>) return (std::is_signed_v<U> ? 100 : 200) + 8 * (int)sizeof(U);
  else return U::ptogo_element;
}

// Five extents, each of which is a template argument or, where that is -1, a value.
template <int64_t N0, int64_t N1, int64_t N2, int64_t N3, int64_t N4> struct ptogo_extents {
  static constexpr int64_t known[5] = {N0, N1, N2, N3, N4};
  static constexpr int open = (N0 == -1) + (N1 == -1) + (N2 == -1) + (N3 == -1) + (N4 == -1);
  int64_t shape[5] = {N0 == -1 ? 1 : N0, N1 == -1 ? 1 : N1, N2 == -1 ? 1 : N2, N3 == -1 ? 1 : N3, N4 == -1 ? 1 : N4};
  ptogo_extents() = default;
  template <class... X, class = std::enable_if_t<(sizeof...(X) > 0) && (std::is_convertible_v<X, int64_t> && ...)>> ptogo_extents(X... x) {
    static_assert(sizeof...(X) == open || sizeof...(X) == 5, "one argument for each extent that is -1, or five");
    const int64_t all[] = {(int64_t)x...};
    set<0, 0>(all);
  }
  template <int I, int K, int N> void set(const int64_t (&all)[N]) {
    if constexpr (I < 5) {
      if constexpr (known[I] == -1) shape[I] = all[N == 5 ? I : K];
      set<I + 1, K + (known[I] == -1)>(all);
    }
  }
};
template <int64_t N0 = -1, int64_t N1 = -1, int64_t N2 = -1, int64_t N3 = -1, int64_t N4 = -1> struct Shape : ptogo_extents<N0, N1, N2, N3, N4> {
  using ptogo_extents<N0, N1, N2, N3, N4>::ptogo_extents;
  static constexpr int64_t staticShape[5] = {N0, N1, N2, N3, N4};
};
template <int64_t N0 = -1, int64_t N1 = -1, int64_t N2 = -1, int64_t N3 = -1, int64_t N4 = -1> struct Stride : ptogo_extents<N0, N1, N2, N3, N4> {
  using ptogo_extents<N0, N1, N2, N3, N4>::ptogo_extents;
  static constexpr int64_t staticStride[5] = {N0, N1, N2, N3, N4};
};
template <class... X> Shape(X...) -> Shape<>;
template <class... X> Stride(X...) -> Stride<>;

constexpr int64_t ptogo_times(int64_t a, int64_t b) { return a == -1 || b == -1 ? -1 : a * b; }
constexpr int64_t ptogo_over(int64_t a, int64_t b) { return a == -1 ? -1 : a / b; }
template <class T, int64_t R, int64_t C, Layout L> struct ptogo_plain {
  using shape = Shape<1, 1, 1, R, C>;
  using stride = std::conditional_t<L == Layout::DN, Stride<ptogo_times(R, C), ptogo_times(R, C), ptogo_times(R, C), 1, R>,
                                    Stride<ptogo_times(R, C), ptogo_times(R, C), ptogo_times(R, C), C, 1>>;
  static shape shapeOf(int64_t r, int64_t c) { return shape(1, 1, 1, r, c); }
  static stride strideOf(int64_t r, int64_t c) {
    if constexpr (L == Layout::DN) return stride(r * c, r * c, r * c, 1, r);
    else return stride(r * c, r * c, r * c, c, 1);
  }
};
template <class T, int64_t R, int64_t C> struct ptogo_plain<T, R, C, Layout::NZ> {
  static constexpr int64_t c0 = 32 / sizeof(T);
  using shape = Shape<1, ptogo_over(C, c0), ptogo_over(R, 16), 16, c0>;
  using stride = Stride<ptogo_times(R, C), ptogo_times(R, c0), 16 * c0, c0, 1>;
  static shape shapeOf(int64_t r, int64_t c) { return shape(1, c / c0, r / 16, 16, c0); }
  static stride strideOf(int64_t r, int64_t c) { return stride(r * c, r * c0, 16 * c0, c0, 1); }
};
// Scales of MX formats: boxes of 16x2 (MX_A_ZZ, MX_B_NN), or rows of pairs of scales.
#define PTOGO_MX(LAYOUT, N1, N2, N3, S1, S2, S3)                                                        \
  template <class T, int64_t R_, int64_t C_> struct ptogo_plain<T, R_, C_, Layout::LAYOUT> {            \
    static constexpr int64_t R = R_, C = C_;                                                            \
    using shape = Shape<1, N1, N2, N3, 2>;                                                              \
    using stride = Stride<ptogo_times(R, C), S1, S2, S3, 1>;                                            \
    static shape shapeOf(int64_t R, int64_t C) { return shape(1, N1, N2, N3, 2); }                      \
    static stride strideOf(int64_t R, int64_t C) { return stride(ptogo_times(R, C), S1, S2, S3, 1); }   \
  };
PTOGO_MX(MX_A_ZZ, ptogo_over(R, 16), ptogo_over(C, 2), 16, ptogo_times(C, 16), 32, 2)
PTOGO_MX(MX_A_ND, 1, R, ptogo_over(C, 2), ptogo_times(R, C), C, 2)
PTOGO_MX(MX_A_DN, 1, ptogo_over(C, 2), R, ptogo_times(R, C), ptogo_times(R, 2), 2)
PTOGO_MX(MX_B_NN, ptogo_over(C, 16), ptogo_over(R, 2), 16, ptogo_times(R, 16), 32, 2)
PTOGO_MX(MX_B_ND, 1, ptogo_over(R, 2), C, ptogo_times(R, C), ptogo_times(C, 2), 2)
PTOGO_MX(MX_B_DN, 1, C, ptogo_over(R, 2), ptogo_times(R, C), R, 2)
template <class T, int64_t R = -1, int64_t C = -1, Layout L = Layout::ND> struct TileShape2D : ptogo_plain<T, R, C, L>::shape {
  TileShape2D() = default;
  TileShape2D(int64_t r, int64_t c) : ptogo_plain<T, R, C, L>::shape(ptogo_plain<T, R, C, L>::shapeOf(r, c)) {}
};
template <class T, int64_t R = -1, int64_t C = -1, Layout L = Layout::ND> struct BaseShape2D : ptogo_plain<T, R, C, L>::stride {
  BaseShape2D() = default;
  BaseShape2D(int64_t r, int64_t c) : ptogo_plain<T, R, C, L>::stride(ptogo_plain<T, R, C, L>::strideOf(r, c)) {}
};

template <class T, class Shape_, class Stride_, Layout L = Layout::ND> struct GlobalTensor {
  using DType = T;
  using RawDType = T;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = L;
  static constexpr int64_t staticShape[5] = {Shape_::known[0], Shape_::known[1], Shape_::known[2], Shape_::known[3], Shape_::known[4]};
  static constexpr int64_t staticStride[5] = {Stride_::known[0], Stride_::known[1], Stride_::known[2], Stride_::known[3], Stride_::known[4]};
  T *base_ = nullptr;
  Shape_ shape_;
  Stride_ stride_;
  GlobalTensor() = default;
  GlobalTensor(T *base) : base_(base) {}
  GlobalTensor(T *base, const Shape_ &shape) : base_(base), shape_(shape) {}
  GlobalTensor(T *base, const Shape_ &shape, const Stride_ &stride) : base_(base), shape_(shape), stride_(stride) {}
  T *data() const { return base_; }
  void SetAddr(T *base) { base_ = base; }
  int64_t GetShape(int d) const { return shape_.shape[d]; }
  int64_t GetStride(int d) const { return stride_.shape[d]; }
  template <int d> int64_t GetShape() const { return shape_.shape[d]; }
  template <int d> int64_t GetStride() const { return stride_.shape[d]; }
  template <int d> void SetShape(int64_t n) { shape_.shape[d] = n; }
};

template <class T> struct ptogo_is_view : std::false_type {};
template <class T, class Sh, class St, Layout L> struct ptogo_is_view<GlobalTensor<T, Sh, St, L>> : std::true_type {};

template <TileType R, class T, int Rows_, int Cols_, BLayout B = BLayout::RowMajor, int ValidRow_ = Rows_, int ValidCol_ = Cols_,
          SLayout S = SLayout::NoneBox, int Fractal = 512, auto Pad = PadValue::Null, CompactMode C = CompactMode::Null>
struct Tile {
  using DType = T;
  using TileDType = T *;
  static constexpr TileType Loc = R;
  static constexpr int Rows = Rows_, Cols = Cols_, Numel = Rows_ * Cols_, ValidRow = ValidRow_, ValidCol = ValidCol_, SFractalSize = Fractal;
  static constexpr int RowStride = B == BLayout::RowMajor ? Cols_ : 1, ColStride = B == BLayout::RowMajor ? 1 : Rows_;
  static constexpr BLayout BFractal = B;
  static constexpr SLayout SFractal = S;
  static constexpr bool isRowMajor = B == BLayout::RowMajor, isBoxedLayout = S != SLayout::NoneBox;
  static constexpr bool isInnerRowMajor = S == SLayout::RowMajor, isInnerColMajor = S == SLayout::ColMajor;
  static constexpr auto PadVal = Pad;
  static constexpr CompactMode Compact = C;
  static constexpr int InnerRows = Fractal == 512 ? (S == SLayout::ColMajor ? 32 / (int)sizeof(T) : 16) : 16;
  static constexpr int InnerCols = Fractal == 512 ? (S == SLayout::ColMajor ? 16 : 32 / (int)sizeof(T)) : 16;
#ifdef PTOGO_AUTO
  int64_t address_ = ptogo_place(), RowMaskInternal, ColMaskInternal;
#else
  int64_t address_, RowMaskInternal, ColMaskInternal; // no initial values: an array of tiles needs no loop that sets them
#endif
  T *pointer_;                    // a place for the result of data(), to which kernels bind references
  Tile() = default;
  Tile(int64_t rows, int64_t cols) : RowMaskInternal(ValidRow_ == -1 ? rows : ValidRow_), ColMaskInternal(ValidCol_ == -1 ? cols : ValidCol_) {}
  explicit Tile(int64_t n) : RowMaskInternal(ValidRow_ == -1 ? n : ValidRow_), ColMaskInternal(ValidRow_ != -1 && ValidCol_ == -1 ? n : ValidCol_) {}
  T *&data() { return pointer_ = (T *)(uintptr_t)((uint64_t)address_ + ptogo_local); }
  T *data() const { return (T *)(uintptr_t)((uint64_t)address_ + ptogo_local); }
  int64_t GetValidRow() const { return ValidRow_ == -1 ? RowMaskInternal : ValidRow_; }
  int64_t GetValidCol() const { return ValidCol_ == -1 ? ColMaskInternal : ValidCol_; }
  void SetValidShape(int64_t rows, int64_t cols) { RowMaskInternal = rows, ColMaskInternal = cols; }
  void SetValidRow(int64_t rows) { RowMaskInternal = rows; }
  void SetValidCol(int64_t cols) { ColMaskInternal = cols; }
  T GetValue(int64_t index) const;
  void SetValue(int64_t index, T value);
  void SetKAligned(bool aligned) {
    if (aligned) ptogo_missing("SetKAligned(true)");
  }
  bool GetKAligned() const { return false; }
  void SetMadTF32Mode(RoundMode mode = RoundMode::CAST_ROUND) { ptogo_mad_mode(true, (int64_t)mode); } // the mode of the core
  void ResetMadMode() { ptogo_mad_mode(false, 0); }
};
template <class T> constexpr TileLayoutCustom GetTileLayoutCustom() {
  if constexpr (T::SFractal == SLayout::NoneBox) return T::isRowMajor ? TileLayoutCustom::ND : TileLayoutCustom::DN;
  else if constexpr (T::isRowMajor) return T::isInnerColMajor ? TileLayoutCustom::ZN : TileLayoutCustom::ZZ;
  else return T::isInnerRowMajor ? TileLayoutCustom::NZ : TileLayoutCustom::NONE;
}
#ifdef PTO_NPU_ARCH_A5
constexpr BLayout ptogo_left = BLayout::ColMajor;
#else
constexpr BLayout ptogo_left = BLayout::RowMajor;
#endif
#define PTOGO_ROLE(NAME, ROLE, B, S, F, CM)                                      \
  template <class T, int R, int C, int VR = R, int VC = C>                       \
  using NAME = Tile<TileType::ROLE, T, R, C, B, VR, VC, SLayout::S, F, PadValue::Null, CompactMode::CM>;
PTOGO_ROLE(TileLeft, Left, ptogo_left, RowMajor, 512, Null)
PTOGO_ROLE(TileLeftCompact, Left, ptogo_left, RowMajor, 512, Normal)
PTOGO_ROLE(TileRight, Right, BLayout::RowMajor, ColMajor, 512, Null)
PTOGO_ROLE(TileRightCompact, Right, BLayout::RowMajor, ColMajor, 512, Normal)
PTOGO_ROLE(TileLeftScale, ScaleLeft, BLayout::RowMajor, RowMajor, 32, Null)
PTOGO_ROLE(TileLeftScaleCompact, ScaleLeft, BLayout::RowMajor, RowMajor, 32, Normal)
PTOGO_ROLE(TileRightScale, ScaleRight, BLayout::ColMajor, ColMajor, 32, Null)
PTOGO_ROLE(TileRightScaleCompact, ScaleRight, BLayout::ColMajor, ColMajor, 32, Normal)
PTOGO_ROLE(TileAcc, Acc, BLayout::ColMajor, RowMajor, 1024, Null)
PTOGO_ROLE(TileAccCompact, Acc, BLayout::ColMajor, RowMajor, 1024, Normal)

struct RecordEvent {
  void Wait() const {}
};
struct ptogo_event_tag {};
struct MrgSortExecutedNumList {
  uint16_t mrgSortList0, mrgSortList1, mrgSortList2, mrgSortList3;
};
template <Op From, Op To, bool AutoToken = true, event_t Id = EVENT_ID0> struct Event : ptogo_event_tag {
  static constexpr pipe_t from = ptogo_pipe_of(From), to = ptogo_pipe_of(To);
  int64_t id = AutoToken && from != to ? ptogo_new_event(from, to) : (int64_t)Id;
  Event() = default;
  Event(const RecordEvent &) { Record(); }
  Event &operator=(const RecordEvent &) { return Record(), *this; }
  void Init() { Record(); }
  void Record() {
    if constexpr (from != to) ptogo_set_flag(from, to, id);
  }
  void Wait() {
    if constexpr (from != to) ptogo_wait_flag(from, to, id);
    else ptogo_barrier(from);
  }
};

template <TileType R, class T, int Rows, int Cols, BLayout B, int VR, int VC, SLayout S, int F, auto Pad, CompactMode C>
inline void ptogo_put(const Tile<R, T, Rows, Cols, B, VR, VC, S, F, Pad, C> &t) {
  ptogo_tile((int)R, ptogo_element_of<T>(), Rows, Cols, (int)B, (int)S, F, (int64_t)Pad, (int)C, VR, VC, t.address_, t.GetValidRow(), t.GetValidCol());
}
template <class T, class Sh, class St, Layout L> inline void ptogo_put(const GlobalTensor<T, Sh, St, L> &g) {
  const int64_t *n = g.shape_.shape, *s = g.stride_.shape;
  ptogo_view(ptogo_element_of<T>(), (int)L, (const void *)g.base_, n[0], n[1], n[2], n[3], n[4], s[0], s[1], s[2], s[3], s[4]);
}
inline void ptogo_put(const RecordEvent &) {}
inline void ptogo_put(const MrgSortExecutedNumList &) { ptogo_other("MrgSortExecutedNumList"); }
template <class T> inline void ptogo_put_scalar(T v) {
  if constexpr (std::is_same_v<T, float>) ptogo_f32(v);
  else if constexpr (std::is_same_v<T, half>) ptogo_f16(v);
  else if constexpr (std::is_same_v<T, bfloat16_t>) ptogo_bf16(v);
  else if constexpr (std::is_same_v<T, double>) ptogo_f32((float)v);
  else if constexpr (std::is_enum_v<T>) ptogo_enum(ptogo_enum_kind<T>::value, (int64_t)v);
  else ptogo_int(ptogo_element_of<T>(), (int64_t)v);
}
template <class T> inline std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>>
ptogo_put(const T &v) { ptogo_put_scalar<T>(v); }
template <class T> inline std::enable_if_t<std::is_base_of_v<ptogo_event_tag, T>> ptogo_put(const T &) {}
template <class T> inline void ptogo_put(T *const &tile) { ptogo_pointer(), ptogo_put(*tile); }
template <size_t N, size_t... I> inline void ptogo_put_words(const uint32_t (&words)[N], std::index_sequence<I...>) { (ptogo_put_scalar(words[I]), ...); }
template <class... A> inline void ptogo_put_settings(const A &...a) { (ptogo_put_scalar(a), ...); }
template <size_t N> inline void ptogo_put(const uint32_t (&words)[N]) { ptogo_put_words(words, std::make_index_sequence<N>()); }

template <class T> inline void ptogo_wait(T &t) {
  if constexpr (std::is_base_of_v<ptogo_event_tag, std::decay_t<T>>) t.Wait();
}
template <auto V> inline void ptogo_value_argument() {
  if constexpr (std::is_enum_v<decltype(V)>) ptogo_enum_argument(ptogo_enum_kind<decltype(V)>::value, (int64_t)V);
  else ptogo_int_argument((int64_t)V);
}
template <class T> inline void ptogo_one_type() {
  if constexpr (!std::is_void_v<T>) ptogo_type_argument();
}
template <class... A> inline RecordEvent ptogo_finish(A &...a) {
  (ptogo_put(a), ...);
  ptogo_end();
  return {};
}
#define PTOGO_START(NAME) (ptogo_wait(a), ...); ptogo_begin(#NAME)
#define PTOGO_INSTRUCTION(NAME)                                                                                            \
  template <class... A> inline RecordEvent NAME(A &&...a) { PTOGO_START(NAME); return ptogo_finish(a...); }                \
  template <class T0, class T1 = void, class T2 = void, class T3 = void, class T4 = void, class T5 = void, class... A>     \
  inline RecordEvent NAME(A &&...a) {                                                                                      \
    PTOGO_START(NAME);                                                                                                     \
    ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>(), ptogo_one_type<T4>(), ptogo_one_type<T5>(); \
    return ptogo_finish(a...);                                                                                             \
  }                                                                                                                        \
  template <auto V, class T0, class T1 = void, class T2 = void, class T3 = void, class T4 = void, class... A>              \
  inline RecordEvent NAME(A &&...a) {                                                                                      \
    PTOGO_START(NAME);                                                                                                     \
    ptogo_value_argument<V>();                                                                                             \
    ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>(), ptogo_one_type<T4>();          \
    return ptogo_finish(a...);                                                                                             \
  }                                                                                                                        \
  template <auto V0, auto V1, class T0, class T1 = void, class T2 = void, class T3 = void, class T4 = void, class... A>    \
  inline RecordEvent NAME(A &&...a) {                                                                                      \
    PTOGO_START(NAME);                                                                                                     \
    ptogo_value_argument<V0>(), ptogo_value_argument<V1>();                                                                \
    ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>(), ptogo_one_type<T4>();          \
    return ptogo_finish(a...);                                                                                             \
  }                                                                                                                        \
  template <auto V, class T0, class T1, auto V1, auto... VN, class... A> inline RecordEvent NAME(A &&...a) {               \
    PTOGO_START(NAME);                                                                                                     \
    ptogo_value_argument<V>(), ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_value_argument<V1>(), (ptogo_value_argument<VN>(), ...); \
    return ptogo_finish(a...);                                                                                             \
  }                                                                                                                        \
  template <auto V, class T0, class T1, class T2, auto V1, auto... VN, class... A> inline RecordEvent NAME(A &&...a) {     \
    PTOGO_START(NAME);                                                                                                     \
    ptogo_value_argument<V>(), ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_value_argument<V1>(), (ptogo_value_argument<VN>(), ...); \
    return ptogo_finish(a...);                                                                                             \
  }                                                                                                                        \
  template <auto V, class T0, class T1, class T2, class T3, class T4, auto V1, class... A> inline RecordEvent NAME(A &&...a) { \
    PTOGO_START(NAME);                                                                                                     \
    ptogo_value_argument<V>(), ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>(), ptogo_one_type<T4>(), ptogo_value_argument<V1>(); \
    return ptogo_finish(a...);                                                                                             \
  }                                                                                                                        \
  PTOGO_TYPES_THEN_VALUES(NAME, , )                                                                                        \
  PTOGO_TYPES_THEN_VALUES(NAME, PTOGO_LIST(class T0, ), ptogo_one_type<T0>();)                                             \
  PTOGO_TYPES_THEN_VALUES(NAME, PTOGO_LIST(class T0, class T1, ), PTOGO_LIST(ptogo_one_type<T0>(), ptogo_one_type<T1>());) \
  PTOGO_TYPES_THEN_VALUES(NAME, PTOGO_LIST(class T0, class T1, class T2, ), PTOGO_LIST(ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>());) \
  PTOGO_TYPES_THEN_VALUES(NAME, PTOGO_LIST(class T0, class T1, class T2, class T3, ), PTOGO_LIST(ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>());) \
  PTOGO_TYPES_THEN_VALUES(NAME, PTOGO_LIST(class T0, class T1, class T2, class T3, class T4, ), PTOGO_LIST(ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>(), ptogo_one_type<T4>());) \
  PTOGO_TYPES_THEN_VALUES(NAME, PTOGO_LIST(class T0, class T1, class T2, class T3, class T4, class T5, ), PTOGO_LIST(ptogo_one_type<T0>(), ptogo_one_type<T1>(), ptogo_one_type<T2>(), ptogo_one_type<T3>(), ptogo_one_type<T4>(), ptogo_one_type<T5>());)
#define PTOGO_LIST(...) __VA_ARGS__
#define PTOGO_TYPES_THEN_VALUES(NAME, TYPES, TELL)                                              \
  template <TYPES auto V0, auto... V, class... A> inline RecordEvent NAME(A &&...a) {           \
    PTOGO_START(NAME);                                                                          \
    TELL ptogo_value_argument<V0>(), (ptogo_value_argument<V>(), ...);                          \
    return ptogo_finish(a...);                                                                  \
  }
#include "ptogo_instructions.inc"

// A tile of up to six dimensions, of which a negative extent is a value, with the geometry of the patches of a feature map.
template <int... N> struct ConvTileShape {
  static constexpr int totalDimCount = sizeof...(N), dynamicDimCount = (0 + ... + (N == -1));
  static constexpr int64_t staticShape[6] = {N...};
};
// The registers of the patch engine: the feature map, repetitions and the padding.
// It has two sets of registers for feature maps and repetitions, of which a mode selects one.
constexpr bool ptogo_set_b(SetFmatrixMode m) { return m == SetFmatrixMode::FMATRIX_B_AUTO || m == SetFmatrixMode::FMATRIX_B_MANUAL; }
#define PTOGO_REGISTER(NAME) template <bool B> inline int64_t ptogo_##NAME;
PTOGO_REGISTER(map_h) PTOGO_REGISTER(map_w) PTOGO_REGISTER(map_left) PTOGO_REGISTER(map_right) PTOGO_REGISTER(map_top) PTOGO_REGISTER(map_bottom)
PTOGO_REGISTER(repeat_stride) PTOGO_REGISTER(repeat_time) PTOGO_REGISTER(repeat_mode)
#ifdef PTO_NPU_ARCH_A5
constexpr bool ptogo_repeat_b(SetFmatrixMode m) { return ptogo_set_b(m); }
#else
constexpr bool ptogo_repeat_b(SetFmatrixMode) { return false; }
#endif
inline int64_t ptogo_padding;
template <TileType R, class T, int Size, Layout L, class Shape_> struct ConvTile {
  using DType = T;
  using TileDType = T *;
  using ShapeType = Shape_;
  static constexpr TileType Loc = R;
  static constexpr int bufferSize = Size, totalDimCount = Shape_::totalDimCount, dynamicDimCount = Shape_::dynamicDimCount;
  static constexpr int64_t staticShape[6] = {Shape_::staticShape[0], Shape_::staticShape[1], Shape_::staticShape[2],
                                             Shape_::staticShape[3], Shape_::staticShape[4], Shape_::staticShape[5]};
  static constexpr Layout layout = L;
  int64_t address_;
  int64_t extents_[dynamicDimCount > 0 ? dynamicDimCount : 1];
  int64_t fmap_h_, fmap_w_, left_, right_, top_, bottom_, filter_h_, filter_w_, stride_h_, stride_w_, dilation_h_, dilation_w_, channels_;
  int64_t repeat_stride_, repeat_time_, repeat_mode_, pad_, dst_stride_, dst_position_;
  ConvTile() {
    fmap_h_ = fmap_w_ = left_ = right_ = top_ = bottom_ = channels_ = repeat_stride_ = repeat_mode_ = pad_ = dst_stride_ = dst_position_ = 0;
    filter_h_ = filter_w_ = stride_h_ = stride_w_ = dilation_h_ = dilation_w_ = repeat_time_ = 1;
  }
  template <class... X, class = std::enable_if_t<(sizeof...(X) > 0) && (std::is_convertible_v<X, int64_t> && ...)>> explicit ConvTile(X... x) : ConvTile() {
    SetDynamicShape(x...);
  }
  template <class... X> void SetDynamicShape(X... x) {
    static_assert(sizeof...(X) == dynamicDimCount, "one argument for each extent that is -1");
    int i = 0;
    ((extents_[i++] = (int64_t)x), ...);
  }
  T *data() const { return (T *)(uintptr_t)((uint64_t)address_ + ptogo_local); }
  template <int... I> static constexpr int ptogo_open(int before, std::integer_sequence<int, I...>) { return (0 + ... + (I < before && staticShape[I] == -1)); }
  constexpr int64_t GetShape(int i) const {
    if (i < 0 || i >= totalDimCount) return -1;
    return staticShape[i] == -1 ? extents_[ptogo_open(i, std::make_integer_sequence<int, 6>())] : staticShape[i];
  }
#define PTOGO_SETTING(NAME, FIELD, TYPE)              \
  void Set##NAME(TYPE n) { FIELD = n; }               \
  TYPE Get##NAME() const { return FIELD; }
  PTOGO_SETTING(FmapH, fmap_h_, uint16_t) PTOGO_SETTING(FmapW, fmap_w_, uint16_t) PTOGO_SETTING(FilterH, filter_h_, uint16_t) PTOGO_SETTING(FilterW, filter_w_, uint16_t)
  PTOGO_SETTING(StrideH, stride_h_, uint8_t) PTOGO_SETTING(StrideW, stride_w_, uint8_t) PTOGO_SETTING(DilationH, dilation_h_, uint8_t) PTOGO_SETTING(DilationW, dilation_w_, uint8_t)
  PTOGO_SETTING(ChannelSize, channels_, uint16_t) PTOGO_SETTING(RepeatStride, repeat_stride_, uint16_t) PTOGO_SETTING(RepeatTime, repeat_time_, uint8_t)
  PTOGO_SETTING(RepeatMode, repeat_mode_, uint8_t) PTOGO_SETTING(DstStride, dst_stride_, uint16_t) PTOGO_SETTING(DstMposition, dst_position_, uint16_t)
  void SetTranspose(bool on) {
    if (on) ptogo_missing("SetTranspose(true)");
  }
  bool GetTranspose() const { return false; }
  void SetPadValue(T v) {
    if constexpr (sizeof(T) == 4) pad_ = __builtin_bit_cast(uint32_t, v);
    else if constexpr (sizeof(T) == 2) pad_ = __builtin_bit_cast(uint16_t, v);
    else pad_ = __builtin_bit_cast(uint8_t, v);
  }
  void SetPadList(int n, uint8_t pad) { (n == 0 ? left_ : n == 1 ? right_ : n == 2 ? top_ : bottom_) = pad; }
  void SetPadListArray(const uint8_t pads[4]) { left_ = pads[0], right_ = pads[1], top_ = pads[2], bottom_ = pads[3]; }
};
template <TileType R, class T, int Size, Layout L, class Sh> inline void ptogo_put(const ConvTile<R, T, Size, L, Sh> &t) {
  constexpr int n = Sh::totalDimCount;
  int64_t rows = 1;
  if constexpr (n > 1) rows *= t.GetShape(0);
  if constexpr (n > 2) rows *= t.GetShape(1);
  if constexpr (n > 3) rows *= t.GetShape(2);
  if constexpr (n > 4) rows *= t.GetShape(3);
  if constexpr (n > 5) rows *= t.GetShape(4);
  const int64_t *s = Sh::staticShape;
  ptogo_conv((int)R, ptogo_element_of<T>(), (int)L, Size, n, s[0], s[1], s[2], s[3], s[4], s[5], t.address_, rows);
}
template <SetFmatrixMode M, class C> inline void ptogo_set_map(const C &c) {
  constexpr bool B = ptogo_set_b(M);
  ptogo_map_h<B> = c.fmap_h_, ptogo_map_w<B> = c.fmap_w_, ptogo_map_left<B> = c.left_, ptogo_map_right<B> = c.right_;
  ptogo_map_top<B> = c.top_, ptogo_map_bottom<B> = c.bottom_;
}
template <SetFmatrixMode M, class C> inline void ptogo_set_repeat(const C &c) {
  constexpr bool B = ptogo_repeat_b(M);
  ptogo_repeat_stride<B> = c.repeat_stride_, ptogo_repeat_time<B> = c.repeat_time_, ptogo_repeat_mode<B> = c.repeat_mode_;
}
#define PTOGO_ENGINE(NAME, ...)                                                                                                      \
  template <class C, SetFmatrixMode M = SetFmatrixMode::FMATRIX_A_MANUAL, class... E> inline RecordEvent NAME(C &c, E &...events) {  \
    (ptogo_wait(events), ...);                                                                                                       \
    __VA_ARGS__;                                                                                                                     \
    return {};                                                                                                                       \
  }
PTOGO_ENGINE(SETFMATRIX, ptogo_set_map<M>(c)) PTOGO_ENGINE(SET_IMG2COL_RPT, ptogo_set_repeat<M>(c)) PTOGO_ENGINE(SET_IMG2COL_PADDING, ptogo_padding = c.pad_)
template <class D, class C, SetFmatrixMode M = SetFmatrixMode::FMATRIX_A_MANUAL, class... E>
inline RecordEvent TIMG2COL(D &dst, C &src, uint16_t row = 0, uint16_t col = 0, E &...events) {
  (ptogo_wait(events), ...);
  constexpr bool B = ptogo_set_b(M), repeat = ptogo_repeat_b(M);
  if constexpr (M == SetFmatrixMode::FMATRIX_A_AUTO || M == SetFmatrixMode::FMATRIX_B_AUTO) ptogo_set_map<M>(src), ptogo_set_repeat<M>(src), ptogo_padding = src.pad_;
#ifdef PTO_NPU_ARCH_A5 // a kernel states the distance of columns of fractals, which here is that of the tile
  if (src.dst_stride_ != 0 && src.dst_stride_ != D::Rows / 16) ptogo_missing("SetDstStride with another distance than that of the tile");
  if (src.dst_position_ != 0) ptogo_missing("SetDstMposition");
#endif
  ptogo_begin("TIMG2COL");
  ptogo_put(dst), ptogo_put(src);
  ptogo_put_scalar((int64_t)row), ptogo_put_scalar((int64_t)col);
  ptogo_patches(ptogo_map_h<B>, ptogo_map_w<B>, ptogo_map_left<B>, ptogo_map_right<B>, ptogo_map_top<B>, ptogo_map_bottom<B>, src.filter_h_, src.filter_w_,
                src.stride_h_, src.stride_w_, src.dilation_h_, src.dilation_w_, src.channels_, ptogo_padding, ptogo_repeat_stride<repeat>,
                ptogo_repeat_time<repeat> == 0 ? 1 : ptogo_repeat_time<repeat>, ptogo_repeat_mode<repeat>);
  return {};
}

template <class T, class D, class S> inline void TMovToVecNd2Nz(T *to, T *from, int64_t rows, int64_t cols, int64_t) {
  D dst(rows, cols);
  S src(rows, cols);
  dst.address_ = ptogo_local_address(to), src.address_ = ptogo_local_address(from);
  TMOV(dst, src);
}
template <TileType R, class T, int Rows, int Cols, BLayout B, int VR, int VC, SLayout S, int F, auto Pad, CompactMode C>
inline T Tile<R, T, Rows, Cols, B, VR, VC, S, F, Pad, C>::GetValue(int64_t index) const {
  ptogo_begin("GetValue");
  ptogo_put(*this);
  if constexpr (std::is_same_v<T, float>) return ptogo_get_f32(index);
  else if constexpr (std::is_same_v<T, half>) return ptogo_get_f16(index);
  else if constexpr (std::is_same_v<T, bfloat16_t>) return ptogo_get_bf16(index);
  else return (T)ptogo_get_int(index);
}
template <TileType R, class T, int Rows, int Cols, BLayout B, int VR, int VC, SLayout S, int F, auto Pad, CompactMode C>
inline void Tile<R, T, Rows, Cols, B, VR, VC, S, F, Pad, C>::SetValue(int64_t index, T value) {
  ptogo_begin("SetValue");
  ptogo_put(*this);
  ptogo_put_scalar<T>(value);
  ptogo_set(index);
}

// In the automatic mode of the library, the compiler places all tiles.
#ifdef __PTO_AUTO__
template <class T, class A> inline void TASSIGN(T &t, A address) {
  if constexpr (ptogo_is_view<T>::value) t.base_ = address;
}
template <auto Address, class T> inline void TASSIGN(T &) {}
#else
template <class T, class A> inline void TASSIGN(T &t, A address) {
  if constexpr (ptogo_is_view<T>::value) t.base_ = address;
  else t.address_ = (int64_t)((uint64_t)address & (ptogo_local - 1));
}
template <auto Address, class T> inline void TASSIGN(T &t) { t.address_ = (int64_t)Address; }
#endif
template <class D, class S> inline RecordEvent TRESHAPE(D &dst, const S &src) { return dst.address_ = src.address_, RecordEvent{}; }
template <class D, class S> inline void TSUBVIEW(D &dst, const S &src, int64_t row, int64_t col) {
  dst.address_ = src.address_ + (row * S::RowStride + col * S::ColStride) * (int64_t)sizeof(typename S::DType);
}
// Queues between the cube core and the vector cores. The calls name the queue by its first flag, of which a core has one queue.
template <uint32_t Size, uint32_t Slots, uint32_t Locals> struct RingFIFO {
  static constexpr uint32_t SLOT_SIZE = Size, SLOT_NUM = Slots, LOCAL_SLOT_NUM = Locals;
};
// One end of a queue: the number of its next entry. A kernel that leaves out signals has no counterpart.
struct ptogo_queue_end {
  uint32_t tileIndex = 0;
#define PTOGO_STATUS(NAME) void NAME(bool on) { if (!on) ptogo_missing(#NAME "(false)"); }
  PTOGO_STATUS(setAllocateStatus) PTOGO_STATUS(setRecordStatus) PTOGO_STATUS(setWaitStatus) PTOGO_STATUS(setFreeStatus)
  void setTileId(int, int) { ptogo_missing("setTileId"); }
  void setEntryOffset(int) { ptogo_missing("setEntryOffset"); }
};
template <uint8_t Flag, uint8_t Dir, uint32_t SlotSize, uint32_t Slots, uint32_t LocalSlots = 2, bool Whole = false, bool UnitFlag = false>
struct TPipe {
  struct Producer : ptogo_queue_end {} prod;
  struct Consumer : ptogo_queue_end {} cons;
  using RingFiFo = RingFIFO<SlotSize, Slots, LocalSlots>;
  static constexpr uint32_t SyncPeriod = Slots <= 2 ? Slots : Slots / 2;
  // The destructor waits for signals that no further entry waits for. Here, the queue itself counts free slots.
  static constexpr uint32_t countPendingFreeCredits(uint32_t count) {
    const uint32_t freed = count / SyncPeriod;
    uint32_t waited = 0;
    for (uint32_t i = Slots; i < count; i++) waited += i % SyncPeriod == 0;
    return freed > waited ? freed - waited : 0;
  }
  static constexpr int flag = Flag;
  static constexpr bool unit_flag = UnitFlag;
  static constexpr uint32_t slot_size = SlotSize;
  char *slots_;
  explicit TPipe(const void *slots, uint32_t to_vector, uint32_t to_cube) : slots_((char *)slots) {
    ptogo_pipe(Flag, Dir, SlotSize, Slots, LocalSlots, Whole, slots, (int64_t)to_vector, (int64_t)to_cube);
  }
  // An entry in global memory is accessed by its address. A vector core has one half of it, unless it is not split.
  template <TileSplitAxis S, class T> void at(T &slot, uint32_t entry) const {
    char *p = slots_ + (uint64_t)(entry % Slots) * SlotSize;
#ifndef __DAV_CUBE__
    constexpr int64_t cols = T::staticShape[4] * sizeof(typename T::DType);
    if constexpr (S != TileSplitAxis::TILE_NO_SPLIT) p += get_subblockid() * (S == TileSplitAxis::TILE_UP_DOWN ? T::staticShape[3] * cols : cols);
#endif
    slot.base_ = (typename T::DType *)p;
  }
};
template <class P, class T, TileSplitAxis S, class... E> inline RecordEvent TPUSH(P &pipe, T &tile, E &...events) {
  (ptogo_wait(events), ...);
  if constexpr (ptogo_is_view<T>::value) ptogo_slot("push", P::flag, (int)S, P::slot_size);
  else {
    if constexpr (P::unit_flag) ptogo_missing("TPipe with EN_UNIT_FLAG");
    pipe.prod.tileIndex++;
    ptogo_begin("TPUSH");
    ptogo_put(tile);
    ptogo_push(P::flag, (int)S);
  }
  return {};
}
template <LayoutMode_t L = LayoutMode_t::NZ2ND, QuantMode_t Q = QuantMode_t::NoQuant, ReluPreMode R = ReluPreMode::NoRelu, auto... More> struct FixpipeParams {};
template <class P, class T, class Config, class... E> inline std::enable_if_t<std::is_class_v<Config>, RecordEvent> TPUSH(P &, T &, E &...) {
  return ptogo_missing("TPUSH with a conversion"), RecordEvent{};
}
template <class P, class T, TileSplitAxis S, class... E> inline RecordEvent TPOP(P &pipe, T &tile, E &...events) {
  (ptogo_wait(events), ...);
  if constexpr (ptogo_is_view<T>::value) {
    ptogo_slot("pop", P::flag, (int)S, P::slot_size);
    pipe.template at<S>(tile, pipe.cons.tileIndex++);
  } else {
    pipe.cons.tileIndex++;
    ptogo_begin("TPOP");
    tile.address_ = 0;
    ptogo_put(tile);
    tile.address_ = ptogo_pop(P::flag, (int)S);
  }
  return {};
}
template <class P, class T, TileSplitAxis S, class... E> inline RecordEvent TALLOC(P &pipe, T &slot, E &...events) {
  (ptogo_wait(events), ...);
  ptogo_slot("alloc", P::flag, (int)S, P::slot_size);
  pipe.template at<S>(slot, pipe.prod.tileIndex++);
  return {};
}
template <class P, TileSplitAxis S, class... E> inline RecordEvent TFREE(P &, E &...events) {
  return (ptogo_wait(events), ...), ptogo_free(P::flag, (int)S), RecordEvent{};
}
template <class P, class T, TileSplitAxis S, class... E> inline RecordEvent TFREE(P &, T &, E &...events) {
  return (ptogo_wait(events), ...), ptogo_slot("free", P::flag, (int)S, P::slot_size), RecordEvent{};
}
template <class... T> inline void TSYNC(T &...events) { (events.Wait(), ...); }
template <Op O> inline void TSYNC() { ptogo_barrier(ptogo_pipe_of(O)); }
template <pipe_t From, pipe_t To> inline void PtoSetWaitFlag(event_t event = EVENT_ID0) { set_flag(From, To, event), wait_flag(From, To, event); }

// Communication between ranks.
namespace comm {
using pto::NotifyOp;
using pto::ReduceOp;
using pto::WaitCmp;
struct Signal : GlobalTensor<int32_t, pto::Shape<1, 1, 1, 1, 1>, pto::Stride<1, 1, 1, 1, 1>> {
  Signal(int32_t *at) : GlobalTensor(at) {}
};
template <class... A> inline void TNOTIFY(A &&...a) { (ptogo_wait(a), ...), ptogo_begin("comm.TNOTIFY"), ptogo_finish(a...); }
template <class... A> inline void TWAIT(A &&...a) { (ptogo_wait(a), ...), ptogo_begin("comm.TWAIT"), ptogo_finish(a...); }
template <class... A> inline bool TTEST(A &&...a) {
  (ptogo_wait(a), ...), ptogo_begin("comm.TTEST"), (ptogo_put(a), ...);
  return ptogo_test();
}
template <AtomicType V = AtomicType::AtomicNone, class... A> inline RecordEvent TPUT(A &&...a) {
  (ptogo_wait(a), ...), ptogo_begin("comm.TPUT"), ptogo_value_argument<V>();
  return ptogo_finish(a...);
}
template <class... A> inline RecordEvent TGET(A &&...a) {
  (ptogo_wait(a), ...), ptogo_begin("comm.TGET");
  return ptogo_finish(a...);
}
template <class G> struct ParallelGroup {
  using value_type = G;
  G *tensors = nullptr;
  int nranks = 0, rootIdx = -1;
  ParallelGroup() = default;
  ParallelGroup(G *all, int size, int root) : tensors(all), nranks(size), rootIdx(root) {}
  static ParallelGroup Create(G *all, int size, int root) { return ParallelGroup(all, size, root); }
  int GetRootIdx() const { return rootIdx; }
  int GetSize() const { return nranks; }
  bool empty() const { return nranks == 0; }
  G &operator[](int n) { return tensors[n]; }
};
// The views of a group follow the other arguments. A group of more ranks than these has no counterpart.
template <class G, int... I> inline void ptogo_put_group(const ParallelGroup<G> &group, std::integer_sequence<int, I...>) {
  ptogo_int_argument(group.rootIdx);
  ((I < group.nranks ? ptogo_put(group.tensors[I]) : (void)0), ...);
  if (group.nranks > (int)sizeof...(I)) ptogo_missing("a group of more than 16 ranks");
}
#define PTOGO_COLLECTIVE(NAME)                                                                                        \
  template <class G, class... A> inline RecordEvent NAME(ParallelGroup<G> &group, A &&...a) {                         \
    (ptogo_wait(a), ...), ptogo_begin("comm." #NAME), (ptogo_put(a), ...);                                            \
    ptogo_put_group(group, std::make_integer_sequence<int, 16>());                                                    \
    ptogo_end();                                                                                                      \
    return {};                                                                                                        \
  }
PTOGO_COLLECTIVE(TBROADCAST) PTOGO_COLLECTIVE(TGATHER) PTOGO_COLLECTIVE(TSCATTER) PTOGO_COLLECTIVE(TREDUCE)
} // namespace comm
} // namespace pto
#include "pto/ptogo_vector.hpp"
#include "pto/ptogo_mpipe.hpp"
#include "pto/ptogo_async.hpp"
#include "pto/ptogo_kernels.hpp"
