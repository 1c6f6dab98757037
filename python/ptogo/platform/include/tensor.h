// Takes the place of tensor.h of the runtime in kernels that are written in C++. The
// elements of shapes and strides are values and not an array, so that the compiler knows
// them although a loop reads them.

#pragma once

#include <cstdint>

constexpr int MAX_TENSOR_DIMS = 5;

namespace ptogo {

struct Numbers {
    uint32_t n0, n1, n2, n3, n4;
    uint32_t operator[](uint64_t i) const { return i == 0 ? n0 : i == 1 ? n1 : i == 2 ? n2 : i == 3 ? n3 : n4; }
};

}  // namespace ptogo

struct ChipTensor {
    struct {
        uint64_t addr, size;
    } buffer;
    uint64_t start_offset;
    uint32_t ndims, dtype;
    ptogo::Numbers shapes, strides;
    bool is_contiguous;

    uint64_t numel() const {
        uint64_t n = 1;
        for (uint32_t i = 0; i < ndims; i++) n *= shapes[i];
        return n;
    }
};
