// The wrapper of kernel add_rows: its buffer is divided among the blocks.
// --- Kernel entry point ---
extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t* args)
{
    // Read logical SPMD block identity from runtime dispatch payload
    int32_t __pypto_spmd_block_idx = get_block_idx(args);
    int32_t __pypto_spmd_block_num = get_block_num(args);

    // Unpack tensor: x
    __gm__ ChipTensor* x_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[0]);
    __gm__ float* x = reinterpret_cast<__gm__ float*>(x_tensor->buffer.addr) + x_tensor->start_offset;

    // Unpack tensor: part
    __gm__ ChipTensor* part_tensor = reinterpret_cast<__gm__ ChipTensor*>(args[1]);
    int64_t per_block = static_cast<int64_t>(part_tensor->shapes[0]) * part_tensor->shapes[1] / __pypto_spmd_block_num;
    __gm__ float* part = reinterpret_cast<__gm__ float*>(part_tensor->buffer.addr) + part_tensor->start_offset + __pypto_spmd_block_idx * per_block;

    // Forward to the kernel
    add_rows(x, part, __pypto_spmd_block_idx, __pypto_spmd_block_num);
}
