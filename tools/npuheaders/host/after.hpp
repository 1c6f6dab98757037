// Follows the kernels, and executes them.
#include "shared/process.hpp"

int main()
{
    device::start();
    return host::serve([](const host::launch& k, std::vector<uint64_t>& args, const host::request& q) {
        device::blocks = q.blocks;
        for (device::block = 0; device::block < device::blocks; ++device::block) {
            for (auto f : {k.alone, k.cube, k.vector}) {
                if (f) f(args.data());
            }
        }
        for (const char* a : device::assumed)
            if (a) std::fprintf(stderr, "assumes: %s\n", a);
        std::fflush(stderr);
        return device::faults ? 3 : 0;
    });
}
