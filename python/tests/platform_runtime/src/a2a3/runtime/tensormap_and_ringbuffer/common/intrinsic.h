// What kernels in C++ read of the dispatch of their task.
#pragma once

#include <cstdint>

constexpr int SPMD_LOCAL_CONTEXT_INDEX = 48, SPMD_GLOBAL_CONTEXT_INDEX = 49;

struct LocalContext {
    int32_t block_idx, block_num;
};

struct GlobalContext {
    int32_t sub_block_id;
};

inline int32_t get_block_idx(int64_t *args) { return reinterpret_cast<LocalContext *>(args[SPMD_LOCAL_CONTEXT_INDEX])->block_idx; }
inline int32_t get_block_num(int64_t *args) { return reinterpret_cast<LocalContext *>(args[SPMD_LOCAL_CONTEXT_INDEX])->block_num; }
inline int32_t get_sub_block_id(int64_t *args) { return reinterpret_cast<GlobalContext *>(args[SPMD_GLOBAL_CONTEXT_INDEX])->sub_block_id; }
