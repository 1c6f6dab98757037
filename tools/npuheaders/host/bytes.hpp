// Floats of 8 bits. A conversion from f32 rounds to nearest even and saturates; NaN stays.
#pragma once

namespace device {
[[noreturn]] inline void stop(const char* why, const char* name);

// byteFloat decodes and encodes floats of one byte with the given bits of exponent and fraction.
// The format with four bits of exponent has no infinity, and one NaN.
template <int Exponent, int Fraction> struct byteFloat {
    static constexpr int bias = (1 << (Exponent - 1)) - 1;
    static constexpr bool finite = Exponent == 4;
    static float decode(unsigned char b)
    {
        int e = b >> Fraction & ((1 << Exponent) - 1), f = b & ((1 << Fraction) - 1);
        float v;
        if (finite && (b & 0x7f) == 0x7f) v = NAN;
        else if (!finite && e == (1 << Exponent) - 1) v = f ? NAN : INFINITY;
        else v = e ? std::ldexp((float)(f | 1 << Fraction), e - bias - Fraction) : std::ldexp((float)f, 1 - bias - Fraction);
        return b & 0x80 ? -v : v;
    }
    static unsigned char encode(float x)
    {
        if (x != x) return 0x7f;
        unsigned char sign = std::signbit(x) ? 0x80 : 0, best = 0, last = finite ? 0x7e : ((1 << Exponent) - 2) << Fraction | ((1 << Fraction) - 1);
        x = std::fabs(x);
        for (int b = 0; b <= last; b++) {
            float d = std::fabs(decode(b) - x), now = std::fabs(decode(best) - x);
            if (d < now || d == now && !(b & 1)) best = b;
        }
        return sign | best;
    }
};

} // namespace device

#define SMALL_FLOAT(name, decoded, encoded) \
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
        template <class T> requires std::is_arithmetic_v<T> || std::is_same_v<T, _Float16> || std::is_same_v<T, __bf16> \
        explicit(!std::is_same_v<T, float>) name(T v) : bits(encode((float)v)) {} \
        name& operator=(float x) { bits = encode(x); return *this; } \
        operator float() const { return decode(bits); } \
        static float decode(unsigned char b) { return decoded; } \
        static unsigned char encode(float x) { return encoded; } \
    }
namespace device {
// hif8 decodes and encodes HiFloat8 (arXiv:2409.16626). A prefix code after the sign
// determines how many bits are exponent.
struct hif8 {
    static float decode(unsigned char b)
    {
        int m = b & 0x7f, exponent = 0, fraction = 3;
        float v;
        if (b == 0x80) return NAN;
        if (m < 8) {
            v = m == 0 ? 0 : std::ldexp(1.0f, m - 23);
        } else if (m == 0x6f) {
            v = INFINITY;
        } else {
            if (m >= 0x60) exponent = 4, fraction = 1;
            else if (m >= 0x40) exponent = 3, fraction = 2;
            else if (m >= 0x20) exponent = 2;
            else if (m >= 0x10) exponent = 1;
            int e = 0;
            if (exponent) {
                int field = m >> fraction;
                e = 1 << (exponent - 1) | (field & ((1 << (exponent - 1)) - 1));
                if (field >> (exponent - 1) & 1) e = -e;
            }
            v = std::ldexp((float)((m & ((1 << fraction) - 1)) | 1 << fraction), e - fraction);
        }
        return b & 0x80 ? -v : v;
    }
    // encode finds the code of a number that HiFloat8 has.
    static unsigned char encode(float x)
    {
        if (x != x) return 0x80;
        for (int b = 0; b < 256; b++)
            if (decode(b) == x) return b;
        stop("no meaning", "rounding to HiFloat8");
    }
};
} // namespace device
typedef device::byteFloat<4, 3> e4m3;
typedef device::byteFloat<5, 2> e5m2;
SMALL_FLOAT(float8_e4m3_t, e4m3::decode(b), e4m3::encode(x));
SMALL_FLOAT(float8_e5m2_t, e5m2::decode(b), e5m2::encode(x));
SMALL_FLOAT(float8_e8m0_t, b == 255 ? NAN : std::ldexp(1.0f, b - 127), (x != x ? 255 : (unsigned char)(std::ilogb(x) + 127)));
SMALL_FLOAT(hifloat8_t, device::hif8::decode(b), device::hif8::encode(x));
