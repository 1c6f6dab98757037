// The memories of the cube unit on A5. L0A and L0B hold blocks of 512 bytes, 16 rows (of the
// left operand) or columns (of the right one) of 32 bytes along the reduced dimension.
//
// That mad packs these blocks by its sizes, and not by the strides of the loads, is inferred
// from the header's compact path, as on A2/A3.
#pragma once

namespace device {

inline u64 loop3 = 1;
inline unsigned char scales[2][16 << 10]; // of the left and the right operand

// nz converts between rows and boxes while it copies to L1. A row of the source is line
// bytes from the next; elements of a row are step bytes apart.
template <class T> inline void nz(void* d, const volatile T* s, u64 line, u64 step, u64 rows, u64 width, u64 matrix)
{
    constexpr u64 c0 = 32 / sizeof(T);
    u64 n = nzPara & 0xffff, row = nzPara >> 16 & 0xffff, column = nzPara >> 32 & 0xffff, next = nzPara >> 48;
    for (u64 q = 0; q < n; q++)
        for (u64 i = 0; i < rows; i++)
            for (u64 j = 0; j < (width + c0 - 1) / c0 * c0; j++) {
                T v{};
                if (j < width) copy(&v, (const volatile char*)s + q * matrix + i * line + j * step, sizeof(T));
                at<T>(L1, d, (q * next + j / c0 * column + i * row) * 32 + j % c0 * sizeof(T)) = v;
            }
}

// blocks copies blocks of 512 bytes from L1. Transposed, the block of rows becomes the
// reduced dimension.
template <class T> inline void blocks512(space to, T* d, T* s, u64 m, u64 k, u64 ms, u64 ks, u64 ss, u64 ds, bool transposed)
{
    constexpr u64 c0 = 32 / sizeof(T);
    for (u64 i = 0; i < ms * 16; i++)
        for (u64 j = 0; j < ks * c0; j++) {
            u64 from = ((k + j / c0) * ss + m + i / 16) * 512 + i % 16 * 32 + j % c0 * sizeof(T);
            u64 at512 = transposed ? (i / c0 * ds + j / 16) * 512 + j % 16 * 32 + i % c0 * sizeof(T) : (j / c0 * ds + i / 16) * 512 + i % 16 * 32 + j % c0 * sizeof(T);
            at<T>(to, d, at512) = at<T>(L1, s, from);
        }
}

// blocksOfPairs is blocks512 for pairs of 4-bit floats: a block has rows of 64 numbers.
template <class T> inline void blocksOfPairs(space to, T* d, T* s, u64 m, u64 k, u64 ms, u64 ks, u64 ss, u64 ds, bool transposed)
{
    if (!transposed) return blocks512(to, d, s, m, k, ms, ks, ss, ds, false);
    for (u64 i = 0; i < ms * 16; i++)
        for (u64 j = 0; j < ks * 64; j++) {
            unsigned char v = at<unsigned char>(L1, s, ((k + j / 64) * ss + m + i / 16) * 512 + i % 16 * 32 + j % 64 / 2) >> j % 2 * 4 & 15;
            unsigned char& r = at<unsigned char>(to, d, (i / 64 * ds + j / 16) * 512 + j % 16 * 32 + i % 64 / 2);
            r = i % 2 ? (r & 15) | v << 4 : (r & 240) | v;
        }
}

inline void scaleBlocks(int of, u64 d, void* s, u64 r, u64 c, u64 rows, u64 cols, u64 ss, u64 ds)
{
    for (u64 i = 0; i < rows; i++)
        for (u64 j = 0; j < cols; j++)
            for (u64 b = 0; b < 32; b++) {
                u64 to = d + (i * ds + j) * 32 + b;
                if (to >= sizeof scales[0]) stop("outside memory of the cube unit", "scales");
                scales[of][to] = at<unsigned char>(L1, s, ((r + i) * ss + c + j) * 32 + b);
            }
}

// isPair reports whether T is a pair of 4-bit floats, the first of them in the lower bits.
template <class T> constexpr bool isPair = std::is_same_v<T, float4_e2m1x2_t> || std::is_same_v<T, float4_e1m2x2_t>;

// half4 returns a number of a pair. The format has one sign bit, and exponent bits from 1 on.
template <class T> inline float half4(T pair, bool upper)
{
    constexpr int fraction = std::is_same_v<T, float4_e2m1x2_t> ? 1 : 2;
    int bits = upper ? pair.bits >> 4 : pair.bits & 15, e = (bits & 7) >> fraction, f = bits & ((1 << fraction) - 1);
    float v = std::ldexp((float)(e ? f + (1 << fraction) : f), (e ? e - 1 : 0) - fraction);
    return bits & 8 ? -v : v;
}

// operand returns element l along the reduced dimension of row (or column) i of an operand
// with blocks rows of blocks. In the mode for one row, the operand is a line of elements.
template <class T> inline auto operand(space of, T* p, u64 i, u64 l, u64 blocks, bool line)
{
    constexpr u64 c0 = isPair<T> ? 64 : 32 / sizeof(T);
    u64 start = line ? 0 : (l / c0 * blocks + i / 16) * 512 + i % 16 * 32;
    if (!line) l %= c0;
    if constexpr (isPair<T>) return half4(at<T>(of, p, start + l / 2), l % 2);
    else return at<T>(of, p, start + l * sizeof(T));
}

template <class C, class T> inline C number(T x)
{
    if constexpr (std::is_arithmetic_v<T> || isFloat<T>) return (C)x;
    else return (C)(float)x;
}

// product multiplies. In the mode for one row, the left operand is a line of elements.
template <class C, class A, class B, class F> inline void product(C* c, A* a, B* b, u64 m, u64 k, u64 n, bool line, bool fromBias, bool init, F scale)
{
    if (m > 16 || n > 16) assumes("blocks of mad");
    u64 mf = (m + 15) / 16, nf = (n + 15) / 16, bias = (u64)c >> 32;
    C* to = (C*)((u64)c & 0xffffffff);
    for (u64 i = 0; i < m; i++)
        for (u64 j = 0; j < n; j++) {
            C& r = at<C>(L0C, to, (j / 16 * mf * 256 + i * 16 + j % 16) * sizeof(C));
            C v = fromBias ? at<C>(BT, (void*)bias, j * sizeof(C)) : init ? C(0) : r;
            for (u64 l = 0; l < k; l++) {
                auto x = operand<A>(L0A, a, i, l, mf, line);
                auto y = operand<B>(L0B, b, j, l, nf, false);
                v = (C)(v + number<C>(x) * number<C>(y) * (C)scale(i, j, l));
            }
            r = v;
        }
}

} // namespace device

inline void set_loop3_para(u64 v) { device::loop3 = v; }
inline void set_channel_para(u64) {}

template <class D, class S> inline void copy_gm_to_cbuf_multi_nd2nz(D* d, S* s, uint8_t, u64 line, uint8_t, uint16_t n, uint32_t width, u64 matrix, bool) { device::nz<D>((void*)d, (const volatile D*)s, line, sizeof(D), n, width, matrix); }
template <class D, class S> inline void copy_gm_to_cbuf_multi_dn2nz(D* d, S* s, uint8_t, u64 line, uint8_t, uint16_t n, uint32_t width, u64 matrix, bool) { device::nz<D>((void*)d, (const volatile D*)s, sizeof(D), line, n, width, matrix); }
template <class T, class G> inline void copy_gm_to_cbuf_align_v2(T* d, G* s, uint8_t, uint32_t n, uint32_t length, uint8_t, uint8_t, bool fill, uint8_t, u64 ss, uint32_t ds)
{
    u64 a = device::l1loops & 0x1fffff, b = device::l1loops >> 21, whole = ((u64)length + 31) / 32 * 32;
    for (u64 j = 0; j < b; j++)
        for (u64 k = 0; k < a; k++)
            for (u64 i = 0; i < n && length; i++) {
                u64 to = j * (device::l1loop2 >> 40) + k * (device::l1loop1 >> 40) + i * ds;
                const volatile char* from = (const volatile char*)s + j * (device::l1loop2 & 0xffffffffff) + k * (device::l1loop1 & 0xffffffffff) + i * ss;
                for (u64 o = 0; o < length; o++) device::at<char>(device::L1, (void*)d, to + o) = from[o];
                if (fill) for (u64 o = length; o < whole; o++) device::at<char>(device::L1, (void*)d, to + o) = ((char*)&device::padL1)[(o - length) % sizeof(T)];
            }
}
inline void copy_ubuf_to_cbuf(void* d, void* s, uint8_t, uint16_t n, uint16_t length, uint16_t sg, uint16_t dg)
{
    for (u64 i = 0; i < n; i++)
        for (u64 k = 0; k < (u64)length * 32; k++) device::at<char>(device::L1, d, i * (length + dg) * 32 + k) = device::get<char>((u64)s + i * (length + sg) * 32 + k);
}
template <class T> inline void load_cbuf_to_ca(T* d, T* s, uint16_t m, uint16_t k, uint8_t ms, uint8_t ks, uint16_t ss, uint16_t ds, int transposed) { device::blocks512(device::L0A, d, s, m, k, ms, ks, ss, ds, transposed); }
template <class T> inline void load_cbuf_to_cb(T* d, T* s, uint16_t m, uint16_t k, uint8_t ms, uint8_t ks, uint16_t ss, uint16_t ds, int transposed) { device::blocks512(device::L0B, d, s, m, k, ms, ks, ss, ds, transposed); }
template <class T> inline void load_cbuf_to_ca_s4(T* d, T* s, uint16_t m, uint16_t k, uint8_t ms, uint8_t ks, uint16_t ss, uint16_t ds, int transposed) { device::blocksOfPairs(device::L0A, d, s, m, k, ms, ks, ss, ds, transposed); }
template <class T> inline void load_cbuf_to_cb_s4(T* d, T* s, uint16_t m, uint16_t k, uint8_t ms, uint8_t ks, uint16_t ss, uint16_t ds, int transposed) { device::blocksOfPairs(device::L0B, d, s, m, k, ms, ks, ss, ds, transposed); }
inline void load_cbuf_to_ca_mx(u64 d, void* s, uint16_t r, uint16_t c, uint8_t rows, uint8_t cols, uint16_t ss, uint16_t ds) { device::scaleBlocks(0, d, s, r, c, rows, cols, ss, ds); }
inline void load_cbuf_to_cb_mx(u64 d, void* s, uint16_t r, uint16_t c, uint8_t rows, uint8_t cols, uint16_t ss, uint16_t ds) { device::scaleBlocks(1, d, s, r, c, rows, cols, ss, ds); }
inline void copy_cbuf_to_bt(u64 table, void* s, uint16_t widen, uint16_t n, uint16_t length, uint16_t, uint16_t)
{
    void* d = (void*)table;
    if (n > 1) device::stop("no meaning", "copy_cbuf_to_bt of several bursts");
    for (u64 i = 0; i < (u64)length * (widen ? 16 : 32); i++) {
        if (widen) device::at<float>(device::BT, d, i * 4) = (float)device::at<half>(device::L1, s, i * 2);
        else device::at<char>(device::BT, d, i) = device::at<char>(device::L1, s, i);
    }
}
inline void copy_cbuf_to_fbuf(void* d, void* s, uint16_t, uint16_t length, uint16_t, uint16_t)
{
    for (u64 i = 0; i < (u64)length * 64; i++) device::at<char>(device::FB, d, i) = device::at<char>(device::L1, s, i);
}

template <class C, class A, class B> inline void mad(C* c, A* a, B* b, uint16_t m, uint16_t k, uint16_t n, uint8_t, bool boxes, bool fromBias, bool init)
{
    device::product(c, a, b, m, k, n, m == 1 && !boxes, fromBias, init, [](u64, u64, u64) { return 1; });
}
// The scales of a block of 32 elements are at a sixteenth of the address of the operand.
template <class C, class A, class B> inline void mad_mx(C* c, A* a, B* b, uint16_t m, uint16_t k, uint16_t n, uint8_t, bool boxes, bool fromBias, bool init)
{
    device::assumes("scales of mad_mx");
    bool line = m == 1 && !boxes;
    u64 pairs = (k + 63) / 64, left = (u64)a / 16, right = (u64)b / 16;
    auto scale = [](int of, u64 at) { return std::ldexp(1.0f, (int)device::scales[of][at] - 127); };
    device::product(c, a, b, m, k, n, line, fromBias, init, [&](u64 i, u64 j, u64 l) {
        return scale(0, left + (line ? l / 32 : (i / 16 * pairs + l / 64) * 32 + i % 16 * 2 + l / 32 % 2)) * scale(1, right + (j / 16 * pairs + l / 64) * 32 + j % 16 * 2 + l / 32 % 2);
    });
}

template <class G, class S> inline void copy_matrix_cc_to_gm(G* g, S* s, u64 xm, u64 xt)
{
    using D = std::remove_cv_t<G>;
    u64 n = xm >> 4 & 0xfff, m = xm >> 16 & 0xffff;
    int mode = (xt >> 34 & 0x1f) | (xt >> 29 & 1) << 5;
    auto to = xt >> 43 & 1 ? device::Rows : xt >> 62 & 1 ? device::Columns : device::Boxes;
    if (to != device::Boxes && (device::loop3 & 0xffff) > 1) device::stop("no meaning", "copy_matrix_cc_to_gm of several matrices");
    device::drain<D, S>(s, m, n, xt & 0xffff, xm >> 32, mode, xt >> 39 & 7, to, xt >> 42 & 1, [&](u64 at, u64, u64, D v) { device::storeBytes(g + at, &v, sizeof v); });
}
template <class D, class S> inline void copy_matrix_cc_to_cbuf(D* d, S* s, uint8_t, uint16_t n, uint16_t m, uint32_t ds, uint16_t ss, uint8_t, uint8_t, uint8_t, u64 mode, uint8_t relu, bool split, bool rows, u64, uint8_t, bool, bool, uint8_t, bool, bool, bool, bool, bool, bool columns)
{
    auto to = rows ? device::Rows : columns ? device::Columns : device::Boxes;
    device::drain<D, S>(s, m, n, ss, ds, mode, relu, to, split, [&](u64 at, u64, u64, D v) { device::at<D>(device::L1, d, at * sizeof(D)) = v; });
}
// In the modes for both vector cores, vector core 0 receives the first half of the rows or
// columns. The memory of vector core 1 is not modelled.
template <class D, class S> inline void copy_matrix_cc_to_ub(D* d, S* s, uint8_t, uint16_t n, uint16_t m, uint32_t ds, uint16_t ss, uint8_t dual, bool second, uint8_t, uint8_t, u64 mode, uint8_t relu, bool split, bool rows, u64, uint8_t, bool, bool, uint8_t, bool, bool, bool, bool, bool, bool columns)
{
    if (second) device::stop("no meaning", "copy_matrix_cc_to_ub to vector core 1");
    auto to = rows ? device::Rows : columns ? device::Columns : device::Boxes;
    u64 lastRow = dual == 1 ? m / 2 : m, lastColumn = dual == 2 ? n / 2 : n;
    device::drain<D, S>(s, lastRow, lastColumn, ss, ds, mode, relu, to, split, [&](u64 at, u64, u64, D v) {
        device::ub((u64)(d + at), sizeof(D), sizeof(D), "copy_matrix_cc_to_ub");
        device::put((u64)(d + at), v);
    });
}
