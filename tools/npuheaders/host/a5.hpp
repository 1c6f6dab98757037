// Intrinsics of A5: vector registers of 256 bytes, and predicates with one bit for each
// byte of a register.
#pragma once

// Words of the instructions are types, since headers write decltype(BRC_B32).
#define WORD(name) \
    struct word_##name { static constexpr int value = __COUNTER__; }; \
    inline constexpr word_##name name{};
WORD(NORM) WORD(BLK) WORD(BRC_B8) WORD(BRC_B16) WORD(BRC_B32) WORD(UNPK_B8) WORD(UNPK_B16) WORD(UNPK_B32) WORD(UNPK4) WORD(UNPK4_B8)
WORD(DINTLV_B8) WORD(DINTLV_B16) WORD(DINTLV_B32) WORD(E2B_B16) WORD(E2B_B32) WORD(US) WORD(US_B8) WORD(US_B16) WORD(DS) WORD(DS_B8) WORD(DS_B16)
WORD(NORM_B8) WORD(NORM_B16) WORD(NORM_B32) WORD(ONEPT_B8) WORD(ONEPT_B16) WORD(ONEPT_B32) WORD(PK_B16) WORD(PK_B32) WORD(PK_B64) WORD(PK4_B32)
WORD(INTLV_B8) WORD(INTLV_B16) WORD(INTLV_B32) WORD(PK)
WORD(POST_UPDATE) WORD(MODE_ZEROING) WORD(MODE_MERGING) WORD(MODE_UNKNOWN) WORD(MODE_STORED) WORD(POS_LOWEST) WORD(POS_HIGHEST) WORD(LOWER) WORD(HIGHER) WORD(INC_ORDER) WORD(DEC_ORDER)
WORD(PART_EVEN) WORD(PART_ODD) WORD(PART_P0) WORD(PART_P1) WORD(PART_P2) WORD(PART_P3) WORD(RS_DISABLE) WORD(RS_ENABLE)
WORD(ROUND_R) WORD(ROUND_A) WORD(ROUND_F) WORD(ROUND_C) WORD(ROUND_Z) WORD(ROUND_O) WORD(ROUND_H)
WORD(PAT_ALL) WORD(PAT_ALLF) WORD(PAT_VL1) WORD(PAT_VL2) WORD(PAT_VL3) WORD(PAT_VL4) WORD(PAT_VL8) WORD(PAT_VL16) WORD(PAT_VL32) WORD(PAT_VL64) WORD(PAT_VL128) WORD(PAT_H) WORD(PAT_Q) WORD(PAT_M3) WORD(PAT_M4)
WORD(VV_ALL) WORD(VST_VLD) WORD(VLD_VST) WORD(VST_VST) WORD(VS_ALL) WORD(VST_LD) WORD(VLD_ST) WORD(VST_ST) WORD(SV_ALL) WORD(ST_VLD) WORD(LD_VST) WORD(ST_VST) WORD(SS_ALL) WORD(ST_LD) WORD(LD_ST) WORD(ST_ST)
namespace __cce_simd {
struct RoundRType {};
struct RoundAType {};
struct RoundFType {};
struct RoundCType {};
struct RoundZType {};
struct RoundOType {};
}
enum class DistVST {
    DIST_NORM_B8, DIST_NORM_B16, DIST_NORM_B32, DIST_ONEPT_B8, DIST_ONEPT_B16, DIST_ONEPT_B32, DIST_PK_B16, DIST_PK_B32, DIST_PK_B64,
    DIST_PK4_B32, DIST_INTLV_B8, DIST_INTLV_B16, DIST_INTLV_B32
};
constexpr int BLOCK_SIZE = 32, CCE_VL = 256, ELE_CNT_B8 = 256, ELE_CNT_B16 = 128, ELE_CNT_B32 = 64;

namespace device {
template <class W, class... O> constexpr bool one = (std::is_same_v<std::remove_cvref_t<W>, O> || ...);

template <class T> struct reg {
    typedef T element;
    static constexpr int lanes = 256 / sizeof(T);
    alignas(64) unsigned char b[256];
    T& operator[](int i) { return ((T*)b)[i]; }
    const T& operator[](int i) const { return ((const T*)b)[i]; }
    reg() { std::memset(b, 0xEE, 256); }
};
struct mask {
    bool b[256] = {};
};
} // namespace device
#define REGISTER(name, T) \
    struct name : device::reg<T> { \
        name() = default; \
        template <class U> explicit name(const device::reg<U>& r) { std::memcpy(this->b, r.b, 256); } \
    };
REGISTER(vector_f32, float) REGISTER(vector_f16, half) REGISTER(vector_bf16, bfloat16_t) REGISTER(vector_s8, int8_t) REGISTER(vector_u8, uint8_t)
REGISTER(vector_s16, int16_t) REGISTER(vector_u16, uint16_t) REGISTER(vector_s32, int32_t) REGISTER(vector_u32, uint32_t) REGISTER(vector_s64, int64_t) REGISTER(vector_u64, uint64_t)
REGISTER(vector_hif8, hifloat8_t) REGISTER(vector_f8e4m3, float8_e4m3_t) REGISTER(vector_f8e5m2, float8_e5m2_t) REGISTER(vector_f8e8m0, float8_e8m0_t)
REGISTER(vector_f4e2m1x2, float4_e2m1x2_t) REGISTER(vector_f4e1m2x2, float4_e1m2x2_t)
struct vector_bool : device::mask {};
typedef vector_bool MaskReg;
struct vector_align { u64 address = 0; };
typedef vector_align UnalignReg;
struct vector_address {};

namespace device {
template <class T> reg<T>& of(reg<T>& r) { return r; }
template <class T> const reg<T>& of(const reg<T>& r) { return r; }
template <class R> auto of(R& r) -> decltype(of(r.reg)) { return of(r.reg); }
template <class R> using elem = typename std::remove_reference_t<decltype(of(std::declval<R&>()))>::element;

template <class W> inline vector_bool pattern(int size, W)
{
    int n = 256 / size, k = -1;
    if constexpr (one<W, word_PAT_ALL>) k = n;
    else if constexpr (one<W, word_PAT_ALLF>) k = 0;
    else if constexpr (one<W, word_PAT_VL1>) k = 1;
    else if constexpr (one<W, word_PAT_VL2>) k = 2;
    else if constexpr (one<W, word_PAT_VL3>) k = 3;
    else if constexpr (one<W, word_PAT_VL4>) k = 4;
    else if constexpr (one<W, word_PAT_VL8>) k = 8;
    else if constexpr (one<W, word_PAT_VL16>) k = 16;
    else if constexpr (one<W, word_PAT_VL32>) k = 32;
    else if constexpr (one<W, word_PAT_VL64>) k = 64;
    else if constexpr (one<W, word_PAT_VL128>) k = 128;
    else if constexpr (one<W, word_PAT_H>) k = n / 2;
    else if constexpr (one<W, word_PAT_Q>) k = n / 4;
    if (k < 0) stop("no meaning", "pset with this pattern");
    vector_bool m;
    for (int i = 0; i < k && i < n; i++)
        for (int j = 0; j < size; j++) m.b[i * size + j] = true;
    return m;
}
inline vector_bool tail(int size, uint32_t& left)
{
    vector_bool m;
    int n = 256 / size;
    for (int i = 0; i < n && (uint32_t)i < left; i++)
        for (int j = 0; j < size; j++) m.b[i * size + j] = true;
    left = left > (uint32_t)n ? left - n : 0;
    return m;
}
// read fills a register from p; bytes past the end of vector memory stay.
inline void read(unsigned char* b, u64 p, u64 n)
{
    ub(p, 0, 1, "vlds");
    copy(b, (void*)p, p + n > ubSize ? ubSize - p : n);
}
template <class T, class D> inline void load(reg<T>& r, u64 p, D)
{
    constexpr int n = 256 / sizeof(T);
    if constexpr (one<D, word_NORM>) {
        ub(p, 0, 32, "vlds");
        read(r.b, p, 256);
    } else if constexpr (one<D, word_BLK>) {
        ub(p, 32, 32, "vlds");
        for (int i = 0; i < 8; i++) read(r.b + 32 * i, p, 32);
    } else if constexpr (one<D, word_BRC_B8, word_BRC_B16, word_BRC_B32>) {
        ub(p, sizeof(T), sizeof(T), "vlds");
        T v = get<T>(p);
        for (int i = 0; i < n; i++) r[i] = v;
    } else if constexpr (one<D, word_UNPK_B8, word_UNPK_B16, word_UNPK_B32>) {
        constexpr int h = one<D, word_UNPK_B8> ? 1 : one<D, word_UNPK_B16> ? 2 : 4;
        ub(p, 0, 32, "vlds");
        std::memset(r.b, 0, 256);
        for (int i = 0; i < 128 / h && p + i * h + h <= ubSize; i++) copy(r.b + i * 2 * h, (void*)(p + i * h), h);
    } else if constexpr (one<D, word_UNPK4, word_UNPK4_B8>) {
        ub(p, 0, 32, "vlds");
        std::memset(r.b, 0, 256);
        for (int i = 0; i < 64 && p + i < ubSize; i++) copy(r.b + i * 4, (void*)(p + i), 1);
    } else if constexpr (one<D, word_E2B_B16, word_E2B_B32>) {
        // Each of eight elements fills 32 bytes.
        constexpr int w = one<D, word_E2B_B16> ? 2 : 4;
        ub(p, 8 * w, w, "vlds");
        for (int i = 0; i < 256 / w; i++) copy(r.b + i * w, (void*)(p + i * w / 32 * w), w);
    } else if constexpr (one<D, word_US_B8, word_US_B16, word_DS_B8, word_DS_B16>) {
        constexpr bool up = one<D, word_US_B8, word_US_B16>;
        constexpr int w = one<D, word_US_B8, word_DS_B8> ? 1 : 2;
        ub(p, 0, 32, "vlds");
        for (int i = 0; i < 256 / w; i++) {
            u64 from = p + (up ? i / 2 : 2 * i) * w;
            if (from + w <= ubSize) copy(r.b + i * w, (void*)from, w);
        }
    } else {
        stop("no meaning", "vlds with this distribution");
    }
}
template <class D> constexpr int distribution()
{
    using W = std::remove_cvref_t<D>;
    if constexpr (one<W, word_NORM_B8>) return 0;
    else if constexpr (one<W, word_NORM_B16>) return 1;
    else if constexpr (one<W, word_NORM_B32>) return 2;
    else if constexpr (one<W, word_ONEPT_B8>) return 3;
    else if constexpr (one<W, word_ONEPT_B16>) return 4;
    else if constexpr (one<W, word_ONEPT_B32>) return 5;
    else if constexpr (one<W, word_PK_B16>) return 6;
    else if constexpr (one<W, word_PK_B32>) return 7;
    else if constexpr (one<W, word_PK_B64>) return 8;
    else if constexpr (one<W, word_PK4_B32>) return 9;
    else if constexpr (std::is_same_v<decltype(W::value), const DistVST>) return (int)W::value;
    else return -1;
}
template <class T> inline void store(reg<T>& r, u64 p, int d, const mask& m)
{
    constexpr int n = 256 / sizeof(T);
    if (d >= 0 && d <= 2) {
        ub(p, 0, 32, "vsts");
        for (int i = 0; i < n; i++)
            if (m.b[i * sizeof(T)]) {
                ub(p + i * sizeof(T), sizeof(T), 1, "vsts");
                put(p + i * sizeof(T), r[i]);
            }
    } else if (d >= 3 && d <= 5) {
        ub(p, sizeof(T), sizeof(T), "vsts");
        put(p, r[0]);
    } else if (d >= 6 && d <= 9) {
        int w = d == 6 ? 2 : d == 8 ? 8 : 4, h = d == 9 ? 1 : w / 2;
        ub(p, 0, 32, "vsts");
        for (int i = 0; i < 256 / w; i++)
            if (m.b[i * w]) {
                ub(p + i * h, h, 1, "vsts");
                copy((void*)(p + i * h), r.b + i * w, h);
            }
    } else {
        stop("no meaning", "vsts with this distribution");
    }
}
} // namespace device

template <class W> inline vector_bool pset_b8(W w) { return device::pattern(1, w); }
template <class W> inline vector_bool pset_b16(W w) { return device::pattern(2, w); }
template <class W> inline vector_bool pset_b32(W w) { return device::pattern(4, w); }
template <class W> inline vector_bool pge_b8(W w) { return device::pattern(1, w); }
inline vector_bool plt_b8(uint32_t& n, word_POST_UPDATE) { return device::tail(1, n); }
inline vector_bool plt_b16(uint32_t& n, word_POST_UPDATE) { return device::tail(2, n); }
inline vector_bool plt_b32(uint32_t& n, word_POST_UPDATE) { return device::tail(4, n); }
#define LOGIC(name, expression) \
    inline void name(vector_bool& d, vector_bool a, vector_bool b, vector_bool m) { for (int i = 0; i < 256; i++) { bool x = a.b[i], y = b.b[i]; d.b[i] = m.b[i] && (expression); } }
LOGIC(pand, x && y) LOGIC(por, x || y) LOGIC(pxor, x != y)
inline void pnot(vector_bool& d, vector_bool a, vector_bool m) { for (int i = 0; i < 256; i++) d.b[i] = m.b[i] && !a.b[i]; }
inline void psel(vector_bool& d, vector_bool a, vector_bool b, vector_bool m) { for (int i = 0; i < 256; i++) d.b[i] = m.b[i] ? a.b[i] : b.b[i]; }

template <class R, class T, class O, class D> inline void vlds(R& r, T* p, O offset, D d) { device::load(device::of(r), (u64)(p + (int64_t)(int32_t)offset), d); }
template <class R, class T, class O, class D> inline void vlds(R& r, T*& p, O offset, D d, word_POST_UPDATE)
{
    device::load(device::of(r), (u64)p, d);
    p += (int64_t)(int32_t)offset;
}
template <class R, class S, class T, class O, class D> requires requires(S s) { device::of(s); }
inline void vlds(R& a, S& b, T* p, O offset, D)
{
    u64 q = (u64)(p + (int64_t)(int32_t)offset);
    constexpr int w = device::one<D, word_DINTLV_B8> ? 1 : device::one<D, word_DINTLV_B16> ? 2 : 4;
    device::ub(q, 0, 32, "vlds");
    for (int i = 0; i < 256 / w && q + (2 * i + 2) * w <= device::ubSize; i++) {
        device::copy(device::of(a).b + i * w, (void*)(q + 2 * i * w), w);
        device::copy(device::of(b).b + i * w, (void*)(q + (2 * i + 1) * w), w);
    }
}
template <class R, class T, class O, class D> inline void vsts(R& r, T* p, O offset, D, vector_bool m) { device::store(device::of(r), (u64)(p + (int64_t)(int32_t)offset), device::distribution<D>(), m); }
template <class R, class T, class O, class D> inline void vsts(R& r, T*& p, O offset, D, vector_bool m, word_POST_UPDATE)
{
    device::store(device::of(r), (u64)p, device::distribution<D>(), m);
    p += (int64_t)(int32_t)offset;
}
template <class R, class S, class T, class O, class D> requires requires(S s) { device::of(s); }
inline void vsts(R& a, S& b, T* p, O offset, D, vector_bool)
{
    u64 q = (u64)(p + (int64_t)(int32_t)offset);
    constexpr int w = device::one<D, word_INTLV_B8> ? 1 : device::one<D, word_INTLV_B16> ? 2 : 4;
    device::ub(q, 512, 32, "vsts");
    for (int i = 0; i < 256 / w; i++) {
        device::copy((void*)(q + 2 * i * w), device::of(a).b + i * w, w);
        device::copy((void*)(q + (2 * i + 1) * w), device::of(b).b + i * w, w);
    }
}
template <class T> inline void vldas(vector_align& u, T* p) { u.address = (u64)p; }
template <class R, class T> inline void vldus(R& r, vector_align&, T* p) { device::read(device::of(r).b, (u64)p, 256); }
template <class N, class R, class T> inline void vstus(vector_align&, N n, R& r, T*& p, word_POST_UPDATE)
{
    device::ub((u64)p, (u64)n * sizeof(T), sizeof(T), "vstus");
    device::copy((void*)p, device::of(r).b, (u64)n * sizeof(T));
    p += n;
}
template <class N, class R, class T> inline void vstus(vector_align&, N n, R& r, T* p)
{
    device::ub((u64)p, (u64)n * sizeof(T), sizeof(T), "vstus");
    device::copy((void*)p, device::of(r).b, (u64)n * sizeof(T));
}
template <class T> inline void vstas(vector_align&, T*&, int, word_POST_UPDATE) {}
template <class T> inline void vstas(vector_align&, T*, int) {}

// Elements that the mask does not select become zero, unless a word asks that they stay.
#define LANES(D, body) \
    for (int i = 0, n_ = 256 / (int)sizeof(device::elem<D>); i < n_; i++) { \
        using T = device::elem<D>; \
        if (m.b[i * sizeof(T)]) { body; } else if constexpr (!device::one<M, word_MODE_MERGING>) device::of(d)[i] = T(0); \
    }
#define BINARY(name, expression) \
    template <class D, class A, class B, class M = word_MODE_ZEROING> inline void name(D& d, A& a, B& b, vector_bool m, M = M()) { LANES(D, T x = device::of(a)[i]; T y = device::of(b)[i]; device::of(d)[i] = (T)(expression)) }
BINARY(vadd, device::wide(x) + device::wide(y)) BINARY(vsub, device::wide(x) - device::wide(y)) BINARY(vmul, device::wide(x) * device::wide(y)) BINARY(vdiv, device::wide(x) / device::wide(y))
BINARY(vmax, device::larger(x, y)) BINARY(vmin, device::smaller(x, y))
#define BITS(name, expression) \
    template <class D, class A, class B, class M = word_MODE_ZEROING> inline void name(D& d, A& a, B& b, vector_bool m, M = M()) { constexpr int w = sizeof(device::elem<D>); for (int i = 0; i < 256; i++) { unsigned char x = device::of(a).b[i], y = device::of(b).b[i]; if (m.b[i / w * w]) device::of(d).b[i] = expression; else if constexpr (!device::one<M, word_MODE_MERGING>) device::of(d).b[i] = 0; } }
BITS(vand, x & y) BITS(vor, x | y) BITS(vxor, x ^ y)
#define SCALAR(name, expression) \
    template <class D, class A, class S, class M = word_MODE_ZEROING> inline void name(D& d, A& a, S s, vector_bool m, M = M()) { LANES(D, T x = device::of(a)[i]; T y = device::scalar<T>(s); device::of(d)[i] = (T)(expression)) }
SCALAR(vadds, device::wide(x) + device::wide(y)) SCALAR(vmuls, device::wide(x) * device::wide(y)) SCALAR(vmaxs, device::larger(x, y)) SCALAR(vmins, device::smaller(x, y)) SCALAR(vlrelu, x >= 0 ? x : T(device::wide(x) * device::wide(y)))
BINARY(vshl, device::shiftLeft(x, (int64_t)y))
BINARY(vshr, device::shiftRight(x, (int64_t)y))
template <class D, class A, class S, class M = word_MODE_ZEROING> inline void vaxpy(D& d, A& a, S s, vector_bool m, M = M()) { LANES(D, device::of(d)[i] = device::fused<T>((T)device::of(a)[i], device::scalar<T>(s), device::of(d)[i])) }
template <class D, class A, class B, class M = word_MODE_ZEROING> inline void vmadd(D& d, A& a, B& b, vector_bool m, M = M()) { LANES(D, device::of(d)[i] = device::fused<T>(device::of(d)[i], device::of(a)[i], device::of(b)[i])) }
BINARY(vexpdif, std::exp((double)(float)x - (double)(float)y))
#define SHIFT(name, expression) \
    template <class D, class A, class S, class M = word_MODE_ZEROING> inline void name(D& d, A& a, S s, vector_bool m, M = M()) { LANES(D, T x = device::of(a)[i]; int k = (int)s; device::of(d)[i] = (T)(expression)) }
SHIFT(vshls, device::shiftLeft(x, k)) SHIFT(vshrs, device::shiftRight(x, k))
#define UNARY(name, expression) \
    template <class D, class A, class M = word_MODE_ZEROING> inline void name(D& d, A& a, vector_bool m, M = M()) { LANES(D, T x = device::of(a)[i]; device::of(d)[i] = (T)(expression)) }
UNARY(vexp, std::exp((double)(float)x)) UNARY(vln, std::log((double)(float)x)) UNARY(vsqrt, std::sqrt((double)(float)x)) UNARY(vabs, device::absolute(x)) UNARY(vrelu, device::larger(x, T(0))) UNARY(vneg, -x)
template <class D, class A, class M = word_MODE_ZEROING> inline void vnot(D& d, A& a, vector_bool m, M = M()) { constexpr int w = sizeof(device::elem<D>); for (int i = 0; i < 256; i++) device::of(d).b[i] = m.b[i / w * w] ? ~device::of(a).b[i] : 0; }
template <class D, class A, class B, class M = word_MODE_ZEROING> inline void vmula(D& d, A& a, B& b, vector_bool m, M = M()) { LANES(D, device::of(d)[i] = device::fused<T>(device::of(a)[i], device::of(b)[i], device::of(d)[i])) }
template <class D, class A, class M = word_MODE_ZEROING> inline void vmov(D& d, A& a, vector_bool m, M = M()) { constexpr int w = sizeof(device::elem<D>); for (int i = 0; i < 256; i++) if (m.b[i / w * w]) device::of(d).b[i] = device::of(a).b[i]; }
template <class D, class A> inline void vmov(D& d, A& a) { std::memcpy(device::of(d).b, device::of(a).b, 256); }
template <class D, class S> inline void vbr(D& d, S s)
{
    using T = device::elem<D>;
    T y;
    if constexpr (sizeof(T) == sizeof(S) && !std::is_same_v<T, S> && !std::is_arithmetic_v<S>) std::memcpy(&y, &s, sizeof(T));
    else y = device::scalar<T>(s);
    for (int i = 0; i < 256 / (int)sizeof(T); i++) device::of(d)[i] = y;
}
template <class D, class S, class M> requires(!requires(S s) { device::of(s); })
inline void vdup(D& d, S s, vector_bool m, M) { LANES(D, device::of(d)[i] = device::scalar<T>(s)) }
template <class D, class A, class P, class M> inline void vdup(D& d, A& a, vector_bool m, P, M)
{
    if (!device::one<P, word_POS_LOWEST>) device::stop("no meaning", "vdup of this element");
    auto v = device::of(a)[0];
    LANES(D, device::of(d)[i] = v)
}
template <class D, class A, class B> inline void vsel(D& d, A& a, B& b, vector_bool m)
{
    D r = d;
    constexpr int w = sizeof(device::elem<D>);
    for (int i = 0; i < 256; i++) device::of(r).b[i] = m.b[i / w * w] ? device::of(a).b[i] : device::of(b).b[i];
    d = r;
}
#define COMPARE(name, op) \
    template <class A, class B> inline void vcmp_##name(vector_bool& d, const A& a, const B& b, vector_bool m) { using T = device::elem<A>; vector_bool r; for (int i = 0; i < 256 / (int)sizeof(T); i++) for (int j = 0; j < (int)sizeof(T); j++) r.b[i * sizeof(T) + j] = m.b[i * sizeof(T)] && device::of(a)[i] op device::of(b)[i]; d = r; } \
    template <class A, class S> inline void vcmps_##name(vector_bool& d, A& a, S s, vector_bool m) { using T = device::elem<A>; T y = device::scalar<T>(s); vector_bool r; for (int i = 0; i < 256 / (int)sizeof(T); i++) for (int j = 0; j < (int)sizeof(T); j++) r.b[i * sizeof(T) + j] = m.b[i * sizeof(T)] && device::of(a)[i] op y; d = r; }
COMPARE(eq, ==) COMPARE(ne, !=) COMPARE(lt, <) COMPARE(gt, >) COMPARE(le, <=) COMPARE(ge, >=)
template <class D, class A, class B> inline void vintlv(D& lo, D& hi, A& a, B& b)
{
    constexpr int w = sizeof(device::elem<A>), n = 256 / w;
    unsigned char all[512];
    for (int i = 0; i < n; i++) {
        std::memcpy(all + 2 * i * w, device::of(a).b + i * w, w);
        std::memcpy(all + (2 * i + 1) * w, device::of(b).b + i * w, w);
    }
    std::memcpy(device::of(lo).b, all, 256);
    std::memcpy(device::of(hi).b, all + 256, 256);
}
template <class D, class A, class B> inline void vdintlv(D& even, D& odd, A& a, B& b)
{
    constexpr int w = sizeof(device::elem<A>), n = 256 / w;
    unsigned char all[512];
    std::memcpy(all, device::of(a).b, 256);
    std::memcpy(all + 256, device::of(b).b, 256);
    for (int i = 0; i < n; i++) {
        std::memcpy(device::of(even).b + i * w, all + 2 * i * w, w);
        std::memcpy(device::of(odd).b + i * w, all + (2 * i + 1) * w, w);
    }
}
template <class D, class S, class O> inline void vci(D& d, S s, O)
{
    using T = device::elem<D>;
    for (int i = 0; i < 256 / (int)sizeof(T); i++) device::of(d)[i] = T(device::one<O, word_DEC_ORDER> ? (int)s - i : (int)s + i);
}
template <class D, class S> inline void vci(D& d, S s) { vci(d, s, INC_ORDER); }
namespace device {
template <class D, class A, class F> inline void reduce(D& d, A& a, const mask& m, elem<D> init, F f)
{
    constexpr int n = 256 / sizeof(elem<A>);
    elem<D> v[n];
    for (int i = 0; i < n; i++) v[i] = m.b[i * sizeof(elem<A>)] ? (elem<D>)of(a)[i] : init;
    for (int k = n; k > 1; k /= 2)
        for (int i = 0; i < k / 2; i++) v[i] = (elem<D>)f(v[2 * i], v[2 * i + 1]);
    std::memset(of(d).b, 0, 256);
    of(d)[0] = v[0];
}
// Lane 1 of the result of vcmax and vcmin is the index of the first extreme element
// (TRowArgMax.hpp reads it there).
template <class D, class A, class F> inline void extreme(D& d, A& a, const mask& m, elem<D> init, F f)
{
    using T = elem<D>;
    constexpr int n = 256 / sizeof(T);
    T v[n];
    for (int i = 0; i < n; i++) v[i] = of(a)[i];
    reduce(d, a, m, init, f);
    T best = of(d)[0];
    assumes("index of vcmax and vcmin");
    for (int i = 0; i < n; i++)
        if (m.b[i * sizeof(T)] && !(v[i] < best) && !(best < v[i])) {
            std::memcpy(of(d).b + sizeof(T), &i, sizeof(T));
            return;
        }
}
template <class T> inline T least()
{
    if constexpr (isFloat<T>) return (T)-INFINITY;
    else return std::numeric_limits<T>::min();
}
template <class T> inline T greatest()
{
    if constexpr (isFloat<T>) return (T)INFINITY;
    else return std::numeric_limits<T>::max();
}
} // namespace device
template <class D, class A, class M = word_MODE_ZEROING> inline void vcadd(D& d, A& a, vector_bool m, M = M()) { device::reduce(d, a, m, device::elem<D>(0), [](auto x, auto y) { return device::wide(x) + device::wide(y); }); }
template <class D, class A, class M = word_MODE_ZEROING> inline void vcmax(D& d, A& a, vector_bool m, M = M()) { device::extreme(d, a, m, device::least<device::elem<D>>(), device::larger<device::elem<D>>); }
template <class D, class A, class M = word_MODE_ZEROING> inline void vcmin(D& d, A& a, vector_bool m, M = M()) { device::extreme(d, a, m, device::greatest<device::elem<D>>(), device::smaller<device::elem<D>>); }

// Conversions: narrower elements are at the even or odd places (or one of four) of the wider.
namespace device {
struct how {
    char mode = 'r';
    int part = 0;
    bool saturates = true;
};
template <class X> inline void add(how& h)
{
    if constexpr (one<X, word_RS_DISABLE>) h.saturates = false;
    else if constexpr (one<X, word_PART_ODD, word_PART_P1>) h.part = 1;
    else if constexpr (one<X, word_PART_P2>) h.part = 2;
    else if constexpr (one<X, word_PART_P3>) h.part = 3;
    else if constexpr (one<X, word_ROUND_R, __cce_simd::RoundRType>) h.mode = 'r';
    else if constexpr (one<X, word_ROUND_A, __cce_simd::RoundAType>) h.mode = 'a';
    else if constexpr (one<X, word_ROUND_F, __cce_simd::RoundFType>) h.mode = 'f';
    else if constexpr (one<X, word_ROUND_C, __cce_simd::RoundCType>) h.mode = 'c';
    else if constexpr (one<X, word_ROUND_Z, __cce_simd::RoundZType>) h.mode = 'z';
    else if constexpr (one<X, word_ROUND_O, __cce_simd::RoundOType>) h.mode = 'o';
}
template <class T> constexpr bool unknown = std::is_same_v<T, hifloat8_t> || std::is_same_v<T, float4_e2m1x2_t> || std::is_same_v<T, float4_e1m2x2_t>;
template <class T> constexpr bool small = !isFloat<T> && !std::is_integral_v<T>;
} // namespace device
template <class D, class S, class... X> inline void vcvt(D& d, S& s, vector_bool m, X...)
{
    using A = device::elem<D>;
    using B = device::elem<S>;
    if constexpr (device::unknown<A> || device::unknown<B> || device::small<A> && !std::is_same_v<B, float> || device::small<B> && !std::is_same_v<A, float>) {
        device::stop("no meaning", "vcvt of 8-bit floats");
    } else {
        device::how h;
        (device::add<X>(h), ...);
        constexpr int w = sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B);
        u64 saved = device::ctrl;
        device::ctrl = h.saturates ? saved & ~(1ull << 59) : saved | 1ull << 59;
        device::reg<A> out;
        std::memset(out.b, 0, 256);
        for (int i = 0; i < 256 / w; i++)
            if (m.b[i * w]) {
                B x = device::of(s)[i * (w / (int)sizeof(B)) + (sizeof(B) < sizeof(A) ? h.part : 0)];
                A& to = out[i * (w / (int)sizeof(A)) + (sizeof(A) < sizeof(B) ? h.part : 0)];
                if constexpr (device::small<A> || device::small<B>) to = A((float)x);
                else to = device::convert<A, B>(x, h.mode);
            }
        std::memcpy(device::of(d).b, out.b, 256);
        device::ctrl = saved;
    }
}
template <class D, class S, class X, class M = word_MODE_ZEROING> inline void vtrc(D& d, S& s, X, vector_bool m, M = M())
{
    device::how h;
    device::add<X>(h);
    LANES(D, device::of(d)[i] = (T)device::rounded((double)(float)device::of(s)[i], h.mode))
}

// Copies: loops around bursts.
namespace device {
inline u64 loop1[2], loop2[2], loops[2] = {1ull << 21 | 1, 1ull << 21 | 1}, padValue, l1loop1, l1loop2, l1loops = 1ull << 21 | 1, nzPara, padL1;
inline u64 atomicBytes = 0;
inline void (*addTo)(volatile void*, const void*) = nullptr;
template <class T> inline void adds()
{
    atomicBytes = sizeof(T);
    addTo = [](volatile void* d, const void* s) {
        T a, b;
        copy(&a, d, sizeof(T));
        std::memcpy(&b, s, sizeof(T));
        T c = (T)(wide(a) + wide(b));
        copy(d, &c, sizeof(T));
    };
}
inline void storeBytes(volatile void* d, const volatile void* s, u64 n)
{
    if (!addTo) return copy(d, s, n);
    for (u64 i = 0; i < n; i += atomicBytes) {
        char v[8];
        copy(v, (const volatile char*)s + i, atomicBytes);
        addTo((volatile char*)d + i, v);
    }
}
} // namespace device
inline void set_loop1_stride_outtoub(u64 v) { device::loop1[0] = v; }
inline void set_loop2_stride_outtoub(u64 v) { device::loop2[0] = v; }
inline void set_loop_size_outtoub(u64 v) { device::loops[0] = v; }
inline void set_loop1_stride_ubtoout(u64 v) { device::loop1[1] = v; }
inline void set_loop2_stride_ubtoout(u64 v) { device::loop2[1] = v; }
inline void set_loop_size_ubtoout(u64 v) { device::loops[1] = v; }
inline void set_loop1_stride_outtol1(u64 v) { device::l1loop1 = v; }
inline void set_loop2_stride_outtol1(u64 v) { device::l1loop2 = v; }
inline void set_loop_size_outtol1(u64 v) { device::l1loops = v; }
inline void set_mte2_nz_para(u64 v) { device::nzPara = v; }
template <class V> inline void set_mov_pad_val(V v) { device::padValue = 0; std::memcpy(&device::padValue, &v, sizeof v); }
template <class V> inline void set_pad_val_outtol1(V v) { device::padL1 = 0; std::memcpy(&device::padL1, &v, sizeof v); }
inline void set_atomic_none() { device::addTo = nullptr; }
inline void set_atomic_add() {}
inline void set_atomic_f32() { device::adds<float>(); }
inline void set_atomic_f16() { device::adds<half>(); }
inline void set_atomic_bf16() { device::adds<bfloat16_t>(); }
inline void set_atomic_s32() { device::adds<int32_t>(); }
inline void set_atomic_s16() { device::adds<int16_t>(); }
inline void set_atomic_s8() { device::adds<int8_t>(); }
template <class T, class G> inline void copy_gm_to_ubuf_align_v2(T* d, G* s, uint8_t, uint32_t n, uint32_t length, uint8_t lp, uint8_t rp, bool fill, uint8_t, u64 ss, uint32_t ds)
{
    u64 a = device::loops[0] & 0x1fffff, b = device::loops[0] >> 21;
    for (u64 j = 0; j < b; j++)
        for (u64 k = 0; k < a; k++)
            for (u64 i = 0; i < n && length; i++) {
                u64 to = (u64)d + j * (device::loop2[0] >> 40) + k * (device::loop1[0] >> 40) + i * ds, whole = (length + 31) / 32 * 32;
                const volatile char* from = (const volatile char*)s + j * (device::loop2[0] & 0xffffffffff) + k * (device::loop1[0] & 0xffffffffff) + i * ss;
                device::ub(to, whole, 32, "copy_gm_to_ubuf_align_v2");
                device::copy((void*)to, from, length);
                if (fill) for (u64 o = length; o + sizeof(T) <= whole; o += sizeof(T)) device::copy((char*)to + o, &device::padValue, sizeof(T));
            }
}
template <class T, class G> inline void copy_ubuf_to_gm_align_v2(G* d, T* s, uint8_t, uint32_t n, uint32_t length, uint8_t, u64 ds, uint32_t ss)
{
    u64 a = device::loops[1] & 0x1fffff, b = device::loops[1] >> 21;
    for (u64 j = 0; j < b; j++)
        for (u64 k = 0; k < a; k++)
            for (u64 i = 0; i < n && length; i++) {
                u64 from = (u64)s + j * (device::loop2[1] >> 40) + k * (device::loop1[1] >> 40) + i * ss;
                device::ub(from, length, 32, "copy_ubuf_to_gm_align_v2");
                device::storeBytes((volatile char*)d + j * (device::loop2[1] & 0xffffffffff) + k * (device::loop1[1] & 0xffffffffff) + i * ds, (void*)from, length);
            }
}
inline void copy_ubuf_to_ubuf(void* d, void* s, uint8_t, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg)
{
    for (int i = 0; i < n; i++) {
        u64 a = (u64)d + (u64)i * (length + dg) * 32, b = (u64)s + (u64)i * (length + sg) * 32;
        device::ub(a, length * 32, 32, "copy_ubuf_to_ubuf");
        device::ub(b, length * 32, 32, "copy_ubuf_to_ubuf");
        device::copy((void*)a, (void*)b, length * 32);
    }
}
inline void copy_ubuf_to_ubuf(void* d, void* s, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg) { copy_ubuf_to_ubuf(d, s, 0, n, length, sg, dg); }
