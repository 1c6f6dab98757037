// The dependencies of a task: on the creators of its tensors, and on the last writers of what it reads.
#pragma once

#include "pto_tensormap.h"

struct DepInputs {
    int32_t tensor_count;
    const TensorRef *tensors;
    const TensorArgType *arg_types;
    int32_t explicit_dep_count;
    const PTO2TaskId *explicit_deps;
};

template <typename Emit>
bool compute_task_fanin(const DepInputs &in, PTO2TensorMap &map, bool manual, Emit emit) {
    for (int32_t i = 0; i < in.tensor_count && !manual; i++) {
        if (in.arg_types[i] == TensorArgType::OUTPUT) continue;
        const ChipTensor &t = in.tensors[i].ref();
        if (t.owner_task_id.is_valid() && !emit(t.owner_task_id, DEP_WAIT)) return false;
        auto writer = map.last.find(t.buffer.addr);
        if (in.arg_types[i] != TensorArgType::OUTPUT_EXISTING && writer != map.last.end() && !emit(writer->second, DEP_WAIT)) return false;
    }
    return true;
}

inline void register_task_outputs(const DepInputs &in, PTO2TaskId id, PTO2TensorMap &map, bool manual) {
    for (int32_t i = 0; i < in.tensor_count && !manual; i++) {
        if (in.arg_types[i] == TensorArgType::INOUT || in.arg_types[i] == TensorArgType::OUTPUT_EXISTING) map.last[in.tensors[i].ref().buffer.addr] = id;
    }
}
