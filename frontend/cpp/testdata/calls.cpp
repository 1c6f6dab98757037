#include <cassert>
#include <pto/pto-inst.hpp>
using namespace pto;
#define KERNEL extern "C" __global__ AICORE void
template <int R, int C, class T = float> using Vec = Tile<TileType::Vec, T, R, C>;
template <int R, int C, class T = float> using View = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>>;

KERNEL prints(int n, float x) { cce::printf("%d%% of %f, %x\n", n, x, n + 1); }
KERNEL asserts(int n) { assert(n > 2 && "positive"); }
KERNEL modes() { set_atomic_none(); set_atomic_add(); set_mask_count(); }
KERNEL program_counter(__gm__ int64_t *x) {
  uint64_t pc;
  asm volatile("MOV %0, PC\n" : "+l"(pc));
  preload((void *)pc, 2);
}
KERNEL clock(__gm__ uint64_t *x) {
  uint64_t now;
  asm volatile("MOV %0, SYS_CNT\n" : "+l"(now));
  x[0] = now;
}
KERNEL aligned() {
  TileLeft<float, 16, 16> t;
  TASSIGN(t, 0);
  t.SetKAligned(true);
}
KERNEL window() {
  Vec<16, 64> t;
  Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 4, 8> part;
  TASSIGN(t, 0x100);
  TSUBVIEW(part, t, 2, 8);
  TNEG(part, part);
}
KERNEL reduction() {
  Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor> value;
  Tile<TileType::Vec, int32_t, 8, 1, BLayout::ColMajor> index;
  Vec<8, 32> t, tmp;
  TASSIGN(value, 0), TASSIGN(index, 0x100), TASSIGN(t, 0x200), TASSIGN(tmp, 0x800);
  TROWARGMAX(value, index, t, tmp);
}
KERNEL two_windows() {
  using Boxes = Tile<TileType::Vec, half, 16, 32, BLayout::ColMajor, 16, 32, SLayout::RowMajor>;
  Boxes first, second;
  Vec<32, 64, half> t;
  TASSIGN(first, 0), TASSIGN(second, 0x1000), TASSIGN(t, 0x2000);
  TEXTRACT(first, second, t, 0, 16, 16, 32);
}
KERNEL short_boxes(__gm__ half *x) {
  Tile<TileType::Vec, half, 16, 32, BLayout::ColMajor, 5, 30, SLayout::RowMajor> t;
  GlobalTensor<half, Shape<1, 2, 1, 16, 16>, Stride<512, 256, 256, 16, 1>, Layout::NZ> g(x);
  TASSIGN(t, 0);
  TSTORE(g, t);
}
KERNEL bits() {
  Vec<8, 16, half> t, u;
  TASSIGN(t, 0), TASSIGN(u, 0x200);
  TAND(t, t, u);
}
KERNEL columns() {
  Vec<4, 16> t;
  Vec<8, 16> wide;
  TASSIGN(t, 0), TASSIGN(wide, 0x1000);
  TSCATTER<MaskPattern::P0101, ScatterAxis::SCATTER_COL>(wide, t);
}
KERNEL narrow(__gm__ float *x) {
  Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, 16, 8> t;
  View<16, 32> g(x);
  TASSIGN(t, 0);
  TSTORE(g, t);
}
KERNEL filled() {
  Vec<8, 8, int32_t> t;
  TASSIGN(t, 0);
  TEXPANDS(t, 3.75f);
}
KERNEL raw() {
  copy_cbuf_to_ubuf((__ubuf__ void *)(uint64_t)0x400, (__cbuf__ void *)(uint64_t)0x800, 0, 4, 2, 1, 0);
  create_cbuf_matrix((__cbuf__ uint16_t *)(uint64_t)0x20, (3ll << 32) | (2 << 16) | 1, 7);
}
KERNEL inner() {}
KERNEL outer() { inner(); }
KERNEL scattered(__gm__ float *x) {
  View<64, 32> rows(x);
  Vec<8, 32> data;
  Vec<1, 8, int32_t> places;
  TASSIGN(data, 0x0), TASSIGN(places, 0x1000);
  MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Skip>(rows, data, places);
}
KERNEL gathered() {
  Vec<8, 16> t;
  Vec<4, 32> wide;
  TASSIGN(t, 0), TASSIGN(wide, 0x1000);
  TGATHER<decltype(wide), decltype(t), MaskPattern::P0101, GatherAxis::GATHER_COL>(wide, t);
}
KERNEL optional(__gm__ float *x, __gm__ float *y) {
  Vec<8, 8> t;
  View<8, 8> g(x);
  TASSIGN(t, 0);
  if (y != nullptr) TSTORE(g, t);
}
