// The wrapper of kernel exchange.
// --- Kernel entry point ---
extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t* args)
{
    __gm__ ChipTensor* x_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[0]);
    __gm__ float* x = reinterpret_cast<__gm__ float*>(x_tensor->buffer.addr) + x_tensor->start_offset;
    __gm__ ChipTensor* y_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[1]);
    __gm__ float* y = reinterpret_cast<__gm__ float*>(y_tensor->buffer.addr) + y_tensor->start_offset;
    __gm__ ChipTensor* data_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[2]);
    __gm__ float* data = reinterpret_cast<__gm__ float*>(data_tensor->buffer.addr) + data_tensor->start_offset;
    __gm__ ChipTensor* signal_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[3]);
    __gm__ int32_t* signal = reinterpret_cast<__gm__ int32_t*>(signal_tensor->buffer.addr) + signal_tensor->start_offset;
    int32_t peer = static_cast<int32_t>(args[4]);
    __gm__ int64_t* ctx = reinterpret_cast<__gm__ int64_t*>(args[5]);

    // Forward to the kernel
    exchange(x, y, data, signal, peer, ctx);
}
