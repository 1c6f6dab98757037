// The main loop of all hosts. It follows the kernels of a translation unit.
//
// Standard input holds launches: a request, and for each argument its size in bytes and,
// for a buffer, its contents; for a scalar the size is 0 and its bits follow. For each
// launch, standard output receives the status of its process (waitpid), the length of its
// messages, the messages, and the contents of the buffers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Rounds to bf16, to nearest and ties to even. Libraries of older compilers lack it.
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

// request is the start of a launch: the number of the kernel, the number of blocks,
// whether the target is a5, and the number of arguments.
struct request {
    uint64_t kernel, blocks, a5, arguments;
};

inline bool get(void* to, size_t n) { return n == 0 || std::fread(to, n, 1, stdin) == 1; }

inline bool put(const void* from, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t written = write(1, (const char*)from + at, n - at);
        if (written <= 0) return false;
        at += written;
    }
    return true;
}

// buffer is memory that this process shares with that of a launch.
struct buffer {
    size_t size;
    void* at;
};

// serve executes the launches by calling run with the kernel, its arguments and the
// request. The result of run is the exit status. Each launch has a process of its own,
// which a fault may end, and which starts from the same state. seconds limits its time.
template <typename Run> int serve(Run run, unsigned seconds = 60)
{
    for (request q; get(&q, sizeof q);) {
        std::vector<uint64_t> arguments(q.arguments);
        std::vector<buffer> buffers;
        for (uint64_t& a : arguments) {
            uint64_t size;
            if (!get(&size, sizeof size)) return 2;
            if (size == 0) {
                if (!get(&a, sizeof a)) return 2;
                continue;
            }
            void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (p == MAP_FAILED || !get(p, size)) return 2;
            buffers.push_back({size, p});
            a = reinterpret_cast<uint64_t>(p);
        }
        int messages = memfd_create("messages", 0);
        pid_t child = fork();
        if (child == 0) {
            dup2(messages, 2);
            dup2(messages, 1); // what a kernel prints
            alarm(seconds);
            int status = run(kernels[q.kernel], arguments, q);
            std::fflush(stdout);
            std::_Exit(status);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) return 2;
        std::vector<char> text(std::min<off_t>(lseek(messages, 0, SEEK_END), 1 << 16));
        if (pread(messages, text.data(), text.size(), 0) != (ssize_t)text.size()) return 2;
        close(messages);
        uint64_t head[] = {(uint64_t)status, text.size()};
        if (!put(head, sizeof head) || !put(text.data(), text.size())) return 2;
        for (auto& b : buffers) {
            if (!put(b.at, b.size)) return 2;
            munmap(b.at, b.size);
        }
    }
    return 0;
}

} // namespace host
