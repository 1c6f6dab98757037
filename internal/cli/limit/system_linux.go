// This file determines the available memory on Linux.

package limit

import (
	"bytes"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// systemMemory returns the number of bytes that this process can still allocate: the
// available memory of the machine, including swap, limited by the control group and the
// resource limits of the process.
func systemMemory() Bytes {
	have := Bytes(math.MaxInt64)
	if info, err := os.ReadFile("/proc/meminfo"); err == nil {
		if free, ok := meminfo(info, "MemAvailable:"); ok {
			swap, _ := meminfo(info, "SwapFree:")
			have = free + swap
		}
	}
	// The files of version 2 and of version 1 of control groups, as a container sees them.
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, _ := os.ReadFile(file)
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil {
			have = min(have, Bytes(n))
		}
	}
	for _, resource := range []int{unix.RLIMIT_AS, unix.RLIMIT_DATA} {
		var limit unix.Rlimit
		if unix.Getrlimit(resource, &limit) == nil && limit.Cur < uint64(have) {
			have = Bytes(limit.Cur)
		}
	}
	return have
}

// meminfo returns the value of key in text, the contents of /proc/meminfo. It converts
// the value from KiB to bytes. The second result is false if the text does not contain
// the key.
func meminfo(text []byte, key string) (Bytes, bool) {
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) >= 2 && string(fields[0]) == key {
			n, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return Bytes(n) << 10, err == nil
		}
	}
	return 0, false
}
