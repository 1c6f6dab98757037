// This file reuses the memory of one parser for the next.

package ir

// memory is the state that a parser passes on to the next parser: free objects and the
// cache of parsed texts. The function bodies of a file are similar, so the cache helps
// later parsers.
type memory struct {
	// slabs allocates the objects of the program.
	slabs slabs
	// names maps value names to the values that they currently refer to.
	names nameTable[entry]
	// scopes are scopes that are free for reuse.
	scopes []*scope
	// pool holds OpParse values that are free for reuse.
	pool []*OpParse
	// region is a free list of regionState objects, which hold the block names of a
	// region. They are linked through their field outer.
	region *regionState
	// cache maps texts that have been parsed to the result.
	cache textCache
	// file caches the file name of the last location; see quoted.
	file struct{ text, printed string }

	// args are the arguments of the block that is being read.
	args []BlockArg
	// operands is memory for the operand list of an operation; see takeOperands.
	operands []Operand
	// values are the operands of the operation that is being built.
	values []*Value
	// given are the attributes of the operation that is being built.
	given []NamedAttr
	// sig is the signature of the operation that is being built, if it is not cached.
	sig signature
	// entries holds the uncached dictionaries of all enclosing operations, as a
	// stack.
	entries []NamedAttr
}

// Spare is memory that parsers reuse; a caller that parses many small texts passes it in
// ParseOptions. Only one goroutine may use a Spare at a time. The zero Spare is ready to
// use.
type Spare struct{ free []*memory }

// take returns a memory that an earlier parser has finished using, or a new memory if
// there is none.
func (s *Spare) take() *memory {
	if s == nil || len(s.free) == 0 {
		return newMemory()
	}
	m := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return m
}

// give returns the memory of parsers to s for reuse, after their text has been parsed. ms
// is the list of these memories. aliases states whether the text defined aliases; give
// then discards the cached types and attributes, because the next text may define the
// same aliases differently.
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

// maxKeptNames limits the number of value names that are kept for the next text. Some
// frontends number names across all programs that they print, so most names never occur
// again.
const maxKeptNames = 1 << 13

// newMemory returns memory with an empty cache and without reusable objects.
func newMemory() *memory { return &memory{cache: newTextCache()} }

// newScope returns an empty scope, which it takes from the free list if possible.
func (m *memory) newScope() *scope {
	n := len(m.scopes)
	if n == 0 {
		return &scope{}
	}
	s := m.scopes[n-1]
	m.scopes = m.scopes[:n-1]
	return s
}

// endScope removes the names that s defines and adds s to the free list.
func (m *memory) endScope(s *scope) {
	s.end()
	m.scopes = append(m.scopes, s)
}

// markEntries returns the current height of the stack of dictionary entries. The caller
// passes it to dropEntries later.
func (m *memory) markEntries() int { return len(m.entries) }

// dropEntries removes the most recently added dictionary entries and keeps the first
// ones. mark is the number of entries to keep, which markEntries returned at an earlier
// time.
func (m *memory) dropEntries(mark int) { m.entries = m.entries[:mark] }

// newRegion returns an empty regionState, which holds the block names of a region. The
// parameter outer is that of the enclosing region.
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

// maxSpareBlocks limits the reuse of the map that contains the block names of a region. A
// map with at most this many names is cleared and reused for the next region. A larger
// map is replaced, because the time for clearing a map is proportional to the largest
// size that it ever had.
const maxSpareBlocks = 1 << 6

// takeOperands returns an empty list of operands. Its memory belongs to the caller, which
// may parse nested operations before it returns the memory with giveOperands.
func (m *memory) takeOperands() []Operand {
	list := m.operands[:0]
	m.operands = nil
	return list
}

// giveOperands returns the memory of a list from takeOperands, unless the list has become
// too large to be kept.
func (m *memory) giveOperands(list []Operand) {
	if cap(list) <= maxSpareOperands {
		m.operands = list
	}
}

// maxSpareOperands limits the number of operands for which memory is kept.
const maxSpareOperands = 1 << 14

// endRegion ends the parsing of a region. It adds r, the memory for the block names of
// the region, to the free list, unless r has become too large. It returns the regionState
// of the enclosing region.
func (m *memory) endRegion(r *regionState) (outer *regionState) {
	outer = r.outer
	if len(r.blocks) <= maxSpareBlocks {
		clear(r.blocks)
		clear(r.used)
		r.outer, m.region = m.region, r
	}
	return outer
}

// newBlock returns a new block. It is part of a larger allocation of many blocks that the
// parser owns.
func (m *memory) newBlock() *Block { return &take(&m.slabs.blocks, 1)[0] }
