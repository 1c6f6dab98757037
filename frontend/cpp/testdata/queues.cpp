#include <pto/pto-inst.hpp>
using namespace pto;

using Queue = TPipe<2, Direction::DIR_C2V, 1024, 2>;
using Product = TileAcc<float, 16, 16>;
using Half = Tile<TileType::Vec, float, 8, 16>;

// Both ends of a queue are in one kernel; TPOP frees the slot.
extern "C" __global__ AICORE void both_ends(__gm__ float *y, __gm__ float *slots, __gm__ int32_t *unused) {
  Queue queue(slots, 0x100, 0);
#ifdef __DAV_CUBE__
  Product product;
  TASSIGN(product, 0);
  TPUSH<Queue, Product, TileSplitAxis::TILE_UP_DOWN>(queue, product);
#endif
#ifdef __DAV_VEC__
  Half half;
  TPOP<Queue, Half, TileSplitAxis::TILE_UP_DOWN>(queue, half);
  Tile<TileType::Vec, float, 4, 16> first;
  TRESHAPE(first, half);
  GlobalTensor<float, Shape<1, 1, 1, 4, 16>, Stride<1, 1, 1, 16, 1>> out(y);
  TSTORE(out, first);
#endif
}

// One end; the element of a tile is read through a pointer.
extern "C" __global__ AICORE void consumer(__gm__ float *y, __gm__ float *slots, int64_t n) {
#ifdef __DAV_VEC__
  TPipe<0, Direction::DIR_C2V, 1024, 2, 2, true> queue(slots, 0, 0);
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, 16> tile(n);
  TPOP<decltype(queue), decltype(tile), TileSplitAxis::TILE_NO_SPLIT>(queue, tile);
  TFREE<decltype(queue), TileSplitAxis::TILE_NO_SPLIT>(queue);
  Tile<TileType::Vec, float, 1, 8> other;
  TASSIGN(other, 0x4000);
  __ubuf__ float *p = other.data();
  y[0] = p[3];
#endif
}

// The slots of the queue are accessed in global memory, by addresses of the C++. A vector core has one half of each.
extern "C" __global__ AICORE void allocates(__gm__ float *y, __gm__ float *slots) {
  Queue queue(slots, 0, 0);
  GlobalTensor<float, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> slot;
  GlobalTensor<float, Shape<1, 1, 1, 8, 16>, Stride<1, 1, 1, 16, 1>> part, out(y);
  for (int i = 0; i < 4; i++) {
#ifdef __DAV_CUBE__
    Product product;
    TASSIGN(product, 0);
    TALLOC<Queue, decltype(slot), TileSplitAxis::TILE_UP_DOWN>(queue, slot);
    TSTORE(slot, product);
    TPUSH<Queue, decltype(slot), TileSplitAxis::TILE_UP_DOWN>(queue, slot);
#endif
#ifdef __DAV_VEC__
    Half half;
    TASSIGN(half, 0);
    TPOP<Queue, decltype(part), TileSplitAxis::TILE_UP_DOWN>(queue, part);
    TLOAD(half, part);
    TFREE<Queue, decltype(part), TileSplitAxis::TILE_UP_DOWN>(queue, part);
    TSTORE(out, half);
#endif
  }
}

// The place of an entry of odd extents depends on the extents.
extern "C" __global__ AICORE void odd(__gm__ float *slots, int64_t n) {
#ifdef __DAV_VEC__
  Queue queue(slots, 0, 0);
  Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, -1, 16> part(n);
  TPOP<Queue, decltype(part), TileSplitAxis::TILE_UP_DOWN_ODD>(queue, part);
#endif
}

// Signals with four names.
extern "C" __global__ AICORE void signals(__gm__ float *x) {
  TSync_Custom<SyncOpType::TSTORE_C2GM, SyncOpType::TLOAD> sync{3};
#ifdef __DAV_CUBE__
  sync.allocate();
  sync.record();
#endif
#ifdef __DAV_VEC__
  sync.wait();
  sync.free();
#endif
}
