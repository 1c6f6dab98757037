package ir

// memory is what a parser passes on to the next: the parsers of function
// bodies follow each other, and what one has learned helps those behind it.
type memory struct {
	slabs  slabs
	names  nameTable[entry]
	scopes []*scope   // free ones
	pool   []*OpParse // free ones
	cache  textCache
}

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
	attrs, r := s.parts()
	return s.make(attrs, r.shared(), &p.memory.slabs)
}
