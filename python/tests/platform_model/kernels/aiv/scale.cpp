// The wrapper of kernel scale, in the form that a frontend generates. The kernel itself
// precedes it in generated files.
#include <cstdint>

// --- Kernel entry point ---
extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t* args)
{
#if !defined(__CPU_SIM)
    set_atomic_none();
#endif

    // Unpack tensor: x
    __gm__ ChipTensor* x_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[0]);
    __gm__ float* x = reinterpret_cast<__gm__ float*>(x_tensor->buffer.addr) + x_tensor->start_offset;

    // Unpack tensor: y
    __gm__ ChipTensor* y_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[1]);
    __gm__ float* y = reinterpret_cast<__gm__ float*>(y_tensor->buffer.addr) + y_tensor->start_offset;

    // Unpack scalar: by
    union { uint64_t u64; float val; } by_conv;
    by_conv.u64 = args[2];
    float by = by_conv.val;

    // Extract dynamic dim: rows
    int64_t rows = static_cast<int64_t>(x_tensor->shapes[0]) - 1;

    // Forward to the kernel
    scale(x, y, by, rows);
}
