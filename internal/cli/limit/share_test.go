package limit

import (
	"strings"
	"testing"
)

// TestSharedMemory reserves the memory of a process for several requests.
func TestSharedMemory(t *testing.T) {
	before := AvailableMemory
	AvailableMemory = func() Bytes { return 100 }
	t.Cleanup(func() { AvailableMemory = before })
	m := NewPool()
	first, err := m.Reserve(60, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Reserve(101, nil); err == nil || !strings.Contains(err.Error(), "needs up to 101 of memory, but all requests of this process together can use only 100") {
		t.Errorf("more than all: %v", err)
	}
	cancelled := make(chan struct{})
	close(cancelled)
	if _, err := m.Reserve(60, cancelled); err == nil || !strings.Contains(err.Error(), "interrupted while it waited for 60 of memory") {
		t.Errorf("a request that was cancelled: %v", err)
	}
	if release, err := m.Reserve(40, cancelled); err != nil {
		t.Errorf("a request that was cancelled while memory was free: %v", err)
	} else {
		release()
	}
	second := make(chan func())
	go func() {
		release, err := m.Reserve(60, nil)
		if err != nil {
			t.Error(err)
		}
		second <- release
	}()
	select {
	case <-second:
		t.Error("two requests have more than all memory")
	default:
	}
	first()
	(<-second)()
	if all, err := m.Reserve(100, nil); err != nil {
		t.Error(err)
	} else {
		all()
	}
}

// TestSystemMemory determines the memory of this machine.
func TestSystemMemory(t *testing.T) {
	if have := systemMemory(); have < 1<<20 {
		t.Errorf("the system has %d bytes available", have)
	}
}
