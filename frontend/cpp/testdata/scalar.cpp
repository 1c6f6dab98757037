#include <cassert>
#include <pto/pto-inst.hpp>
using namespace pto;

// search finds a number: it leaves its loop with break, and returns early.
extern "C" __global__ AICORE void search(__gm__ int32_t *x, __gm__ int32_t *found, int n, int wanted) {
  assert(n >= 0);
  if (n == 0) return;
  int small[4], at = -1;
  for (int i = 0; i < 4; i++) small[i] = i + 1;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) continue;
    small[i & 3] += x[i];
    if (x[i] == wanted || (x[i] > 100 && wanted > 100) || small[(i + 1) & 3] == 77) {
      at = i;
      break;
    }
  }
  if (at < 0) {
    cce::printf("%d is not among %d numbers\n", wanted, n);
    found[0] = -1;
    return;
  }
  while (at > 0 && x[at - 1] == wanted) at--;
  found[0] = at;
  found[1] = small[0] + small[3];
  dcci(found, cache_line_t::ENTIRE_DATA_CACHE, dcci_dst_t::CACHELINE_OUT);
}

extern "C" __global__ AICORE void product(__gm__ half *a, __gm__ half *b, __gm__ float *c) {
  GlobalTensor<half, Shape<1, 1, 1, 32, 32>, Stride<1, 1, 1, 32, 1>> ga(a), gb(b);
  GlobalTensor<float, Shape<1, 1, 1, 32, 32>, Stride<1, 1, 1, 32, 1>> gc(c);
  Tile<TileType::Mat, half, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor> ma, mb;
  TileLeft<half, 32, 32> left;
  TileRight<half, 32, 32> right;
  TileAcc<float, 32, 32> acc;
  TASSIGN(ma, 0x0), TASSIGN(mb, 0x8000), TASSIGN(left, 0x0), TASSIGN(right, 0x0), TASSIGN(acc, 0x0);
  TLOAD(ma, ga), TLOAD(mb, gb);
  PtoSetWaitFlag<PIPE_MTE2, PIPE_MTE1>();
  TMOV(left, ma), TMOV(right, mb);
  PtoSetWaitFlag<PIPE_MTE1, PIPE_M>();
  TMATMUL(acc, left, right);
  PtoSetWaitFlag<PIPE_M, PIPE_FIX>();
  TSTORE(gc, acc);
}
