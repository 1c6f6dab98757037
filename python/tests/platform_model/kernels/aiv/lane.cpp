// The wrapper of kernel lane, which runs on both vector cores.
// --- Kernel entry point ---
extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t* args)
{
    int32_t __pypto_spmd_subblock_idx = get_sub_block_id(args);

    // Unpack tensor: y
    __gm__ ChipTensor* y_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[0]);
    __gm__ float* y = reinterpret_cast<__gm__ float*>(y_tensor->buffer.addr) + y_tensor->start_offset;

    // Forward to the kernel
    lane(y, __pypto_spmd_subblock_idx);
}
