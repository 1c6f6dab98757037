// Addresses of global memory in integers: a window of another rank, and the fields of a tile.
#include <pto/pto-inst.hpp>
using namespace pto;

using Row = GlobalTensor<float, Shape<1, 1, 1, 1, DYNAMIC>, Stride<64, 64, 64, 64, 1>>;

extern "C" __global__ AICORE void remote(__gm__ float *data, __gm__ uint64_t *windows, int32_t peer, int32_t n) {
  uint64_t far = (uint64_t)(data + n) - windows[0] + windows[peer];
  Tile<TileType::Vec, float, 1, 64, BLayout::RowMajor, 1, -1> tile(64);
  TASSIGN(tile, 0);
  tile.ColMaskInternal = n;
  Row from((__gm__ float *)far, Shape<1, 1, 1, 1, DYNAMIC>(n)), to(data, Shape<1, 1, 1, 1, DYNAMIC>(n));
  TLOAD(tile, from);
  set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  TSTORE(to, tile);
}

extern "C" __global__ AICORE void shown(__gm__ float *data, __gm__ uint64_t *out) { out[0] = (uint64_t)data + 4; }

extern "C" __global__ AICORE void two(__gm__ float *x, __gm__ float *y) { *(__gm__ float *)((uint64_t)x + (uint64_t)y) = 1; }
