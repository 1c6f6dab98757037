// The way out of the accumulator: quantization, relu, and the layouts of the destination.
// The same on both targets, apart from the units of strides.
#pragma once

namespace device {

inline u64 quantScalar = 0, fpAddress = 0;

// quantizes reports the kind of a mode of fixpipe: none, one factor for the tile, or one
// factor for each column.
enum quantization { Plain, OneFactor, Factors };
inline quantization quantizes(int mode)
{
    switch (mode) {
    case NoQuant: case F322F16: case F322BF16: return Plain;
    case DEQF16: case REQ8: case QF322B8_PRE: case QF322F16_PRE: case QF322BF16_PRE: case QF322F32_PRE: case QF322FP8_PRE: case QF322HIF8_PRE: case QS322BF16_PRE:
        return OneFactor;
    case VDEQF16: case VREQ8: case VQF322B8_PRE: case VQF322F16_PRE: case VQF322BF16_PRE: case VQF322F32_PRE: case VQF322FP8_PRE: case VQF322HIF8_PRE: case VQS322BF16_PRE:
        return Factors;
    }
    stop("no meaning", "fixpipe in this mode");
}

// fixed converts one element of a column. The factor is an f32 in the lower bits, of which
// the cube unit uses 19 in a table of factors for columns; bits 37 to 45 are an offset that
// integers get after rounding.
template <class D, class S> inline D fixed(S v, int mode, int relu, u64 column)
{
    if (relu > 1) stop("no meaning", "a relu with slopes");
    if (relu && v < 0) v = 0;
    quantization how = quantizes(mode);
    if (how == Plain) {
        if constexpr (std::is_same_v<D, S>) return v;
        else if constexpr (isFloat<D> && isFloat<S>) return convert<D, S>(v, 'r');
        else stop("no conversion", "fixpipe from another type without a mode");
    }
    assumes("factors of fixpipe");
    u64 factor = how == Factors ? at<u64>(FB, (void*)fpAddress, column * 8) : quantScalar;
    uint32_t bits = how == Factors ? (uint32_t)factor & ~0x1fffu : (uint32_t)factor;
    float scale;
    std::memcpy(&scale, &bits, 4);
    float y = (float)v * scale;
    if constexpr (std::is_same_v<D, float>) {
        return y;
    } else if constexpr (isFloat<D>) {
        return convert<D, float>(y, 'r');
    } else if constexpr (std::is_integral_v<D>) {
        int offset = (int)(factor >> 37 & 0x1ff);
        if (offset & 0x100) offset -= 0x200;
        float q = std::nearbyint(y) + offset;
        constexpr float lo = std::numeric_limits<D>::min(), hi = std::numeric_limits<D>::max();
        return q != q ? D(0) : q <= lo ? (D)lo : q >= hi ? (D)hi : (D)q;
    } else {
        return D(y);
    }
}

// layout is the order of elements at a destination of fixpipe.
enum layout { Boxes, Rows, Columns };

// drain moves m rows and n columns of an accumulator whose blocks of columns are ss rows
// apart. put receives the index of each element at the destination. In boxes, the blocks of
// columns are ds elements apart.
template <class D, class S, class F> inline void drain(S* s, u64 m, u64 n, u64 ss, u64 ds, int mode, int relu, layout to, bool split, F put)
{
    const u64 c0 = split ? 8 : sizeof(D) == 1 ? 32 : 16;
    for (u64 i = 0; i < m; i++)
        for (u64 j = 0; j < n; j++) {
            D v = fixed<D, S>(at<S>(L0C, s, (j / 16 * ss * 16 + i * 16 + j % 16) * sizeof(S)), mode, relu, j);
            put(to == Rows ? i * ds + j : to == Columns ? j * ds + i : j / c0 * ds + i * c0 + j % c0, i, j, v);
        }
}

} // namespace device

inline void set_fpc(u64 v) { device::fpAddress = v >> 8 << 7; }
inline void set_quant_pre(u64 v) { device::quantScalar = v; }
