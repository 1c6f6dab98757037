package ir

import (
	"slices"
	"strings"
)

// Programs repeat themselves: most operations have a signature and attributes
// that an earlier one had, to the letter. The parser keeps what it has read
// under its text and reads a text once. The meaning of a text never changes
// inside a file, since aliases cannot be defined twice.

// textCache holds what texts of a parser mean.
type textCache struct {
	types      map[string]Type
	signatures map[string]signature
	dicts      map[string][]NamedAttr
}

// signature is (ins) -> outs, and how many bytes its text takes.
type signature struct {
	ins, outs []Type
	size      int
}

// Bounds on what is kept, so that a file without repetition costs little.
const (
	maxCachedText    = 1 << 10
	maxCachedEntries = 1 << 12
)

func newTextCache() textCache {
	return textCache{map[string]Type{}, map[string]signature{}, map[string][]NamedAttr{}}
}

// signature reads (T, U) -> R. The rest of the line is what it is kept under.
func (p *Parser) signature() (ins, outs []Type) {
	start := p.start
	line := p.text[start:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	if s, ok := p.cache.signatures[line]; ok {
		p.jump(start + s.size)
		return s.ins, s.outs
	}
	ins = p.TypesInParens()
	p.Expect("->")
	outs = p.ResultTypes()
	size := p.prevEnd - start
	if !p.bad && size <= len(line) && len(line) <= maxCachedText && len(p.cache.signatures) < maxCachedEntries {
		p.cache.signatures[line] = signature{ins, outs, size}
	}
	return ins, outs
}

// cachedDict reads an attribute dictionary that does not depend on the
// operation, if one stands here.
func (p *Parser) cachedDict() []NamedAttr {
	if p.kind != '{' {
		return nil
	}
	start := p.start
	end := skipBalanced(p.text, start)
	if end < 0 || end-start > maxCachedText {
		return p.dictBody(nil)
	}
	text := p.text[start:end]
	if d, ok := p.cache.dicts[text]; ok {
		p.jump(end)
		return d
	}
	d := slices.Clip(p.dictBody(nil))
	if !p.bad && p.prevEnd == end && len(p.cache.dicts) < maxCachedEntries {
		p.cache.dicts[text] = d
	}
	return d
}
