// This file parses regions and blocks.

package ir

import (
	"cmp"
	"maps"
	"slices"
)

// BlockArg is an argument of a block as it is written in the text.
type BlockArg struct {
	// Name is the name with the %, or "" if the text gives none.
	Name string
	// Off is the byte offset of the name in the text.
	Off int
	// Type is the type of the argument.
	Type Type
	// Loc is the explicit location, if the text has one.
	Loc Loc
}

// BlockArg parses a block argument %name: type, or only %name if typed is false.
func (p *Parser) BlockArg(typed bool) BlockArg {
	a := BlockArg{Name: p.Text(), Off: p.start, Loc: LocAt(p.src, p.start)}
	if !p.accept(tokValue) {
		p.expected("an SSA value")
		return a
	}
	if typed && p.expect(':') {
		a.Type = p.Type()
		a.Loc = p.trailingLoc(a.Loc, nil)
	}
	return a
}

// regionState holds the block names of the region that is being read.
type regionState struct {
	// blocks maps names, with the ^, to blocks.
	blocks map[string]*Block
	// used maps the blocks that a terminator refers to, but that the text has not defined
	// yet, to the offset of the first such reference.
	used map[string]int
	// outer is the state of the enclosing region.
	outer *regionState
}

// Region parses { ... } and returns the region. args are the arguments of its entry
// block. If isolated is true, the region cannot use values from outside.
func (p *Parser) Region(args []BlockArg, isolated bool) *Region {
	r := NewRegion()
	p.RegionInto(r, args, isolated)
	return r
}

// RegionInto parses { ... } into the existing region r. args are the arguments of its
// entry block. If isolated is true, the region cannot use values from outside.
func (p *Parser) RegionInto(r *Region, args []BlockArg, isolated bool) {
	if !isolated {
		mark := len(p.scope.defined)
		p.regionBody(r, args)
		p.scope.popTo(mark)
		return
	}
	p.isolated(func() { p.regionBody(r, args) })
}

// isolated calls the parsing function read in a new scope. Values from outside are not
// visible in this scope. The old scope is restored afterwards.
func (p *Parser) isolated(read func()) {
	saved := p.scope
	p.scope = p.memory.newScope()
	leave := p.again.enterFunction()
	leaveIndex := p.opts.Index.isolate()
	read()
	p.finishScope()
	leaveIndex()
	leave()
	p.memory.endScope(p.scope)
	p.scope = saved
}

// Body parses the isolated body of a function into r. args are the arguments of its entry
// block. Another goroutine may do the parsing, so the caller must not access r before
// Finish has returned.
func (p *Parser) Body(r *Region, args []BlockArg) {
	if !p.fork(r, args) {
		p.RegionInto(r, args, true)
	}
}

// regionBody parses { ... } into r: first the entry block, whose label is optional, then
// the blocks with labels.
func (p *Parser) regionBody(r *Region, args []BlockArg) {
	open := p.start
	if !p.expect('{') || !p.Enter() {
		return
	}
	defer p.Leave()
	leave := p.opts.Index.enter(open, args)
	defer func() { leave(p.regionEnd()) }()
	p.region = p.memory.newRegion(p.region)
	defer func() { p.region = p.memory.endRegion(p.region) }()
	if p.kind == '}' && len(args) == 0 {
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
		start := p.start
		b := p.label(r)
		p.goOn(start)
		p.blockBody(b)
	}
	switch {
	case p.again.isMissing(p.start):
		p.missingBrace(open)
	case p.accept('}'):
		p.checkBlocks()
	case !p.bad:
		p.openAtEnd(open)
	}
	p.again.closedRegion(p)
}

// regionEnd returns the offset after the region that has just been parsed. If the region
// has an error, it returns the offset at which the parser stopped.
func (p *Parser) regionEnd() int {
	if p.bad && p.again != nil {
		return p.again.stopped
	}
	return p.prevEnd
}

// addArgs adds the arguments args to the block b and defines their names in the current
// scope.
func (p *Parser) addArgs(b *Block, args []BlockArg) {
	b.addArgs(args, &p.memory.slabs)
	for i, a := range args {
		if a.Name != "" {
			p.define(a.Name, a.Off, b.args[i])
		}
	}
}

// blockBody parses the operations of b up to the next label or the end of the region. A
// parser that continues after errors skips an operation with an error.
func (p *Parser) blockBody(b *Block) {
	for !p.bad && p.kind != tokBlock && p.kind != '}' && p.kind != tokEOF {
		if p.again != nil {
			if p.again.isMissing(p.start) {
				return
			}
			p.Statement(func() { p.Operation(b) })
			continue
		}
		p.Operation(b)
	}
}

// label parses ^name(arguments): at the start of a block. It appends the block with this
// name to r and returns it. If r already contains a block with this name, label reports
// an error and returns a new block that is in no region.
func (p *Parser) label(r *Region) *Block {
	name, off := p.Text(), p.start
	b := p.blockNamed(name)
	if b.region != nil {
		p.ErrorAt(off, "redefinition of block '%s'", name).As(CodeBlock)
		return NewBlock()
	}
	delete(p.region.used, name)
	p.next()
	r.Append(b)
	if p.accept('(') {
		args := p.memory.args[:0]
		p.List(")", func() { args = append(args, p.BlockArg(true)) })
		p.expect(')')
		p.addArgs(b, args)
		p.memory.args = args
	}
	p.expect(':')
	return b
}

// blockNamed returns the block with the given name. If the text has not defined it
// yet, blockNamed creates it.
func (p *Parser) blockNamed(name string) *Block {
	b := p.region.blocks[name]
	if b == nil {
		b = p.memory.newBlock()
		p.region.blocks[name] = b
	}
	return b
}

// Successor parses ^name and returns the block. The text may define the block later.
func (p *Parser) Successor() *Block {
	if p.kind != tokBlock {
		p.expected("a block name")
		return nil
	}
	if p.region == nil {
		p.Errorf("a block can only be named inside a region").As(CodeBlock)
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

// checkBlocks reports the blocks that a terminator refers to but that the region does not
// define.
func (p *Parser) checkBlocks() {
	if len(p.region.used) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(p.region.used), func(a, b string) int { return cmp.Compare(p.region.used[a], p.region.used[b]) })
	for _, name := range names {
		p.aside(func() {
			p.ErrorAt(p.region.used[name], "reference to undefined block '%s'", name).As(CodeBlock)
		})
	}
}
