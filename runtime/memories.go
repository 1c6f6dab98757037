// This file allocates and pools the local memories of cores, which are too large to
// allocate for each launch.

package runtime

import (
	"sync"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime/expr"
)

// memory is a local memory of a core. Resetting every byte between blocks would be slow,
// and most kernels access only a small range. Therefore a memory records the end of the
// accessed range, and its method reset restores only the bytes before this end.
type memory struct {
	data []byte
	// used is the end of the accessed range: all bytes from used on have the value fill.
	used int
	// fill is the value of bytes that no instruction has written.
	fill byte
	// planes are the expression tokens of the bytes, with Options.Lineage. Tokens from
	// index traced on are not initialized, because no instruction has accessed these
	// bytes.
	planes *planes
	traced int
}

// newMemory returns a new memory whose bytes are all zero. size is its size in bytes.
func newMemory(size int) *memory {
	return &memory{data: alignedBytes(size)}
}

// alignedBytes returns n bytes that are aligned to 8 bytes, so that elements of all types
// can be accessed directly. n is a multiple of 8.
func alignedBytes(n int) []byte { return bytesOf(make([]uint64, n/8)) }

// part returns the n bytes at addr and marks them as accessed. It returns nil if they are
// not completely inside the memory.
func (m *memory) part(addr uint64, n int) []byte {
	if n < 0 || addr > uint64(len(m.data)) || n > len(m.data)-int(addr) {
		return nil
	}
	end := int(addr) + n
	m.used = max(m.used, end)
	return m.data[addr:end:end]
}

// reset prepares the memory for the next block. It stores the byte b in the range of
// bytes that earlier blocks may have accessed. This range ends at m.used, and reset does
// not make it smaller. The reason is that function calls reuse their storage: in the next
// block, a call can contain a tile of an earlier call. An access through such a tile does
// not increase m.used, so the range must still include the tile.
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

// renew sets all bytes to b and returns the memory for use by a new core. It resets the
// recorded end of the accessed range to zero, because a new core has no frames that refer
// to the memory.
func (m *memory) renew(b byte) *memory {
	m.reset(b)
	m.used, m.traced = 0, 0
	return m
}

// memories are the local memories that one core owns, several megabytes in total. A pool
// keeps them for later launches, because allocating, clearing and collecting them at each
// launch would cost as much time as a short kernel.
type memories struct {
	spaces [numMemories]*memory
	// scratch are buffers for rows of operands whose elements are not adjacent in memory.
	scratch [2 + 2*maxInputs][]byte
}

// idle maps each target to a pool (*sync.Pool) of local memories that earlier launches
// have released and later launches can reuse.
var idle sync.Map // of *sync.Pool

// idleFor returns the pool of unused memories for target t.
func idleFor(t ir.Target) *sync.Pool {
	if p, ok := idle.Load(t); ok {
		return p.(*sync.Pool)
	}
	p, _ := idle.LoadOrStore(t, &sync.Pool{New: func() any { return newMemories(t) }})
	return p.(*sync.Pool)
}

// newMemories allocates the local memories of a core, with the sizes of target t.
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

// takeMemories takes memories for a new core of target t from the pool, and sets all
// bytes to b.
func takeMemories(t ir.Target, b byte) *memories {
	own := idleFor(t).Get().(*memories)
	for _, m := range own.spaces {
		m.renew(b)
	}
	return own
}

// clusters are the simulated blocks of one launch, which several workers can start.
type clusters struct {
	mu  sync.Mutex
	all []*cluster
}

func (s *clusters) add(cl *cluster) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, cl)
}

// release returns the memories of all blocks to the pool.
func (s *clusters) release() {
	for _, cl := range s.all {
		cl.release()
	}
}

// release returns the memories of the cluster's cores to the pool. The cores must not be
// used afterwards, and listeners must not read the memories any more.
func (cl *cluster) release() {
	for _, c := range cl.cores {
		idleFor(c.prog.target).Put(c.own)
	}
}
