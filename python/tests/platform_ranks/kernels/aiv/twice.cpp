// y = 2 * y for the block's row, in C++ and not from a frontend. It reads its arguments as on a device.
// The file has code for the cube core too, but the task runs on one vector core.
#include <cstdint>
#include <pto/pto-inst.hpp>

#include "intrinsic.h"
#include "tensor.h"

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args) {
  __gm__ ChipTensor *y_tensor = reinterpret_cast<__gm__ ChipTensor *>(args[0]);
  __gm__ float *y = reinterpret_cast<__gm__ float *>(y_tensor->buffer.addr) + y_tensor->start_offset;
  int64_t columns = 1;
  for (uint32_t i = 1; i < y_tensor->ndims; ++i) columns *= y_tensor->shapes[i];
  __gm__ float *row = y + get_block_idx(args) * columns;
#if defined(__DAV_CUBE__)
  pipe_barrier(PIPE_ALL);
#else
  for (int64_t i = 0; i < columns; ++i) row[i] = row[i] * static_cast<float>(args[1]);
  dcci(row, ENTIRE_DATA_CACHE, CACHELINE_OUT);
#endif
}
