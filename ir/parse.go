package ir

import (
	"maps"
	"math"
	"strings"
	"sync/atomic"
)

// ModuleDef is the definition of the operation that holds a whole file. The
// builtin dialect sets it.
var ModuleDef *Def

// Parse reads a file. It returns the module in it, or a module made around
// its operations where the file has several or another one. The error lists
// what is wrong, as an Errors; diags, unless it is nil, gets the same with all
// warnings. The dialects of the program must be linked, builtin at least.
func Parse(src *Source, opts ParseOptions, diags *Diags) (*Op, error) {
	var found Diags
	if ModuleDef == nil {
		found.Error(Loc{}, "no dialect is linked that has modules: import ptogo/dialect/builtin and those of the program")
		diags.take(&found)
		return nil, found.Err()
	}
	op := ReadText(src, opts, &found, (*Parser).file)
	diags.take(&found)
	return op, found.Err()
}

// file reads the whole text.
func (p *Parser) file() *Op {
	block := NewBlock()
	p.topLevels(block)
	if !p.Finish() {
		return nil
	}
	module := wrapModule(p.src, block)
	if !p.Renew(module) {
		return nil
	}
	return module
}

// topLevels reads operations to the end of the text.
func (p *Parser) topLevels(b *Block) {
	defer p.guard()
	for !p.bad && p.kind != tokEOF {
		p.Statement(func() { p.topLevel(b) })
	}
}

// NewParser returns a parser at the first token of a text. The caller reads
// what it wants and calls Finish.
func NewParser(src *Source, opts ParseOptions, diags *Diags) *Parser {
	p := &Parser{
		lexer:    lexer{text: src.Text},
		src:      src,
		diags:    diags,
		opts:     opts,
		names:    &aliases{attrs: map[string]Attr{}, types: map[string]Type{}, expanded: new(atomic.Int64)},
		memory:   opts.Spare.take(),
		defaults: []string{"builtin", "func"},
		forked:   newForks(opts),
	}
	p.scope = p.memory.newScope()
	if uint64(len(src.Text)) > math.MaxUint32 {
		p.Errorf("a text of more than 4 GB is too large")
		return p
	}
	p.next()
	return p
}

// Finish waits for all parts of the text and reports whether it is correct.
func (p *Parser) Finish() bool {
	p.forked.finish()
	p.names.late = append(p.names.late, p.forked.late...)
	if !p.bad {
		p.finishScope()
	}
	if p.again != nil {
		p.finishBraces()
	}
	if !p.bad && !p.forked.bad && p.again.clean() {
		p.resolveLateLocs()
	}
	if p.bad || p.forked.bad || !p.again.clean() {
		return false // what a wrong text leaves is not looked at again
	}
	p.memory.endScope(p.scope)
	p.opts.Spare.give(append(p.forked.spare, p.memory), len(p.names.attrs)+len(p.names.types) > 0 || p.forked.old.renew)
	return true
}

// SetDefaultDialect puts a dialect before those whose operations may be
// written without their prefix.
func (p *Parser) SetDefaultDialect(name string) {
	p.defaults = append([]string{name}, p.defaults...)
}

// Define gives a value a name in the scope of the text.
func (p *Parser) Define(name string, off int, v *Value) { p.define(name, off, v) }

// AtEOF reports whether the whole text has been read.
func (p *Parser) AtEOF() bool { return p.kind == tokEOF }

// topLevel reads an operation, an alias definition or file metadata.
func (p *Parser) topLevel(b *Block) {
	switch {
	case p.kind == tokHash && p.followedByEquals():
		defineAlias(p, "attribute", &p.names.attrs, p.Attr)
	case p.kind == tokBang && p.followedByEquals():
		defineAlias(p, "type", &p.names.types, p.Type)
	case p.kind == tokBegin:
		p.metadata()
	default:
		p.Operation(b)
	}
}

func (p *Parser) followedByEquals() bool {
	i := skipSpace(p.text, p.end)
	return p.lexer.at(i) == '=' && p.lexer.at(i+1) != '='
}

// defineAlias reads the definition of an alias and puts it into one of the
// tables of p.names.
func defineAlias[T interface{ AppendTo([]byte) []byte }](p *Parser, kind string, table *map[string]T, read func() T) {
	alias, off := p.Text(), p.start
	name := alias[1:]
	p.next()
	p.next()
	if _, ok := (*table)[name]; ok {
		p.ErrorAt(off, "redefinition of %s alias '%s'", kind, alias)
		return
	}
	if strings.Contains(name, ".") {
		p.ErrorAt(off, "%s alias '%s' must not contain a dot, which is for dialects", kind, alias)
		return
	}
	x := read()
	if p.bad {
		p.again.poisonAlias(alias)
		return
	}
	if p.names.shared {
		p.names.own()
	}
	(*table)[name] = x
	if n := len(x.AppendTo(nil)); n > smallAlias {
		if p.names.large == nil {
			p.names.large = map[string]int{}
		}
		p.names.large[alias] = n
	}
}

// Bounds on what aliases stand for. An alias of two of another doubles with each
// line, so that a kilobyte could stand for all the memory of a machine.
const (
	smallAlias     = 1 << 10  // whose uses need not be counted
	leastExpansion = 64 << 20 // bytes that uses of others may stand for in any file
	maxExpansion   = 32       // and how often the bytes of the file, if that is more
)

// expand counts the use of an alias, the current token, and reports whether what the
// aliases of the file stand for is still of a reasonable size.
func (p *Parser) expand() bool {
	n := p.names.large[p.Text()]
	if n == 0 || p.names.expanded.Add(int64(n)) <= max(leastExpansion, maxExpansion*int64(len(p.src.Text))) {
		return true
	}
	p.Errorf("aliases stand for more than %d bytes of text, at most that or %d times the file is allowed", leastExpansion, maxExpansion)
	return false
}

// own makes the maps safe to write: whoever shares them keeps the old ones.
func (a *aliases) own() {
	a.attrs, a.types, a.large, a.shared = maps.Clone(a.attrs), maps.Clone(a.types), maps.Clone(a.large), false
}

// metadata skips {-# ... #-}, which holds resources that nothing here reads.
func (p *Parser) metadata() {
	end := strings.Index(p.text[p.start:], "#-}")
	if end < 0 {
		p.Errorf("file metadata is not closed by #-}")
		return
	}
	p.jump(p.start + end + len("#-}"))
}

// wrapModule returns the only operation of the block if it is a module, or a
// module made around all of them.
func wrapModule(src *Source, b *Block) *Op {
	if op := b.first; op != nil && op == b.last && op.def == ModuleDef {
		op.Remove()
		return op
	}
	return New(State{Def: ModuleDef, Loc: LocAt(src, 0), Regions: []*Region{NewRegion(b)}})
}
