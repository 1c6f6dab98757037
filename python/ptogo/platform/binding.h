// Records what generated wrappers pass to their kernels. The generated function ptogo_bind
// and recorder.cpp include this file.

#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

// An argument of a kernel: an address, or the bits of a scalar.
struct PtogoValue {
    uint64_t bits;
    int64_t part;  // distance between the addresses of consecutive blocks
    uint32_t pointer;
    uint32_t size;  // bytes of a scalar
};

namespace ptogo {

// The context that wrappers read instead of the dispatch payload of the device.
struct Context {
    int32_t block, blocks, sub;
};
extern Context context;

// What a wrapper passed to its kernel.
extern std::vector<PtogoValue> *bound;

template <typename T>
void bind_one(T value) {
    PtogoValue v{};
    if constexpr (std::is_pointer_v<T>) {
        v.bits = reinterpret_cast<uint64_t>(value);
        v.pointer = 1;
    } else {
        static_assert(sizeof(T) <= sizeof(v.bits), "a scalar argument has at most 8 bytes");
        memcpy(&v.bits, &value, sizeof(T));
        v.size = sizeof(T);
    }
    bound->push_back(v);
}

// Replaces the kernel in its wrapper.
template <typename... Ts>
void take(Ts... values) {
    (bind_one(values), ...);
}

// The memory that asynchronous copies need on a device.
uint64_t workspace();

}  // namespace ptogo

// Returns false if the kernel has no wrapper.
bool ptogo_bind(int32_t kernel, int64_t *args);
