#include <pto/pto-inst.hpp>
using namespace pto;
#define KERNEL extern "C" __global__ AICORE void
template <int R, int C, class T = float> using Vec = Tile<TileType::Vec, T, R, C>;
template <int R, int C, class T = float> using View = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>>;

KERNEL two_cores(__gm__ float *x) {
  Vec<8, 8> t;
  View<8, 8> g(x);
  TASSIGN(t, 0);
#if defined(__DAV_CUBE__)
  set_intra_block(PIPE_FIX, 3);
  set_intra_block(PIPE_FIX, 19);
#endif
#if defined(__DAV_VEC__)
  wait_intra_block(PIPE_MTE3, 3);
  TSTORE(g, t);
#endif
}
KERNEL scales(__gm__ float8_e8m0_t *x) {
  GlobalTensor<float8_e8m0_t, Shape<1, 1, 32, 4, 2>, Stride<1, 1, 8, 2, 1>, Layout::MX_A_ND> g(x);
  Tile<TileType::Mat, float8_e8m0_t, 32, 8, BLayout::RowMajor, 32, 8, SLayout::RowMajor, 32> t;
  TASSIGN(t, 0);
  TLOAD(t, g);
}
KERNEL pairs(__gm__ float4_e2m1x2_t *x) {
  Vec<16, 128, float4_e2m1x2_t> t;
  View<16, 128, float4_e2m1x2_t> g(x);
  TASSIGN(t, 0);
  TLOAD(t, g);
}
KERNEL spare_row() {
  Tile<TileType::Vec, half, 17, 32, BLayout::ColMajor, 16, 32, SLayout::RowMajor, 512, PadValue::Null, CompactMode::RowPlusOne> t;
  Vec<16, 32, half> from;
  TASSIGN(t, 0x1000), TASSIGN(from, 0);
  TMovToVecNd2Nz<half, decltype(t), decltype(from)>(t.data(), from.data(), 16, 32, 16);
}
KERNEL loaded(__gm__ float *x) {
  Vec<8, 8> t;
  TASSIGN(t, 0);
  auto &local = t.data();
  copy_gm_to_ubuf((__ubuf__ void *)local, (__gm__ void *)x, 0, 2, 4, 1, 0);
}
KERNEL halves() {
  Vec<16, 64> a, b;
  Vec<16, 64, half> d;
  TASSIGN(a, 0), TASSIGN(b, 0x1000), TASSIGN(d, 0x2000);
  TSUBRELUCONV(d, a, b);
}
KERNEL registers() {
  __VEC_SCOPE__ {
    RegTensor<float> r;
    uint32_t n = 64;
    MaskReg m = CreatePredicate<float>(n);
    vdup(r, 0.0f, m, MODE_ZEROING);
  }
}
