// AscendC, another language for kernels on the same chips. ptogo does not read it: a file
// may include its header and name its types, but not use them.
#pragma once
#include <pto/pto-inst.hpp>
namespace AscendC {
template <class T> class GlobalTensor;
template <class T> class LocalTensor;
class TPipe;
} // namespace AscendC
