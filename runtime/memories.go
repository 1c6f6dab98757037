// This file allocates and pools the local memories of cores, which are too large to
// allocate for each launch.

package runtime

import (
	"sync"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime/expr"
)

// memory is a local memory of a core. Resetting a memory between blocks costs time for
// each byte, but most kernels use only a small part. Therefore a memory records how far
// from its start it was accessed, and reset only restores that part.
type memory struct {
	data []byte
	// used is the end of the accessed part: all bytes after it have the value fill.
	used int
	// fill is the value of bytes that no instruction has written.
	fill byte
	// planes are the tokens of the bytes, with Options.Lineage. The tokens of bytes from
	// traced on are not set yet: no instruction has accessed these bytes.
	planes *planes
	traced int
}

// newMemory returns a memory of size bytes.
func newMemory(size int) *memory {
	return &memory{data: alignedBytes(size)}
}

// alignedBytes returns n bytes that are aligned to 8 bytes, so that elements of all types
// can be accessed in them.
func alignedBytes(n int) []byte { return bytesOf(make([]uint64, n/8)) }

// part returns the n bytes at addr, or nil if they are not all inside the memory.
func (m *memory) part(addr uint64, n int) []byte {
	if n < 0 || addr > uint64(len(m.data)) || n > len(m.data)-int(addr) {
		return nil
	}
	end := int(addr) + n
	m.used = max(m.used, end)
	return m.data[addr:end:end]
}

// reset sets all bytes to b for the next block. It keeps used, because a frame of the
// previous block can still contain a tile in this memory.
func (m *memory) reset(b byte) {
	if m.fill != b {
		m.fill, m.used = b, len(m.data)
	}
	touched := m.data[:m.used]
	if m.traced > 0 {
		m.planes.fill(0, m.traced, expr.Unwritten)
	}
	if b == 0 {
		clear(touched)
		return
	}
	for i := range touched {
		touched[i] = b
	}
}

// renew resets a memory for a new core, which has no frames.
func (m *memory) renew(b byte) *memory {
	m.reset(b)
	m.used, m.traced = 0, 0
	return m
}

// memories are the buffers that a core owns. They have several megabytes. Allocating,
// clearing and collecting them at each launch would cost as much time as a short kernel,
// so they are pooled.
type memories struct {
	spaces  [numMemories]*memory
	scratch [2 + 2*maxInputs][]byte // rows of operands that do not lie side by side
}

// idle is the pool of memories that no core uses, by target.
var idle sync.Map // of *sync.Pool

// idleFor returns the pool for a target.
func idleFor(t ir.Target) *sync.Pool {
	if p, ok := idle.Load(t); ok {
		return p.(*sync.Pool)
	}
	p, _ := idle.LoadOrStore(t, &sync.Pool{New: func() any { return newMemories(t) }})
	return p.(*sync.Pool)
}

// newMemories allocates the memories of a core.
func newMemories(t ir.Target) *memories {
	m := new(memories)
	for s := range m.spaces {
		m.spaces[s] = newMemory(memorySize(sem.Space(s), t))
	}
	for i := range m.scratch {
		m.scratch[i] = alignedBytes(chunkBytes)
	}
	return m
}

// takeMemories returns memories from the pool for a new core, with all bytes set to b.
func takeMemories(t ir.Target, b byte) *memories {
	own := idleFor(t).Get().(*memories)
	for _, m := range own.spaces {
		m.renew(b)
	}
	return own
}

// release returns the memories of the cores to the pool. The cores must not be used
// afterwards. If there are listeners, it does nothing, since they can still read memory
// after the launch.
func (cl *cluster) release() {
	if cl.launch.events != nil {
		return
	}
	for _, c := range cl.cores {
		idleFor(c.prog.target).Put(c.own)
	}
}
