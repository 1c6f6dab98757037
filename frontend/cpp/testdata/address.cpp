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

extern "C" __global__ AICORE void lines(__gm__ float *data, int32_t n) {
  for (uint64_t at = (uint64_t)data & ~63ull, end = (uint64_t)(data + n); at < end; at += 64) dcci((__gm__ void *)at, cache_line_t::SINGLE_CACHE_LINE);
  dsb(DSB_DDR);
}

// The pointer is x in even rounds and y in odd ones.
extern "C" __global__ AICORE void either(__gm__ float *x, __gm__ float *y, __gm__ float *out, int32_t start, int32_t n) {
  __gm__ float *p = x;
  for (int32_t i = start; i < n; i++) {
    Tile<TileType::Vec, float, 1, 64> tile;
    TASSIGN(tile, 0);
    GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<64, 64, 64, 64, 1>> from(p), to(out);
    TLOAD(tile, from);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    TSTORE(to, tile);
    pipe_barrier(PIPE_ALL);
    p = p == x ? y : x;
  }
}
