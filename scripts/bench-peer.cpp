// Measures instructions of the public C++ CPU simulator on tiles of 64x64
// elements, in processor time; bench-peer.sh builds and runs it.
#include <pto/pto-inst.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace pto;

static double processorTime()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

// measure prints the best of several means.
template <typename Call>
static void measure(const char* name, int turns, Call call)
{
    call();
    double best = 1e18;
    for (int round = 0; round < 15; round++) {
        double start = processorTime();
        for (int i = 0; i < turns; i++) {
            call();
            asm volatile("" ::: "memory");
        }
        best = std::min(best, (processorTime() - start) / turns);
    }
    printf("peer    %-40s %12.1f ns\n", name, best);
}

template <typename T>
using Square = Tile<TileType::Vec, T, 64, 64, BLayout::RowMajor, -1, -1>;

template <typename T, int N>
static void measureProduct(const char* name, int turns)
{
    TileLeft<T, N, N, N, N> left;
    TileRight<T, N, N, N, N> right;
    TileAcc<float, N, N, N, N> acc;
    TASSIGN(left, 0);
    TASSIGN(right, 0);
    TASSIGN(acc, 0);
    measure(name, turns, [&] { TMATMUL(acc, left, right); });
}

alignas(64) static float source[64 * 64], target[64 * 64];

int main()
{
    std::fill(std::begin(source), std::end(source), 1.0f);
    Square<float> a(64, 64), b(64, 64), d(64, 64);
    Square<half> ha(64, 64), hb(64, 64), hd(64, 64);
    Square<bfloat16_t> bd(64, 64);
    Square<int32_t> ia(64, 64), ib(64, 64), id(64, 64);
    Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor, -1, -1> col(64, 1);
    Tile<TileType::Vec, int32_t, 64, 1, BLayout::ColMajor, -1, -1> places(64, 1);
    Tile<TileType::Vec, float, 1, 64, BLayout::RowMajor, -1, -1> row(1, 64);
    Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, -1, -1> upper(32, 64);
    Tile<TileType::Vec, uint8_t, 64, 32, BLayout::RowMajor, -1, -1> bits(64, 8);
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x4000);
    TASSIGN(d, 0x8000);
    TASSIGN(ha, 0xC000);
    TASSIGN(hb, 0xE000);
    TASSIGN(hd, 0x10000);
    TASSIGN(bd, 0x10000);
    TASSIGN(ia, 0x14000);
    TASSIGN(ib, 0x18000);
    TASSIGN(id, 0x1C000);
    TASSIGN(col, 0x20000);
    TASSIGN(row, 0x20400);
    TASSIGN(upper, 0x8000);
    TASSIGN(bits, 0x20800);
    TASSIGN(places, 0x21000);
    using View = GlobalTensor<float, Shape<1, 1, 1, 64, 64>, Stride<1, 1, 1, 64, 1>>;
    View from(source), to(target);
    TLOAD(a, from);
    TLOAD(b, from);
    TCVT(ha, a, RoundMode::CAST_NONE);
    TCVT(hb, b, RoundMode::CAST_NONE);

    measure("TADD/f32", 20000, [&] { TADD(d, a, b); });
    measure("TADD/f16", 300, [&] { TADD(hd, ha, hb); });
    measure("TMAX/f32", 10000, [&] { TMAX(d, a, b); });
    measure("TABS/f32", 10000, [&] { TABS(d, a); });
    measure("TADD/i32", 10000, [&] { TADD(id, ia, ib); });
    measure("TADDS/f32", 10000, [&] { TADDS(d, a, 3.0f); });
    measure("TMULS/f32", 10000, [&] { TMULS(d, a, 3.0f); });
    measure("TMAXS/f32", 10000, [&] { TMAXS(d, a, 3.0f); });
    measure("TEXPANDS/f32", 10000, [&] { TEXPANDS(d, 3.0f); });
    measure("TDIVS/f32", 10000, [&] { TDIVS(d, a, 3.0f); });
    measure("TDIV/f32", 10000, [&] { TDIV(d, a, b); });
    measure("TEXP/f32", 1000, [&] { TEXP(d, a); });
    measure("TEXP/f16", 200, [&] { TEXP(hd, ha); });
    measure("TLOG/f32", 1000, [&] { TLOG(d, a); });
    measure("TLOG/f16", 200, [&] { TLOG(hd, ha); });
    measure("TSQRT/f32", 1000, [&] { TSQRT(d, a); });
    measure("TRSQRT/f32", 1000, [&] { TRSQRT(d, a); });
    measure("TRECIP/f32", 1000, [&] { TRECIP(d, a); });
    measure("TRSQRT/f16", 200, [&] { TRSQRT(hd, ha); });
    measure("TROWSUM/f32", 10000, [&] { TROWSUM(d, a, b); });
    measure("TROWSUM/f16", 200, [&] { TROWSUM(hd, ha, hb); });
    measure("TROWMAX/f32", 10000, [&] { TROWMAX(d, a, b); });
    measure("TROWMIN/f32", 10000, [&] { TROWMIN(col, a, b); });
    measure("TROWARGMAX/f32", 1000, [&] { TROWARGMAX(places, a, b); });
    measure("TCOLSUM/f32", 10000, [&] { TCOLSUM(row, a); });
    measure("TCOLMAX/f32", 10000, [&] { TCOLMAX(row, a); });
    measure("TROWEXPAND/f32", 10000, [&] { TROWEXPAND(d, a); });
    measure("TROWEXPANDMUL/f32", 10000, [&] { TROWEXPANDMUL(d, a, col); });
    measure("TROWEXPANDSUB/f32", 10000, [&] { TROWEXPANDSUB(d, a, col); });
    measure("TCOLEXPAND/f32", 10000, [&] { TCOLEXPAND(d, row); });
    measure("TCOLEXPANDMUL/f32", 10000, [&] { TCOLEXPANDMUL(d, a, row); });
    measure("TCMP/f32", 1000, [&] { TCMP(bits, a, b, CmpMode::LT); });
    measure("TCMPS/f32", 1000, [&] { TCMPS(bits, a, 3.0f, CmpMode::LT); });
    measure("TSEL/f32", 1000, [&] { TSEL(d, bits, a, b, col); });
    measure("TMOV/f32", 10000, [&] { TMOV(d, a); });
    measure("TEXTRACT/f32", 10000, [&] { TEXTRACT(upper, a, 16, 0); });
    measure("TTRANS/f32", 1000, [&] { TTRANS(d, a, b); });
    measure("TTRANS/f16", 1000, [&] { TTRANS(hd, ha, hb); });
    measure("TGATHER/f32", 1000, [&] { TGATHER(d, a, id, ib); });
    measure("TCVT/f32-bf16", 300, [&] { TCVT(bd, a, RoundMode::CAST_RINT); });
    measure("TCVT/bf16-f32", 300, [&] { TCVT(d, bd, RoundMode::CAST_NONE); });
    measure("TCVT/f32-i32", 300, [&] { TCVT(id, a, RoundMode::CAST_TRUNC); });
    measure("TCVT/i32-f32", 300, [&] { TCVT(d, ia, RoundMode::CAST_RINT); });
    measure("TCVT/f32-f16", 300, [&] { TCVT(hd, a, RoundMode::CAST_NONE); });
    measure("TCVT/f16-f32", 300, [&] { TCVT(d, ha, RoundMode::CAST_NONE); });
    measure("2xTLOAD+TADD+TSTORE/f32", 10000, [&] {
        TLOAD(a, from);
        TLOAD(b, from);
        TADD(d, a, b);
        TSTORE(to, d);
    });
    measureProduct<float, 64>("TMATMUL/f32/64", 50);
    measureProduct<float, 128>("TMATMUL/f32/128", 5);
    measureProduct<half, 128>("TMATMUL/f16/128", 2);
}
