package jit_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"ptogo/codegen/jit"

	_ "ptogo/dialect/scf"
)

// addOne is a kernel that adds 1 to every stride-th element of the section of a buffer
// that belongs to the block.
const addOne = `
func.func @main(%x: !pto.ptr<i32>, %n: index, %stride: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %stride {
    %v = pto.load_scalar %x[%i] : !pto.ptr<i32> -> i32
    %w = arith.addi %v, %one : i32
    pto.store_scalar %w, %x[%i] : !pto.ptr<i32>, i32
  }
  return
}
`

// TestLargeBuffers runs blocks in parallel on a buffer that is sent in chunks when they
// are accessed. Its size is not a multiple of the page size.
func TestLargeBuffers(t *testing.T) {
	p := compile(t, addOne, "1")
	const blocks, each, stride = 4, 300_001, 7
	buf := make([]byte, blocks*each*4)
	for i := range blocks * each {
		binary.LittleEndian.PutUint32(buf[4*i:], uint32(i))
	}
	l := jit.Launch{Kernel: "main", Blocks: blocks, Workers: blocks, Args: []any{buf, uint64(each), uint64(stride)}, Parts: []int{each * 4, 0, 0}}
	for range 2 { // the second launch sees what the first one left
		if _, err := p.Run(l); err != nil {
			t.Fatal(err)
		}
	}
	for i := range blocks * each {
		want := uint32(i)
		if i%each%stride == 0 {
			want += 2
		}
		if got := binary.LittleEndian.Uint32(buf[4*i:]); got != want {
			t.Fatalf("element %d is %d, want %d", i, got, want)
		}
	}
}

// TestLargeBufferFaults accesses memory before and after a large buffer. The fault must
// identify the byte and leave the buffer unchanged.
func TestLargeBufferFaults(t *testing.T) {
	p := compile(t, addOne, "1")
	const n = 1 << 20
	buf := make([]byte, n*4-4)
	for _, c := range []struct {
		parts int
		want  string
	}{
		{0, "kernel faulted: touches byte 4194300 of gm buffer 0, but the buffer has 4194300 bytes"},
		{-4, "kernel faulted: leaves its buffer or its local memory"},
	} {
		l := jit.Launch{Kernel: "main", Args: []any{buf, uint64(n), uint64(1)}, Parts: []int{0, 0, 0}}
		if c.parts != 0 { // the second block begins before the buffer
			l.Blocks, l.Args[1], l.Parts[0] = 2, uint64(1), c.parts
		}
		_, err := p.Run(l)
		var f *jit.Fault
		if !errors.As(err, &f) || f.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		for i, b := range buf {
			if b != 0 {
				t.Fatalf("after %q, byte %d of the buffer is %d", c.want, i, b)
			}
		}
	}
}

// TestBuffersAgain launches a kernel on buffers of the same size, which the process keeps,
// and of other sizes. An access outside of a kept buffer faults.
func TestBuffersAgain(t *testing.T) {
	p := compile(t, addOne, "1")
	for round, n := range []int{1000, 1000, 999, 1 << 20, 1000, 1000} {
		buf := make([]byte, 4*n)
		binary.LittleEndian.PutUint32(buf, uint32(round))
		if _, err := p.Run(jit.Launch{Kernel: "main", Args: []any{buf, uint64(n), uint64(1)}}); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want := uint32(1)
			if i == 0 {
				want += uint32(round)
			}
			if got := binary.LittleEndian.Uint32(buf[4*i:]); got != want {
				t.Fatalf("launch %d: element %d is %d, not %d", round, i, got, want)
			}
		}
	}
	_, err := p.Run(jit.Launch{Kernel: "main", Args: []any{make([]byte, 4000), uint64(1001), uint64(1)}})
	const want = "kernel faulted: touches byte 4000 of gm buffer 0, but the buffer has 4000 bytes"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// BenchmarkBuffer launches a kernel that accesses 1,024 elements of a buffer. The time
// must depend on the accessed bytes, not on the size of the buffer.
func BenchmarkBuffer(b *testing.B) {
	for _, kb := range []int{4, 512, 16 << 10, 256 << 10, 2048 << 10} {
		b.Run(fmt.Sprintf("%dKB", kb), func(b *testing.B) {
			p := compile(b, addOne, "")
			buf := make([]byte, kb<<10)
			for b.Loop() {
				if _, err := p.Run(jit.Launch{Kernel: "main", Args: []any{buf, uint64(1024), uint64(1)}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
