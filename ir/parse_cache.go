// This file caches the meaning of texts that recur, such as types and attribute
// dictionaries.

package ir

import (
	"slices"
	"strings"
)

// This file is the fast path of the parser. The grammar is in the other files,
// which call cachedType, cachedDict, cachedSignature, knownOp and makeGeneric where
// a text may repeat an earlier one.
//
// Programs are repetitive: most operations have the signature and the attributes of
// an earlier operation, byte by byte. The parser caches the meaning of these texts,
// which makes it several times as fast (BenchmarkParse in tools/bench). A text
// cannot change its meaning inside a file, because an alias cannot be defined
// twice. The cache copies its keys, so that the source text can be freed.

// textCache maps texts that the parser has already read, such as types and attribute
// dictionaries, to the parsed result. Generated programs repeat such texts many times.
type textCache struct {
	// types maps the text of a type to the type.
	types map[string]Type
	// signatures maps the rest of a line, from the start of a signature on, to the parsed
	// signature.
	signatures map[string]*signature
	// dicts maps the text of an attribute dictionary to its entries.
	dicts map[string]*dict
	// ops maps each quoted operation name to the components of the last operation with
	// that name.
	ops map[string]*knownOp
	// names holds one copy of each attribute name, so that operations share it.
	names map[string]string
	// met holds hashes of the texts that have occurred once. The cache stores a text when
	// it occurs again; see keep.
	met []uint32
}

// keep reports whether the cache should store text. n is the number of entries of the map
// that would store it. The cache stores a text when it occurs for the second time. Some
// programs hardly repeat themselves, and storing every text would fill the memory with
// copies.
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

// name returns a copy of the attribute name s. Equal names always return the same copy,
// so that operations share it.
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

// signature is the parsed form of the text (ins) -> outs at the end of an operation in
// generic form.
type signature struct {
	// line is the rest of the line from the signature on, without a location; it is "" if
	// the signature is not cached.
	line string
	// size is the number of bytes of the signature in line.
	size int
	// ins and outs are the operand and the result types.
	ins, outs []Type
}

// dict is the parsed form of an attribute dictionary {name = value, ...}. The field text
// contains this source text if the parser caches the dictionary, and is "" if it does
// not.
type dict struct {
	text    string
	entries []NamedAttr
}

// knownOp holds the components of the last operation in generic form with a given name.
// The next operation of that name is likely to have equal components, so the parser
// compares its text with these first.
type knownOp struct {
	// def is the definition of all operations with this name.
	def *Def
	// props, attrs and types are the properties, attributes and signature that the next
	// operation is expected to have.
	props, attrs *dict
	types        *signature
	// shape holds the data that the last operation of this name can share with later
	// ones.
	shape shape
}

// met stores the components of g, an operation in generic form that has just been parsed,
// in the receiver. The parser compares the text of the next operation with this name with
// these components first, because they are likely to be equal. An operation without
// attributes does not replace the stored attributes.
func (k *knownOp) met(g *generic) {
	if g.props != nil {
		k.props = g.props
	}
	if g.attrs != nil {
		k.attrs = g.attrs
	}
	k.types = g.types
}

// makeGeneric returns a new operation with the components in g, which have been parsed
// from its generic form, and with the given operands. If an earlier operation had the
// same shape, its checked data is reused; otherwise finishGeneric computes and checks the
// data.
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

// shape identifies operations with the same name, the same texts of attributes and types,
// and the same number of regions. It holds everything that the parser derives from these
// alone. Operations of the same shape share these results, so they are computed and
// checked only once.
type shape struct {
	// props, dict, sig and regions identify the shape: properties, attributes, signature,
	// and the number of regions.
	props, dict *dict
	sig         *signature
	regions     int
	// form, attrs and rest are the data that operations of the shape share.
	form  *Form
	attrs []Attr
	rest  *rest
}

// set stores the shape of the operation g in h. The shape consists of the attributes, the
// types, and the number of regions. set also stores the syntax form, the attributes and
// the other results that the parser has computed for g, so that later operations of this
// shape can share them. s holds the parsed components of g; finishGeneric must have
// checked them.
func (h *shape) set(g *generic, s *State, m *slabs) {
	attrs, r := s.parts(m)
	r.regions, r.succs = nil, nil
	*h = shape{g.props, g.attrs, g.types, len(g.regions), s.Form, attrs, m.rest(&r)}
}

// fits reports whether the operation g has the same types, properties, attributes and
// number of regions as the operation that h describes. That operation precedes g and has
// the same name. The parser caches the texts of these items. Two equal cached texts are
// one object, so fits only compares pointers. It returns false for texts that are not
// cached.
func (h *shape) fits(g *generic) bool {
	return h.sig == g.types && g.types.kept() && h.props == g.props && g.props.kept() &&
		h.dict == g.attrs && g.attrs.kept() && h.regions == len(g.regions)
}

// The method make returns a new operation. Its definition, form (the syntax) and
// attributes are those of the cached shape h. Its operands, results, regions and
// successors are those of the state s, the description of an operation to create. The
// parameter m provides the memory of the operation.
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

// Bounds on the numbers and lengths of cached texts, so that a file without repetition
// costs little memory.
const (
	maxCachedText    = 1 << 10 // bytes of a text
	maxCachedEntries = 1 << 14 // entries of each map
	maxMet           = 1 << 13 // slots of textCache.met
)

// newTextCache returns an empty textCache, the cache of parsed texts such as types and
// attribute dictionaries.
func newTextCache() textCache {
	return textCache{map[string]Type{}, map[string]*signature{}, map[string]*dict{}, map[string]*knownOp{}, map[string]string{}, nil}
}

// full reports whether one of the large maps of the cache has more than a quarter of the
// permitted entries. The parser calls it between two texts, and starts the next text with
// an empty cache if the result is true. The next text then has space for most of the
// permitted entries.
func (c *textCache) full() bool {
	const some = maxCachedEntries / 4
	return len(c.signatures) > some || len(c.dicts) > some || len(c.types) > some
}

// knownOp returns the cache entry for the operation whose quoted name is the current
// token, and adds one if there is none. It returns nil after an error, which it reports
// at byte offset off.
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

// cachedType parses a type that starts with a word or a !. It first looks up the text of
// the type in the cache and parses it only if the text is new.
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

// cachedSignature returns the signature (T, U) -> R at the current position, from the
// cache if the same text was parsed before. last is the signature with which it first
// compares the text. The cache key is the rest of the line, because finding the end of
// the line is cheaper than finding the end of the signature.
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

// signature parses (types) -> types into s. It reuses the slices of s.
func (p *Parser) signature(s *signature) {
	s.ins = p.typesInParens(s.ins[:0])
	p.expect(tokArrow)
	s.outs = p.resultTypes(s.outs[:0])
}

// kept reports whether the signature is in the cache. A signature that is not cached is
// in temporary memory, which the next operation overwrites.
func (s *signature) kept() bool { return s.line != "" }

// kept reports whether the dictionary is in the cache. An absent (nil) dictionary counts
// as cached. A dictionary that is not cached is in temporary memory, which is reused
// after its operation has been built.
func (d *dict) kept() bool { return d == nil || d.text != "" }

// locMark is the text with which a location at the end of a line starts.
const locMark = " loc("

// lineIs reports whether the rest of the current source line equals the parameter line.
// It ignores a location at the end of the source line.
func (p *Parser) lineIs(line string) bool {
	rest, ok := strings.CutPrefix(p.text[p.start:], line)
	return ok && (strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, locMark))
}

// cachedDict parses an attribute dictionary in generic syntax. If the cache contains the
// result for the same text, it returns this result without parsing. This is possible
// because generic syntax is parsed in the same way for every operation. last is the
// dictionary of the preceding operation with the same name; cachedDict compares the text
// with it first, because they are often equal.
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

// newDict parses a dictionary into temporary memory. The parser releases this memory by
// calling dropEntries when the operation has been built. Until then, the entries are
// valid.
func (p *Parser) newDict() *dict {
	m := p.memory
	mark := len(m.entries)
	m.entries = p.dictEntries(m.entries, nil)
	return &dict{entries: m.entries[mark:]}
}

// all returns the entries of the dictionary, or nil if d is nil.
func (d *dict) all() []NamedAttr {
	if d == nil {
		return nil
	}
	return d.entries
}
