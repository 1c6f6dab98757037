// Sorting, the same on both targets: records of eight bytes, a score (in the lower bytes)
// and an index. Larger scores come first, and equal ones keep their order.
#pragma once
#include <algorithm>

namespace device {

inline u64 merged = 0; // the records of each list that the last merge moved

// rank orders the bits of scores. A NaN counts as beyond the infinity of its sign.
template <class T> inline int64_t rank(T v)
{
    std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t> bits;
    std::memcpy(&bits, &v, sizeof v);
    constexpr int64_t sign = (int64_t)1 << (sizeof(T) * 8 - 1);
    int64_t size = bits & (sign - 1);
    return bits & sign ? -size : size;
}

template <class T> struct record {
    T score;
    unsigned char rest[8 - sizeof(T)];
};

} // namespace device

template <class T, class I> inline void vbitsort(T* d, T* s, I* indices, int n)
{
    device::assumes("vbitsort");
    for (int r = 0; r < n; r++) {
        device::record<T> v[32];
        for (int i = 0; i < 32; i++) {
            std::memset(&v[i], 0, 8);
            v[i].score = device::get<T>((u64)(s + r * 32 + i));
            uint32_t index = device::get<uint32_t>((u64)((uint32_t*)indices + r * 32 + i));
            std::memcpy((char*)&v[i] + 4, &index, 4);
        }
        std::stable_sort(v, v + 32, [](auto& a, auto& b) { return device::rank(a.score) > device::rank(b.score); });
        device::ub((u64)d + r * 256, 256, 32, "vbitsort");
        for (int i = 0; i < 32; i++) device::put((u64)d + r * 256 + i * 8, v[i]);
    }
}

template <class T> inline void vmrgsort4(T* d, T** lists, u64 count, u64 config)
{
    device::assumes("vmrgsort4");
    bool suspends = config >> 12 & 1;
    int repeats = config & 0xff;
    u64 to = (u64)d, all = 0;
    for (int i = 0; i < 4; i++) all += config >> (8 + i) & 1 ? count >> 16 * i & 0xffff : 0;
    for (int r = 0; r < repeats; r++) {
        u64 taken[4] = {}, size[4] = {};
        for (int i = 0; i < 4; i++) size[i] = config >> (8 + i) & 1 ? count >> 16 * i & 0xffff : 0;
        // Several merges in one instruction have their lists one after the other.
        auto head = [&](int i) { return device::get<device::record<T>>((u64)lists[i] + r * all * 8 + taken[i] * 8); };
        for (bool more = true; more;) {
            int best = -1;
            for (int i = 0; i < 4; i++)
                if (taken[i] < size[i] && (best < 0 || device::rank(head(i).score) > device::rank(head(best).score))) best = i;
            if (best < 0) break;
            device::ub(to, 8, 8, "vmrgsort4");
            device::put(to, head(best));
            to += 8;
            taken[best]++;
            more = !suspends || taken[best] < size[best];
        }
        device::merged = taken[0] | taken[1] << 16 | taken[2] << 32 | taken[3] << 48;
    }
}
inline int64_t get_vms4_sr() { return device::merged; }
