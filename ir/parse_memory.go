package ir

// memory is what a parser passes on to the next: the parsers of function
// bodies follow each other, and what one has learned helps those after it.
type memory struct {
	slabs  slabs
	names  nameTable[entry]
	scopes []*scope     // free ones
	pool   []*OpParse   // free ones
	region *regionState // a list of free ones
	cache  textCache
	file   struct{ text, printed string } // of the location read last

	args   []BlockArg  // of the block that is read
	values []*Value    // operands of the operation that is made
	given  []NamedAttr // its attributes
	sig    signature   // its types, if they are not to be kept
	// entries of dictionaries that are not kept, of all operations around
	entries []NamedAttr
}

// Spare is memory that parsers leave after for those of later texts: for whoever
// reads many small ones. It belongs to one goroutine. The zero Spare is ready.
type Spare struct{ free []*memory }

func (s *Spare) take() *memory {
	if s == nil || len(s.free) == 0 {
		return newMemory()
	}
	m := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return m
}

// give takes what the parser of a text and those of its bodies leave. What an
// alias stood for in their text it may not stand for in the next.
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

// maxKeptNames bounds the names that are kept: frontends number theirs through
// all programs they print, so that most of them do not come again.
const maxKeptNames = 1 << 13

func newMemory() *memory { return &memory{cache: newTextCache()} }

func (m *memory) newScope() *scope {
	n := len(m.scopes)
	if n == 0 {
		return &scope{}
	}
	s := m.scopes[n-1]
	m.scopes = m.scopes[:n-1]
	return s
}

func (m *memory) endScope(s *scope) {
	s.end()
	m.scopes = append(m.scopes, s)
}

// newOp makes an operation of the program that is read.
func (p *Parser) newOp(s State) *Op {
	attrs, r := s.parts(&p.memory.slabs)
	return s.make(attrs, r.shared(), &p.memory.slabs)
}

// markEntries returns how many entries of dictionaries are in use, for dropEntries
// to go back to.
func (m *memory) markEntries() int { return len(m.entries) }

// dropEntries forgets the dictionaries that were read after the mark.
func (m *memory) dropEntries(mark int) { m.entries = m.entries[:mark] }

// newRegion returns the state of a region below outer.
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

// maxSpareBlocks bounds the tables that are kept, since clearing one takes as
// long as it once was large.
const maxSpareBlocks = 1 << 6

// endRegion ends the use of r and returns the state of the region around it.
func (m *memory) endRegion(r *regionState) (outer *regionState) {
	outer = r.outer
	if len(r.blocks) <= maxSpareBlocks {
		clear(r.blocks)
		clear(r.used)
		r.outer, m.region = m.region, r
	}
	return outer
}

func (m *memory) newBlock() *Block { return &m.slabs.blocks.take(1)[0] }

// newRegion returns an empty region of the program that is read.
func (p *Parser) newRegion() *Region { return &p.memory.slabs.regions.take(1)[0] }
