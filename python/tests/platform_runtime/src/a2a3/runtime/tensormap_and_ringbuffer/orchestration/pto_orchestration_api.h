// What an orchestration uses of the runtime: tensors, arguments of tasks, and the table of
// functions through which it calls the runtime.
#pragma once

#include <cstdint>
#include <cstring>

constexpr int MAX_TENSOR_DIMS = 5;
constexpr int kMostTensors = 32, kMostScalars = 32;

enum class DataType : uint8_t { FLOAT32, FLOAT16, INT32, INT16, INT8, UINT8, BFLOAT16, INT64, DATA_TYPE_NUM };

inline uint64_t get_element_size(DataType t) {
    constexpr uint64_t sizes[] = {4, 2, 4, 2, 1, 1, 2, 8};
    return sizes[static_cast<int>(t)];
}

inline const char *get_dtype_name(DataType t) {
    constexpr const char *names[] = {"FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT8", "BFLOAT16", "INT64"};
    return names[static_cast<int>(t)];
}

template <typename T>
uint64_t to_u64(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(value));
    return bits;
}

template <typename T>
T from_u64(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

struct PTO2TaskId {
    uint64_t raw;
    static PTO2TaskId make(uint8_t ring, uint32_t local) { return {static_cast<uint64_t>(ring) << 32 | local}; }
    static PTO2TaskId invalid() { return {UINT64_MAX}; }
    bool is_valid() const { return raw != UINT64_MAX; }
};

enum class TensorArgType : int32_t { INPUT, OUTPUT, INOUT, OUTPUT_EXISTING, NO_DEP };

struct ChipTensor {
    struct {
        uint64_t addr, size;
    } buffer;
    PTO2TaskId owner_task_id;
    uint64_t start_offset;
    uint32_t ndims;
    DataType dtype;
    bool manual_dep;
    uint32_t shapes[MAX_TENSOR_DIMS], strides[MAX_TENSOR_DIMS];

    void init_external(void *address, uint64_t size, const uint32_t shape[], uint32_t dims, DataType type, int32_t) {
        buffer = {reinterpret_cast<uint64_t>(address), size};
        owner_task_id = PTO2TaskId::invalid();
        start_offset = 0;
        ndims = dims;
        dtype = type;
        manual_dep = false;
        uint32_t stride = 1;
        for (uint32_t i = dims; i-- > 0;) {
            shapes[i] = shape[i];
            strides[i] = stride;
            stride *= shape[i];
        }
    }
    uint64_t compute_flat_offset(const uint32_t at[], uint32_t dims) const {
        uint64_t offset = start_offset;
        for (uint32_t i = 0; i < dims; i++) offset += static_cast<uint64_t>(at[i]) * strides[i];
        return offset;
    }
    uint64_t extent_elem() const {
        uint64_t n = 1;
        for (uint32_t i = 0; i < ndims; i++) n += static_cast<uint64_t>(shapes[i] - 1) * strides[i];
        return n;
    }
};

struct TensorCreateInfo {
    uint32_t shapes[MAX_TENSOR_DIMS], ndims;
    DataType dtype;
    TensorCreateInfo(const uint32_t shape[], uint32_t dims, DataType type) : ndims(dims), dtype(type) {
        for (uint32_t i = 0; i < dims; i++) shapes[i] = shape[i];
    }
    uint64_t buffer_size_bytes() const {
        uint64_t n = get_element_size(dtype);
        for (uint32_t i = 0; i < ndims; i++) n *= shapes[i];
        return n;
    }
};

inline void init_tensor_from_create_info(ChipTensor &t, const TensorCreateInfo &info, void *address, uint64_t size) {
    t.init_external(address, size, info.shapes, info.ndims, info.dtype, 0);
}

class TensorRef {
    const void *to = nullptr;

public:
    TensorRef &operator=(const ChipTensor *t) { return to = t, *this; }
    TensorRef &operator=(const TensorCreateInfo *t) { return to = t, *this; }
    const ChipTensor &ref() const { return *static_cast<const ChipTensor *>(to); }
    const TensorCreateInfo &create_info() const { return *static_cast<const TensorCreateInfo *>(to); }
};

enum DepFlags : uint8_t { DEP_NONE = 0, DEP_WAIT = 1, DEP_RETAIN = 2 };
inline bool dep_has_wait(DepFlags f) { return f & DEP_WAIT; }

enum class PredicateOp : uint8_t { NONE = 0, EQ, NE };

struct DispatchPredicate {
    uint64_t addr = 0;
    int64_t target = 0;
    uint8_t elem_size = 0;
    PredicateOp op = PredicateOp::NONE;
    bool pass() const {
        int64_t value = 0;
        memcpy(&value, reinterpret_cast<const void *>(addr), elem_size);
        return (value == target) == (op == PredicateOp::EQ);
    }
};

struct CoreTaskPredicate {
    struct {
        const ChipTensor *tensor = nullptr;
        uint32_t ndims = 0, indices[MAX_TENSOR_DIMS]{};
    } operand;
    PredicateOp op = PredicateOp::NONE;
    int64_t target = 0;
};

struct CoreTaskArgs {
    bool has_error = false;
    const char *error_msg = nullptr;
    struct {
        int16_t n = 1;
        int16_t block_num() const { return n; }
        void set_block_num(int16_t blocks) { n = blocks; }
    } launch_spec;

    void add_input(const ChipTensor &t) { add(&t, TensorArgType::INPUT); }
    void add_inout(const ChipTensor &t) { add(&t, TensorArgType::INOUT); }
    void add_output(const ChipTensor &t) { add(&t, TensorArgType::OUTPUT_EXISTING); }
    void add_output(const TensorCreateInfo &t) { add(&t, TensorArgType::OUTPUT); }
    template <typename T>
    void add_scalar(T value) {
        scalars[scalar_n++] = to_u64(value);
    }
    void set_dependencies(const PTO2TaskId *deps, uint32_t n) { explicit_deps = deps, explicit_n = n; }
    void set_predicate(const CoreTaskPredicate &p) { when = p; }

    int32_t tensor_count() const { return tensor_n; }
    const TensorRef &tensor(int32_t i) const { return tensors[i]; }
    const TensorRef *tensor_data() const { return tensors; }
    TensorArgType tag(int32_t i) const { return tags[i]; }
    const TensorArgType *tag_data() const { return tags; }
    int32_t scalar_count() const { return scalar_n; }
    uint64_t scalar(int32_t i) const { return scalars[i]; }
    uint32_t explicit_dep_count() const { return explicit_n; }
    PTO2TaskId explicit_dep(uint32_t i) const { return explicit_deps[i]; }
    DepFlags explicit_dep_kind(uint32_t) const { return DEP_WAIT; }
    const PTO2TaskId *explicit_deps_data() const { return explicit_deps; }
    const CoreTaskPredicate &predicate() const { return when; }

private:
    template <typename T>
    void add(const T *t, TensorArgType tag) {
        tags[tensor_n] = tag;
        tensors[tensor_n++] = t;
    }
    TensorRef tensors[kMostTensors];
    TensorArgType tags[kMostTensors];
    uint64_t scalars[kMostScalars];
    int32_t tensor_n = 0, scalar_n = 0;
    const PTO2TaskId *explicit_deps = nullptr;
    uint32_t explicit_n = 0;
    CoreTaskPredicate when;
};
using ChipTaskArgs = CoreTaskArgs;

class TaskOutputTensors {
    PTO2TaskId id = PTO2TaskId::invalid();
    const ChipTensor *tensors[kMostTensors];
    uint32_t n = 0;

public:
    const ChipTensor &get_ref(uint32_t i) const { return *tensors[i]; }
    void materialize_output(const ChipTensor &t) { tensors[n++] = &t; }
    void set_task_id(PTO2TaskId task) { id = task; }
    PTO2TaskId task_id() const { return id; }
};

constexpr int32_t INVALID_KERNEL_ID = -1;

struct MixedKernels {
    int32_t aic_kernel_id = INVALID_KERNEL_ID, aiv0_kernel_id = INVALID_KERNEL_ID, aiv1_kernel_id = INVALID_KERNEL_ID;
};

enum class PTO2ScopeMode : uint8_t { AUTO, MANUAL };

struct PTO2Runtime;

struct PTO2RuntimeOps {
    TaskOutputTensors (*submit_task)(PTO2Runtime *, const MixedKernels &, const CoreTaskArgs &);
    void (*scope_begin)(PTO2Runtime *);
    void (*scope_end)(PTO2Runtime *);
    void (*orchestration_done)(PTO2Runtime *);
    bool (*is_fatal)(PTO2Runtime *);
    void (*report_fatal)(PTO2Runtime *, int32_t, const char *, const char *, ...);
    void (*log_error)(const char *, const char *, ...);
    void (*log_warn)(const char *, const char *, ...);
    void (*log_timing)(const char *, const char *, ...);
    void (*log_info)(const char *, const char *, ...);
    void (*log_debug)(const char *, const char *, ...);
    uint64_t (*get_tensor_data)(PTO2Runtime *, const ChipTensor &, uint32_t, const uint32_t[]);
    void (*set_tensor_data)(PTO2Runtime *, const ChipTensor &, uint32_t, const uint32_t[], uint64_t);
    TaskOutputTensors (*alloc_tensors)(PTO2Runtime *, const CoreTaskArgs &);
    TaskOutputTensors (*submit_dummy_task)(PTO2Runtime *, const CoreTaskArgs &);
    int32_t (*available_cluster_count)(PTO2Runtime *);
    int32_t (*available_aiv_count)(PTO2Runtime *);
};

struct PTO2Runtime {
    const PTO2RuntimeOps *ops;
    PTO2ScopeMode pending_scope_mode;
};

struct PTO2OrchestrationConfig {
    int expected_arg_count;
};

extern "C" {
PTO2Runtime *framework_current_runtime();
void framework_bind_runtime(PTO2Runtime *);
}

inline TaskOutputTensors rt_submit_task(const MixedKernels &kernels, const CoreTaskArgs &args) {
    PTO2Runtime *rt = framework_current_runtime();
    return rt->ops->is_fatal(rt) ? TaskOutputTensors{} : rt->ops->submit_task(rt, kernels, args);
}

inline TaskOutputTensors rt_submit_aiv_task(int32_t kernel, const CoreTaskArgs &args) {
    MixedKernels kernels;
    kernels.aiv0_kernel_id = kernel;
    return rt_submit_task(kernels, args);
}

template <typename T>
T get_tensor_data(const ChipTensor &tensor, uint32_t dims, const uint32_t at[]) {
    PTO2Runtime *rt = framework_current_runtime();
    return from_u64<T>(rt->ops->get_tensor_data(rt, tensor, dims, at));
}

struct PTO2ScopeGuard {
    PTO2Runtime *rt = framework_current_runtime();
    PTO2ScopeGuard() { rt->ops->scope_begin(rt); }
    ~PTO2ScopeGuard() { rt->ops->scope_end(rt); }
};
#define PTO2_SCOPE() if (PTO2ScopeGuard guard; true)
#define LOG_INFO(format, ...) framework_current_runtime()->ops->log_info(__FUNCTION__, format, ##__VA_ARGS__)
