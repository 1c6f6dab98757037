// This file reuses the memory of one parser for the next.

package ir

// memory is the state that one parser passes to the next: free objects and the
// cache of texts. The bodies of a file are similar, so a later parser profits from
// it.
type memory struct {
	// slabs allocates the objects of the program.
	slabs slabs
	// names maps value names to their current meaning.
	names nameTable[entry]
	// scopes are free scopes.
	scopes []*scope
	// pool are free OpParses.
	pool []*OpParse
	// region is a free list of region states, linked by outer.
	region *regionState
	// cache maps texts to their meaning.
	cache textCache
	// file caches the file name of the last location; see quoted.
	file struct{ text, printed string }

	// args are the arguments of the block that is being read.
	args []BlockArg
	// values are the operands of the operation that is being built.
	values []*Value
	// given are the attributes of that operation.
	given []NamedAttr
	// sig is the signature of that operation, if it is not cached.
	sig signature
	// entries holds the uncached dictionaries of all enclosing operations, as a
	// stack.
	entries []NamedAttr
}

// Spare is memory that parsers reuse, for callers that read many small texts. It
// belongs to one goroutine. The zero Spare is ready to use.
type Spare struct{ free []*memory }

// take returns reused memory, or new memory if there is none.
func (s *Spare) take() *memory {
	if s == nil || len(s.free) == 0 {
		return newMemory()
	}
	m := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return m
}

// give collects the memory of the parsers of a text. It clears the cache if the
// text defined aliases, because the next text may define them differently.
func (s *Spare) give(ms []*memory, aliases bool) {
	if s == nil {
		return
	}
	for _, m := range ms {
		if aliases || m.cache.full() {
			m.cache = newTextCache()
		}
		if m.names.used > maxKeptNames {
			m.names = nameTable[entry]{}
		}
		s.free = append(s.free, m)
	}
}

// maxKeptNames bounds the names that are kept for the next text. Some frontends
// number names across all programs that they print, so most names never repeat.
const maxKeptNames = 1 << 13

// newMemory returns memory without free objects.
func newMemory() *memory { return &memory{cache: newTextCache()} }

// newScope returns an empty scope, if possible a free one.
func (m *memory) newScope() *scope {
	n := len(m.scopes)
	if n == 0 {
		return &scope{}
	}
	s := m.scopes[n-1]
	m.scopes = m.scopes[:n-1]
	return s
}

// endScope removes the names of s and makes s free.
func (m *memory) endScope(s *scope) {
	s.end()
	m.scopes = append(m.scopes, s)
}

// newOp returns the operation of s with its memory in the slabs of the parser.
func (p *Parser) newOp(s State) *Op {
	attrs, r := s.parts(&p.memory.slabs)
	return s.make(attrs, r.shared(), &p.memory.slabs)
}

// markEntries returns the current height of the stack of dictionary entries, for
// dropEntries.
func (m *memory) markEntries() int { return len(m.entries) }

// dropEntries removes the entries that were pushed after mark.
func (m *memory) dropEntries(mark int) { m.entries = m.entries[:mark] }

// newRegion returns the state of a region that is nested in outer.
func (m *memory) newRegion(outer *regionState) *regionState {
	r := m.region
	if r == nil {
		r = &regionState{blocks: map[string]*Block{}, used: map[string]int{}}
	} else {
		m.region = r.outer
	}
	r.outer = outer
	return r
}

// maxSpareBlocks bounds the tables that are reused: clearing a map takes time in
// proportion to its largest former size.
const maxSpareBlocks = 1 << 6

// endRegion recycles r and returns the state of the enclosing region.
func (m *memory) endRegion(r *regionState) (outer *regionState) {
	outer = r.outer
	if len(r.blocks) <= maxSpareBlocks {
		clear(r.blocks)
		clear(r.used)
		r.outer, m.region = m.region, r
	}
	return outer
}

// newBlock returns a new block from the slab.
func (m *memory) newBlock() *Block { return &m.slabs.blocks.take(1)[0] }

// newRegion returns an empty region in the memory of the parser.
func (p *Parser) newRegion() *Region { return &p.memory.slabs.regions.take(1)[0] }
