// Vector micro-instructions of A5. A register, a mask or the state of an unaligned access is the
// number that the call returns which writes it, so that the variables of a kernel disappear in
// LLVM IR. An unaligned or advancing access is an ordinary one and a sum of the pointer.
// ptogo_vector.inc, which ptogo writes, contains the words that select variants, and the names of
// the instructions that have registers as results.
#pragma once
extern "C" {
void ptogo_register(int element, int64_t id) noexcept;
void ptogo_mask(int64_t id) noexcept;
void ptogo_align(int64_t id) noexcept;
void ptogo_local_pointer(int element, const void *address) noexcept;
// The end of a call with results, of which it returns the first. The argument is the element type
// of a register, the negative width of the lanes of a mask, -1 for the state of an unaligned
// access, or 0 for a mask like the first operand.
int64_t ptogo_vector(int kind) noexcept;
int64_t ptogo_second(int kind) noexcept;
void ptogo_vector_end() noexcept;
void ptogo_mem_bar(int order) noexcept;
void ptogo_scope(bool end) noexcept;
}
struct ptogo_vector_scope {
  ptogo_vector_scope() { ptogo_scope(false); }
  ~ptogo_vector_scope() { ptogo_scope(true); }
};
#define __VEC_SCOPE__ if (ptogo_vector_scope ptogo_in_scope; true)

template <class T> struct RegTensor {
  using RegType = RegTensor;
  int64_t id;
};
struct MaskReg { int64_t id; };
struct UnalignReg { int64_t id; };
using vector_bool = MaskReg;
using vector_align = UnalignReg;
using vector_f32 = RegTensor<float>;
using vector_f16 = RegTensor<half>;
using vector_bf16 = RegTensor<bfloat16_t>;
using vector_s32 = RegTensor<int32_t>;
using vector_u32 = RegTensor<uint32_t>;
using vector_s16 = RegTensor<int16_t>;
using vector_u16 = RegTensor<uint16_t>;
using vector_s8 = RegTensor<int8_t>;
using vector_u8 = RegTensor<uint8_t>;

// Words are types, so that a call states them by name.
#define PTOGO_WORD(NAME)              \
  struct ptogo_word_##NAME {};        \
  constexpr ptogo_word_##NAME NAME{}; \
  inline void ptogo_lane(ptogo_word_##NAME) { ptogo_other(#NAME); }
template <class T> inline void ptogo_lane(const RegTensor<T> &r) { ptogo_register(pto::ptogo_element_of<T>(), r.id); }
inline void ptogo_lane(const MaskReg &m) { ptogo_mask(m.id); }
inline void ptogo_lane(const UnalignReg &u) { ptogo_align(u.id); }
template <class T> inline void ptogo_lane(T *p) { ptogo_local_pointer(pto::ptogo_element_of<T>(), (const void *)p); }
template <class T> inline std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>> ptogo_lane(T x) {
  pto::ptogo_put_scalar<T>(x);
}
#define PTOGO_LANES(NAME)                                                             \
  template <class T, class... A> inline void NAME(RegTensor<T> &dst, const A &...a) { \
    ptogo_begin(#NAME), (ptogo_lane(a), ...);                                         \
    dst.id = ptogo_vector(pto::ptogo_element_of<T>());                                \
  }
#define PTOGO_PAIR_OF_LANES(NAME)                                                                             \
  template <class T, class... A> inline void NAME(RegTensor<T> &low, RegTensor<T> &high, const A &...a) {     \
    ptogo_begin(#NAME), (ptogo_lane(a), ...);                                                                 \
    const int64_t id = ptogo_vector(pto::ptogo_element_of<T>());                                              \
    high.id = ptogo_second(pto::ptogo_element_of<T>()), low.id = id;                                          \
  }
#define PTOGO_MASK(NAME)                                                   \
  template <class... A> inline void NAME(MaskReg &dst, const A &...a) {    \
    ptogo_begin(#NAME), (ptogo_lane(a), ...);                              \
    dst.id = ptogo_vector(0);                                              \
  }
#include "pto/ptogo_vector.inc"

// Instructions that add to their destination.
template <class T, class... A> inline void vmula(RegTensor<T> &dst, const RegTensor<T> &a, const RegTensor<T> &b, const A &...more) {
  ptogo_begin("vmula"), ptogo_lane(dst), ptogo_lane(a), ptogo_lane(b), (ptogo_lane(more), ...);
  dst.id = ptogo_vector(pto::ptogo_element_of<T>());
}
template <class T, class S, class... A> inline void vaxpy(RegTensor<T> &dst, const RegTensor<T> &a, S factor, const A &...more) {
  ptogo_begin("vaxpy"), ptogo_lane(a), ptogo_lane(dst), ptogo_lane(factor), (ptogo_lane(more), ...);
  dst.id = ptogo_vector(pto::ptogo_element_of<T>());
}

#define PTOGO_COMPARE(MODE)                                                                                     \
  template <class T, class... A> inline void vcmp_##MODE(MaskReg &dst, const RegTensor<T> &a, const A &...b) {  \
    ptogo_begin("vcmp"), ptogo_other(#MODE), ptogo_lane(a), (ptogo_lane(b), ...);                               \
    dst.id = ptogo_vector(-8 * (int)sizeof(T));                                                                 \
  }                                                                                                             \
  template <class T, class... A> inline void vcmps_##MODE(MaskReg &dst, const RegTensor<T> &a, const A &...b) { \
    ptogo_begin("vcmps"), ptogo_other(#MODE), ptogo_lane(a), (ptogo_lane(b), ...);                              \
    dst.id = ptogo_vector(-8 * (int)sizeof(T));                                                                 \
  }
PTOGO_COMPARE(eq) PTOGO_COMPARE(ne) PTOGO_COMPARE(lt) PTOGO_COMPARE(le) PTOGO_COMPARE(gt) PTOGO_COMPARE(ge)

// Masks of a pattern, and of the first lanes of a number of elements, which the call counts down.
#define PTOGO_MASKS(BITS)                                                                              \
  template <class P> inline MaskReg pset_b##BITS(P pattern) {                                          \
    return ptogo_begin("pset_b" #BITS), ptogo_lane(pattern), MaskReg{ptogo_vector(-BITS)};             \
  }                                                                                                    \
  template <class P> inline MaskReg pge_b##BITS(P pattern) {                                           \
    return ptogo_begin("pge_b" #BITS), ptogo_lane(pattern), MaskReg{ptogo_vector(-BITS)};              \
  }                                                                                                    \
  template <class N> inline MaskReg plt_b##BITS(N &n, ptogo_word_POST_UPDATE) {                        \
    constexpr N lanes = 2048 / BITS;                                                                   \
    ptogo_begin("plt_b" #BITS), pto::ptogo_put_scalar<N>(n);                                           \
    const MaskReg mask{ptogo_vector(-BITS)};                                                           \
    n = n > lanes ? n - lanes : 0;                                                                     \
    return mask;                                                                                       \
  }
PTOGO_MASKS(8) PTOGO_MASKS(16) PTOGO_MASKS(32)
template <class T> inline MaskReg CreatePredicate(uint32_t &n) {
  if constexpr (sizeof(T) == 1) return plt_b8(n, POST_UPDATE);
  else if constexpr (sizeof(T) == 2) return plt_b16(n, POST_UPDATE);
  else return plt_b32(n, POST_UPDATE);
}

// Loads and stores.
template <class D, class T, class W = ptogo_word_NORM> inline void vlds(RegTensor<D> &dst, T *p, int64_t offset, W how = {}) {
  ptogo_begin("vlds"), ptogo_lane(p), ptogo_lane(offset), ptogo_lane(how);
  dst.id = ptogo_vector(pto::ptogo_element_of<D>());
}
template <class D, class T, class W> inline void vlds(RegTensor<D> &dst, T *&p, int64_t step, W how, ptogo_word_POST_UPDATE) { vlds(dst, p, 0, how), p += step; }
template <class D, class T, class W> inline void vlds(RegTensor<D> &low, RegTensor<D> &high, T *p, int64_t offset, W how) {
  ptogo_begin("vldsx2"), ptogo_lane(p), ptogo_lane(offset), ptogo_lane(how);
  const int64_t id = ptogo_vector(pto::ptogo_element_of<D>());
  high.id = ptogo_second(pto::ptogo_element_of<D>()), low.id = id;
}
template <class D, class T, class W> inline void vlds(RegTensor<D> &low, RegTensor<D> &high, T *&p, int64_t step, W how, ptogo_word_POST_UPDATE) {
  vlds(low, high, p, 0, how), p += step;
}
template <class S, class T, class W> inline void vsts(const RegTensor<S> &value, T *p, int64_t offset, W how, MaskReg mask) {
  ptogo_begin("vsts"), ptogo_lane(value), ptogo_lane(p), ptogo_lane(offset), ptogo_lane(how), ptogo_lane(mask);
  ptogo_vector_end();
}
template <class S, class T, class W> inline void vsts(const RegTensor<S> &value, T *&p, int64_t step, W how, MaskReg mask, ptogo_word_POST_UPDATE) {
  vsts(value, p, 0, how, mask), p += step;
}
template <class S, class T, class W> inline void vsts(const RegTensor<S> &low, const RegTensor<S> &high, T *p, int64_t offset, W how, MaskReg mask) {
  ptogo_begin("vstsx2"), ptogo_lane(low), ptogo_lane(high), ptogo_lane(p), ptogo_lane(offset), ptogo_lane(how), ptogo_lane(mask);
  ptogo_vector_end();
}
template <class T> inline void vldas(UnalignReg &state, T *p) { ptogo_begin("vldas"), ptogo_lane(p), state.id = ptogo_vector(-1); }
template <class D, class T> inline void vldus(RegTensor<D> &dst, UnalignReg &state, T *p) {
  ptogo_begin("vldus"), ptogo_lane(p), ptogo_lane(state);
  dst.id = ptogo_vector(pto::ptogo_element_of<D>());
  state.id = ptogo_second(-1);
}
template <class D, class T> inline void vldus(RegTensor<D> &dst, UnalignReg &state, T *&p, int64_t step, ptogo_word_POST_UPDATE) { vldus(dst, state, p), p += step; }
inline void mem_bar(mem_bar_t order) { ptogo_mem_bar((int)order); }
