// This file parses regions and blocks.

package ir

import (
	"cmp"
	"maps"
	"slices"
)

// BlockArg is an argument of a block in the text.
type BlockArg struct {
	// Name is the name with the %, or "" if the text gives none.
	Name string
	// Off is the offset of the name.
	Off int
	// Type is the type of the argument.
	Type Type
	// Loc is the explicit location, if the text has one.
	Loc Loc
}

// BlockArg reads %name: type, or only %name if typed is false.
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
	// used maps the blocks that a terminator names but the text has not defined yet to
	// the offset of the first such use.
	used map[string]int
	// outer is the state of the enclosing region.
	outer *regionState
}

// Region reads { ... } and returns the region. args are the arguments of its entry
// block. An isolated region does not see values from outside.
func (p *Parser) Region(args []BlockArg, isolated bool) *Region {
	r := NewRegion()
	p.RegionInto(r, args, isolated)
	return r
}

// RegionInto is Region for an existing region r.
func (p *Parser) RegionInto(r *Region, args []BlockArg, isolated bool) {
	if !isolated {
		mark := len(p.scope.defined)
		p.regionBody(r, args)
		p.scope.popTo(mark)
		return
	}
	p.isolated(func() { p.regionBody(r, args) })
}

// isolated calls read in a new scope, which does not see values from outside.
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

// Body reads the isolated body of a function into r. Another goroutine may read it,
// so the caller must not access r before Finish.
func (p *Parser) Body(r *Region, args []BlockArg) {
	if !p.fork(r, args) {
		p.RegionInto(r, args, true)
	}
}

// regionBody reads { ... } into r: the entry block, whose label may be missing,
// then the labelled blocks.
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

// regionEnd returns the offset after the region that has just been read, or where the
// parser failed in it.
func (p *Parser) regionEnd() int {
	if p.bad && p.again != nil {
		return p.again.stopped
	}
	return p.prevEnd
}

// addArgs adds arguments to b and defines their names.
func (p *Parser) addArgs(b *Block, args []BlockArg) {
	b.addArgs(args, &p.memory.slabs)
	for i, a := range args {
		if a.Name != "" {
			p.define(a.Name, a.Off, b.args[i])
		}
	}
}

// blockBody reads the operations of b up to the next label or the end of the
// region. A parser that recovers reads them as statements, so that it can skip a
// wrong one.
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

// label reads ^name(arguments): and returns the block, appended to r. After an
// error it returns a block outside any region.
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

// Successor reads ^name and returns the block, which the text may define later.
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

// checkBlocks reports the blocks that a terminator names but the region does not
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
