package ir

import (
	"maps"
	"slices"
)

// SymbolName returns the name an operation defines in its symbol table.
func SymbolName(op *Op) (string, bool) {
	if op.def.Traits&IsSymbol == 0 {
		return "", false
	}
	return op.Attr("sym_name").AsString()
}

// LookupSymbol finds what a reference means when it stands in from: it is
// looked up in the symbol tables around from, the nearest first. It returns
// nil if there is no such symbol.
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

// nearSymbols is how many symbols SuggestSymbol compares.
const nearSymbols = 1000

// SuggestSymbol adds a note with the symbol that a reference in from, to one
// that does not exist, may mean.
func (d *Diag) SuggestSymbol(from *Op, ref Attr) *Diag {
	s, _ := AttrAs[SymbolRefAttr](ref)
	var names []string
	for table := from; table != nil; table = table.Parent() {
		if table.HasTrait(SymbolTable) {
			for _, r := range table.regions {
				for b := r.first; b != nil; b = b.next {
					names = slices.AppendSeq(names, maps.Keys(b.symbolNames()))
				}
			}
		}
	}
	if len(names) > nearSymbols {
		return d
	}
	return d.Suggest(from.Loc(), s.Root, sorted(names)...)
}

// symbolIn returns the operation that defines name directly below table.
func symbolIn(table *Op, name string) *Op {
	for _, r := range table.regions {
		for b := r.first; b != nil; b = b.next {
			if op := b.symbolNames()[name]; op != nil {
				return op
			}
		}
	}
	return nil
}

// symbolNames returns the operations of b that define symbols, the first of
// each name. They are looked for once, until forget; functions that are worked
// on side by side may ask at the same time.
func (b *Block) symbolNames() map[string]*Op {
	if known := b.symbols.Load(); known != nil {
		return *known
	}
	names := map[string]*Op{}
	for op := b.first; op != nil; op = op.next {
		if n, ok := SymbolName(op); ok && names[n] == nil {
			names[n] = op
		}
	}
	b.symbols.Store(&names)
	return names
}

// forget says that op, if it defines a symbol, comes into b, leaves it, or
// changes its name. An operation may be in no block.
func (b *Block) forget(op *Op) {
	if b != nil && op.def.Traits&IsSymbol != 0 {
		b.symbols.Store(nil)
	}
}
