// SIMT functions of A5: a launch calls the function once for each thread, one thread after
// the other. The headers' kernels neither exchange values between threads nor wait.
#pragma once
#define __simt_callee__
#define LAUNCH_BOUND(threads)

namespace cce {
struct dim3 {
    uint32_t x = 1, y = 1, z = 1;
};
} // namespace cce
inline cce::dim3 threadIdx, blockDim;
namespace cce {
template <auto F, class... A> inline void async_invoke(dim3 size, A... args)
{
    blockDim = size;
    for (threadIdx.z = 0; threadIdx.z < size.z; threadIdx.z++)
        for (threadIdx.y = 0; threadIdx.y < size.y; threadIdx.y++)
            for (threadIdx.x = 0; threadIdx.x < size.x; threadIdx.x++) F(args...);
}
} // namespace cce
template <class T> inline T simtAtomic(volatile T* p, T v)
{
    T old;
    device::copy(&old, p, sizeof(T));
    device::copy(p, &v, sizeof(T));
    return old;
}
template <class T> inline T atomicAdd(volatile T* p, T v)
{
    T old;
    device::copy(&old, p, sizeof(T));
    return simtAtomic<T>(p, (T)(device::wide(old) + device::wide(v)));
}
template <class T> inline T atomicMax(volatile T* p, T v)
{
    T old;
    device::copy(&old, p, sizeof(T));
    return simtAtomic<T>(p, device::larger(old, v));
}
template <class T> inline T atomicMin(volatile T* p, T v)
{
    T old;
    device::copy(&old, p, sizeof(T));
    return simtAtomic<T>(p, device::smaller(old, v));
}
