// This file divides memory between the requests of a process.

package limit

import (
	"context"
	"fmt"

	"golang.org/x/sync/semaphore"
)

// Pool is the memory budget that all requests of one process (--serve), or all
// cases of a batch, share. A request reserves memory before it allocates it, and waits
// in the order of arrival while others use the memory.
type Pool struct {
	size Bytes
	free *semaphore.Weighted
}

// NewPool returns a budget of all memory that the machine has available.
func NewPool() *Pool {
	size := AvailableMemory()
	return &Pool{size, semaphore.NewWeighted(int64(size))}
}

// Reserve waits until n bytes are free, and reserves them until release is called. It
// returns an error if n exceeds the total, or when cancelled is closed while it waits. A request must
// not reserve more while it has a reservation, because two such requests could wait for
// each other. If m is nil, memory is not shared and Reserve does nothing.
func (m *Pool) Reserve(n Bytes, cancelled <-chan struct{}) (release func(), err error) {
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

// Whole limits n, the maximum memory of a request, to the whole budget. Requests rarely
// reach their maximum. A maximum above the budget is therefore not a reason to refuse a
// request, and Whole returns the budget.
func (m *Pool) Whole(n Bytes) Bytes {
	if m == nil {
		return n
	}
	return min(n, m.size)
}

// ReserveText reserves the memory for parsing a program of n bytes. The caller calls the
// returned function release after the parsing. If the tool is cancelled while it waits for
// free memory, ReserveText returns an error.
func (s *Share) ReserveText(n int) (release func(), err error) {
	return s.Pool.Reserve(s.Pool.Whole(Bytes(n)*MemoryPerText), s.Cancelled)
}

// Share is the part of the process that a tool may use: its memory, and the time until its
// client stops waiting for it.
type Share struct {
	// MaxMemory limits the memory of a run, and thereby the size of inputs.
	MaxMemory Memory
	// Serving reports that the process also serves other requests, so that a request
	// that exceeds a limit must not end the process.
	Serving bool
	// Pool is the memory budget that the requests of the process share, or nil.
	Pool *Pool
	// Cancelled is closed when the tool must end, because its client has stopped waiting for
	// it. It is nil if the tool does not share its process.
	Cancelled <-chan struct{}
}

// memoryPerInstruction is the maximum number of bytes of memory that an instruction of
// LLVM IR needs.
const memoryPerInstruction = 400

// MostInstructions returns the maximum number of LLVM instructions for which the memory
// limit suffices.
func (s *Share) MostInstructions() int {
	return int(int64(s.MaxMemory.Bytes) / memoryPerInstruction)
}
