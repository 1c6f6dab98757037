// Vector instructions of A5 that move lanes or masks: gathers, scatters, packing,
// compaction, and 64-bit arithmetic in two registers.
#pragma once

enum spr_t { SPR_AR };
enum class Spr { AR };
enum class Dist { DIST_NORM, DIST_US, DIST_DS };
enum class DistPST { DIST_NORM, DIST_PK };

namespace device {
inline u64 squeezed = 0, stored = 0; // the bytes that the last vsqz kept, and those stored since AR was cleared
template <class T> using bits = std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>;
} // namespace device

// Masks in memory have one bit for each byte of a register.
template <class T, class O, class D> inline void plds(vector_bool& d, T* p, O offset, D)
{
    device::assumes("masks in memory");
    u64 from = (u64)p + (u64)offset;
    bool up = device::one<D, word_US> || std::is_same_v<std::remove_cvref_t<D>, std::integral_constant<Dist, Dist::DIST_US>>;
    device::ub(from, up ? 16 : 32, 1, "plds");
    vector_bool r;
    for (int i = 0; i < 256; i++) {
        int bit = up ? i / 2 : i;
        r.b[i] = device::get<uint8_t>(from + bit / 8) >> bit % 8 & 1;
    }
    d = r;
}
template <class T, class O, class D> inline void psts(vector_bool& m, T* p, O offset, D)
{
    device::assumes("masks in memory");
    u64 to = (u64)p + (u64)offset;
    bool pack = device::one<D, word_PK> || std::is_same_v<std::remove_cvref_t<D>, std::integral_constant<DistPST, DistPST::DIST_PK>>;
    device::ub(to, pack ? 16 : 32, 1, "psts");
    for (int i = 0; i < (pack ? 16 : 32); i++) {
        uint8_t v = 0;
        for (int j = 0; j < 8; j++) v |= m.b[(i * 8 + j) * (pack ? 2 : 1)] << j;
        device::put(to + i, v);
    }
}
namespace device {
inline void interleave(vector_bool& lo, vector_bool& hi, const vector_bool a, const vector_bool b, int w)
{
    vector_bool r[2];
    for (int i = 0; i < 256; i++) {
        int at = i / w * 2 * w + i % w;
        r[at / 256].b[at % 256] = a.b[i];
        at += w;
        r[at / 256].b[at % 256] = b.b[i];
    }
    lo = r[0], hi = r[1];
}
inline void deinterleave(vector_bool& even, vector_bool& odd, const vector_bool a, const vector_bool b, int w)
{
    vector_bool r[2];
    for (int i = 0; i < 512; i++) r[i / w % 2].b[i / (2 * w) * w + i % w] = i < 256 ? a.b[i] : b.b[i - 256];
    even = r[0], odd = r[1];
}
} // namespace device
#define MASK_PAIRS(name, w) \
    inline void pintlv_##name(vector_bool& lo, vector_bool& hi, vector_bool a, vector_bool b) { device::interleave(lo, hi, a, b, w); } \
    inline void pdintlv_##name(vector_bool& even, vector_bool& odd, vector_bool a, vector_bool b) { device::deinterleave(even, odd, a, b, w); }
MASK_PAIRS(b8, 1) MASK_PAIRS(b16, 2) MASK_PAIRS(b32, 4)
template <class P> inline void ppack(vector_bool& d, vector_bool s, P)
{
    vector_bool r;
    int to = device::one<P, word_HIGHER> ? 128 : 0;
    for (int i = 0; i < 128; i++) r.b[to + i] = s.b[2 * i];
    d = r;
}
template <class P> inline void punpack(vector_bool& d, vector_bool s, P)
{
    vector_bool r;
    int from = device::one<P, word_HIGHER> ? 128 : 0;
    for (int i = 0; i < 128; i++) r.b[2 * i] = s.b[from + i];
    d = r;
}

// Gathers and scatters: an index counts elements. A byte becomes a lane of 16 bits.
template <class D, class T, class I> inline void vgather2(D& d, T* p, I& index, vector_bool m)
{
    using E = device::elem<I>;
    device::reg<E> out;
    std::memset(out.b, 0, 256);
    for (int i = 0; i < 256 / (int)sizeof(E); i++)
        if (m.b[i * sizeof(E)]) {
            u64 a = (u64)p + (u64)device::of(index)[i] * sizeof(T);
            device::ub(a, sizeof(T), sizeof(T), "vgather2");
            E v = 0;
            device::copy(&v, (void*)a, sizeof(T));
            out[i] = v;
        }
    std::memcpy(device::of(d).b, out.b, 256);
}
// vgather2_bc puts each element into the lower bits of a lane as wide as an index, since
// TGather.hpp stores the lanes by PK_B32.
template <class D, class T, class I> inline void vgather2_bc(D& d, T* p, I& index, vector_bool m)
{
    constexpr int w = sizeof(device::elem<I>);
    unsigned char out[256] = {};
    device::assumes("vgather2_bc");
    for (int i = 0; i < 256 / w; i++)
        if (m.b[i * w]) {
            u64 a = (u64)p + (u64)device::of(index)[i] * sizeof(T);
            device::ub(a, sizeof(T), sizeof(T), "vgather2_bc");
            device::copy(out + i * w, (void*)a, sizeof(T));
        }
    std::memcpy(device::of(d).b, out, 256);
}
template <class D, class T, class I> inline void vgatherb(D& d, T* p, I& offsets, vector_bool m)
{
    constexpr int w = sizeof(device::elem<D>);
    device::assumes("vgatherb");
    unsigned char out[256] = {};
    for (int k = 0; k < 8; k++) {
        if (!m.b[k * 32]) continue;
        u64 a = (u64)p + device::of(offsets)[k];
        device::ub(a, 32, 32, "vgatherb");
        for (int i = 0; i < 32; i++)
            if (m.b[k * 32 + i / w * w]) out[k * 32 + i] = device::get<uint8_t>(a + i);
    }
    std::memcpy(device::of(d).b, out, 256);
}
template <class V, class T, class I> inline void vscatter(V& v, T* p, I& index, vector_bool m)
{
    using E = device::elem<I>;
    for (int i = 0; i < 256 / (int)sizeof(E); i++)
        if (m.b[i * sizeof(E)]) {
            u64 a = (u64)p + (u64)device::of(index)[i] * sizeof(T);
            device::ub(a, sizeof(T), sizeof(T), "vscatter");
            device::copy((void*)a, device::of(v).b + i * sizeof(E), sizeof(T));
        }
}
template <class V, class T> inline void vsstb(V& v, T*& p, uint32_t config, vector_bool m, word_POST_UPDATE)
{
    constexpr int w = sizeof(device::elem<V>);
    for (u64 k = 0; k < 8; k++)
        for (int i = 0; i < 32; i++)
            if (m.b[k * 32 + i / w * w]) {
                u64 a = (u64)p + k * (config >> 16) * 32 + i;
                device::ub(a, 1, 1, "vsstb");
                device::put(a, device::of(v).b[k * 32 + i]);
            }
    p = (T*)((u64)p + (u64)(config & 0xffff) * 32);
}
template <class D, class A, class I> inline void vselr(D& d, A& a, I& index)
{
    constexpr int w = sizeof(device::elem<I>), n = 256 / w;
    unsigned char out[256];
    for (int i = 0; i < n; i++) std::memcpy(out + i * w, device::of(a).b + (u64)device::of(index)[i] % n * w, w);
    std::memcpy(device::of(d).b, out, 256);
}
template <class D, class S, class P> inline void vpack(D& d, S& s, P)
{
    constexpr int w = sizeof(device::elem<D>), n = 128 / w;
    unsigned char out[256] = {};
    for (int i = 0; i < n; i++) std::memcpy(out + (device::one<P, word_HIGHER> ? 128 : 0) + i * w, device::of(s).b + 2 * i * w, w);
    std::memcpy(device::of(d).b, out, 256);
}

// Compaction: AR holds how far unaligned stores have gone.
template <class R> inline void sprclr(R) { device::stored = 0; }
template <class D, class S, class M> inline void vsqz(D& d, S& s, vector_bool m, M)
{
    using T = device::elem<D>;
    device::reg<T> out;
    std::memset(out.b, 0, 256);
    int n = 0;
    for (int i = 0; i < 256 / (int)sizeof(T); i++)
        if (m.b[i * sizeof(T)]) out[n++] = device::of(s)[i];
    std::memcpy(device::of(d).b, out.b, 256);
    device::squeezed = n * sizeof(T);
}
template <class R, class T> inline void vstur(vector_align&, const R& r, T* p, word_POST_UPDATE)
{
    device::assumes("vsqz and vstur");
    u64 to = (u64)p + device::stored;
    device::ub(to, device::squeezed, 1, "vstur");
    device::copy((void*)to, device::of(r).b, device::squeezed);
    device::stored += device::squeezed;
}
template <class T> inline void vstar(vector_align&, T*) {}

// Arithmetic of 64 bits in two registers. A carry of a subtraction is set without a borrow.
template <class D, class A, class B> inline void vaddcs(vector_bool& carry, D& d, A& a, B& b, vector_bool in, vector_bool m)
{
    vector_bool out;
    for (int i = 0; i < 64; i++) {
        u64 v = (u64)(uint32_t)device::of(a)[i] + (uint32_t)device::of(b)[i] + in.b[i * 4];
        if (!m.b[i * 4]) v = 0;
        device::of(d)[i] = (uint32_t)v;
        for (int j = 0; j < 4; j++) out.b[i * 4 + j] = v >> 32;
    }
    carry = out;
}
template <class D, class A, class B> inline void vaddc(vector_bool& carry, D& d, A& a, B& b, vector_bool m) { vaddcs(carry, d, a, b, vector_bool(), m); }
template <class D, class A, class B> inline void vsubcs(vector_bool& carry, D& d, A& a, B& b, vector_bool in, vector_bool m)
{
    vector_bool out;
    for (int i = 0; i < 64; i++) {
        u64 v = (u64)(uint32_t)device::of(a)[i] + (uint32_t)~device::of(b)[i] + in.b[i * 4];
        if (!m.b[i * 4]) v = 0;
        device::of(d)[i] = (uint32_t)v;
        for (int j = 0; j < 4; j++) out.b[i * 4 + j] = v >> 32;
    }
    carry = out;
}
template <class D, class A, class B> inline void vsubc(vector_bool& carry, D& d, A& a, B& b, vector_bool m)
{
    vector_bool all;
    for (bool& bit : all.b) bit = true;
    vsubcs(carry, d, a, b, all, m);
}
template <class D, class E, class A, class B> inline void vmull(D& low, E& high, A& a, B& b, vector_bool m)
{
    for (int i = 0; i < 64; i++) {
        auto x = device::of(a)[i];
        auto y = device::of(b)[i];
        u64 v = std::is_signed_v<decltype(x)> ? (u64)((int64_t)x * (int64_t)y) : (u64)x * (u64)y;
        if (!m.b[i * 4]) v = 0;
        device::of(low)[i] = (uint32_t)v;
        device::of(high)[i] = (uint32_t)(v >> 32);
    }
}

// Reductions of groups of 32 bytes and of pairs.
namespace device {
template <class D, class A, class F> inline void groups(D& d, A& a, const mask& m, int group, elem<D> init, F f)
{
    using T = elem<D>;
    constexpr int n = 256 / sizeof(T);
    reg<T> out;
    std::memset(out.b, 0, 256);
    for (int g = 0; g < n / group; g++) {
        T v[32];
        for (int i = 0; i < group; i++) v[i] = m.b[(g * group + i) * sizeof(T)] ? of(a)[g * group + i] : init;
        for (int k = group; k > 1; k /= 2)
            for (int i = 0; i < k / 2; i++) v[i] = (T)f(v[2 * i], v[2 * i + 1]);
        out[g] = v[0];
    }
    std::memcpy(of(d).b, out.b, 256);
}
inline constexpr auto plus = [](auto x, auto y) { return wide(x) + wide(y); };
} // namespace device
template <class D, class A, class M = word_MODE_ZEROING> inline void vcgadd(D& d, A& a, vector_bool m, M = M()) { device::groups(d, a, m, 32 / sizeof(device::elem<D>), device::elem<D>(0), device::plus); }
template <class D, class A, class M = word_MODE_ZEROING> inline void vcgmax(D& d, A& a, vector_bool m, M = M()) { device::groups(d, a, m, 32 / sizeof(device::elem<D>), device::least<device::elem<D>>(), device::larger<device::elem<D>>); }
template <class D, class A, class M = word_MODE_ZEROING> inline void vcgmin(D& d, A& a, vector_bool m, M = M()) { device::groups(d, a, m, 32 / sizeof(device::elem<D>), device::greatest<device::elem<D>>(), device::smaller<device::elem<D>>); }
template <class D, class A, class M = word_MODE_ZEROING> inline void vcpadd(D& d, A& a, vector_bool m, M = M()) { device::groups(d, a, m, 2, device::elem<D>(0), device::plus); }
// Counts of bytes, each byte also in all later bins: bins 0 to 127, or 128 to 255.
enum bins { Bin_N0, Bin_N1 };
template <class D, class S> inline void chistv2(D& d, S& s, vector_bool m, bins which)
{
    device::assumes("chistv2");
    for (int i = 0; i < 256; i++)
        for (int bin = 0; m.b[i] && bin < 128; bin++) device::of(d)[bin] += device::of(s)[i] <= bin + (which == Bin_N1 ? 128 : 0);
}
BINARY(vprelu, x >= 0 ? x : T(device::wide(x) * device::wide(y)))
// The remainder has the sign of the divisor, as TRem.hpp needs.
BINARY(vmod, (device::assumes("vmod"), y == T(0)) ? T(-1) : T(device::wide(x) % device::wide(y)) != T(0) && (x < 0) != (y < 0) ? T(device::wide(x) % device::wide(y) + device::wide(y)) : T(device::wide(x) % device::wide(y)))
