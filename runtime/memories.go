package runtime

import (
	"sync"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime/expr"
)

// memory is a local memory. A kernel mostly uses little of it, and makes of it
// what it is at the start of a block costs time for each byte: so it knows how
// far from its start anything was touched.
type memory struct {
	data []byte
	used int  // bytes after which all are as fill says
	fill byte // what a byte is that nothing wrote
	// planes are the tokens of the bytes, with Options.Lineage; traced says that a launch
	// uses them. Others leave them as they are.
	planes *planes
	traced bool
}

func newMemory(size int) *memory {
	return &memory{data: alignedBytes(size)}
}

// alignedBytes returns bytes that were made as 64-bit words, so that elements of
// all types are aligned in them.
func alignedBytes(n int) []byte { return bytesOf(make([]uint64, n/8)) }

// part returns n bytes from an address, or nil if the memory ends before that.
func (m *memory) part(addr uint64, n int) []byte {
	if n < 0 || addr > uint64(len(m.data)) || n > len(m.data)-int(addr) {
		return nil
	}
	end := int(addr) + n
	m.used = max(m.used, end)
	return m.data[addr:end:end]
}

// reset makes every byte what it is when a block starts. used stays: a frame of
// the block before may still have a tile here.
func (m *memory) reset(b byte) {
	if m.fill != b {
		m.fill, m.used = b, len(m.data)
	}
	touched := m.data[:m.used]
	if m.traced {
		m.planes.fill(0, m.used, expr.Unwritten)
	}
	if b == 0 {
		clear(touched)
		return
	}
	for i := range touched {
		touched[i] = b
	}
}

// renew is reset for a core that has no frames yet.
func (m *memory) renew(b byte) *memory {
	m.reset(b)
	m.used, m.traced = 0, false
	return m
}

// memories are what a core has of its own, besides the state of its kernel.
// They are megabytes, which cost as much as a short kernel does when they are
// asked for at each launch: cleared, collected, and given back to the system.
type memories struct {
	spaces  [numMemories]*memory
	scratch [2 + 2*maxInputs][]byte // rows of operands that do not lie side by side
}

// idle has, for each target, memories that no core uses.
var idle sync.Map // of *sync.Pool

func idleFor(t ir.Target) *sync.Pool {
	if p, ok := idle.Load(t); ok {
		return p.(*sync.Pool)
	}
	p, _ := idle.LoadOrStore(t, &sync.Pool{New: func() any { return newMemories(t) }})
	return p.(*sync.Pool)
}

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

// takeMemories returns memories for a new core, whose bytes are all b.
func takeMemories(t ir.Target, b byte) *memories {
	own := idleFor(t).Get().(*memories)
	for _, m := range own.spaces {
		m.renew(b)
	}
	return own
}

// release gives the memories of cores to later ones. Nothing may use these cores
// from then on. Listeners may still look at memory when a launch has ended.
func (cl *cluster) release() {
	if cl.launch.events != nil {
		return
	}
	for _, c := range cl.cores {
		idleFor(c.prog.target).Put(c.own)
	}
}
