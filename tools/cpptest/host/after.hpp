// Follows the kernels, and executes them.
#include "shared/process.hpp"

// The simulator keeps the state of a queue under a key that names its block.
extern "C" void* pto_cpu_sim_get_shared_storage(std::string key, size_t size)
{
    static std::mutex mutex;
    static std::unordered_map<std::string, std::unique_ptr<std::max_align_t[]>> all;
    std::lock_guard<std::mutex> lock(mutex);
    auto& storage = all[key];
    if (!storage) storage.reset(new std::max_align_t[size / sizeof(std::max_align_t) + 1]());
    return storage.get();
}

namespace host {

// core runs a function on a core of its own: local memory belongs to the thread.
std::thread core(void (*f)(uint64_t*), std::vector<uint64_t>& args, uint32_t block, uint32_t sub, uint32_t subs)
{
    return std::thread([=, &args] {
        pto::cpu_sim::set_execution_context(block, sub, subs);
        f(args.data());
    });
}

// run runs blocks one after the other, as the Go runtime does, unless they are
// several cores, which wait for each other.
void run(const launch& k, std::vector<uint64_t>& args, uint32_t blocks)
{
    for (uint32_t b = 0; b < blocks; ++b) {
        std::vector<std::thread> cores;
        if (k.alone) {
            cores.push_back(core(k.alone, args, b, 0, 1));
        } else {
            cores.push_back(core(k.cube, args, b, 0, 2));
            for (uint32_t sub = 0; sub < 2; ++sub) cores.push_back(core(k.vector, args, b, sub, 2));
        }
        for (auto& c : cores) c.join();
    }
}

} // namespace host

int main()
{
    return host::serve([](const host::launch& k, std::vector<uint64_t>& args, const host::request& q) {
        pto::NPUMemoryModel::SetDefaultArch(q.a5 ? pto::NPUArch::A5 : pto::NPUArch::A2A3);
        setenv("PTO_CPU_SIM_NUM_CORES", std::to_string(q.blocks).c_str(), 1);
        host::run(k, args, q.blocks);
        return 0; // serve ends the threads of the simulator that are left
    });
}
