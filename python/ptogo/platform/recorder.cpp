// Records the tasks that a generated orchestration submits.
//
// The orchestration calls the runtime through a table of functions (PTO2RuntimeOps). This
// file implements the table: it allocates outputs, computes the dependencies of each task
// with the tensor map of the user's checkout of the runtime, and passes the task to the
// host, which executes it later. The host is Python, see _record.py.
//
// _compile.py compiles this file once for each checkout of the runtime, and links it to each
// orchestration. The generated function ptogo_bind returns the arguments that each kernel
// receives.

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pto_orchestration_api.h"

#include "pto_dep_compute.h"
#include "pto_tensormap.h"

#include "binding.h"

extern "C" {

// An argument as the orchestration declared it.
struct PtogoDeclared {
    uint64_t address, bytes;
    uint32_t tag;  // TensorArgType
    uint32_t unused;
};

// A tensor argument of a task, as kernels in C++ read it.
struct PtogoView {
    uint64_t address;  // of the first element
    uint32_t shape[MAX_TENSOR_DIMS], strides[MAX_TENSOR_DIMS];
    uint32_t dims, dtype;
};

struct PtogoTask {
    uint64_t id;
    int32_t kernels[3];  // for the cube core and the two vector cores, or -1
    int32_t blocks;
    const uint64_t *after;
    uint64_t after_count;
    const PtogoValue *values[3];
    uint64_t value_count[3];
    const PtogoDeclared *declared;
    uint64_t declared_count;
    const PtogoView *views;
    uint64_t view_count;
    const uint64_t *scalars;
    uint64_t scalar_count;
    const int32_t *scopes;  // the numbers of the open scopes, the outermost first
    uint64_t scope_count;
    uint64_t heap;  // the bytes of the outputs in the ring of memory
};

// What the host does for the recorder.
struct PtogoHost {
    uint64_t (*allocate)(uint64_t bytes, uint32_t dtype);
    void (*task)(const PtogoTask *task);
    int32_t (*flush)(const char *why);  // executes all tasks so far; 0 if it succeeds
    void (*log)(int32_t level, const char *function, const char *text);
    int32_t clusters, vectors;
};

// A tensor argument of the orchestration.
struct PtogoTensor {
    uint64_t address, bytes;
    uint32_t shape[MAX_TENSOR_DIMS];
    uint32_t dims, dtype;
};
}

namespace ptogo {

Context context;
std::vector<PtogoValue> *bound;

constexpr int32_t kWindow = 1 << 20;
constexpr int32_t kEntries = 1 << 18;
constexpr uint64_t kOutputAlign = 1024;  // of outputs in the ring of memory

struct Recorder {
    PTO2Runtime runtime{};  // the first member: the orchestration has its address
    const PtogoHost *host = nullptr;
    DeviceArena arena;
    PTO2TensorMap map;
    uint32_t next = 0;
    uint64_t workspace = 0;
    std::string fatal;
    std::deque<ChipTensor> tensors;  // outputs; references to them stay valid
    std::vector<int32_t> scopes;     // the numbers of the open scopes
    std::vector<bool> modes;         // whether each open scope is manual
    int32_t opened = 0;

    void open(bool manual) {
        scopes.push_back(opened++);
        modes.push_back(manual);
    }

    void close() {
        if (scopes.empty()) return;
        scopes.pop_back();
        modes.pop_back();
    }

    bool manual() const {
        for (bool m : modes) {
            if (m) return true;
        }
        return false;
    }

    bool init() {
        int32_t windows[PTO2_MAX_RING_DEPTH];
        for (int32_t &w : windows) w = 2;
        windows[0] = kWindow;
        auto layout = PTO2TensorMap::reserve_layout(arena, PTO2_TENSORMAP_NUM_BUCKETS, kEntries, windows);
        if (arena.commit() == nullptr || !map.init_data_from_layout(layout, arena)) return false;
        map.wire_arena_pointers(layout, arena);
        return true;
    }

    void fail(const std::string &text) {
        if (fatal.empty()) fatal = text;
    }
};

Recorder *self(PTO2Runtime *rt) { return reinterpret_cast<Recorder *>(rt); }

// The memory that asynchronous copies need on a device. pto-run copies at once, so kernels
// only pass its address on.
uint64_t workspace() {
    Recorder *r = self(framework_current_runtime());
    if (r->workspace == 0) r->workspace = r->host->allocate(1 << 20, static_cast<uint32_t>(DataType::UINT8));
    return r->workspace;
}

std::string formatted(const char *format, va_list args) {
    char text[2048];
    vsnprintf(text, sizeof(text), format, args);
    return text;
}

// Passes the arguments of a task through the wrapper of a kernel. The wrapper runs once for
// each of the first two blocks; addresses that differ belong to memory that the wrapper
// divides among the blocks.
bool bind(int32_t kernel, std::vector<int64_t> &args, int32_t blocks, std::vector<PtogoValue> &values) {
    std::vector<PtogoValue> second;
    context = {0, blocks, 0};
    bound = &values;
    if (!ptogo_bind(kernel, args.data())) return false;
    if (blocks > 1) {
        context.block = 1;
        bound = &second;
        ptogo_bind(kernel, args.data());
        for (size_t i = 0; i < values.size(); i++) {
            if (values[i].pointer) values[i].part = static_cast<int64_t>(second[i].bits - values[i].bits);
        }
    }
    return true;
}

// The number of blocks of a task. The runtimes of A2/A3 and A5 have different names for it.
template <typename Spec>
auto block_count(const Spec &spec, int) -> decltype(spec.block_num()) {
    return spec.block_num();
}

template <typename Spec>
auto block_count(const Spec &spec, long) -> decltype(spec.core_num()) {
    return spec.core_num();
}

// Executes the tasks so far, whose results the orchestration needs.
bool settle(Recorder *r, const char *why) {
    const int32_t failed = r->host->flush(why);
    framework_bind_runtime(&r->runtime);  // other ranks can have recorded tasks in the meantime
    if (failed == 0) return true;
    r->fail(std::string("failed to execute the tasks before ") + why);
    return false;
}

TaskOutputTensors submit(Recorder *r, const MixedKernels &kernels, const CoreTaskArgs &args, bool runs) {
    TaskOutputTensors outputs;
    if (args.has_error) {
        r->fail(args.error_msg ? args.error_msg : "a task has wrong arguments");
        return outputs;
    }
    if (r->next >= static_cast<uint32_t>(kWindow)) {
        r->fail("the orchestration submits more than " + std::to_string(kWindow) + " tasks");
        return outputs;
    }
    const PTO2TaskId id = PTO2TaskId::make(0, r->next++);
    outputs.set_task_id(id);

    std::set<uint64_t> after;
    for (uint32_t i = 0; i < args.explicit_dep_count(); i++) {
        PTO2TaskId dep = args.explicit_dep(i);
        if (dep.is_valid() && dep_has_wait(args.explicit_dep_kind(i))) after.insert(dep.raw);
    }
    const DepInputs inputs{
        args.tensor_count(), args.tensor_data(), args.tag_data(), static_cast<int32_t>(args.explicit_dep_count()),
        args.explicit_deps_data()
    };
    (void)compute_task_fanin(inputs, r->map, r->manual(), [&](PTO2TaskId producer, DepFlags flags) {
        if (dep_has_wait(flags) && producer.raw != id.raw) after.insert(producer.raw);
        return true;
    });

    uint64_t heap = 0;
    std::vector<int64_t> raw;
    std::vector<PtogoDeclared> declared;
    std::vector<PtogoView> views;
    for (int32_t i = 0; i < args.tensor_count(); i++) {
        const ChipTensor *tensor;
        if (args.tag(i) == TensorArgType::OUTPUT) {
            const TensorCreateInfo &info = args.tensor(i).create_info();
            uint64_t bytes = info.buffer_size_bytes();
            void *memory = reinterpret_cast<void *>(r->host->allocate(bytes, static_cast<uint32_t>(info.dtype)));
            if (memory == nullptr) {
                r->fail("no memory for an output of " + std::to_string(bytes) + " bytes");
                return outputs;
            }
            heap += (bytes + kOutputAlign - 1) / kOutputAlign * kOutputAlign;
            r->tensors.emplace_back();
            init_tensor_from_create_info(r->tensors.back(), info, memory, bytes);
            r->tensors.back().owner_task_id = id;
            outputs.materialize_output(r->tensors.back());
            tensor = &r->tensors.back();
        } else {
            tensor = &args.tensor(i).ref();
        }
        raw.push_back(reinterpret_cast<int64_t>(tensor));
        const uint64_t element = get_element_size(tensor->dtype);
        declared.push_back({tensor->buffer.addr + tensor->start_offset * element, tensor->extent_elem() * element, static_cast<uint32_t>(args.tag(i)), 0});
        PtogoView view{};
        view.address = declared.back().address;
        view.dims = tensor->ndims;
        view.dtype = static_cast<uint32_t>(tensor->dtype);
        for (uint32_t k = 0; k < tensor->ndims; k++) {
            view.shape[k] = tensor->shapes[k];
            view.strides[k] = tensor->strides[k];
        }
        views.push_back(view);
    }
    register_task_outputs(inputs, id, r->map, r->manual());
    for (int32_t i = 0; i < args.scalar_count(); i++) raw.push_back(static_cast<int64_t>(args.scalar(i)));

    const std::vector<uint64_t> list(after.begin(), after.end());
    PtogoTask task{};
    task.id = id.raw;
    task.blocks = block_count(args.launch_spec, 0);
    task.after = list.data();
    task.after_count = list.size();
    task.declared = declared.data();
    task.declared_count = declared.size();
    const int32_t ids[3] = {kernels.aic_kernel_id, kernels.aiv0_kernel_id, kernels.aiv1_kernel_id};
    std::vector<PtogoValue> values[3];
    const std::vector<uint64_t> scalars(raw.begin() + args.tensor_count(), raw.end());
    task.views = views.data();
    task.view_count = views.size();
    task.scalars = scalars.data();
    task.scalar_count = scalars.size();
    task.scopes = r->scopes.data();
    task.scope_count = r->scopes.size();
    task.heap = heap;
    const CoreTaskPredicate &when = args.predicate();
    if (runs && when.op != PredicateOp::NONE) {
        // The value is that at the dispatch of the task, which its producers precede.
        if (!settle(r, "a conditional task")) return outputs;
        const ChipTensor &tensor = *when.operand.tensor;
        DispatchPredicate resolved;
        resolved.elem_size = static_cast<uint8_t>(get_element_size(tensor.dtype));
        resolved.addr = tensor.buffer.addr + tensor.compute_flat_offset(when.operand.indices, when.operand.ndims) * resolved.elem_size;
        resolved.target = when.target;
        resolved.op = when.op;
        runs = resolved.pass();
    }
    for (int k = 0; k < 3; k++) {
        task.kernels[k] = runs ? ids[k] : INVALID_KERNEL_ID;
        if (task.kernels[k] == INVALID_KERNEL_ID) continue;
        bind(ids[k], raw, task.blocks, values[k]);  // a kernel in C++ has no wrapper
        task.values[k] = values[k].data();
        task.value_count[k] = values[k].size();
    }
    r->host->task(&task);
    return outputs;
}

char *element(const ChipTensor &tensor, uint32_t dims, const uint32_t indices[]) {
    return reinterpret_cast<char *>(tensor.buffer.addr) + tensor.compute_flat_offset(indices, dims) * get_element_size(tensor.dtype);
}

void logged(int32_t level, const char *function, const char *format, va_list args) {
    PTO2Runtime *rt = framework_current_runtime();
    if (rt != nullptr) self(rt)->host->log(level, function, formatted(format, args).c_str());
}

template <int32_t Level>
void log(const char *function, const char *format, ...) {
    va_list args;
    va_start(args, format);
    logged(Level, function, format, args);
    va_end(args);
}

void report_fatal(PTO2Runtime *rt, int32_t code, const char *function, const char *format, ...) {
    va_list args;
    va_start(args, format);
    self(rt)->fail(std::string(function) + ": " + formatted(format, args) + " (error " + std::to_string(code) + ")");
    va_end(args);
}

PTO2RuntimeOps operations() {
    PTO2RuntimeOps o{};
    o.submit_task = [](PTO2Runtime *rt, const MixedKernels &k, const CoreTaskArgs &args) { return submit(self(rt), k, args, true); };
    o.submit_dummy_task = [](PTO2Runtime *rt, const CoreTaskArgs &args) { return submit(self(rt), MixedKernels{}, args, false); };
    o.alloc_tensors = [](PTO2Runtime *rt, const CoreTaskArgs &args) { return submit(self(rt), MixedKernels{}, args, false); };
    o.scope_begin = [](PTO2Runtime *rt) {
        self(rt)->open(rt->pending_scope_mode == PTO2ScopeMode::MANUAL);
        rt->pending_scope_mode = PTO2ScopeMode::AUTO;
    };
    o.scope_end = [](PTO2Runtime *rt) { self(rt)->close(); };
    o.orchestration_done = [](PTO2Runtime *) {};
    o.is_fatal = [](PTO2Runtime *rt) { return !self(rt)->fatal.empty(); };
    o.report_fatal = report_fatal;
    o.log_error = log<4>;
    o.log_warn = log<3>;
    o.log_timing = log<2>;
    o.log_info = log<1>;
    o.log_debug = log<0>;
    o.get_tensor_data = [](PTO2Runtime *rt, const ChipTensor &tensor, uint32_t dims, const uint32_t indices[]) -> uint64_t {
        uint64_t value = 0;
        if (settle(self(rt), "the orchestration reads a tensor")) memcpy(&value, element(tensor, dims, indices), get_element_size(tensor.dtype));
        return value;
    };
    o.set_tensor_data = [](PTO2Runtime *rt, const ChipTensor &tensor, uint32_t dims, const uint32_t indices[], uint64_t value) {
        if (settle(self(rt), "the orchestration writes a tensor")) memcpy(element(tensor, dims, indices), &value, get_element_size(tensor.dtype));
    };
    o.available_cluster_count = [](PTO2Runtime *rt) { return self(rt)->host->clusters; };
    o.available_aiv_count = [](PTO2Runtime *rt) { return self(rt)->host->vectors; };
    return o;
}

}  // namespace ptogo

extern "C" {

// The headers and sources of the runtime log by these functions.
#define PTOGO_LOG(name, level)                                   \
    void name(const char *function, const char *format, ...) {   \
        va_list args;                                            \
        va_start(args, format);                                  \
        ptogo::logged(level, function, format, args);            \
        va_end(args);                                            \
    }
PTOGO_LOG(unified_log_error, 4)
PTOGO_LOG(unified_log_warn, 3)
PTOGO_LOG(unified_log_timing, 2)
PTOGO_LOG(unified_log_info, 1)
PTOGO_LOG(unified_log_debug, 0)

void aicpu_orchestration_entry(const ChipTaskArgs &args);

// The name of an element type of the runtime, or null.
__attribute__((visibility("default"))) const char *ptogo_dtype_name(uint32_t dtype) {
    return dtype < static_cast<uint32_t>(DataType::DATA_TYPE_NUM) ? get_dtype_name(static_cast<DataType>(dtype)) : nullptr;
}

// Runs the orchestration. It returns 0, or 1 after an error, with its text in error.
__attribute__((visibility("default"))) int32_t ptogo_record(
    const PtogoHost *host, const PtogoTensor *tensors, uint64_t tensor_count, const uint64_t *scalars, uint64_t scalar_count,
    char *error, uint64_t error_size
) {
    static const PTO2RuntimeOps ops = ptogo::operations();
    ptogo::Recorder recorder;
    recorder.host = host;
    recorder.runtime.ops = &ops;
    framework_bind_runtime(&recorder.runtime);
    try {
        if (!recorder.init()) {
            recorder.fail("no memory for the tensor map of the runtime");
        } else {
            std::deque<ChipTensor> external;
            ChipTaskArgs args;
            for (uint64_t i = 0; i < tensor_count; i++) {
                const PtogoTensor &t = tensors[i];
                external.emplace_back();
                external.back().init_external(reinterpret_cast<void *>(t.address), t.bytes, t.shape, t.dims, static_cast<DataType>(t.dtype), 0);
                args.add_input(external.back());
            }
            for (uint64_t i = 0; i < scalar_count; i++) args.add_scalar(scalars[i]);
            recorder.open(false);
            aicpu_orchestration_entry(args);
        }
    } catch (const std::exception &e) {
        recorder.fail(e.what());
    }
    framework_bind_runtime(nullptr);
    snprintf(error, error_size, "%s", recorder.fatal.c_str());
    return recorder.fatal.empty() ? 0 : 1;
}
}
