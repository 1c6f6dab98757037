// This file defines allocations.

package memref

import "ptogo/ir"

// Definitions of the allocations. The memory of alloc lives until dealloc, and that of
// alloca until the function returns.
var (
	Alloc  = alloc("alloc", "Allocates a buffer.", Allocate)
	Alloca = alloc("alloca", "Allocates a buffer that lives until the function returns.", AllocateFrame)
)

var alignment = ir.AttrDef{Name: "alignment", Type: ir.IntOf(ir.I64), Optional: true, Doc: "of the first element, in bytes"}

// alloc returns the definition of memref.NAME, which allocates a buffer. kind determines
// whether the buffer lives until the function returns or until it is freed. The operation
// has an operand for each dynamic dimension of the memref type. If the type has a layout
// map with symbols (unknown constants), the operation also has an operand for each
// symbol.
func alloc(name, summary string, kind Action) *ir.Def {
	return &ir.Def{
		Name:    "memref." + name,
		Summary: summary,
		Page:    page,
		Attrs:   []ir.AttrDef{alignment},
		Forms: []*ir.Form{{
			Operands: []ir.Arg{
				{Name: "dynamicSizes", Type: ir.Exactly(ir.Index), Arity: ir.Variadic, Doc: "one for each ? of the type"},
				{Name: "symbolOperands", Type: ir.Exactly(ir.Index), Arity: ir.Variadic, Doc: "one for each symbol of the layout"},
			},
			Results: []ir.Arg{{Name: "memref", Type: ir.AnyMemRef}},
			Syntax:  ir.Asm("`` `(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"),
		}},
		Sem: kind,
		Verify: func(op *ir.Op, v *ir.Verifier) {
			t := typeOf(op.Result(0))
			from, to := op.ArgRange(0)
			switch n := numDynamic(t.Shape); {
			case t.Unranked:
				v.Errorf(op, "allocates %s, but can only allocate a memref with a known rank", op.Result(0).Type())
			case to-from != n:
				v.Errorf(op, "requires one size for each dynamic extent, but has %s, and its result type %s has %s", ir.Count(to-from, "size"), op.Result(0).Type(), ir.Count(n, "dynamic extent"))
			}
			_, isMap := ir.AttrAs[ir.AffineAttr](t.Layout)
			if from, to := op.ArgRange(1); from < to && !isMap {
				v.Errorf(op, "has %s, but must have none, because the layout of its result type %s has no symbols", ir.Count(to-from, "symbol"), op.Result(0).Type())
			}
			if a, ok := op.Attr("alignment").AsInt(); ok && (a <= 0 || a&(a-1) != 0) {
				v.Errorf(op, "has alignment %d, but the alignment must be a power of two", a)
			}
		},
	}
}

// Dealloc is memref.dealloc, which frees a buffer that memref.alloc has returned.
var Dealloc = &ir.Def{
	Name:    "memref.dealloc",
	Summary: "Frees a buffer.",
	Page:    page,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "memref", Type: ir.AnyMemRef}},
		Syntax:   ir.Asm("$memref attr-dict `:` type($memref)"),
	}},
	Sem: Free,
}
