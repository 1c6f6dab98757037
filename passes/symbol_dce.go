package passes

import "ptogo/ir"

// SymbolDCE removes private symbols without references.
var SymbolDCE = &Pass{
	Name:   "symbol-dce",
	Title:  "SymbolDCE",
	Doc:    "Removes private functions and other private symbols without references.",
	Anchor: "builtin.module",
	Stats:  []Stat{{"num-dce'd", "symbols removed"}},
	Run: func(c *Context, module *ir.Op) error {
		c.Count("num-dce'd", removeDeadSymbols(module))
		return nil
	},
}

// removeDeadSymbols marks what can be reached from operations that are no
// private symbols, and removes the other symbols. It returns how many.
func removeDeadSymbols(module *ir.Op) (removed int) {
	live := map[*ir.Op]bool{}
	var work []*ir.Op
	mark := func(op *ir.Op) {
		if !live[op] {
			live[op] = true
			work = append(work, op)
		}
	}
	topSymbols(module, func(op *ir.Op) {
		if !isPrivate(op) {
			mark(op)
		}
	})
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		references(op, func(o *ir.Op) {
			for s := o; s != nil && s != module; s = s.Parent() {
				mark(s) // what is around a symbol lives with it
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

// topSymbols calls f for the operations of a symbol table, and for those of
// tables inside it that other tables can refer to.
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

// isPrivate reports whether op is a symbol that only its own table may use.
func isPrivate(op *ir.Op) bool {
	if _, ok := ir.SymbolName(op); !ok {
		return false
	}
	vis, _ := op.Attr("sym_visibility").AsString()
	return vis == "private"
}

// references calls f for every operation that op, or something inside it that
// is not in a symbol table of its own, refers to by name.
func references(op *ir.Op, f func(o *ir.Op)) {
	for o := range op.Walk() {
		if o != op && op.HasTrait(ir.SymbolTable) {
			return // its operations are looked at on their own
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

// symbolRefs calls f for every symbol reference in an attribute, and for the
// tables that lead to it.
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
