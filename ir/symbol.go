// This file looks up symbols.

package ir

import (
	"maps"
	"slices"
)

// SymbolName returns the name that op defines in its symbol table, and false if op
// defines no symbol.
func SymbolName(op *Op) (string, bool) {
	if op.def.Traits&IsSymbol == 0 {
		return "", false
	}
	return op.Attr("sym_name").AsString()
}

// LookupSymbol returns the operation that the symbol reference ref, used in from,
// refers to, or nil. It searches the symbol tables that enclose from, the innermost
// first.
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

// nearSymbols is the largest number of symbols for which SuggestSymbol makes a
// suggestion.
const nearSymbols = 1000

// SuggestSymbol adds a note with a symbol whose name is similar to ref, which is an
// undefined reference in from.
func (d *Diag) SuggestSymbol(from *Op, ref Attr) *Diag {
	s, _ := AttrAs[SymbolRefAttr](ref)
	var names []string
	for table := from; table != nil; table = table.Parent() {
		if table.HasTrait(SymbolTable) {
			for _, r := range table.regions {
				for b := r.first; b != nil; b = b.next {
					names = slices.AppendSeq(names, maps.Keys(b.symbolsOf().names))
				}
			}
		}
	}
	if len(names) > nearSymbols {
		return d
	}
	return d.Suggest(from.Loc(), s.Root, sorted(names)...)
}

// symbolIn returns the operation directly below table that defines name, or nil.
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

// SymbolsNamed returns the operations that define a name in table or in the symbol tables
// inside it.
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

// blockSymbols are the operations of a block that define symbols.
type blockSymbols struct {
	// names maps each symbol name to its operation; for a repeated name, to the first
	// one.
	names map[string]*Op
	// tables are the operations that are symbol tables themselves.
	tables []*Op
}

// symbolsOf returns the symbols of b. The result is cached until forget. Several goroutines
// may ask at the same time, each working on a function, so the cache is atomic.
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

// forget drops the cache of symbolsOf if op defines a symbol. It must be called
// when op enters or leaves b or changes its name. b may be nil.
func (b *Block) forget(op *Op) {
	if b != nil && op.def.Traits&IsSymbol != 0 {
		b.symbols.Store(nil)
	}
}
