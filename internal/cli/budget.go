// This file limits the memory of a tool.

package cli

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

// budget limits the resources of one run of a tool. The defaults protect a laptop from
// any input; docs/security.md lists them.
type budget struct {
	// memory is the maximum memory of the process in bytes.
	memory byteSize
	// time is the maximum duration of the run.
	time time.Duration
}

// The default limits of memory, output and time of a run, which options can change.
const (
	// defaultMaxMemory is the default memory limit in bytes.
	defaultMaxMemory byteSize = 1 << 30
	// defaultMaxOutput is the default limit in bytes for the output of a kernel.
	defaultMaxOutput byteSize = 64 << 20
	// defaultTimeout is the default time limit of a run.
	defaultTimeout = 10 * time.Minute
)

// byteSize is a number of bytes. Options accept it with a unit, as in 1000, 64MiB or
// 1GiB.
type byteSize int64

// byteUnits are the units in which options accept and print numbers of bytes, largest
// first.
var byteUnits = []struct {
	name  string
	bytes byteSize
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// String implements pflag.Value. It returns the size with the largest unit that divides
// it.
func (b *byteSize) String() string {
	for _, u := range byteUnits {
		if *b >= u.bytes && *b%u.bytes == 0 {
			return fmt.Sprintf("%d%s", *b/u.bytes, u.name)
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Set implements pflag.Value. It parses a number of bytes with an optional unit.
func (b *byteSize) Set(text string) error {
	digits, unit := text, byteSize(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			digits, unit = rest, u.bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > int64(1<<62/unit) {
		return fmt.Errorf("expected a number of bytes above 0, such as 64MiB or 1GiB")
	}
	*b = byteSize(n) * unit
	return nil
}

// Type implements pflag.Value. It returns the type's name for messages.
func (b *byteSize) Type() string { return "bytes" }

// defineMemory declares option --max-memory, which every tool that reads programs has,
// with its default.
func (b *budget) defineMemory(fs *pflag.FlagSet) {
	b.memory = defaultMaxMemory
	fs.Var(&b.memory, "max-memory", "stop with an error if the program, its compiled form and the kernel arguments need more than `SIZE` of memory, such as 512MiB")
}

// watchInterval is the interval at which the tool measures the memory of its process. It
// is short, so that a process cannot exceed its limit by 1 GiB between two measurements:
// allocating and filling 1 GiB lasts several intervals.
const watchInterval = 20 * time.Millisecond

// liveHeap returns the number of bytes that the last garbage collection found reachable.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// readAll reads all text from r. It returns an error if the text is larger than the
// limit.
func readAll(r io.Reader, limit memoryLimit) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(limit.byteSize)+1))
	if err == nil && int64(len(b)) > int64(limit.byteSize) {
		err = tooLarge(limit)
	}
	return b, err
}

// tooLarge is the error for an input that is larger than the memory limit of the run.
type tooLarge memoryLimit

// Error implements error. The message states the memory limit that the input exceeds, and
// how to raise it.
func (e tooLarge) Error() string {
	limit := memoryLimit(e)
	return fmt.Sprintf("the input is larger than %s%s", &limit, limit.advice())
}

// memoryPerText is the maximum number of bytes that a tool needs for each byte of a
// program, except for writing LLVM IR. TestMemoryOfText measures it.
const memoryPerText = 64

// textLimit returns the maximum size of a program text. If the process runs a single
// tool, the size is the memory limit of the process. A request of --serve or --batch
// shares the process with other requests. Parsing needs several times the size of the
// text, so for a request the limit is the memory of the request divided by memoryPerText.
func (s *share) textLimit() memoryLimit {
	limit := s.maxMemory
	if s.shared {
		limit.byteSize /= memoryPerText
	}
	return limit
}

// explainLimit returns an error with an explanation if err reports that a program text is
// too large for a request. The explanation states the size limit of the text and the
// memory limit of the process. Other errors are returned unchanged.
func (s *share) explainLimit(err error) error {
	if _, large := errors.AsType[tooLarge](err); !large || !s.shared {
		return err
	}
	limit := s.textLimit()
	return fmt.Errorf("the program is larger than %s, so it may need more than the limit of %s of memory%s", &limit, &s.maxMemory, s.maxMemory.advice())
}
