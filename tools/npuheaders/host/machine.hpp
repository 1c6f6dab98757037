// The machine that both targets share: element types, memories, and the faults that end a
// kernel or are recorded. Vector memory is mapped at address 0, since headers dereference
// its addresses; the memories of the cube unit are arrays.
#pragma once

// Qualifiers of pointers. Only that of global memory is part of a type that headers compare.
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

typedef _Float16 half;
typedef _Float16 float16_t;
typedef float float32_t;
typedef __bf16 bfloat16_t;
#define BYTE_TYPE(name) \
    struct name { \
        unsigned char bits; \
        name() = default; \
        name(const name&) = default; \
        name(const volatile name& x) : bits(x.bits) {} \
        name& operator=(const name&) = default; \
        name& operator=(const volatile name& x) { bits = x.bits; return *this; } \
        name& operator=(const volatile name&& x) { bits = x.bits; return *this; } \
        void operator=(const name& x) volatile { bits = x.bits; } \
        void operator=(const volatile name& x) volatile { bits = x.bits; } \
        template <class T> constexpr explicit name(T) : bits(0) {} \
        operator float() const { return 0; } \
    }
BYTE_TYPE(float4_e2m1x2_t);
BYTE_TYPE(float4_e1m2x2_t);
#include "bytes.hpp"

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX, PIPE_MTE4, PIPE_MTE5, PIPE_V2 };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum QuantMode_t {
    NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, REQ8, VREQ8, SHIFTS322S16, VSHIFTS322S16, QF322B8_PRE, VQF322B8_PRE,
    QF322F16_PRE, VQF322F16_PRE, QF322BF16_PRE, VQF322BF16_PRE, QF322F32_PRE, VQF322F32_PRE, QF322FP8_PRE,
    VQF322FP8_PRE, QF322HIF8_PRE, VQF322HIF8_PRE, QS322BF16_PRE, VQS322BF16_PRE
};
enum atomic_type_t { ATOMIC_NONE };
enum pad_t { PAD_NONE };
enum class cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };
namespace __cce_scalar {
enum addr_cal_mode_t { INC };
}

namespace device {

typedef uint64_t u64;

inline int blocks = 1, block = 0, faults = 0;

// stop ends a kernel that needs an intrinsic without a meaning, or leaves its memory.
[[noreturn]] inline void stop(const char* why, const char* name)
{
    std::fprintf(stderr, "%s: %s\n", why, name);
    std::fflush(stderr);
    std::_Exit(4);
}

// asserted records that an assertion of a header failed. The kernel goes on, as it does in
// the headers without debugging.
inline void asserted(const char* condition, const char* file, int line)
{
    const char* in = std::strstr(file, "include/pto/");
    if (faults++ < 3) std::fprintf(stderr, "assertion: %s:%d: %s\n", in ? in + 12 : file, line, condition);
}

// assumes records that a kernel needs a meaning that follows from the headers or from this
// project alone (Assumptions in assumptions.go), so an equal result may be circular.
inline const char* assumed[32];
inline void assumes(const char* name)
{
    for (const char*& a : assumed) {
        if (a && std::strcmp(a, name) == 0) return;
        if (!a) {
            a = name;
            return;
        }
    }
}

#if __NPU_ARCH__ == 2201
constexpr u64 ubSize = 192 << 10;
#else
constexpr u64 ubSize = 256 << 10;
#endif

// start maps vector memory at address 0.
inline void start()
{
    void* p = mmap(nullptr, ubSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (p != nullptr) stop("cannot map vector memory", "address 0");
}

// ub checks n bytes at address p of vector memory, which must be a multiple of align.
inline void ub(u64 p, u64 n, u64 align, const char* name)
{
    if (p + n > ubSize || p + n < p) stop("outside vector memory", name);
    if (p % align && faults++ < 3) std::fprintf(stderr, "alignment: %s at address %llu\n", name, (unsigned long long)p);
}

// copy copies n bytes. It does not call memcpy, which may treat address 0 as an error.
inline void copy(volatile void* to, const volatile void* from, u64 n)
{
    volatile char* d = (volatile char*)to;
    const volatile char* s = (const volatile char*)from;
    if (d <= s) {
        for (u64 i = 0; i < n; i++) d[i] = s[i];
    } else {
        for (u64 i = n; i-- > 0;) d[i] = s[i];
    }
}

template <class T> inline T get(u64 p)
{
    T v;
    copy(&v, (const volatile void*)p, sizeof(T));
    return v;
}
template <class T> inline void put(u64 p, T v) { copy((volatile void*)p, &v, sizeof(T)); }

template <class T> constexpr bool isFloat = std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

// The memories of the cube unit.
enum space { L1, L0A, L0B, L0C, BT, FB };
#if __NPU_ARCH__ == 2201
constexpr u64 spaceSize[] = {512 << 10, 64 << 10, 64 << 10, 128 << 10, 1 << 10, 7 << 10};
#else
constexpr u64 spaceSize[] = {512 << 10, 64 << 10, 64 << 10, 256 << 10, 4 << 10, 7 << 10};
#endif
inline unsigned char cube[6][512 << 10];

// at returns the element that starts byte bytes past address p of a memory.
template <class T> inline T& at(space s, const volatile void* p, u64 byte)
{
    u64 a = (u64)p + byte;
    if (a + sizeof(T) > spaceSize[s]) stop("outside memory of the cube unit", "access");
    return *(T*)(cube[s] + a);
}

inline double rounded(double x, char mode)
{
    switch (mode) {
    case 'r': return std::nearbyint(x);
    case 'a': return std::round(x);
    case 'f': return std::floor(x);
    case 'c': return std::ceil(x);
    }
    return std::trunc(x);
}

inline u64 ctrl = 0;

// narrow rounds x to a float of 16 bits: to nearest even, or in the given mode.
template <class D> inline D narrow(float x, char mode)
{
    D near = (D)x;
    float y = (float)near;
    if (mode == 'r' || mode == 0 || y == x || x != x || std::isinf(x)) return near;
    uint16_t bits;
    std::memcpy(&bits, &near, 2);
    auto of = [](uint16_t b) {
        D d;
        std::memcpy(&d, &b, 2);
        return d;
    };
    D in = std::fabs(y) > std::fabs(x) ? of(bits - 1) : near; // towards zero
    D out = std::fabs(y) > std::fabs(x) ? near : of(bits + 1);
    uint16_t last;
    std::memcpy(&last, &in, 2);
    switch (mode) {
    case 'z': return in;
    case 'f': return x < 0 ? out : in;
    case 'c': return x < 0 ? in : out;
    case 'a': return std::fabs((double)x) * 2 >= std::fabs((double)(float)in) + std::fabs((double)(float)out) ? out : in;
    case 'o': return last & 1 ? in : out;
    }
    return near;
}

// convert converts a number. Integers saturate unless bit 59 of the control register asks
// that they wrap.
template <class D, class S> inline D convert(S s, char mode)
{
    if constexpr (isFloat<S> && isFloat<D>) {
        if constexpr (std::is_same_v<D, S>) return (D)rounded((double)(float)s, mode);
        else if constexpr (sizeof(D) < sizeof(S)) return narrow<D>((float)s, mode);
        else return (D)(float)s;
    } else if constexpr (isFloat<S>) {
        double x = rounded((double)(float)s, mode);
        if (x != x) return 0;
        if (ctrl >> 59 & 1 && sizeof(D) < 4) return (D)(int64_t)x;
        constexpr double lo = (double)std::numeric_limits<D>::min(), hi = (double)std::numeric_limits<D>::max();
        return x <= lo ? std::numeric_limits<D>::min() : x >= hi ? std::numeric_limits<D>::max() : (D)x;
    } else if constexpr (isFloat<D>) {
        if constexpr (std::is_same_v<D, float>) {
            float near = (float)s;
            double off = (double)near - (double)s;
            if (mode == 'f' && off > 0 || mode == 'z' && s > 0 && off > 0) return std::nextafter(near, -INFINITY);
            if (mode == 'c' && off < 0 || mode == 'z' && s < 0 && off < 0) return std::nextafter(near, INFINITY);
            return near;
        } else {
            return narrow<D>((float)s, mode ? mode : 'r');
        }
    } else {
        if (ctrl >> 59 & 1) return (D)s;
        constexpr int64_t lo = std::numeric_limits<D>::min(), hi = sizeof(D) == 8 ? INT64_MAX : (int64_t)std::numeric_limits<D>::max();
        int64_t x = (int64_t)s;
        return x < lo ? (D)lo : x > hi ? (D)hi : (D)x;
    }
}

// The functions of elements. Floats of 16 bits are computed in f32 and rounded once.
template <class T> inline bool nan(T x)
{
    if constexpr (isFloat<T>) return x != x;
    else return false;
}
// zeros reports whether a and b are zeros of different signs.
template <class T> inline bool zeros(T a, T b)
{
    if constexpr (isFloat<T>) {
        if (a != 0 || b != 0 || std::signbit((float)a) == std::signbit((float)b)) return false;
        assumes("zeros of maxima and minima");
        return true;
    }
    return false;
}
template <class T> inline T larger(T a, T b) { return nan(a) ? a : nan(b) ? b : zeros(a, b) ? T(0) : a > b ? a : b; }
template <class T> inline T smaller(T a, T b) { return nan(a) ? a : nan(b) ? b : zeros(a, b) ? -T(0) : a < b ? a : b; }
template <class T> inline T absolute(T x)
{
    if constexpr (isFloat<T>) return (T)std::fabs((float)x);
    else return x < 0 ? -x : x;
}
// shiftLeft and shiftRight shift x by n bits.
inline int count(int64_t n, int width)
{
    if (n < 0 || n >= width) assumes("counts of shifts");
    return n & (width > 32 ? 63 : 31);
}
template <class T> inline T shiftLeft(T x, int64_t n)
{
    int k = count(n, sizeof(T) * 8);
    return k >= (int)sizeof(T) * 8 ? T(0) : T((std::make_unsigned_t<T>)x << k);
}
template <class T> inline T shiftRight(T x, int64_t n)
{
    int k = count(n, sizeof(T) * 8);
    return k >= (int)sizeof(T) * 8 ? (x < 0 ? T(-1) : T(0)) : T(x >> k);
}
template <class T> inline auto wide(T x)
{
    if constexpr (isFloat<T>) return (float)x;
    else if constexpr (sizeof(T) == 8) return (uint64_t)x;
    else return (int64_t)x;
}
// fused returns x * y + z, rounded once.
template <class T> inline T fused(T x, T y, T z)
{
    if constexpr (std::is_same_v<T, float>) return std::fma(x, y, z);
    else if constexpr (isFloat<T>) return (T)((double)(float)x * (double)(float)y + (double)(float)z);
    else return (T)(wide(x) * wide(y) + wide(z));
}
template <class T, class U> inline T scalar(U k)
{
    if constexpr (!isFloat<T> && !std::is_arithmetic_v<T>) return (T)(float)k;
    else if constexpr (isFloat<U> || !isFloat<T>) return (T)k;
    else return (T)(float)k;
}

} // namespace device

using device::u64;

// What orders instructions has no effect here: instructions run in program order.
#define NOTHING(name) template <class... A> inline void name(A&&...) {}
NOTHING(set_flag) NOTHING(wait_flag) NOTHING(pipe_barrier) NOTHING(dsb) NOTHING(dcci) NOTHING(mem_bar) NOTHING(wait_flag_dev)
NOTHING(__builtin_cce_wait_flag_dev) NOTHING(__builtin_cce_set_intra_block) NOTHING(__builtin_cce_wait_intra_block)
NOTHING(ffts_cross_core_sync) NOTHING(__builtin_cce_ffts_cross_core_sync) NOTHING(set_intra_block) NOTHING(wait_intra_block) NOTHING(set_ffts_base_addr)

inline u64 get_ctrl() { return device::ctrl; }
inline void set_ctrl(u64 v) { device::ctrl = v; }
inline u64 sbitset0(u64 v, int b) { return v & ~(1ull << b); }
inline u64 sbitset1(u64 v, int b) { return v | 1ull << b; }
inline uint32_t get_block_idx() { return device::block; }
inline int64_t get_block_num() { return device::blocks; }
inline int64_t get_subblockid() { return 0; }
inline int64_t get_subblockdim() { return 1; }
inline int64_t get_imm(int64_t v) { return v; }
template <class A, class B> inline auto max(A a, B b) -> std::common_type_t<A, B> { return a > b ? a : b; }
template <class A, class B> inline auto min(A a, B b) -> std::common_type_t<A, B> { return a < b ? a : b; }
