#include <pto/pto-inst.hpp>
using namespace pto;

template <typename T, int Rows, int Cols>
__global__ AICORE void scaled(__gm__ T *x, __gm__ T *y, T factor, int rows) {
  using View = GlobalTensor<T, Shape<1, 1, 1, -1, Cols>, Stride<1, 1, 1, Cols, 1>>;
  Tile<TileType::Vec, T, Rows, Cols, BLayout::RowMajor, -1, Cols> tiles[2];
  for (int i = 0; i < 2; i++) {
    TASSIGN(tiles[i], i * Rows * Cols * sizeof(T));
    set_flag(PIPE_MTE3, PIPE_MTE2, (event_t)i);
  }
  int k = 0;
  for (int at = get_block_idx() * Rows; at < rows; at += Rows * get_block_num(), k ^= 1) {
    int n = rows - at < Rows ? rows - at : Rows;
    auto &tile = tiles[k];
    tile.SetValidRow(n);
    View in(x + at * Cols, Shape<1, 1, 1, -1, Cols>(n)), out(y + at * Cols, Shape<1, 1, 1, -1, Cols>(n));
    wait_flag(PIPE_MTE3, PIPE_MTE2, (event_t)k);
    TLOAD(tile, in);
    Event<Op::TLOAD, Op::TMULS> loaded;
    loaded.Record();
    loaded.Wait();
    TMULS(tile, tile, factor);
    if (n == 1) TNEG(tile, tile);
    set_flag(PIPE_V, PIPE_MTE3, (event_t)k);
    wait_flag(PIPE_V, PIPE_MTE3, (event_t)k);
    TSTORE(out, tile);
    set_flag(PIPE_MTE3, PIPE_MTE2, (event_t)k);
  }
  for (int i = 0; i < 2; i++) wait_flag(PIPE_MTE3, PIPE_MTE2, (event_t)i);
}

void launch(float *x, float *y, int rows, void *stream) { scaled<float, 16, 64><<<8, nullptr, stream>>>(x, y, 2.5f, rows); }
