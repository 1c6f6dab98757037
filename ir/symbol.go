// This file looks up symbols.

package ir

import (
	"maps"
	"slices"
)

// SymbolName returns the symbol name that op defines, such as the name of a function. The
// second result is false if op does not define a symbol.
func SymbolName(op *Op) (string, bool) {
	if op.def.Traits&IsSymbol == 0 {
		return "", false
	}
	return op.Attr("sym_name").AsString()
}

// LookupSymbol returns the operation that defines the symbol to which the reference ref
// refers, or nil. from is the operation that contains the reference. LookupSymbol
// searches the symbol tables that enclose it, starting with the innermost.
func LookupSymbol(from *Op, ref Attr) *Op {
	d, ok := AttrAs[SymbolRefAttr](ref)
	if !ok {
		return nil
	}
	for table := from; table != nil; table = table.Parent() {
		if !table.HasTrait(SymbolTable) {
			continue
		}
		op := symbolIn(table, d.Root)
		for _, n := range d.Nested.All() {
			if op == nil {
				break
			}
			op = symbolIn(op, n)
		}
		if op != nil {
			return op
		}
	}
	return nil
}

// nearSymbols is the maximum number of symbols for which SuggestSymbol searches a similar
// name. If a module has more symbols, it does not search, because the search would be
// slow.
const nearSymbols = 1000

// SuggestSymbol adds a note to d that names the symbol most similar to ref, an undefined
// symbol reference. from is the operation that contains the reference. SuggestSymbol
// returns d.
func (d *Diag) SuggestSymbol(from *Op, ref Attr) *Diag {
	s, _ := AttrAs[SymbolRefAttr](ref)
	var names []string
	for table := from; table != nil; table = table.Parent() {
		if table.HasTrait(SymbolTable) {
			for _, r := range table.regions {
				for b := r.first; b != nil; b = b.next {
					if len(names)+len(b.symbolsOf().names) > nearSymbols {
						return d
					}
					names = slices.AppendSeq(names, maps.Keys(b.symbolsOf().names))
				}
			}
		}
	}
	return d.Suggest(from.Loc(), s.Root, sorted(names)...)
}

// symbolIn returns the operation that defines the symbol name and is directly in a region
// of table, or nil.
func symbolIn(table *Op, name string) *Op {
	for _, r := range table.regions {
		for b := r.first; b != nil; b = b.next {
			if op := b.symbolsOf().names[name]; op != nil {
				return op
			}
		}
	}
	return nil
}

// SymbolsNamed returns the operations that define a symbol with the given name. It
// searches the symbol table of the operation in the parameter table, and the symbol
// tables nested in it.
func SymbolsNamed(table *Op, name string) []*Op {
	var all []*Op
	for _, r := range table.regions {
		for b := r.first; b != nil; b = b.next {
			s := b.symbolsOf()
			if op := s.names[name]; op != nil {
				all = append(all, op)
			}
			for _, t := range s.tables {
				all = append(all, SymbolsNamed(t, name)...)
			}
		}
	}
	return all
}

// blockSymbols lists the operations of a block that define symbols.
type blockSymbols struct {
	// names maps each symbol name to the first operation that defines it.
	names map[string]*Op
	// tables are the operations that are symbol tables themselves, such as nested
	// modules.
	tables []*Op
}

// symbolsOf returns the symbols that operations of b define. The result is cached until
// forget is called. The cache is atomic, because several goroutines may read it at the
// same time, each working on a different function.
func (b *Block) symbolsOf() *blockSymbols {
	if known := b.symbols.Load(); known != nil {
		return known
	}
	s := &blockSymbols{names: map[string]*Op{}}
	for op := b.first; op != nil; op = op.next {
		if n, ok := SymbolName(op); ok && s.names[n] == nil {
			s.names[n] = op
		}
		if op.HasTrait(SymbolTable) {
			s.tables = append(s.tables, op)
		}
	}
	b.symbols.Store(s)
	return s
}

// forget discards the list of symbols that the method symbolsOf has cached for block b,
// if op defines a symbol. The caller must call it when op is added to or removed from b,
// or when the symbol name of op changes. The receiver b may be nil.
func (b *Block) forget(op *Op) {
	if b != nil && op.def.Traits&IsSymbol != 0 {
		b.symbols.Store(nil)
	}
}
