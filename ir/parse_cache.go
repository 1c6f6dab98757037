package ir

import (
	"slices"
	"strings"
)

// This file is the fast path of the parser. The grammar is in the other files and
// calls it where a text may have come before: cachedType, cachedDict,
// cachedSignature, knownOp and makeGeneric.
//
// Programs repeat themselves: most operations have a signature and attributes
// that an earlier one had, to the letter. The parser keeps what it has read
// under its text and reads a text once, which makes it several times as fast
// (BenchmarkParse in tools/bench). The meaning of a text never changes
// inside a file, since aliases cannot be defined twice. What is kept is a copy,
// so that the text itself need not stay in memory to be compared with.

// textCache holds what texts of a parser mean.
type textCache struct {
	types      map[string]Type
	signatures map[string]*signature
	dicts      map[string]*dict
	ops        map[string]*knownOp
	names      map[string]string // of attributes
	met        []uint32          // hashes of texts that were met once
}

// keep reports whether a text should be kept, n others being kept already. It
// should when it is met for the second time: in some programs hardly any text
// comes again, and they would fill the memory with copies of themselves.
func (c *textCache) keep(n int, text string) bool {
	if n >= maxCachedEntries {
		return false
	}
	if c.met == nil {
		c.met = make([]uint32, maxMet)
	}
	h := hashName(text)
	slot, mark := &c.met[h%maxMet], uint32(h>>32)
	if *slot == mark {
		return true
	}
	*slot = mark
	return false
}

// name returns a copy of the name of an attribute.
func (c *textCache) name(s string) string {
	if known, ok := c.names[s]; ok {
		return known
	}
	s = strings.Clone(s)
	if len(c.names) < maxCachedEntries {
		c.names[s] = s
	}
	return s
}

// signature is what (ins) -> outs at the start of a line means.
type signature struct {
	line      string // to its end, or to the location at its end
	size      int    // bytes of the text
	ins, outs []Type
}

// dict is what {name = value, ...} means.
type dict struct {
	text    string
	entries []NamedAttr
}

// knownOp is what the generic form of an operation said when its name was last
// met. The next one of that name probably says the same.
type knownOp struct {
	def          *Def
	props, attrs *dict
	types        *signature
	shape        shape
}

// met notes what an operation said. One without attributes does not change
// what is expected of those that have some.
func (k *knownOp) met(g *generic) {
	if g.props != nil {
		k.props = g.props
	}
	if g.attrs != nil {
		k.attrs = g.attrs
	}
	k.types = g.types
}

// makeGeneric makes the operation of the text g with the given operands. What the
// text leaves open comes from an operation of the same shape, or from finishGeneric.
func (p *Parser) makeGeneric(g *generic, operands []*Value) *Op {
	k := g.known
	k.met(g)
	s := State{Def: k.def, Loc: LocAt(p.src, g.off), Operands: operands, Results: g.types.outs, Regions: g.regions, Succs: g.succs}
	if !k.shape.fits(g) {
		if !p.finishGeneric(g, &s) {
			return nil
		}
		k.shape.set(g, &s, &p.memory.slabs)
	}
	return k.shape.make(&s, &p.memory.slabs)
}

// shape is all of an operation that follows from its name, the texts of its
// attributes and types, and the number of regions. Operations of one shape
// share these parts.
type shape struct {
	props, dict *dict
	sig         *signature
	regions     int
	form        *Form
	attrs       []Attr
	rest        *rest
}

// set makes h the shape of the operation of g, which s describes completely.
func (h *shape) set(g *generic, s *State, m *slabs) {
	attrs, r := s.parts(m)
	r.regions, r.succs = nil, nil
	*h = shape{g.props, g.attrs, g.types, len(g.regions), s.Form, attrs, m.rest(&r)}
}

// fits reports whether the operation of g has the shape.
func (h *shape) fits(g *generic) bool {
	return h.sig == g.types && g.types.kept() && h.props == g.props && g.props.kept() &&
		h.dict == g.attrs && g.attrs.kept() && h.regions == len(g.regions)
}

// make makes an operation of the shape from what else s says.
func (h *shape) make(s *State, m *slabs) *Op {
	s.Form = h.form
	r := h.rest
	if s.Regions != nil || s.Succs != nil {
		own := *r
		own.regions, own.succs = s.Regions, s.Succs
		r = &own
	}
	return s.make(h.attrs, r, m)
}

// Bounds on what is kept, so that a file without repetition costs little.
const (
	maxCachedText    = 1 << 10
	maxCachedEntries = 1 << 14
	maxMet           = 1 << 13
)

func newTextCache() textCache {
	return textCache{map[string]Type{}, map[string]*signature{}, map[string]*dict{}, map[string]*knownOp{}, map[string]string{}, nil}
}

// full reports whether so much is kept that new texts have no place soon.
func (c *textCache) full() bool {
	const some = maxCachedEntries / 4
	return len(c.signatures) > some || len(c.dicts) > some || len(c.types) > some
}

// knownOp returns what is known about the operation whose quoted name stands
// here, or nil after an error.
func (p *Parser) knownOp(off int) *knownOp {
	k := p.memory.cache.ops[p.Text()]
	if k != nil {
		p.next()
		return k
	}
	text := p.Text()
	def := p.definition(off, p.Quoted())
	if def == nil {
		return nil
	}
	k = &knownOp{def: def}
	p.memory.cache.ops[strings.Clone(text)] = k
	return k
}

// cachedType reads a type that starts with a word or a !. Its text is looked up
// whole; only a new one is parsed.
func (p *Parser) cachedType() Type {
	start, end := p.start, p.end
	if p.lexer.at(end) == '<' {
		if end = skipBalanced(p.text, end); end < 0 {
			end = p.end
		}
	}
	cache := p.memory.cache.types
	if t, ok := cache[p.text[start:end]]; ok {
		p.jump(end)
		return t
	}
	t := p.namedType()
	if text := p.text[start:end]; !t.IsZero() && p.prevEnd == end && !p.bad && p.memory.cache.keep(len(cache), text) {
		cache[strings.Clone(text)] = t
	}
	return t
}

// cachedSignature reads (T, U) -> R; last is the one that it probably is. The rest
// of the line is what it is kept under.
func (p *Parser) cachedSignature(last *signature) *signature {
	start := p.start
	if last != nil && len(last.line) > 0 && p.lineIs(last.line) {
		p.jump(start + last.size)
		return last
	}
	line := p.text[start:min(len(p.text), start+2*maxCachedText)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	if n := strings.LastIndex(line, locMark); n >= 0 {
		line = line[:n]
	}
	cache := p.memory.cache.signatures
	if s, ok := cache[line]; ok {
		p.jump(start + s.size)
		return s
	}
	s := &p.memory.sig
	p.signature(s)
	size := p.prevEnd - start
	if p.bad || size > len(line) || len(line) > maxCachedText || !p.memory.cache.keep(len(cache), line) {
		return s
	}
	s = &signature{strings.Clone(line), size, slices.Clone(s.ins), slices.Clone(s.outs)}
	cache[s.line] = s
	return s
}

// kept reports whether the signature is that of a text. The other ones are in
// memory that is used again.
func (s *signature) kept() bool { return s.line != "" }

// kept reports whether a dictionary, or none, is that of a text.
func (d *dict) kept() bool { return d == nil || d.text != "" }

// locMark begins the location at the end of a line.
const locMark = " loc("

// lineIs reports whether the rest of the line, but for a location, is the given
// text.
func (p *Parser) lineIs(line string) bool {
	rest, ok := strings.CutPrefix(p.text[p.start:], line)
	return ok && (strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, locMark))
}

// cachedDict reads an attribute dictionary that does not depend on the
// operation; last is the one that it probably is.
func (p *Parser) cachedDict(last *dict) *dict {
	start := p.start
	if last != nil && last.text != "" && strings.HasPrefix(p.text[start:], last.text) {
		p.jump(start + len(last.text))
		return last
	}
	end := skipBalanced(p.text, start)
	if end < 0 || end-start > maxCachedText {
		return p.newDict()
	}
	cache := p.memory.cache.dicts
	text := p.text[start:end]
	if d, ok := cache[text]; ok {
		p.jump(end)
		return d
	}
	d := p.newDict()
	if !p.bad && p.prevEnd == end && p.memory.cache.keep(len(cache), text) {
		d = &dict{strings.Clone(text), slices.Clone(d.entries)}
		cache[d.text] = d
	}
	return d
}

// newDict reads a dictionary whose entries are valid until dropEntries, which
// follows when its operation is made.
func (p *Parser) newDict() *dict {
	m := p.memory
	mark := len(m.entries)
	m.entries = p.dictEntries(m.entries, nil)
	return &dict{entries: m.entries[mark:]}
}

// all returns the entries; no dictionary has none.
func (d *dict) all() []NamedAttr {
	if d == nil {
		return nil
	}
	return d.entries
}
