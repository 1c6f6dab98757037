// Intrinsics of A2/A3. Vectors are in vector memory; a repeat covers 256 bytes in blocks of
// 32, with strides between blocks and repeats. The mask selects elements of each repeat; in
// count mode it is the number of elements of all repeats.
//
// The page (docs/isa/device-judged.md) lists what was read off the headers alone: vcopy in
// count mode, and the order of fractals that mad reads.
#pragma once

namespace device {

inline u64 maskHigh = ~0ull, maskLow = ~0ull, padValue = 0;
inline bool counting = false;
inline u64 compareMask[4];
inline u64 va[8][8];

// on reports whether the mask selects element i of repeat r, with e elements per repeat.
inline bool on(int r, int i, int e) { return counting ? (u64)r * e + i < maskLow : (i < 64 ? maskLow >> i & 1 : maskHigh >> (i - 64) & 1); }
inline int repeats(int n, int e) { return counting ? (int)((maskLow + e - 1) / e) : n; }

// element returns the address of element i of repeat r.
template <class T> inline u64 element(T* p, int r, int i, int block, int repeat, const char* name)
{
    constexpr int per = 32 / sizeof(T);
    u64 a = (u64)p + ((u64)r * repeat + (u64)(i / per) * block) * 32 + i % per * sizeof(T);
    ub(a, sizeof(T), sizeof(T), name);
    return a;
}

// Each repeat reads its elements before it writes any.
template <class D, class F> inline void each(const char* name, D* d, int n, int db, int dr, int e, F f)
{
    ub((u64)d, 0, 32, name);
    n = repeats(n, e);
    for (int r = 0; r < n; r++) {
        D v[256];
        for (int i = 0; i < e; i++)
            if (on(r, i, e)) v[i] = f(r, i);
        for (int i = 0; i < e; i++)
            if (on(r, i, e)) put(element(d, r, i, db, dr, name), v[i]);
    }
}
template <class D, class S, class F> inline void unary(const char* name, D* d, S* s, int n, int db, int sb, int dr, int sr, F f)
{
    ub((u64)s, 0, 32, name);
    each(name, d, n, db, dr, 256 / std::max(sizeof(D), sizeof(S)), [&](int r, int i) { return f(get<std::remove_cv_t<S>>(element(s, r, i, sb, sr, name))); });
}
template <class T, class F> inline void binary(const char* name, T* d, T* a, T* b, int n, int db, int ab, int bb, int dr, int ar, int br, F f)
{
    ub((u64)a, 0, 32, name);
    ub((u64)b, 0, 32, name);
    each(name, d, n, db, dr, 256 / sizeof(T), [&](int r, int i) { return f(get<T>(element(a, r, i, ab, ar, name)), get<T>(element(b, r, i, bb, br, name))); });
}

} // namespace device

inline void set_mask_count() { device::counting = true; }
inline void set_mask_norm() { device::counting = false; }
inline void set_vector_mask(u64 hi, u64 lo) { device::maskHigh = hi, device::maskLow = lo; }
inline void set_mov_pad_val(u64 v) { device::padValue = v; }

#define BINARY(name, expression) \
    template <class T> inline void name(T* d, T* a, T* b, uint8_t n, uint8_t db, uint8_t ab, uint8_t bb, uint8_t dr, uint8_t ar, uint8_t br) \
    { \
        device::binary(#name, d, a, b, n, db, ab, bb, dr, ar, br, [](T x, T y) -> T { return (T)(expression); }); \
    }
BINARY(vadd, device::wide(x) + device::wide(y))
BINARY(vsub, device::wide(x) - device::wide(y))
BINARY(vmul, device::wide(x) * device::wide(y))
BINARY(vdiv, device::wide(x) / device::wide(y))
BINARY(vmax, device::larger(x, y))
BINARY(vmin, device::smaller(x, y))
BINARY(vand, (uint16_t)x & (uint16_t)y)
BINARY(vor, (uint16_t)x | (uint16_t)y)
BINARY(vsubrelu, device::larger(T(0), T(device::wide(x) - device::wide(y))))
BINARY(vaddrelu, device::larger(T(0), T(device::wide(x) + device::wide(y))))

#define SCALAR(name, expression) \
    template <class T, class U> inline void name(T* d, T* s, U k, uint8_t n, uint8_t db, uint8_t sb, uint8_t dr, uint8_t sr) \
    { \
        T y = device::scalar<T>(k); \
        device::unary(#name, d, s, n, db, sb, dr, sr, [y](T x) -> T { return (T)(expression); }); \
    }
SCALAR(vadds, device::wide(x) + device::wide(y))
SCALAR(vmuls, device::wide(x) * device::wide(y))
SCALAR(vmaxs, device::larger(x, y))
SCALAR(vmins, device::smaller(x, y))
SCALAR(vlrelu, x > 0 ? x : T((x == 0 ? device::assumes("zeros of vlrelu") : void(), device::wide(x) * device::wide(y))))

template <class T, class U> inline void vshl(T* d, T* s, U k, uint8_t n, uint8_t db, uint8_t sb, uint8_t dr, uint8_t sr)
{
    device::unary("vshl", d, s, n, db, sb, dr, sr, [k](T x) -> T { return device::shiftLeft(x, (int)k); });
}
template <class T, class U> inline void vshr(T* d, T* s, U k, uint8_t n, uint8_t db, uint8_t sb, uint8_t dr, uint8_t sr, bool round)
{
    if (round) device::stop("no meaning", "vshr with rounding");
    device::unary("vshr", d, s, n, db, sb, dr, sr, [k](T x) -> T { return device::shiftRight(x, (int)k); });
}
template <class T, class S, class U> inline void vaxpy(T* d, S* s, U k, uint8_t n, uint8_t db, uint8_t sb, uint8_t dr, uint8_t sr)
{
    S y = device::scalar<S>(k);
    constexpr int e = 256 / sizeof(T);
    device::each("vaxpy", d, n, db, dr, e, [&](int r, int i) { 
        device::assumes("roundings of products with sums");
        T sum = device::get<T>(device::element(d, r, i, db, dr, "vaxpy"));
        float x = device::get<S>(device::element(s, r, i, sb, sr, "vaxpy"));
        if constexpr (std::is_same_v<T, float>) return std::fma(x, (float)y, sum);
        else return T((float)sum + (float)T(x * (float)y));
    });
}

#define UNARY(name, expression) \
    template <class T> inline void name(T* d, T* s, uint8_t n, uint8_t db, uint8_t sb, uint8_t dr, uint8_t sr) \
    { \
        device::unary(#name, d, s, n, db, sb, dr, sr, [](T x) -> T { return (T)(expression); }); \
    }
UNARY(vexp, std::exp((double)(float)x))
UNARY(vln, std::log((double)(float)x))
UNARY(vsqrt, std::sqrt((double)(float)x))
UNARY(vrsqrt, 1 / std::sqrt((double)(float)x))
UNARY(vrec, 1 / (double)(float)x)
UNARY(vabs, device::absolute(x))
UNARY(vrelu, device::larger(x, T(0)))
UNARY(vnot, ~(uint16_t)x)

template <class T> inline void vcopy(T* d, T* s, uint8_t n, uint16_t db, uint16_t sb, uint16_t dr, uint16_t sr)
{
    if (!device::counting) {
        device::unary("vcopy", d, s, n, db, sb, dr, sr, [](T x) { return x; });
        return;
    }
    device::assumes("vcopy in count mode");
    // In count mode, each repeat copies the number of elements (as TFillPad.hpp assumes).
    for (int r = 0; r < n; r++)
        for (u64 i = 0; i < device::maskLow; i++) device::put(device::element(d, r, i, db, dr, "vcopy"), device::get<T>(device::element(s, r, i, sb, sr, "vcopy")));
}
template <class T, class U> inline void vector_dup(T* d, U k, uint8_t n, uint16_t db, uint16_t, uint16_t dr, uint16_t)
{
    T y = device::scalar<T>(k);
    device::each("vector_dup", d, n, db, dr, 256 / sizeof(T), [y](int, int) { return y; });
}
template <class T> inline void vbrcb(T* d, T* s, uint16_t db, uint16_t dr, uint8_t n)
{
    constexpr int per = 32 / sizeof(T);
    device::ub((u64)s, 0, 32, "vbrcb");
    for (int r = 0; r < n; r++) {
        T v[8];
        for (int k = 0; k < 8; k++) v[k] = device::get<T>((u64)(s + r * 8 + k));
        for (int k = 0; k < 8; k++) {
            u64 a = (u64)d + ((u64)r * dr + (u64)k * db) * 32;
            device::ub(a, 32, 32, "vbrcb");
            for (int i = 0; i < per; i++) device::put(a + i * sizeof(T), v[k]);
        }
    }
}

namespace device {

// pairs adds the elements of a repeat (or block) in pairs, as the simulator's fix and this
// project assume.
template <class T, class F> inline T pairs(T* v, const bool* there, int n, F f, bool& any)
{
    T w[128];
    bool ok[128];
    for (int i = 0; i < n; i++) w[i] = v[i], ok[i] = there[i];
    for (; n > 1; n /= 2)
        for (int i = 0; i < n / 2; i++) {
            T a = w[2 * i], b = w[2 * i + 1];
            bool x = ok[2 * i], y = ok[2 * i + 1];
            w[i] = x && y ? (T)f(a, b) : x ? a : b;
            ok[i] = x || y;
        }
    any = ok[0];
    return w[0];
}
template <class T, class F> inline void reduce(const char* name, T* d, T* s, int n, int dr, int sb, int sr, int group, int step, F f)
{
    ub((u64)s, 0, 32, name);
    constexpr int e = 256 / sizeof(T);
    n = repeats(n, e);
    for (int r = 0; r < n; r++) {
        T out[64];
        bool any[64];
        for (int g = 0; g < e / group; g++) {
            T v[128];
            bool there[128];
            for (int i = 0; i < group; i++) {
                there[i] = on(r, g * group + i, e);
                if (there[i]) v[i] = get<T>(element(s, r, g * group + i, sb, sr, name));
            }
            out[g] = pairs(v, there, group, f, any[g]);
        }
        for (int g = 0; g < e / group; g++)
            if (any[g]) {
                u64 a = (u64)(d + (u64)r * dr * step + g);
                ub(a, sizeof(T), sizeof(T), name);
                put(a, out[g]);
            }
    }
}
template <class T> inline auto sum() { return [](T a, T b) { return (T)(wide(a) + wide(b)); }; }

} // namespace device

enum Order_t { VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };
template <class T> inline void vcadd(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr, bool) { device::reduce("vcadd", d, s, n, dr, sb, sr, 256 / sizeof(T), 1, device::sum<T>()); }
template <class T> inline void vcgadd(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr) { device::reduce("vcgadd", d, s, n, dr, sb, sr, 32 / sizeof(T), 8, device::sum<T>()); }
template <class T> inline void vcgmax(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr) { device::reduce("vcgmax", d, s, n, dr, sb, sr, 32 / sizeof(T), 8, device::larger<T>); }
template <class T> inline void vcgmin(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr) { device::reduce("vcgmin", d, s, n, dr, sb, sr, 32 / sizeof(T), 8, device::smaller<T>); }
template <class T> inline void vcpadd(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr) { device::reduce("vcpadd", d, s, n, dr, sb, sr, 2, 32 / sizeof(T), device::sum<T>()); }

// Comparisons write one bit for each element, and selections read them.
#define COMPARE(name, op) \
    template <class T, class M> inline void vcmpv_##name(M* d, T* a, T* b, uint8_t n, uint8_t, uint8_t ab, uint8_t bb, uint8_t, uint8_t ar, uint8_t br) \
    { \
        constexpr int e = 256 / sizeof(T); \
        for (int r = 0; r < n; r++) \
            for (int k = 0; k < e / 8; k++) { \
                uint8_t bits = 0; \
                for (int i = 0; i < 8; i++) bits |= (device::get<T>(device::element(a, r, k * 8 + i, ab, ar, "vcmpv")) op device::get<T>(device::element(b, r, k * 8 + i, bb, br, "vcmpv"))) << i; \
                device::put((u64)d + r * (e / 8) + k, bits); \
            } \
    } \
    template <class T, class M, class U> inline void vcmpvs_##name(M* d, T* a, U k, uint8_t n, uint8_t, uint8_t ab, uint8_t, uint8_t ar) \
    { \
        constexpr int e = 256 / sizeof(T); \
        T y = device::scalar<T>(k); \
        for (int r = 0; r < n; r++) \
            for (int k = 0; k < e / 8; k++) { \
                uint8_t bits = 0; \
                for (int i = 0; i < 8; i++) bits |= (device::get<T>(device::element(a, r, k * 8 + i, ab, ar, "vcmpvs")) op y) << i; \
                device::put((u64)d + r * (e / 8) + k, bits); \
            } \
    }
COMPARE(eq, ==) COMPARE(ne, !=) COMPARE(lt, <) COMPARE(gt, >) COMPARE(le, <=) COMPARE(ge, >=)
#define COMPARE_ONE(name, op) \
    template <class T> inline void vcmp_##name(T* a, T* b, uint8_t, uint8_t, uint8_t ab, uint8_t bb, uint8_t, uint8_t, uint8_t) \
    { \
        for (int i = 0; i < 256 / (int)sizeof(T); i++) { \
            u64 bit = 1ull << i % 64, &m = device::compareMask[i / 64]; \
            m = device::get<T>(device::element(a, 0, i, ab, 0, "vcmp")) op device::get<T>(device::element(b, 0, i, bb, 0, "vcmp")) ? m | bit : m & ~bit; \
        } \
    }
COMPARE_ONE(eq, ==) COMPARE_ONE(ne, !=) COMPARE_ONE(lt, <) COMPARE_ONE(gt, >) COMPARE_ONE(le, <=) COMPARE_ONE(ge, >=)
template <class P> inline void set_cmpmask(P* p)
{
    device::assumes("masks of vsel");
    device::ub((u64)p, 16, 16, "set_cmpmask");
    for (int i = 0; i < 2; i++) device::compareMask[i] = device::get<u64>((u64)p + 8 * i);
}
#define CONVERT(name, D, S, mode) \
    inline void name(void* d, void* s, uint8_t n, uint16_t db, uint16_t sb, uint16_t dr, uint16_t sr) \
    { \
        device::unary(#name, (D*)d, (S*)s, n, db, sb, dr, sr, [](S x) { return device::convert<D, S>(x, mode); }); \
    }
#define ROUNDINGS(name, D, S) CONVERT(name##a, D, S, 'a') CONVERT(name##c, D, S, 'c') CONVERT(name##f, D, S, 'f') CONVERT(name##r, D, S, 'r') CONVERT(name##z, D, S, 'z')
CONVERT(vconv_bf162f32, float, bfloat16_t, 0) CONVERT(vconv_f162f32, float, half, 0) CONVERT(vconv_f322f16o, half, float, 'o') CONVERT(vconv_f322f16, half, float, 'r')
CONVERT(vconv_s162f16, half, int16_t, 0) CONVERT(vconv_s162f32, float, int16_t, 0) CONVERT(vconv_s322f32, float, int32_t, 0)
CONVERT(vconv_s322s16, int16_t, int32_t, 0) CONVERT(vconv_s322s64, int64_t, int32_t, 0) CONVERT(vconv_s642s32, int32_t, int64_t, 0)
CONVERT(vconv_s82f16, half, int8_t, 0) CONVERT(vconv_u82f16, half, uint8_t, 0)
ROUNDINGS(vconv_bf162s32, int32_t, bfloat16_t) ROUNDINGS(vconv_f162s16, int16_t, half) ROUNDINGS(vconv_f162s32, int32_t, half)
ROUNDINGS(vconv_f162s8, int8_t, half) ROUNDINGS(vconv_f162u8, uint8_t, half) ROUNDINGS(vconv_f322bf16, bfloat16_t, float)
ROUNDINGS(vconv_f322f16, half, float) ROUNDINGS(vconv_f322f32, float, float) ROUNDINGS(vconv_f322s16, int16_t, float)
ROUNDINGS(vconv_f322s32, int32_t, float) ROUNDINGS(vconv_f322s64, int64_t, float) ROUNDINGS(vconv_s162f16, half, int16_t)
ROUNDINGS(vconv_s322f32, float, int32_t) ROUNDINGS(vconv_s642f32, float, int64_t)

// vgather reads elements at byte offsets from an address.
template <class T> inline void vgather(T* d, uint32_t* offsets, u64 base, uint16_t dr, uint16_t n)
{
    constexpr int e = 256 / sizeof(T);
    device::each("vgather", d, n, 1, dr, e, [&](int r, int i) { return device::get<T>(base + device::get<uint32_t>((u64)(offsets + r * e + i))); });
}

template <class T> inline void vgatherb(T* d, uint32_t* offsets, uint32_t base, uint16_t dr, uint8_t db, uint8_t n)
{
    device::assumes("vgatherb");
    for (int r = 0; r < n; r++)
        for (int k = 0; k < 8; k++) {
            u64 from = base + device::get<uint32_t>((u64)(offsets + r * 8 + k)), to = (u64)d + ((u64)r * dr + (u64)k * db) * 32;
            device::ub(from, 32, 32, "vgatherb");
            device::ub(to, 32, 32, "vgatherb");
            device::copy((void*)to, (void*)from, 32);
        }
}

// Transpositions of blocks, whose addresses are in registers of eight addresses each.
enum va_t { VA0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };
inline void set_va_reg_sb(va_t r, u64* list)
{
    for (int i = 0; i < 8; i++) device::va[r][i] = list[i];
}
namespace device {
inline u64 vaAt(int r, int i) { return va[r + i / 8][i % 8]; }
template <class T> inline void transpose(int to, int from, int n, int dr, int sr)
{
    constexpr int per = 32 / sizeof(T); // 16 lines of a block each become per lines of 16
    for (int r = 0; r < n; r++) {
        T v[16][16];
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < per; j++) {
                u64 a = vaAt(from, i) + (u64)r * sr * 32 + j * sizeof(T);
                ub(a, sizeof(T), sizeof(T), "scatter_vnchwconv");
                v[i][j] = get<T>(a);
            }
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < per; j++) {
                int at = k * per + j;
                u64 a = vaAt(to, k) + (u64)r * dr * 32 + j * sizeof(T);
                ub(a, sizeof(T), sizeof(T), "scatter_vnchwconv");
                put(a, v[at % 16][at / 16]);
            }
    }
}
} // namespace device
inline void scatter_vnchwconv_b16(va_t d, va_t s, uint8_t n, uint16_t dr, uint16_t sr) { device::transpose<uint16_t>(d, s, n, dr, sr); }
inline void scatter_vnchwconv_b32(va_t d, va_t s, uint8_t n, uint16_t dr, uint16_t sr) { device::transpose<uint32_t>(d, s, n, dr, sr); }

// Copies between memories, in bursts.
inline void copy_ubuf_to_ubuf(void* d, void* s, uint8_t, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg)
{
    for (int i = 0; i < n; i++) {
        u64 a = (u64)d + (u64)i * (length + dg) * 32, b = (u64)s + (u64)i * (length + sg) * 32;
        device::ub(a, length * 32, 32, "copy_ubuf_to_ubuf");
        device::ub(b, length * 32, 32, "copy_ubuf_to_ubuf");
        device::copy((void*)a, (void*)b, length * 32);
    }
}
namespace device {
inline u64 atomicBytes = 0; // nonzero: stores add elements of this size
inline void (*addTo)(volatile void*, const void*) = nullptr;
inline void store(volatile void* d, const volatile void* s, u64 n)
{
    if (!addTo) return copy(d, s, n);
    for (u64 i = 0; i < n; i += atomicBytes) {
        char v[8];
        copy(v, (const volatile char*)s + i, atomicBytes);
        addTo((volatile char*)d + i, v);
    }
}
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
inline void load(void* d, const volatile void* s, int size, unsigned n, u64 length, unsigned lp, unsigned rp, u64 gg, u64 ug)
{
    u64 whole = (length + (lp + rp) * size + 31) / 32 * 32;
    for (unsigned i = 0; i < n; i++) {
        u64 a = (u64)d + i * (whole + ug * 32);
        ub(a, whole, 32, "copy_gm_to_ubuf_align");
        copy((char*)a + lp * size, (const volatile char*)s + i * (length + gg), length);
        for (unsigned k = 0; k < rp; k++) copy((char*)a + lp * size + length + k * size, &padValue, size);
        for (unsigned k = 0; k < lp; k++) copy((char*)a + k * size, &padValue, size);
    }
}
inline void unload(volatile void* d, void* s, unsigned n, u64 length, u64 ug, u64 gg)
{
    u64 whole = (length + 31) / 32 * 32;
    for (unsigned i = 0; i < n; i++) {
        u64 a = (u64)s + i * (whole + ug * 32);
        ub(a, length, 32, "copy_ubuf_to_gm_align");
        store((volatile char*)d + i * (length + gg), (void*)a, length);
    }
}
} // namespace device
inline void set_atomic_none() { device::addTo = nullptr; }
inline void set_atomic_add() {}
inline void set_atomic_f32() { device::adds<float>(); }
inline void set_atomic_f16() { device::adds<half>(); }
inline void set_atomic_bf16() { device::adds<bfloat16_t>(); }
inline void set_atomic_s32() { device::adds<int32_t>(); }
inline void set_atomic_s16() { device::adds<int16_t>(); }
inline void set_atomic_s8() { device::adds<int8_t>(); }
#define BURSTS(bits) \
    inline void copy_gm_to_ubuf_align_b##bits(void* d, const volatile void* s, uint8_t, uint16_t n, uint32_t length, uint8_t lp, uint8_t rp, uint32_t gg, uint32_t ug) { device::load(d, s, bits / 8, n, length, lp, rp, gg, ug); } \
    inline void copy_ubuf_to_gm_align_b##bits(volatile void* d, void* s, uint8_t, uint16_t n, uint32_t length, uint8_t, uint8_t, uint32_t ug, uint32_t gg) { device::unload(d, s, n, length, ug, gg); }
BURSTS(8) BURSTS(16) BURSTS(32)
inline void copy_gm_to_cbuf(void* d, const volatile void* s, uint8_t, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg, pad_t)
{
    for (u64 i = 0; i < n; i++)
        for (u64 k = 0; k < (u64)length * 32; k++) device::at<char>(device::L1, d, i * (length + dg) * 32 + k) = ((const volatile char*)s)[i * (length + sg) * 32 + k];
}
inline void copy_cbuf_to_gm(volatile void* d, void* s, uint8_t, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg)
{
    for (u64 i = 0; i < n; i++)
        for (u64 k = 0; k < (u64)length * 32; k++) ((volatile char*)d)[i * (length + dg) * 32 + k] = device::at<char>(device::L1, s, i * (length + sg) * 32 + k);
}
namespace device {
template <class T> inline void nd2nz(void* d, const volatile T* s, unsigned nd, unsigned n, unsigned width, unsigned sn, unsigned sd, unsigned c0, unsigned ns, unsigned ms)
{
    constexpr int per = 32 / sizeof(T);
    for (unsigned q = 0; q < nd; q++)
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < (width + per - 1) / per * per; j++)
                at<T>(L1, d, (u64)q * ms * sizeof(T) + ((u64)(j / per) * c0 + (u64)i * ns) * 32 + j % per * sizeof(T)) = j < width ? s[(u64)q * sn + (u64)i * sd + j] : T(0);
}
} // namespace device
#define ND2NZ(name, T) \
    template <class D, class S> inline void name(D* d, S* s, uint8_t, uint16_t nd, uint16_t n, uint16_t width, uint16_t sn, uint16_t sd, uint16_t c0, uint16_t ns, uint16_t ms) { device::nd2nz<T>((void*)d, (const volatile T*)s, nd, n, width, sn, sd, c0, ns, ms); }
ND2NZ(copy_gm_to_cbuf_multi_nd2nz_b8, uint8_t) ND2NZ(copy_gm_to_cbuf_multi_nd2nz_b16, uint16_t) ND2NZ(copy_gm_to_cbuf_multi_nd2nz_b32s, uint32_t)
inline void copy_cbuf_to_bt(void* d, void* s, uint16_t control, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg)
{
    for (u64 i = 0; i < (u64)length * (control ? 32 : 64); i++) {
        if (control) device::at<float>(device::BT, d, i * 4) = (float)device::at<half>(device::L1, s, i * 2);
        else device::at<char>(device::BT, d, i) = device::at<char>(device::L1, s, i);
    }
}
inline void copy_cbuf_to_fbuf(void* d, void* s, uint16_t, uint16_t length, uint16_t, uint16_t)
{
    for (u64 i = 0; i < (u64)length * 128; i++) device::at<char>(device::FB, d, i) = device::at<char>(device::L1, s, i);
}
NOTHING(set_nd_para)

// Matrices in boxes of 16 rows of 32 bytes.
namespace device {
inline u64 image, imageB;
inline u64 height(u64 v) { return (v & 0xffff) * (v >> 16 & 0xffff); }
} // namespace device
inline void set_fmatrix(u64 v) { device::image = v; }
inline void set_fmatrix_b(u64 v) { device::imageB = v; }
template <class T> inline void img2colv2_cbuf_to_ca(T* d, T* s, uint16_t k, uint16_t m, uint16_t fromK, uint16_t fromM, int, int, int wk, int hk, int, int, bool, bool, bool transposed, bool, uint16_t)
{
    constexpr int c0 = 32 / sizeof(T);
    if (wk != 1 || hk != 1 || transposed) device::stop("no meaning", "img2colv2 with a window or transposed");
    u64 rows = device::height(device::image);
    for (u64 i = 0; i < m; i++)
        for (u64 j = 0; j < k; j++)
            device::at<T>(device::L0A, d, ((i / 16 * ((k + c0 - 1) / c0) + j / c0) * 16 * c0 + i % 16 * c0 + j % c0) * sizeof(T)) =
                device::at<T>(device::L1, s, ((fromK + j) / c0 * rows * c0 + (fromM + i) * c0 + (fromK + j) % c0) * sizeof(T));
}
template <class T> inline void img2colv2_cbuf_to_cb(T* d, T* s, uint16_t n, uint16_t k, uint16_t fromN, uint16_t fromK, int, int, int wk, int hk, int, int, bool, bool, bool transposed, bool, uint16_t)
{
    constexpr int c0 = 32 / sizeof(T);
    if (wk != 1 || hk != 1 || transposed) device::stop("no meaning", "img2colv2 with a window or transposed");
    u64 rows = device::height(device::imageB);
    for (u64 i = 0; i < k; i++)
        for (u64 j = 0; j < n; j++)
            device::at<T>(device::L0B, d, ((i / c0 * ((n + 15) / 16) + j / 16) * 16 * c0 + j % 16 * c0 + i % c0) * sizeof(T)) =
                device::at<T>(device::L1, s, ((fromN + j) / c0 * rows * c0 + (fromK + i) * c0 + (fromN + j) % c0) * sizeof(T));
}
namespace device {
template <class T> inline void fractals(space to, T* d, T* s, u64 base, int n, u64 sg, u64 dg, bool transposed, const char* name)
{
    if (transposed && sizeof(T) != 2) stop("no meaning", name);
    for (u64 r = 0; r < (u64)n; r++)
        for (u64 i = 0; i < 512 / sizeof(T); i++) {
            u64 from = transposed ? i % 16 * 16 + i / 16 : i;
            at<T>(to, d, r * (dg + 1) * 512 + i * sizeof(T)) = at<T>(L1, s, (base + r * sg) * 512 + from * sizeof(T));
        }
}
} // namespace device
template <class T, class M> inline void load_cbuf_to_ca(T* d, T* s, uint16_t base, uint8_t n, uint16_t sg, uint16_t dg, int, bool transposed, M) { device::fractals(device::L0A, d, s, base, n, sg, dg, transposed, "load_cbuf_to_ca"); }
template <class T, class M> inline void load_cbuf_to_cb(T* d, T* s, uint16_t base, uint8_t n, uint16_t sg, uint16_t dg, int, bool transposed, M) { device::fractals(device::L0B, d, s, base, n, sg, dg, transposed, "load_cbuf_to_cb"); }
template <class C, class A, class B> inline void mad(C* c, A* a, B* b, uint16_t m, uint16_t k, uint16_t n, uint8_t, bool, bool fromBias, bool init)
{
    constexpr int c0 = 32 / sizeof(A);
    if (m > 16 || n > 16) device::assumes("blocks of mad");
    u64 kf = (k + c0 - 1) / c0, nf = (n + 15) / 16, rows = (m + 15) / 16 * 16;
    u64 bias = (u64)c >> 32;
    C* to = (C*)((u64)c & 0xffffffff);
    for (u64 i = 0; i < m; i++)
        for (u64 j = 0; j < n; j++) {
            C& r = device::at<C>(device::L0C, to, (j / 16 * rows * 16 + i * 16 + j % 16) * sizeof(C));
            C v = fromBias ? device::at<C>(device::BT, (void*)bias, j * sizeof(C)) : init ? C(0) : r;
            for (u64 l = 0; l < k; l++)
                v = (C)(v + (C)device::at<A>(device::L0A, a, ((i / 16 * kf + l / c0) * 16 * c0 + i % 16 * c0 + l % c0) * sizeof(A)) * (C)device::at<B>(device::L0B, b, ((l / c0 * nf + j / 16) * 16 * c0 + j % 16 * c0 + l % c0) * sizeof(B)));
            r = v;
        }
}
template <class G, class S> inline void copy_matrix_cc_to_gm(G* g, S* s, u64 xm, u64 xt)
{
    using D = std::remove_cv_t<G>;
    u64 n = xm >> 4 & 0xfff, m = xm >> 16 & 0xffff, ds = xm >> 32;
    auto to = xt >> 43 & 1 ? device::Rows : device::Boxes;
    device::drain<D, S>(s, m, n, xt & 0xffff, to == device::Rows ? ds : ds * 32 / sizeof(D), xt >> 34 & 0x1f, xt >> 39 & 7, to, xt >> 42 & 1, [&](u64 at, u64, u64, D v) { device::store(g + at, &v, sizeof v); });
}
template <class D, class S> inline void copy_matrix_cc_to_cbuf(D* d, S* s, uint8_t, uint16_t n, uint16_t m, uint32_t ds, uint16_t ss, uint8_t, u64 quant, uint8_t relu, bool split, bool rows)
{
    if (rows) device::stop("no meaning", "copy_matrix_cc_to_cbuf in this mode");
    device::drain<D, S>(s, m, n, ss, ds * 32 / sizeof(D), quant, relu, device::Boxes, split, [&](u64 at, u64, u64, D v) { device::at<D>(device::L1, d, at * sizeof(D)) = v; });
}
