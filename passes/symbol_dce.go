// This file defines the pass that removes unused private symbols.

package passes

import "ptogo/ir"

// SymbolDCE removes private symbols that are not referenced.
var SymbolDCE = &Pass{
	Name:   "symbol-dce",
	Title:  "SymbolDCE",
	Doc:    "Removes private functions and other private symbols that no operation references.",
	Anchor: "builtin.module",
	Stats:  []Stat{{"num-dce'd", "symbols removed"}},
	Run: func(c *Context, module *ir.Op) error {
		c.Count("num-dce'd", removeDeadSymbols(module))
		return nil
	},
}

// removeDeadSymbols marks the symbols that are reachable from operations that are
// not private symbols, erases the other symbols, and returns their number.
func removeDeadSymbols(module *ir.Op) (removed int) {
	return removeUnreached(module, isPrivate)
}

// removeUnreached erases the symbols of the module that are not reachable, and returns
// their number. may is a function that reports whether an operation may be erased.
// Operations for which it returns false remain, and so do all symbols that are reachable
// from them.
func removeUnreached(module *ir.Op, may func(op *ir.Op) bool) (removed int) {
	live := map[*ir.Op]bool{}
	var work []*ir.Op
	mark := func(op *ir.Op) {
		if !live[op] {
			live[op] = true
			work = append(work, op)
		}
	}
	topSymbols(module, func(op *ir.Op) {
		if !may(op) {
			mark(op)
		}
	})
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		references(op, func(o *ir.Op) {
			for s := o; s != nil && s != module; s = s.Parent() {
				mark(s) // a symbol keeps the operations that enclose it
			}
		})
	}
	topSymbols(module, func(op *ir.Op) {
		if !live[op] {
			op.Erase()
			removed++
		}
	})
	return removed
}

// topSymbols calls f for each operation directly in the symbol table, and for those in
// all symbol tables nested in it. The operations of a nested table come before the table
// itself, so that f may erase any operation that it receives.
func topSymbols(table *ir.Op, f func(op *ir.Op)) {
	for _, r := range table.Regions() {
		for b := range r.Blocks() {
			for op := range b.Ops() {
				if op.HasTrait(ir.SymbolTable) {
					topSymbols(op, f)
				}
				f(op)
			}
		}
	}
}

// isPrivate reports whether op defines a private symbol, to which only operations in the
// same symbol table can refer.
func isPrivate(op *ir.Op) bool {
	if _, ok := ir.SymbolName(op); !ok {
		return false
	}
	vis, _ := op.Attr("sym_visibility").AsString()
	return vis == "private"
}

// references calls f for every operation that op refers to by symbol. References in
// operations nested in op count as well, but not those in a nested symbol table, which is
// examined separately.
func references(op *ir.Op, f func(o *ir.Op)) {
	for o := range op.Walk() {
		if o != op && op.HasTrait(ir.SymbolTable) {
			return // topSymbols has listed its operations
		}
		see := func(a ir.Attr) {
			symbolRefs(a, func(ref ir.Attr) {
				if target := ir.LookupSymbol(o, ref); target != nil {
					f(target)
				}
			})
		}
		for a := range o.OwnAttrs() {
			see(a.Attr)
		}
		for _, a := range o.ExtraAttrs() {
			see(a.Attr)
		}
	}
}

// symbolRefs calls f for every symbol reference in the attribute a, including references
// inside arrays and dictionaries. For a nested reference, such as @a::@b, it also calls f
// for a reference to the first name, @a.
func symbolRefs(a ir.Attr, f func(ref ir.Attr)) {
	switch d := a.Data().(type) {
	case ir.SymbolRefAttr:
		f(a)
		if d.Nested.Len() > 0 {
			f(ir.Symbol(d.Root))
		}
	case ir.ArrayAttr:
		for _, e := range d.Elems.All() {
			symbolRefs(e, f)
		}
	case ir.DictAttr:
		for _, e := range d.Entries.All() {
			symbolRefs(e.Attr, f)
		}
	}
}
