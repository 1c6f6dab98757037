// AscendC, another language for kernels on the same chips. ptogo does not read it: a file
// may include its headers and name its types, but not use them. Kernels of the tile library
// take only the type of pointers and the number of blocks from these headers.
#pragma once
#include <pto/pto-inst.hpp>
#define GM_ADDR __gm__ uint8_t *
// The type of a kernel follows from its code.
#define KERNEL_TASK_TYPE_DEFAULT(...) ((void)0)
namespace AscendC {
inline int64_t GetBlockNum() { return get_block_num(); }
template <class T> class GlobalTensor;
template <class T> class LocalTensor;
class TPipe;
} // namespace AscendC
