// Variables that live as long as the program, and pointers that are null on some path.
#include <pto/pto-inst.hpp>
using namespace pto;

using Line = Tile<TileType::Vec, float, 1, 64>;
using Column = Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor>;

inline void report() { fprintf(stderr, "stderr is a variable of another file\n"); }
void host() { report(); }

inline int next() {
  static int count = 3;
  return count++;
}

extern "C" __global__ AICORE void counts(__gm__ int32_t *y, int32_t n) {
  for (int i = 0; i < n; i++) y[next()] = i;
}

extern "C" __global__ AICORE void maybe_null(__gm__ int32_t *x, int32_t n) {
  __gm__ int32_t *p = nullptr;
  if (n > 3) p = x + n;
  for (int i = 0; i < n; i++) x[i] = 1;
  if (p != nullptr) p[0] = 2;
}

extern "C" __global__ AICORE void column(__gm__ float *x) {
  Column a;
  TASSIGN(a, 0);
  TMULS(a, a, 2.0f);
}

extern "C" __global__ AICORE void position(__gm__ int32_t *x) {
  int block_idx = get_block_idx() + 1;
  x[block_idx] = ::block_num;
}

extern "C" __global__ AICORE void choice(int32_t n) {
  Line tiles[2];
  for (int i = 0; i < 2; i++) TASSIGN(tiles[i], i * 0x100);
  Line other;
  TASSIGN(other, (uint64_t)tiles[n & 1].data() + 0x400);
  TADDS(other, tiles[n & 1], 1.0f);
  other.ColMaskInternal = 32;
}
