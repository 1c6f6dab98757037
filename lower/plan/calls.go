// This file plans functions that call each other.

package plan

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// planned is a function together with the functions that it calls. Its tiles are live at
// the same time as the tiles of these functions.
type planned struct {
	op    *ir.Op
	calls []*ir.Op
	// called reports that another function calls this one.
	called bool
}

// callersFirst returns the functions of a module in an order in which each follows all of
// its callers. If there is recursion, no such order exists; then cycle is a function that
// calls itself, directly or indirectly.
func callersFirst(module *ir.Op) (order []*planned, cycle *ir.Op) {
	fs := fn.Functions(module)
	of := make(map[*ir.Op]*planned, len(fs))
	for _, f := range fs {
		of[f] = &planned{op: f}
	}
	waiting := map[*ir.Op]int{}
	for _, f := range fs {
		for _, g := range callees(f) {
			if of[g] != nil {
				of[f].calls = append(of[f].calls, g)
				of[g].called = true
				waiting[g]++
			}
		}
	}
	for _, f := range fs {
		if waiting[f] == 0 {
			order = append(order, of[f])
		}
	}
	for i := 0; i < len(order); i++ {
		for _, g := range order[i].calls {
			if waiting[g]--; waiting[g] == 0 {
				order = append(order, of[g])
			}
		}
	}
	for _, f := range fs {
		if waiting[f] > 0 {
			return nil, f
		}
	}
	return order, nil
}

// placedByCallees adds an allocation for each tile and buffer to which the functions that
// this one calls, directly or indirectly, give a constant address. While such a function
// runs, the tiles of this one are live.
func (p *memoryPlan) placedByCallees() {
	for _, f := range analysis.Reached([]*ir.Op{p.f})[1:] {
		for op := range f.Walk() {
			if b, ok := analysis.PlacedBytes(op); ok {
				p.allocations = append(p.allocations, &allocation{op: op, space: b.Space, size: b.To - b.From, at: b.From, fixed: true, always: true})
			}
		}
	}
}

// callees returns the functions that operations of f refer to, once per reference. It
// ignores operations that only import a buffer of another function, because they do not
// call the function.
func callees(f *ir.Op) []*ir.Op {
	var fs []*ir.Op
	for op := range f.Walk() {
		if op.Def().Sem == any(sem.LocalBuffer{Imported: true}) || op == f {
			continue
		}
		for a := range op.OwnAttrs() {
			if _, ref := ir.AttrAs[ir.SymbolRefAttr](a.Attr); !ref {
				continue
			}
			if g := ir.LookupSymbol(op, a.Attr); g != nil && g.Is(fn.Func) {
				fs = append(fs, fn.Definition(g))
			}
		}
	}
	return fs
}
