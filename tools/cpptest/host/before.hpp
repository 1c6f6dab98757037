// In front of the kernels of a translation unit: the simulator, and what it takes
// to launch kernels on it. It is compiled once for all of them.
#pragma once
#include <array>
#include <cstdint>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pto/pto-inst.hpp"
#include "overloads.hpp"

namespace host {

// call calls a kernel with its arguments: pointers, and scalars by their bits.
// What it returns is not looked at.
template <typename Result, typename... Params, size_t... I>
void spread(Result (*kernel)(Params...), uint64_t* args, std::index_sequence<I...>)
{
    auto as = [](auto* to, uint64_t bits) {
        std::memcpy(to, &bits, sizeof *to);
        return *to;
    };
    std::tuple<std::remove_cv_t<Params>...> values;
    (as(&std::get<I>(values), args[I]), ...);
    kernel(std::get<I>(values)...);
}

template <typename Result, typename... Params>
void call(Result (*kernel)(Params...), std::array<uint64_t, sizeof...(Params)> args)
{
    spread(kernel, args.data(), std::index_sequence_for<Params...>{});
}

// launch is a kernel: the function of a core alone, or that of the cube core and
// that of the two vector cores beside it.
struct launch {
    void (*alone)(uint64_t*);
    void (*cube)(uint64_t*);
    void (*vector)(uint64_t*);
};

} // namespace host
