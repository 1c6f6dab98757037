// Behind the kernels: runs the one that the command line asks for.
//
//	unit NUMBER ARCH BLOCKS
//
// Standard input holds the arguments: for each its size in bytes and, for a
// buffer, its contents; for a scalar the size is 0 and its bits follow. Standard
// output gets the contents of the buffers afterwards.

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

// Rounds to bf16, to nearest and ties to even, which libraries of older compilers
// do not have.
extern "C" __bf16 __truncsfbf2(float x)
{
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    bits = x != x ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
    uint16_t high = bits >> 16;
    __bf16 y;
    std::memcpy(&y, &high, sizeof y);
    return y;
}

extern "C" __bf16 __truncdfbf2(double x) { return __truncsfbf2(static_cast<float>(x)); }

namespace host {

bool read_all(void* to, size_t n) { return std::fread(to, 1, n, stdin) == n; }

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

int main(int argc, char** argv)
{
    if (argc != 4) return 2;
    // What kernels print must not get among the results.
    int results = dup(1);
    dup2(2, 1);
    bool a5 = std::string(argv[2]) == "a5";
    pto::NPUMemoryModel::SetDefaultArch(a5 ? pto::NPUArch::A5 : pto::NPUArch::A2A3);
    std::vector<uint64_t> args;
    std::vector<std::vector<char>> buffers;
    for (uint64_t size; host::read_all(&size, sizeof size);) {
        uint64_t bits = 0;
        if (size == 0) {
            if (!host::read_all(&bits, sizeof bits)) return 2;
        } else {
            buffers.emplace_back(size);
            if (!host::read_all(buffers.back().data(), size)) return 2;
            bits = reinterpret_cast<uint64_t>(buffers.back().data());
        }
        args.push_back(bits);
    }
    host::run(host::kernels[std::atoi(argv[1])], args, std::atoi(argv[3]));
    std::fflush(stdout);
    for (auto& b : buffers) {
        for (size_t at = 0; at < b.size();) {
            ssize_t n = write(results, b.data() + at, b.size() - at);
            if (n <= 0) return 2;
            at += n;
        }
    }
    std::_Exit(0); // threads of the simulator may be left
}
