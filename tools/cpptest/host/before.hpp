// Precedes the kernels of a translation unit: the simulator, and what launches kernels on
// it. It is compiled once for all of them.
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
#include "shared/launch.hpp"
