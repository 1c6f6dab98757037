// This file divides memory between the requests of a process.

package cli

import (
	"context"
	"fmt"

	"golang.org/x/sync/semaphore"
)

// sharedMemory is the memory budget that all requests of one process (--serve), or all
// cases of a batch, share. A request reserves memory before it allocates it, and waits
// in the order of arrival while others use the memory.
type sharedMemory struct {
	size byteSize
	free *semaphore.Weighted
}

// newSharedMemory returns a budget of all memory that the machine has available.
func newSharedMemory() *sharedMemory {
	size := availableMemory()
	return &sharedMemory{size, semaphore.NewWeighted(int64(size))}
}

// reserve waits until n bytes are free, and reserves them until release is called. It
// returns an error if n exceeds the total, or when cancelled is closed while it waits. A request must
// not reserve more while it has a reservation, because two such requests could wait for
// each other. If m is nil, memory is not shared and reserve does nothing.
func (m *sharedMemory) reserve(n byteSize, cancelled <-chan struct{}) (release func(), err error) {
	if m == nil {
		return func() {}, nil
	}
	if n > m.size {
		return nil, fmt.Errorf("the request needs up to %s of memory, but all requests of this process together can use only %s", &n, &m.size)
	}
	free := func() { m.free.Release(int64(n)) }
	// Acquire fails for a cancelled request although memory is free. The request does not
	// wait then: it starts, and its execution reports the interruption.
	if m.free.TryAcquire(int64(n)) {
		return free, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-cancelled:
			cancel()
		case <-ctx.Done():
		}
	}()
	if m.free.Acquire(ctx, int64(n)) != nil {
		return nil, fmt.Errorf("the request was interrupted while it waited for %s of memory, which other requests use", &n)
	}
	return free, nil
}

// whole limits n, the maximum memory of a request, to the whole budget. Requests rarely
// reach their maximum. A maximum above the budget is therefore not a reason to refuse a
// request, and whole returns the budget.
func (m *sharedMemory) whole(n byteSize) byteSize {
	if m == nil {
		return n
	}
	return min(n, m.size)
}

// reserveText reserves the memory for parsing a program of n bytes. The caller calls the
// returned function release after the parsing. If the tool is cancelled while it waits for
// free memory, reserveText returns an error.
func (s *share) reserveText(n int) (release func(), err error) {
	return s.memory.reserve(s.memory.whole(byteSize(n)*memoryPerText), s.cancelled)
}

// share is the part of the process that a tool may use: its memory, and the time until its
// client stops waiting for it.
type share struct {
	// maxMemory limits the memory of a run, and thereby the size of inputs.
	maxMemory memoryLimit
	// shared reports that the process also serves other requests, so that a request
	// that exceeds a limit must not end the process.
	shared bool
	// memory is the memory budget that the requests of the process share, or nil.
	memory *sharedMemory
	// cancelled is closed when the tool must end, because its client has stopped waiting for
	// it. It is nil if the tool does not share its process.
	cancelled <-chan struct{}
}

// memoryPerInstruction is the maximum number of bytes of memory that an instruction of
// LLVM IR needs.
const memoryPerInstruction = 400

// mostInstructions returns the maximum number of LLVM instructions for which the memory
// limit suffices.
func (s *share) mostInstructions() int {
	return int(int64(s.maxMemory.byteSize) / memoryPerInstruction)
}
