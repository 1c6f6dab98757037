// Instructions of A2/A3 that combine, move or compact elements.
#pragma once

// Three operands: the destination is one of the factors or addends.
#define TERNARY(name, expression) \
    template <class T> inline void name(T* d, T* a, T* b, uint8_t n, uint8_t db, uint8_t ab, uint8_t bb, uint8_t dr, uint8_t ar, uint8_t br) \
    { \
        device::each(#name, d, n, db, dr, 256 / sizeof(T), [&](int r, int i) -> T { \
            T z = device::get<T>(device::element(d, r, i, db, dr, #name)); \
            T x = device::get<T>(device::element(a, r, i, ab, ar, #name)); \
            T y = device::get<T>(device::element(b, r, i, bb, br, #name)); \
            device::assumes("roundings of products with sums"); \
            return (T)(expression); \
        }); \
    }
TERNARY(vmla, device::wide(z) + device::wide((T)(device::wide(x) * device::wide(y)))) TERNARY(vmadd, device::fused(z, x, y))
TERNARY(vmaddrelu, device::larger(device::fused(z, x, y), T(0)))

// Sums and differences with a relu and a conversion. A narrower result fills the lower half
// of each repeat.
#define CONVERTED(name, D, S, operation) \
    inline void name(void* d, void* a, void* b, uint8_t n, uint8_t db, uint8_t ab, uint8_t bb, uint8_t dr, uint8_t ar, uint8_t br, bool) \
    { \
        device::each(#name, (D*)d, n, db, dr, 256 / sizeof(S), [&](int r, int i) { \
            S x = device::get<S>(device::element((S*)a, r, i, ab, ar, #name)), y = device::get<S>(device::element((S*)b, r, i, bb, br, #name)); \
            return device::convert<D, S>(device::larger(S(0), (S)(device::wide(x) operation device::wide(y))), 'r'); \
        }); \
    }
CONVERTED(vaddreluconv_f322f16, half, float, +) CONVERTED(vaddreluconv_f162s8, int8_t, half, +) CONVERTED(vaddreluconv_s162s8, int8_t, int16_t, +)
CONVERTED(vsubreluconv_f322f16, half, float, -) CONVERTED(vsubreluconv_f162s8, int8_t, half, -) CONVERTED(vsubreluconv_s162s8, int8_t, int16_t, -)

namespace device {
inline half deqscale = 1;
inline u64 reserved = 0;
} // namespace device
inline void set_deqscale(half scale) { device::deqscale = scale; }
inline void vconv_deq(void* d, void* s, uint8_t n, uint16_t db, uint16_t sb, uint16_t dr, uint16_t sr)
{
    device::unary("vconv_deq", (half*)d, (int32_t*)s, n, db, sb, dr, sr, [](int32_t x) { return half((float)x * (float)device::deqscale); });
}

// vreducev2 moves the elements that a pattern, or the bits at an address, select together.
// In count mode each repeat has as many elements as the mask counts.
template <class T, class S, class P, class M> inline void vreducev2(T* d, S* s, P* pattern, uint16_t n, uint8_t sb, M how, uint16_t sr, uint16_t pr)
{
    constexpr int e = 256 / sizeof(T);
    device::assumes("vreducev2");
    T* to = d;
    int mode = (int)how;
    int each = device::counting ? (int)device::maskLow : e;
    std::vector<T> kept;
    for (int r = 0; r < n; r++)
        for (int i = 0; i < each; i++) {
            bool keep;
            switch (mode) {
            case 0: keep = device::get<uint8_t>((u64)pattern + (u64)r * pr * 32 + i / 8) >> i % 8 & 1; break;
            case 1: case 2: keep = i % 2 == mode - 1; break;
            case 3: case 4: case 5: case 6: keep = i % 4 == mode - 3; break;
            case 7: keep = true; break;
            default: device::stop("no meaning", "vreducev2 with this pattern");
            }
            if (keep) kept.push_back(device::get<T>((u64)s + ((u64)r * sr + (u64)(i * sizeof(T) / 32) * sb) * 32 + i * sizeof(T) % 32));
        }
    for (T v : kept) {
        device::ub((u64)to, sizeof(T), sizeof(T), "vreducev2");
        device::put((u64)to++, v);
    }
    device::reserved = kept.size();
}
inline u64 get_rsvd_cnt() { return device::reserved; }

// The largest or smallest element of each repeat with its index in the repeat, as integers
// of the same size. The first of equal elements counts.
namespace device {
template <class T, class F> inline void extreme(const char* name, T* d, T* s, int n, int dr, int sb, int sr, bool onlyIndex, F better)
{
    constexpr int e = 256 / sizeof(T);
    n = repeats(n, e);
    for (int r = 0; r < n; r++) {
        int best = -1;
        T value{};
        for (int i = 0; i < e; i++) {
            if (!on(r, i, e)) continue;
            T v = get<T>(element(s, r, i, sb, sr, name));
            if (best < 0 || better(v, value)) value = v, best = i;
        }
        if (best < 0) continue;
        if (onlyIndex) { // always 32 bits
            u64 to = (u64)d + (u64)r * dr * 4;
            ub(to, 4, 4, name);
            put(to, (uint32_t)best);
            continue;
        }
        u64 to = (u64)(d + (u64)r * dr * 2);
        std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t> index = best;
        ub(to, 2 * sizeof(T), sizeof(T), name);
        put(to, value);
        put(to + sizeof(T), index);
    }
}
} // namespace device
template <class T> inline void vcmax(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr, Order_t o)
{
    if (o == ONLY_VALUE) device::reduce("vcmax", d, s, n, dr, sb, sr, 256 / sizeof(T), 1, device::larger<T>);
    else if (o == INDEX_VALUE) device::stop("no meaning", "vcmax with the index first");
    else device::extreme("vcmax", d, s, n, dr, sb, sr, o == ONLY_INDEX, [](T a, T b) { return a > b; });
}
template <class T> inline void vcmin(T* d, T* s, uint8_t n, uint16_t dr, uint16_t sb, uint16_t sr, Order_t o)
{
    if (o == ONLY_VALUE) device::reduce("vcmin", d, s, n, dr, sb, sr, 256 / sizeof(T), 1, device::smaller<T>);
    else if (o == INDEX_VALUE) device::stop("no meaning", "vcmin with the index first");
    else device::extreme("vcmin", d, s, n, dr, sb, sr, o == ONLY_INDEX, [](T a, T b) { return a < b; });
}

// vsel selects by mask bits: those of set_cmpmask for each repeat (mode 0), those at a third
// operand with a scalar from set_cmpmask (mode 1), or those at the address in set_cmpmask,
// one after the other (mode 2).
template <class T, class B, class M = int> inline void vsel(T* d, T* a, B* b, uint8_t n, uint8_t db, uint8_t ab, uint8_t bb, uint8_t dr, uint8_t ar, uint8_t br, M mode = M{})
{
    constexpr int e = 256 / sizeof(T);
    u64 bits = (int)mode == 1 ? (u64)b : device::compareMask[0] & 0xffffffff;
    T scalar;
    std::memcpy(&scalar, &device::compareMask[0], sizeof(T));
    device::each("vsel", d, n, db, dr, e, [&](int r, int i) -> T {
        bool first = (int)mode == 0 ? device::compareMask[i / 64] >> i % 64 & 1 : device::get<uint8_t>(bits + (u64)r * (e / 8) + i / 8) >> i % 8 & 1;
        if (first) return device::get<T>(device::element(a, r, i, ab, ar, "vsel"));
        return (int)mode == 1 ? scalar : device::get<T>(device::element((T*)b, r, i, bb, br, "vsel"));
    });
}

// Transposed loads of squares of 32 x 32 bytes: each becomes two blocks of 512 bytes.
namespace device {
template <class T> inline void squares(space to, T* d, T* s, u64 base, int n, u64 ss, u64 dg, u64 half)
{
    if (sizeof(T) != 1) stop("no meaning", "load_cbuf transposed");
    for (u64 r = 0; r < (u64)n; r++)
        for (u64 i = 0; i < 32; i++)
            for (u64 j = 0; j < 32; j++)
                at<T>(to, d, (r * (dg + 1) + j / 16 * (half + 1)) * 512 + j % 16 * 32 + i) = at<T>(L1, s, (base + r * ss) * 1024 + i * 32 + j);
}
} // namespace device
template <class T> inline void load_cbuf_to_ca_transpose(T* d, T* s, uint16_t base, uint8_t n, uint16_t ss, uint16_t dg, bool, uint16_t half) { device::squares(device::L0A, d, s, base, n, ss, dg, half); }
template <class T> inline void load_cbuf_to_cb_transpose(T* d, T* s, uint16_t base, uint8_t n, uint16_t ss, uint16_t dg, bool, uint16_t half) { device::squares(device::L0B, d, s, base, n, ss, dg, half); }

// scatter_vnchwconv_b8 transposes 16 lines of 32 bytes: one half of each line becomes 16
// lines, of which it fills one half.
inline void scatter_vnchwconv_b8(va_t d, va_t s, uint8_t n, uint16_t dr, uint16_t sr, bool dstHigh, bool srcHigh)
{
    for (int r = 0; r < n; r++) {
        uint8_t v[16][16];
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) v[i][j] = device::get<uint8_t>(device::vaAt(s, i) + (u64)r * sr * 32 + srcHigh * 16 + j);
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 16; i++) {
                u64 a = device::vaAt(d, j) + (u64)r * dr * 32 + dstHigh * 16 + i;
                device::ub(a, 1, 1, "scatter_vnchwconv_b8");
                device::put(a, v[i][j]);
            }
    }
}
