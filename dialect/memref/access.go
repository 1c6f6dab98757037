// This file defines loads, stores and copies.

package memref

import "ptogo/ir"

// nontemporal declares an attribute that is a hint to the cache. It does not change the
// result of an access.
var nontemporal = ir.AttrDef{Name: "nontemporal", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "the element is not used again soon"}

// Load is memref.load, which returns the element at the given indices, one per
// dimension.
var Load = &ir.Def{
	Name:    "memref.load",
	Summary: "Reads an element of a buffer.",
	Page:    page,
	Attrs:   []ir.AttrDef{nontemporal},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "memref", Type: ir.AnyMemRef},
			{Name: "indices", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "result", Type: elemOf("memref")}},
		Syntax:  ir.Asm("$memref `[` $indices `]` attr-dict `:` type($memref)"),
	}},
	Sem:    Read,
	Verify: func(op *ir.Op, v *ir.Verifier) { verifyIndices(op, v, op.Operand(0), op.NumOperands()-1) },
}

// Store is memref.store, which writes a value to the element at the given indices.
var Store = &ir.Def{
	Name:    "memref.store",
	Summary: "Writes an element of a buffer.",
	Page:    page,
	Attrs:   []ir.AttrDef{nontemporal},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "value", Type: elemOf("memref")},
			{Name: "memref", Type: ir.AnyMemRef},
			{Name: "indices", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
		},
		Syntax: ir.Hook{ParseFn: parseStore, PrintFn: printStore},
	}},
	Sem:    Write,
	Verify: func(op *ir.Op, v *ir.Verifier) { verifyIndices(op, v, op.Operand(1), op.NumOperands()-2) },
}

// parseStore parses %v, %m[indices] {attributes} : memref type. The text does not
// contain the type of the value, because it is the element type of the memref.
func parseStore(p *ir.Parser, st *ir.OpParse) {
	st.Operand("value", p.Operand())
	p.Expect(",")
	st.Operand("memref", p.Operand())
	p.Expect("[")
	var indices []ir.Operand
	st.Operand("indices", p.Operands(indices)...)
	p.Expect("]")
	st.AttrDict(p)
	p.Expect(":")
	off := p.Offset()
	t := p.Type()
	m, ok := ir.As[ir.MemRefType](t)
	if !ok {
		if !p.Failed() {
			p.ErrorAt(off, "'%s' op requires a memref to write to, but its operand has type %s", st.Def.Name, t)
		}
		return
	}
	st.OperandType("memref", t)
	st.OperandType("value", m.Elem)
}

// printStore prints the type of the memref only. The types of the value and of the
// indices follow from it.
func printStore(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	w.Token(",")
	w.Value(op.Operand(1))
	w.Token("[")
	w.Values(op.Operands()[2:]...)
	w.Token("]")
	w.AttrDict(op)
	w.Token(":")
	w.Type(op.Operand(1).Type())
}

// verifyIndices checks that there are n indices for a memref of rank n.
func verifyIndices(op *ir.Op, v *ir.Verifier, m *ir.Value, n int) {
	t := typeOf(m)
	if t.Unranked || n != t.Shape.Len() {
		v.Errorf(op, "has %d indices, but requires one for each dimension of %s", n, m.Type())
	}
}

// Copy is memref.copy, which copies all elements of a buffer to another one. The
// layouts may differ.
var Copy = &ir.Def{
	Name:    "memref.copy",
	Summary: "Copies every element of a buffer to another one.",
	Page:    page,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "source", Type: ir.AnyMemRef}, {Name: "target", Type: ir.AnyMemRef}},
		Syntax:   ir.Asm("$source `,` $target attr-dict `:` type($source) `to` type($target)"),
	}},
	Sem: CopyAll,
	Verify: func(op *ir.Op, v *ir.Verifier) {
		s, t := typeOf(op.Operand(0)), typeOf(op.Operand(1))
		if s.Elem != t.Elem || !s.Unranked && !t.Unranked && !sameExtents(s.Shape, t.Shape) {
			v.Errorf(op, "copies type %s to type %s, but both must have the same element type and the same shape", op.Operand(0).Type(), op.Operand(1).Type())
		}
	},
}

// sameExtents reports whether two shapes can be equal at run time, where dynamic
// dimensions can have any size.
func sameExtents(a, b ir.Dims) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !compatible(a.At(i), b.At(i)) {
			return false
		}
	}
	return true
}

// Dim is memref.dim, which returns the size of a dimension. It folds to a constant if
// the type determines the size.
var Dim = &ir.Def{
	Name:    "memref.dim",
	Summary: "Gives the extent of a buffer in a dimension.",
	Page:    page,
	Traits:  ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "source", Type: ir.AnyMemRef}, {Name: "index", Type: ir.Exactly(ir.Index)}},
		Results:  []ir.Arg{{Name: "result", Type: ir.Exactly(ir.Index)}},
		Syntax:   ir.Asm("attr-dict $source `,` $index `:` type($source)"),
	}},
	Sem: Extent,
	Fold: func(op *ir.Op, in []ir.Attr) []ir.FoldResult {
		i, ok := in[1].AsInt()
		t := typeOf(op.Operand(0))
		if !ok || t.Unranked || i < 0 || i >= int64(t.Shape.Len()) || t.Shape.At(int(i)) == ir.Dynamic {
			return nil
		}
		return []ir.FoldResult{{Const: ir.IntAttr(ir.Index, t.Shape.At(int(i)))}}
	},
}

// Rank is memref.rank, which returns the number of dimensions. It folds to a constant
// unless the type is unranked.
var Rank = &ir.Def{
	Name:    "memref.rank",
	Summary: "Gives the number of dimensions of a buffer.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "memref", Type: ir.AnyMemRef}},
		Results:  []ir.Arg{{Name: "result", Type: ir.Exactly(ir.Index)}},
		Syntax:   ir.Asm("$memref attr-dict `:` type($memref)"),
	}},
	Sem: CountDims,
	Fold: func(op *ir.Op, _ []ir.Attr) []ir.FoldResult {
		t := typeOf(op.Operand(0))
		if t.Unranked {
			return nil
		}
		return []ir.FoldResult{{Const: ir.IntAttr(ir.Index, int64(t.Shape.Len()))}}
	},
}

// AssumeAlignment is memref.assume_alignment, which asserts that the first element of a
// buffer is aligned to a number of bytes. It has no effect at run time.
var AssumeAlignment = &ir.Def{
	Name:    "memref.assume_alignment",
	Summary: "Promises that the first element of a buffer is aligned.",
	Page:    page,
	Attrs:   []ir.AttrDef{{Name: "alignment", Type: ir.IntOf(ir.I32), Doc: "in bytes"}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "memref", Type: ir.AnyMemRef}},
		Syntax:   ir.Asm("$memref `,` $alignment attr-dict `:` type($memref)"),
	}},
	Sem: Assume,
}
