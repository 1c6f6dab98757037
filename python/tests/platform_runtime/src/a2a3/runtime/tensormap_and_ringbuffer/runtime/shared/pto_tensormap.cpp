#include "pto_tensormap.h"

PTO2TensorMapLayout PTO2TensorMap::reserve_layout(DeviceArena &, int32_t, int32_t, const int32_t[]) { return {}; }
