// Communication between ranks, and arguments that are pointers to tiles.
#include <pto/comm/pto_comm_inst.hpp>
#include <pto/pto-inst.hpp>
using namespace pto;

using Line = GlobalTensor<float, Shape<1, 1, 1, 1, 64>, Stride<64, 64, 64, 64, 1>>;
using Part = Tile<TileType::Vec, float, 1, 64>;

extern "C" __global__ AICORE void signals(__gm__ int32_t *words, int32_t n, __gm__ int32_t *seen) {
  comm::Signal mine(words), theirs(words + 16);
  comm::TNOTIFY(theirs, n, comm::NotifyOp::AtomicAdd);
  comm::TWAIT(mine, 4, comm::WaitCmp::GE);
  if (comm::TTEST(mine, n, comm::WaitCmp::EQ)) seen[0] = 1;
}

extern "C" __global__ AICORE void copies(__gm__ float *near, __gm__ float *far) {
  Line from(near), to(far);
  Part ping, pong;
  TASSIGN(ping, 0);
  TASSIGN(pong, 256);
  comm::TPUT(to, from, ping);
  comm::TPUT<AtomicType::AtomicAdd>(to, from, ping, pong);
  comm::TGET(from, to, ping);
}

extern "C" __global__ AICORE void group(__gm__ float *own, __gm__ float *first, __gm__ float *second) {
  Line data(own);
  Line all[] = {Line(first), Line(second)};
  auto both = comm::ParallelGroup<Line>::Create(all, 2, 1);
  Part acc, ping, pong;
  TASSIGN(acc, 0);
  TASSIGN(ping, 256);
  TASSIGN(pong, 512);
  comm::TBROADCAST(both, data, ping, pong);
  comm::TREDUCE(both, data, acc, ping, comm::ReduceOp::Max);
}

extern "C" __global__ AICORE void forms(__gm__ float *x, uint32_t start) {
  GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1024, 1024, 1024, 64, 1>> in(x);
  Tile<TileType::Vec, float, 16, 64> src;
  TASSIGN(src, 0);
  TLOAD<TLoadL2Hint::NotAllocKeep>(src, in);
  Tile<TileType::Vec, uint32_t, 1, 64> counted;
  TASSIGN(counted, 0x4000);
  TCI<Tile<TileType::Vec, uint32_t, 1, 64>, uint32_t, 0>(counted, start);
  Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> scale;
  TASSIGN(scale, 0x5000);
  Tile<TileType::Vec, int8_t, 16, 64> bytes;
  TASSIGN(bytes, 0x6000);
  TQUANT<QuantType::INT8_ASYM>(bytes, src, scale, &scale);
  Tile<TileType::Vec, uint8_t, 1, 32> exponents;
  Tile<TileType::Vec, float, 1, 64, BLayout::RowMajor, 1, 32> greatest, factors;
  TASSIGN(exponents, 0x7000);
  TASSIGN(greatest, 0x8000);
  TASSIGN(factors, 0x9000);
  TQUANT<1, MxQuantAlg::NvMxFp8E4M3>(bytes, src, &exponents, &greatest, &factors);
  cce::printf("done\n", 1);
}
