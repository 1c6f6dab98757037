// Structs on the stack whose fields have several types, and that loops index.
#include <pto/pto-inst.hpp>
using namespace pto;

struct Cache {
  int32_t rows[4];
  float weights[4];
  bool full;
  uint16_t count;
};

extern "C" __global__ AICORE void fields(__gm__ int32_t *rows, __gm__ float *weights, __gm__ float *out, int32_t n) {
  Cache cache{};
  cache.full = n > 4;
  for (int32_t i = 0; i < n && i < 4; i++) {
    cache.rows[i] = rows[i];
    cache.weights[i] = weights[i];
    cache.count++;
  }
  for (int32_t i = 0; i < n; i++) {
    const int32_t row = cache.full ? rows[i] : cache.rows[i & 3];
    out[i] = cache.weights[i & 3] + (float)row + (float)cache.count;
  }
}

struct Pending {
  int32_t done[4];
  __gm__ float *to;
  int64_t total;
};

extern "C" __global__ AICORE void pending(__gm__ float *x, __gm__ float *y, int32_t n) {
  Pending state;
  for (int32_t i = 0; i < 4; i++) state.done[i] = 0;
  state.to = x;
  state.total = 1ll << 33;
  for (int32_t i = 0; i < n; i++) {
    state.to[i] = (float)state.done[i & 3] + (float)(state.total >> 33);
    state.done[i & 3] = i;
    state.to = (i & 1) ? x : y;
    state.total += 1ll << 33;
  }
}

extern "C" __global__ AICORE void arms(__gm__ int32_t *rows, __gm__ int32_t *out, int32_t n) {
  int32_t local[4];
  for (int32_t i = 0; i < 4; i++) local[i] = 10 * i;
  int32_t x;
  if (n > 4) {
    set_flag(PIPE_S, PIPE_V, EVENT_ID0);
    x = rows[n];
  } else {
    x = local[n & 3];
  }
  out[0] = x;
}

extern "C" __global__ AICORE void barriers(__gm__ int32_t *words) {
  using Words = GlobalTensor<int32_t, Shape<1, 1, 1, 1, 16>, Stride<16, 16, 16, 16, 1>>;
  Words g(words);
  SYNCALL();
  SYNCALL<SyncAllMode::Soft>(g);
}
