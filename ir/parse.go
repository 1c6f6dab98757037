// This file parses whole files.

package ir

import (
	"maps"
	"math"
	"strings"
	"sync/atomic"
)

// ModuleDef is the definition of the operation that contains a whole file. The builtin
// dialect sets it during initialization, since this package cannot import a dialect.
var ModuleDef *Def

// Parse reads the file src and returns its module. If the file has no module or more than
// one operation, Parse wraps the operations in a new module. The error, an Errors, lists
// all problems; diags, if not nil, also receives the warnings. The program must import
// the dialects of the file, at least dialect/builtin.
func Parse(src *Source, opts ParseOptions, diags *Diags) (*Op, error) {
	var found Diags
	if ModuleDef == nil {
		found.Error(Loc{}, "no imported dialect defines modules: import ptogo/dialect/builtin and the dialects of the program")
		diags.take(&found)
		return nil, found.Err()
	}
	op := ReadText(src, opts, &found, (*Parser).file)
	diags.take(&found)
	return op, found.Err()
}

// file parses the whole text and returns the module, or nil after an error.
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

// topLevels parses operations, aliases and metadata up to the end of the text and appends
// the operations to b.
func (p *Parser) topLevels(b *Block) {
	defer p.guard()
	for !p.bad && p.kind != tokEOF {
		p.Statement(func() { p.topLevel(b) })
	}
}

// NewParser returns a parser at the first token of src, with the options opts. The
// parameter diags receives its diagnostics. The caller parses the text by calling the
// parser's methods, and must call Finish at the end.
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
		p.Errorf("the text is too large: at most 4 GB are supported").As(CodeTooLarge)
		return p
	}
	p.next()
	return p
}

// Finish waits for the function bodies that other goroutines parse, reports names without
// a definition, and returns whether the text has no errors.
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
		return false // the program of a wrong text is discarded, so its memory is not reused
	}
	p.memory.endScope(p.scope)
	p.opts.Spare.give(append(p.forked.spare, p.memory), len(p.names.attrs)+len(p.names.types) > 0 || p.forked.old.renew)
	return true
}

// SetDefaultDialect permits programs to omit the dialect prefix of operations of the
// dialect with the given name. If it is called for several dialects, the last one has
// priority.
func (p *Parser) SetDefaultDialect(name string) {
	p.defaults = append([]string{name}, p.defaults...)
}

// Define binds name, which includes the %, to the value v in the current scope. The
// parameter off is the source offset of the definition for diagnostics.
func (p *Parser) Define(name string, off int, v *Value) { p.define(name, off, v) }

// AtEOF reports whether the parser is at the end of the text. After an error the result
// is also true.
func (p *Parser) AtEOF() bool { return p.kind == tokEOF }

// topLevel reads one item at the outermost level of a file. An item is an alias
// definition, file metadata, or an operation, which topLevel appends to b.
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

// followedByEquals reports whether the token after the current one is "=", as in
// the definition of an alias.
func (p *Parser) followedByEquals() bool {
	i := skipSpace(p.text, p.end)
	return p.lexer.at(i) == '=' && p.lexer.at(i+1) != '='
}

// defineAlias parses the definition of an alias and adds it to the given table, which
// belongs to p.names. kind describes the alias in diagnostics ("type" or "attribute"),
// and the function read parses the value.
func defineAlias[T interface{ AppendTo([]byte) []byte }](p *Parser, kind string, table *map[string]T, read func() T) {
	alias, off := p.Text(), p.start
	name := alias[1:]
	p.next()
	p.next()
	if _, ok := (*table)[name]; ok {
		p.ErrorAt(off, "redefinition of %s alias '%s'", kind, alias).As(CodeAlias)
		return
	}
	if strings.Contains(name, ".") {
		p.ErrorAt(off, "%s alias '%s' must not contain a dot, which is for dialects", kind, alias).As(CodeAlias)
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

// Limits for the text that results from replacing aliases. An alias can contain another
// alias twice, so each line of a file can double the size. Without limits, a file of a
// kilobyte could fill the memory.
const (
	smallAlias     = 1 << 10  // bytes; uses of smaller aliases are not counted
	leastExpansion = 64 << 20 // bytes that the uses of larger ones may stand for in any file
	maxExpansion   = 32       // or this multiple of the file size, if that is more
)

// expand counts the use of the alias at the current token. It adds the length of the
// alias's text to a total for the file. The total is limited, because aliases in aliases
// could otherwise expand to an enormous text. If the total exceeds the limit, expand
// reports an error and returns false. Uses of aliases with a short text are not counted.
func (p *Parser) expand() bool {
	n := p.names.large[p.Text()]
	if n == 0 || p.names.expanded.Add(int64(n)) <= max(leastExpansion, maxExpansion*int64(len(p.src.Text))) {
		return true
	}
	p.Errorf("aliases expand to more than %d bytes of text: expected at most this size, or at most %d times the size of the file", leastExpansion, maxExpansion).As(CodeTooLarge)
	return false
}

// own replaces the maps of a by copies. A parser calls it before it changes the maps,
// because parsers of function bodies on other goroutines may still read the originals.
func (a *aliases) own() {
	a.attrs, a.types, a.large, a.shared = maps.Clone(a.attrs), maps.Clone(a.types), maps.Clone(a.large), false
}

// metadata skips a file metadata section {-# ... #-}. The section holds external
// resources of MLIR, which this project does not use.
func (p *Parser) metadata() {
	end := strings.Index(p.text[p.start:], "#-}")
	if end < 0 {
		p.Errorf("expected '#-}' at the end of the file metadata")
		return
	}
	p.jump(p.start + end + len("#-}"))
}

// wrapModule returns the only operation of b if it is a module. Otherwise it returns a
// new module that contains all operations of b.
func wrapModule(src *Source, b *Block) *Op {
	if op := b.first; op != nil && op == b.last && op.def == ModuleDef {
		op.Remove()
		return op
	}
	return New(State{Def: ModuleDef, Loc: LocAt(src, 0), Regions: []*Region{NewRegion(b)}})
}
