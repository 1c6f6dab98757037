// Convolutions: feature maps, patches and filters in L1, and transpositions of maps.
#include <pto/pto-inst.hpp>
using namespace pto;

using Map = ConvTile<TileType::Mat, half, 4096, Layout::NC1HWC0, ConvTileShape<1, 2, -1, 4, 16>>;
using Filter = ConvTile<TileType::Mat, half, 4096, Layout::FRACTAL_Z, ConvTileShape<4, 2, 16, 16>>;
using Left = TileLeft<half, 16, 32>;
using Right = TileRight<half, 32, 32>;
using Product = TileAcc<float, 16, 32>;

// The number of lines and the padding are not constant, and the patch engine keeps its registers between calls.
extern "C" __global__ AICORE void patches(__gm__ half *x, __gm__ half *w, __gm__ half *y, int64_t lines) {
  Map maps[2];
  for (int i = 0; i < 2; i++) {
    maps[i] = Map(lines);
    maps[i].SetFmapH(lines), maps[i].SetFmapW(4), maps[i].SetChannelSize(32), maps[i].SetFilterW(3), maps[i].SetPadList(0, 1);
    maps[i].SetPadList(2, lines > 2 ? 1 : 0);
  }
  TASSIGN(maps[0], 0);
  TASSIGN(maps[1], 0x4000);
  Filter filter;
  TASSIGN(filter, 0x8000);
  GlobalTensor<half, Shape<1, 2, -1, 4, 16>, Stride<2048, 1024, 64, 16, 1>, Layout::NC1HWC0> from(x, Shape<1, 2, -1, 4, 16>(lines));
  GlobalTensor<half, Shape<1, 4, 2, 16, 16>, Stride<2048, 512, 256, 16, 1>, Layout::FRACTAL_Z> weights(w);
  GlobalTensor<half, Shape<1, 2, 4, 4, 16>, Stride<512, 256, 64, 16, 1>, Layout::NC1HWC0> to(y);
  TLOAD(maps[lines & 1], from);
  TLOAD(filter, weights);
  Left left;
  Right right;
  Product product;
  TASSIGN(left, 0), TASSIGN(right, 0), TASSIGN(product, 0);
  SETFMATRIX(maps[0]);
  TIMG2COL(left, maps[lines & 1], 4, 16);
  TEXTRACT(right, filter, 16, 0);
  TMATMUL(product, left, right);
  TSTORE(to, product);
}

extern "C" __global__ AICORE void padded(__gm__ half *x) {
  ConvTile<TileType::Mat, half, 1024, Layout::NC1HWC0, ConvTileShape<1, 1, 4, 4, 16>> map;
  TASSIGN(map, 0);
  map.SetFmapH(4), map.SetFmapW(4), map.SetChannelSize(16), map.SetPadValue(1.5f);
  TEXPANDS(map, (half)2.0f);
  SET_IMG2COL_PADDING(map);
  SETFMATRIX<decltype(map), SetFmatrixMode::FMATRIX_B_MANUAL>(map);
  Left left;
  TASSIGN(left, 0);
  TIMG2COL<Left, decltype(map), SetFmatrixMode::FMATRIX_B_MANUAL>(left, map);
}

extern "C" __global__ AICORE void transposed(__gm__ half *x) {
  ConvTile<TileType::Vec, half, 1024, Layout::NCHW, ConvTileShape<2, 32, 4, 4>> plain;
  ConvTile<TileType::Vec, half, 1024, Layout::NC1HWC0, ConvTileShape<2, 2, 4, 4, 16>> blocks;
  ConvTile<TileType::Vec, half, 8192, Layout::FRACTAL_Z, ConvTileShape<32, 1, 16, 16>> rows;
  Tile<TileType::Vec, half, 16, 16> tmp;
  TASSIGN(plain, 0), TASSIGN(blocks, 0x1000), TASSIGN(rows, 0x2000), TASSIGN(tmp, 0x8000);
  TTRANS(blocks, plain, tmp);
  TTRANS(plain, blocks, tmp);
  TTRANS(rows, blocks, tmp);
}

extern "C" __global__ AICORE void unknown(__gm__ half *x) {
  ConvTile<TileType::Mat, half, 1024, Layout::NC1HWC0, ConvTileShape<1, 1, 4, 4, 16>> map;
  TASSIGN(map, 0);
  GlobalTensor<half, Shape<1, 1, 4, 4, 16>, Stride<256, 256, 64, 16, 1>, Layout::NHWC> from(x);
  TLOAD(map, from);
}

extern "C" __global__ AICORE void from_l1(__gm__ half *x) { copy_cbuf_to_gm(x, (__cbuf__ half *)0, 0, 4, 2, 1, 3); }
