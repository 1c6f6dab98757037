#include <pto/pto-inst.hpp>
using namespace pto;

template <typename T, int Rows, int Cols, bool Right>
__global__ AICORE void scale(__gm__ T *out, __gm__ T *in, T factor) {
  using View = GlobalTensor<T, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, Cols, 1>>;
  View source(in), target(out);
  Tile<TileType::Vec, T, Rows, Cols> tile;
  TASSIGN(tile, 0);
  TLOAD(tile, source);
  PtoSetWaitFlag<PIPE_MTE2, PIPE_V>();
  if constexpr (Right) TMULS(tile, tile, factor);
  else TADDS(tile, tile, factor);
  PtoSetWaitFlag<PIPE_V, PIPE_MTE3>();
  TSTORE(target, tile);
}

extern "C" __global__ AICORE void odd(__gm__ float *out) { asm volatile("NOTHING"); }

template <int Key> void launchScale(float *out, float *in, float factor, void *stream) {
  if constexpr (Key == 1) scale<float, 4, 16, true><<<1, nullptr, stream>>>(out, in, factor);
  else if constexpr (Key == 2) scale<float, 4, 16, false><<<1, nullptr, stream>>>(out, in, factor);
  else odd<<<1, nullptr, stream>>>(out);
}
template void launchScale<1>(float *, float *, float, void *);
template void launchScale<2>(float *, float *, float, void *);
template void launchScale<3>(float *, float *, float, void *);
