// Package limit limits the memory and the time of a tool. Bytes is a number of bytes as options
// accept it, Memory the limit of one run, and Share the part of the process that a run may use.
// In a process that serves many requests, they reserve memory from a Pool. A Stopper ends a run
// at its time limit or at an interrupt.
package limit

import (
	"errors"
	"fmt"
	"io"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Budget limits the resources of one run of a tool. The defaults protect a laptop from
// any input; docs/security.md lists them.
type Budget struct {
	// Memory is the maximum memory of the process in bytes.
	Memory Bytes
	// Time is the maximum duration of the run.
	Time time.Duration
}

// The default limits of memory, output and time of a run, which options can change.
const (
	// DefaultMaxMemory is the default memory limit in bytes.
	DefaultMaxMemory Bytes = 1 << 30
	// DefaultMaxOutput is the default limit in bytes for the output of a kernel.
	DefaultMaxOutput Bytes = 64 << 20
	// DefaultTimeout is the default time limit of a run.
	DefaultTimeout = 10 * time.Minute
)

// Bytes is a number of bytes. Options accept it with a unit, as in 1000, 64MiB or
// 1GiB.
type Bytes int64

// byteUnits are the units in which options accept and print numbers of bytes, largest
// first.
var byteUnits = []struct {
	name  string
	bytes Bytes
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// String implements pflag.Value. It returns the size with the largest unit that divides
// it.
func (b *Bytes) String() string {
	for _, u := range byteUnits {
		if *b >= u.bytes && *b%u.bytes == 0 {
			return fmt.Sprintf("%d%s", *b/u.bytes, u.name)
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Set implements pflag.Value. It parses a number of bytes with an optional unit.
func (b *Bytes) Set(text string) error {
	digits, unit := text, Bytes(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			digits, unit = rest, u.bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > int64(1<<62/unit) {
		return fmt.Errorf("expected a number of bytes above 0, such as 64MiB or 1GiB")
	}
	*b = Bytes(n) * unit
	return nil
}

// Type implements pflag.Value. It returns the type's name for messages.
func (b *Bytes) Type() string { return "bytes" }

// DefineMemory declares option --max-memory, which every tool that reads programs has,
// with its default.
func (b *Budget) DefineMemory(fs *pflag.FlagSet) {
	b.Memory = DefaultMaxMemory
	fs.Var(&b.Memory, "max-memory", "stop with an error if the program, its compiled form and the kernel arguments need more than `SIZE` of memory, such as 512MiB")
}

// WatchInterval is the interval at which the tool measures the memory of its process. It
// is short, so that a process cannot exceed its limit by 1 GiB between two measurements:
// allocating and filling 1 GiB lasts several intervals.
const WatchInterval = 20 * time.Millisecond

// LiveHeap returns the number of bytes that the last garbage collection found reachable.
func LiveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// ReadAll reads all text from r. It returns an error if the text is larger than the
// limit.
func ReadAll(r io.Reader, limit Memory) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(limit.Bytes)+1))
	if err == nil && int64(len(b)) > int64(limit.Bytes) {
		err = TooLarge(limit)
	}
	return b, err
}

// TooLarge is the error for an input that is larger than the memory limit of the run.
type TooLarge Memory

// Error implements error. The message states the memory limit that the input exceeds, and
// how to raise it.
func (e TooLarge) Error() string {
	limit := Memory(e)
	return fmt.Sprintf("the input is larger than %s%s", &limit, limit.Advice())
}

// MemoryPerText is the maximum number of bytes that a tool needs for each byte of a
// program, except for writing LLVM IR. TestMemoryOfText measures it.
const MemoryPerText = 64

// TextLimit returns the maximum size of a program text. If the process runs a single
// tool, the size is the memory limit of the process. A request of --serve or --batch
// shares the process with other requests. Parsing needs several times the size of the
// text, so for a request the limit is the memory of the request divided by MemoryPerText.
func (s *Share) TextLimit() Memory {
	limit := s.MaxMemory
	if s.Serving {
		limit.Bytes /= MemoryPerText
	}
	return limit
}

// ExplainLimit returns an error with an explanation if err reports that a program text is
// too large for a request. The explanation states the size limit of the text and the
// memory limit of the process. Other errors are returned unchanged.
func (s *Share) ExplainLimit(err error) error {
	if _, large := errors.AsType[TooLarge](err); !large || !s.Serving {
		return err
	}
	limit := s.TextLimit()
	return fmt.Errorf("the program is larger than %s, so it may need more than the limit of %s of memory%s", &limit, &s.MaxMemory, s.MaxMemory.Advice())
}
