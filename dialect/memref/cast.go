// This file defines casts.

package memref

import "ptogo/ir"

// Casts between memref types. They return the same buffer.
var (
	Cast = castTo("cast", "Changes the type of a buffer to one with more or less information on its shape and layout.", func(s, t ir.MemRefType) bool {
		switch {
		case s.Elem != t.Elem || s.Space != t.Space:
			return false
		case s.Unranked || t.Unranked:
			return s.Unranked != t.Unranked
		}
		return sameExtents(s.Shape, t.Shape) && sameLayout(s, t)
	}, "has other elements, another memory space or a shape that cannot be the same")
	MemorySpaceCast = castTo("memory_space_cast", "Moves the type of a buffer to another memory space.", func(s, t ir.MemRefType) bool {
		s.Space, t.Space = ir.Attr{}, ir.Attr{}
		return s == t
	}, "differs in more than the memory space")
)

// sameLayout reports whether the strides and the offset of two types can be equal
// at run time.
func sameLayout(s, t ir.MemRefType) bool {
	a, ao, ok := Strides(s)
	b, bo, ok2 := Strides(t)
	if !ok || !ok2 {
		return s.Layout == t.Layout
	}
	for i := range a {
		if !compatible(a[i], b[i]) {
			return false
		}
	}
	return compatible(ao, bo)
}

// castTo returns the definition of a cast between memref types. The function ok reports
// whether the cast supports a pair of source and result types. The parameter why is the
// end of the error message for a pair that is not supported.
func castTo(name, summary string, ok func(s, t ir.MemRefType) bool, why string) *ir.Def {
	return &ir.Def{
		Name:    "memref." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "source", Type: ir.AnyMemRef}},
			Results:  []ir.Arg{{Name: "dest", Type: ir.AnyMemRef}},
			Syntax:   ir.Asm("$source attr-dict `:` type($source) `to` type($dest)"),
		}},
		Sem: Same,
		Verify: func(op *ir.Op, v *ir.Verifier) {
			if !ok(typeOf(op.Operand(0)), typeOf(op.Result(0))) {
				v.Errorf(op, "casts %s to %s, which %s", op.Operand(0).Type(), op.Result(0).Type(), why)
			}
		},
		Fold: func(op *ir.Op, _ []ir.Attr) []ir.FoldResult {
			if op.Operand(0).Type() == op.Result(0).Type() {
				return []ir.FoldResult{{Value: op.Operand(0)}}
			}
			return nil
		},
	}
}

// PointerAsIndex is memref.extract_aligned_pointer_as_index, which returns the address
// of the first element as an index.
var PointerAsIndex = &ir.Def{
	Name:    "memref.extract_aligned_pointer_as_index",
	Summary: "Gives the address of a buffer.",
	Page:    page,
	Traits:  ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "source", Type: ir.AnyMemRef}},
		Results:  []ir.Arg{{Name: "aligned_pointer", Type: ir.Written(ir.Index)}},
		Syntax:   ir.Asm("$source `:` type($source) `->` type($aligned_pointer) attr-dict"),
	}},
	Sem: Address,
}

// View is memref.view, which returns a region of a buffer of bytes as a buffer of
// elements of another type.
var View = &ir.Def{
	Name:    "memref.view",
	Summary: "Gives part of a buffer of bytes as a buffer of elements.",
	Page:    page,
	Traits:  ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "source", Type: ir.AnyMemRef},
			{Name: "byte_shift", Type: ir.Exactly(ir.Index)},
			{Name: "sizes", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "result", Type: ir.AnyMemRef}},
		Syntax:  ir.Asm("$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type($result)"),
	}},
	Sem: Bytes,
	Verify: func(op *ir.Op, v *ir.Verifier) {
		src, got := typeOf(op.Operand(0)), typeOf(op.Result(0))
		switch n := op.NumOperands() - 2; {
		case src.Elem != ir.I8 || src.Unranked || src.Shape.Len() != 1:
			v.Errorf(op, "requires an operand of type memref<Nxi8>, but its operand has type %s", op.Operand(0).Type())
		case !got.Layout.IsZero() || got.Space != src.Space:
			v.Errorf(op, "returns %s, but must return a memref with the default layout, in the memory space of its operand", op.Result(0).Type())
		case n != numDynamic(got.Shape):
			v.Errorf(op, "requires one size for each dynamic extent, but has %s, and its result type %s has %s", ir.Count(n, "size"), op.Result(0).Type(), ir.Count(numDynamic(got.Shape), "dynamic extent"))
		}
	},
}
