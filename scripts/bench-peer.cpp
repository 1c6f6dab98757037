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
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x4000);
    TASSIGN(d, 0x8000);
    TASSIGN(ha, 0xC000);
    TASSIGN(hb, 0xE000);
    TASSIGN(hd, 0x10000);
    using View = GlobalTensor<float, Shape<1, 1, 1, 64, 64>, Stride<1, 1, 1, 64, 1>>;
    View from(source), to(target);
    TLOAD(a, from);
    TLOAD(b, from);
    TCVT(ha, a, RoundMode::CAST_NONE);
    TCVT(hb, b, RoundMode::CAST_NONE);

    measure("TADD/f32", 20000, [&] { TADD(d, a, b); });
    measure("TADD/f16", 300, [&] { TADD(hd, ha, hb); });
    measure("TDIVS/f32", 10000, [&] { TDIVS(d, a, 3.0f); });
    measure("TDIV/f32", 10000, [&] { TDIV(d, a, b); });
    measure("TEXP/f32", 1000, [&] { TEXP(d, a); });
    measure("TEXP/f16", 200, [&] { TEXP(hd, ha); });
    measure("TLOG/f32", 1000, [&] { TLOG(d, a); });
    measure("TLOG/f16", 200, [&] { TLOG(hd, ha); });
    measure("TRSQRT/f16", 200, [&] { TRSQRT(hd, ha); });
    measure("TROWSUM/f32", 10000, [&] { TROWSUM(d, a, b); });
    measure("TROWSUM/f16", 200, [&] { TROWSUM(hd, ha, hb); });
    measure("TROWMAX/f32", 10000, [&] { TROWMAX(d, a, b); });
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
