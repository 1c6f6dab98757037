// Precedes each kernel that is written in C++: the library, and the headers of the runtime.

#pragma once

#include <pto/pto-inst.hpp>

// Fields in the headers of the runtime have these names.
#undef block_idx
#undef block_num

// Kernels define these names unless they are macros.
#define SINGLE_CACHE_LINE SINGLE_CACHE_LINE
#define ENTIRE_DATA_CACHE ENTIRE_DATA_CACHE
#define CACHELINE_OUT CACHELINE_OUT
#define CACHELINE_ALL CACHELINE_ALL

#include "intrinsic.h"
