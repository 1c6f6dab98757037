// Precedes the kernels of a translation unit: the NPU headers of pto-isa, compiled against
// intrinsics that compute on arrays of this process instead of on a device. It is compiled
// once for all kernels of a target.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include <unistd.h>
#include <sys/mman.h>

#include "shared/launch.hpp"
#include "machine.hpp"
#include "fixpipe.hpp"
#if __NPU_ARCH__ == 2201
#include "a2a3.hpp"
#include "a2a3_more.hpp"
#else
#include "a5.hpp"
#include "a5_cube.hpp"
#include "a5_lanes.hpp"
#include "simt.hpp"
#endif
#include "sort.hpp"
#include "stubs.hpp"

// The macros that put attributes of the vendor's compiler before functions.
#define FloatIntUnion FloatIntUnionOfCompiler
#define FloatUnion FloatUnionOfCompiler
#include <pto/common/type.hpp>
#undef FloatIntUnion
#undef FloatUnion
#undef AICORE
#undef PTO_INLINE
#undef OP_NAME
#undef OP_TYPE
#undef PTO_ASSERT
#define AICORE
#define PTO_INLINE inline
#define OP_NAME(name)
#define OP_TYPE(name)
// The union of a float and its bits, which type.hpp declares for the vendor's compiler alone.
namespace pto {
template <class T> union FloatIntUnion {
    using UIntegerType = std::conditional_t<sizeof(T) == sizeof(float), uint32_t, uint16_t>;
    UIntegerType i;
    T f;
    constexpr FloatIntUnion() : f(0.0f) {}
    constexpr FloatIntUnion(UIntegerType bits) : i(bits) {}
};
using FloatUnion = FloatIntUnion<float>;
using HalfUnion = FloatIntUnion<half>;
} // namespace pto
#define __DAV_CUBE__
#define __DAV_VEC__
#if __NPU_ARCH__ == 2201
#define __CCE_AICORE__ 220
#define __DAV_C220_CUBE__
#define __DAV_C220_VEC__
#else
#define __CCE_AICORE__ 310
#endif
#include <pto/common/arch_macro.hpp>
#include <pto/common/arch_capability.hpp>
#include <pto/common/debug.h>
#undef PTO_ASSERT
#define PTO_ASSERT(condition, ...) \
    do { \
        if (!(condition)) device::asserted(#condition, __FILE__, __LINE__); \
    } while (0)
#include <pto/pto-inst.hpp>

using namespace pto;
