// What all hosts need to launch kernels: a host is the CPU simulator (tools/cpptest) or the
// NPU headers on arrays (tools/npuheaders). The tables of kernels use it, so it precedes
// the kernels of a translation unit.
#pragma once
#include <cstdint>
#include <cstring>

namespace host {

// argument is an argument of a launch. It converts to the type of the parameter: a
// pointer, or a scalar with these bits. (A tuple of the parameters of each kernel would
// need a seventh of the compiler's time.)
struct argument {
    uint64_t bits;
    template <typename T> operator T() const
    {
        T value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
};

// launch is a kernel: the function of all cores, or one for each kind of core.
struct launch {
    void (*alone)(uint64_t*);
    void (*cube)(uint64_t*);
    void (*vector)(uint64_t*);
};

} // namespace host
