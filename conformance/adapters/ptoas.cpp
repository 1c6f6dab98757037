// The program of the adapter ptoas.sh: it includes the C++ of a kernel, passes it the
// arguments of launch.txt, runs its blocks on the CPU simulator, and writes the buffers.
#include "before.hpp"
#include LAUNCH_FILE

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

extern "C" void* pto_cpu_sim_get_shared_storage(std::string key, size_t size)
{
    static std::unordered_map<std::string, std::unique_ptr<std::max_align_t[]>> all;
    auto& storage = all[key];
    if (!storage) storage.reset(new std::max_align_t[size / sizeof(std::max_align_t) + 1]());
    return storage.get();
}

// argument is a buffer with its file, or the bits of a scalar.
struct argument {
    std::string file;
    std::vector<std::max_align_t> memory;
    size_t bytes = 0;
    uint64_t bits = 0;
};

// as returns an argument as a value of the type of the parameter.
template <typename T>
T as(argument& a)
{
    if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<T>(a.memory.data());
    } else {
        T value;
        std::memcpy(&value, &a.bits, sizeof value);
        return value;
    }
}

template <typename... Types, size_t... I>
void call(void (*kernel)(Types...), std::vector<argument>& args, std::index_sequence<I...>)
{
    if (args.size() != sizeof...(Types)) {
        std::cerr << "the kernel has " << sizeof...(Types) << " parameters, but the launch " << args.size() << " arguments\n";
        std::exit(2);
    }
    kernel(as<Types>(args[I])...);
}

template <typename... Types>
void call(void (*kernel)(Types...), std::vector<argument>& args)
{
    call(kernel, args, std::index_sequence_for<Types...>());
}

int main()
{
    std::vector<argument> args;
    std::ifstream launch("launch.txt");
    for (std::string line; std::getline(launch, line);) {
        std::istringstream words(line);
        std::string key, type, value;
        words >> key >> type >> value;
        argument a;
        if (key == "scalar") {
            a.bits = std::stoull(value, nullptr, 0);
        } else if (key == "buffer") {
            a.file = value;
            std::ifstream in(value, std::ios::binary);
            std::string data((std::istreambuf_iterator<char>(in)), {});
            a.bytes = data.size();
            a.memory.resize(a.bytes / sizeof(std::max_align_t) + 1);
            std::memcpy(a.memory.data(), data.data(), a.bytes);
        } else {
            continue;
        }
        args.push_back(std::move(a));
    }
    pto::NPUMemoryModel::SetDefaultArch(LAUNCH_A5 ? pto::NPUArch::A5 : pto::NPUArch::A2A3);
    setenv("PTO_CPU_SIM_NUM_CORES", std::to_string(LAUNCH_BLOCKS).c_str(), 1);
    for (uint32_t block = 0; block < LAUNCH_BLOCKS; ++block) {
        std::thread core([&] { // local memory belongs to a thread
            pto::cpu_sim::set_execution_context(block, 0, 1);
            call(LAUNCH_KERNEL, args);
        });
        core.join();
    }
    for (auto& a : args) {
        if (!a.file.empty()) std::ofstream(a.file, std::ios::binary).write(reinterpret_cast<char*>(a.memory.data()), a.bytes);
    }
    std::cout.flush();
    _exit(0); // ends the threads of the simulator that are left
}
