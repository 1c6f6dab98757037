package ir

import (
	"runtime"
	"sync"
)

// BlockArg is an argument of a block as the text has it.
type BlockArg struct {
	Name string // with the %, or "" for none
	Off  int
	Type Type
	Loc  Loc
}

// BlockArg reads %name: type, or the name alone when untyped.
func (p *Parser) BlockArg(typed bool) BlockArg {
	a := BlockArg{Name: p.Text(), Off: p.start, Loc: LocAt(p.src, p.start)}
	if !p.accept(tokValue) {
		p.expected("an SSA value")
		return a
	}
	if typed && p.Expect(":") {
		a.Type = p.Type()
		a.Loc = p.trailingLoc(a.Loc, nil)
	}
	return a
}

// regionState holds the names of the blocks of the region being read.
type regionState struct {
	blocks map[string]*Block
	used   map[string]int // blocks named by a terminator and not yet defined
	outer  *regionState
}

// Region reads { ... } whose entry block has the given arguments. An isolated
// region sees no values from outside.
func (p *Parser) Region(args []BlockArg, isolated bool) *Region {
	r := NewRegion()
	p.RegionInto(r, args, isolated)
	return r
}

// RegionInto is Region for a region that exists.
func (p *Parser) RegionInto(r *Region, args []BlockArg, isolated bool) {
	if !isolated {
		mark := len(p.scope.defined)
		p.regionBody(r, args)
		p.scope.popTo(mark)
		return
	}
	saved := p.scope
	p.scope = p.memory.newScope()
	p.regionBody(r, args)
	p.finishScope()
	p.memory.endScope(p.scope)
	p.scope = saved
}

// Body reads the isolated body of a function into r. It may be read by another
// goroutine, so the caller must not look inside before the text is finished.
func (p *Parser) Body(r *Region, args []BlockArg) {
	if !p.fork(r, args) {
		p.RegionInto(r, args, true)
	}
}

func (p *Parser) regionBody(r *Region, args []BlockArg) {
	if !p.Expect("{") || !p.Enter() {
		return
	}
	defer p.Leave()
	p.region = p.memory.newRegion(p.region)
	defer func() { p.region = p.memory.endRegion(p.region) }()
	if p.At("}") && len(args) == 0 {
		p.next()
		return
	}
	if p.kind != tokBlock || len(args) > 0 {
		entry := p.memory.newBlock()
		r.Append(entry)
		p.addArgs(entry, args)
		p.blockBody(entry)
	}
	for p.kind == tokBlock {
		p.labelledBlock(r)
	}
	if p.Expect("}") {
		p.checkBlocks()
	}
}

func (p *Parser) addArgs(b *Block, args []BlockArg) {
	b.addArgs(args, &p.memory.slabs)
	for i, a := range args {
		if a.Name != "" {
			p.define(a.Name, a.Off, b.args[i])
		}
	}
}

func (p *Parser) blockBody(b *Block) {
	for !p.bad && p.kind != tokBlock && p.kind != '}' && p.kind != tokEOF {
		p.Operation(b)
	}
}

func (p *Parser) labelledBlock(r *Region) {
	name, off := p.Text(), p.start
	b := p.blockNamed(name)
	if b.region != nil {
		p.ErrorAt(off, "redefinition of block '%s'", name)
		return
	}
	delete(p.region.used, name)
	p.next()
	r.Append(b)
	if p.Accept("(") {
		args := p.memory.args[:0]
		p.List(")", func() { args = append(args, p.BlockArg(true)) })
		p.Expect(")")
		p.addArgs(b, args)
		p.memory.args = args
	}
	p.Expect(":")
	p.blockBody(b)
}

// blockNamed returns the block with the name, which may be defined later.
func (p *Parser) blockNamed(name string) *Block {
	b := p.region.blocks[name]
	if b == nil {
		b = p.memory.newBlock()
		p.region.blocks[name] = b
	}
	return b
}

// Successor reads ^name.
func (p *Parser) Successor() *Block {
	if p.kind != tokBlock {
		p.expected("a block name")
		return nil
	}
	if p.region == nil {
		p.Errorf("a block can only be named inside a region")
		return nil
	}
	name := p.Text()
	b := p.blockNamed(name)
	if b.region == nil {
		if _, ok := p.region.used[name]; !ok {
			p.region.used[name] = p.start
		}
	}
	p.next()
	return b
}

func (p *Parser) checkBlocks() {
	first, name := -1, ""
	for n, off := range p.region.used {
		if first < 0 || off < first {
			first, name = off, n
		}
	}
	if first >= 0 {
		p.ErrorAt(first, "reference to undefined block '%s'", name)
	}
}

// forks are the isolated bodies of a text that are parsed side by side.
type forks struct {
	wg    sync.WaitGroup
	slots chan struct{}
	mu    sync.Mutex
	bad   bool
	late  []lateLoc
	spare []*memory
}

// begin returns memory for the parser of a body.
func (f *forks) begin() *memory {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.spare)
	if n == 0 {
		return newMemory()
	}
	m := f.spare[n-1]
	f.spare = f.spare[:n-1]
	return m
}

// end takes what a parser leaves behind.
func (f *forks) end(sub *Parser) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bad = f.bad || sub.bad
	f.late = append(f.late, sub.names.late...)
	f.spare = append(f.spare, sub.memory)
}

// forkSize is the body size from which handing it to another goroutine pays.
const forkSize = 4 << 10

// fork reads an isolated region with a parser of its own, on another goroutine
// if one is free, and moves this parser behind it. The body must be balanced;
// otherwise fork reports false and the caller reads on to find the error.
//
// A body parsed this way reports its own first error, whether or not there
// is another goroutine: what a user sees does not depend on the machine.
func (p *Parser) fork(r *Region, args []BlockArg) bool {
	if p.kind != '{' || p.bad {
		return false
	}
	end := skipBraces(p.text, p.start)
	if end < 0 || end-p.start < forkSize {
		return false
	}
	p.names.shared = true
	sub := &Parser{
		lexer:    lexer{text: p.text[:end], end: p.start},
		src:      p.src,
		diags:    p.diags,
		opts:     p.opts,
		names:    &aliases{attrs: p.names.attrs, types: p.names.types, shared: true},
		depth:    p.depth,
		defaults: p.defaults,
		forked:   p.forked,
	}
	p.jump(end)
	run := func() {
		sub.memory = p.forked.begin()
		sub.next()
		sub.RegionInto(r, args, true)
		p.forked.end(sub)
	}
	select {
	case p.forked.slots <- struct{}{}:
		p.forked.wg.Go(func() {
			defer func() { <-p.forked.slots }()
			run()
		})
	default:
		run()
	}
	return true
}

// forkQueue is how many bodies wait for each other goroutine, so that none has
// to sleep between two of them: waking up takes as long as reading a body.
const forkQueue = 8

func newForks(sequential bool) *forks {
	n := forkQueue * (runtime.GOMAXPROCS(0) - 1)
	if sequential {
		n = 0
	}
	return &forks{slots: make(chan struct{}, n)}
}

// skipBraces returns the offset behind the brace that closes the one at i, or
// -1. Only braces, strings and comments count.
func skipBraces(s string, i int) int {
	for depth := 0; ; {
		for i < len(s) && class[s[i]]&clsNest == 0 {
			i++
		}
		if i == len(s) {
			return -1
		}
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			if i = skipString(s, i); i < 0 {
				return -1
			}
			continue
		case '/':
			if i+1 < len(s) && s[i+1] == '/' {
				i = skipSpace(s, i)
				continue
			}
		}
		i++
	}
}
