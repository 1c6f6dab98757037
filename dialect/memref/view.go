// This file defines subviews.

package memref

import "ptogo/ir"

// Subview is memref.subview, which returns a window of a buffer, with an offset, a size
// and a stride per dimension. It shares the memory of the buffer.
var Subview = &ir.Def{
	Name:    "memref.subview",
	Summary: "Gives part of a buffer: a window with an offset, a size and a step in each dimension.",
	Page:    page,
	Traits:  ir.Pure,
	Attrs:   listAttrs,
	Forms: []*ir.Form{{
		Operands: listArgs,
		Results:  []ir.Arg{{Name: "result", Type: ir.AnyMemRef}},
		Syntax:   ir.Hook{ParseFn: parseSubview, PrintFn: printSubview, Fits: fitsLists},
	}},
	Sem:    Window,
	Verify: verifySubview,
}

// parseSubview reads %m[offsets] [sizes] [strides] {attributes} : T to U.
func parseSubview(p *ir.Parser, st *ir.OpParse) {
	st.Operand("source", p.Operand())
	for i, name := range lists {
		st.Attr(name, ir.I64Array(parseMixed(p, st, listValues[i])...))
	}
	parseCastTypes(p, st)
}

// printSubview prints the lists of offsets, sizes and strides in brackets,
// separated by spaces.
func printSubview(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	for i, name := range lists {
		if i > 0 {
			w.Raw(" ")
		}
		printMixed(w, op, name, i+1)
	}
	printCastTypes(w, op)
}

// parseCastTypes reads {attributes} : T to U. Both operations of this file that create
// views end with this text. T is the type of the source and U the type of the result.
func parseCastTypes(p *ir.Parser, st *ir.OpParse) {
	st.AttrDict(p)
	p.Expect(":")
	st.OperandType("source", p.Type())
	p.Expect("to")
	st.ResultType("result", p.Type())
}

// printCastTypes prints the end of a cast operation: the attributes, the source type and
// the result type. It omits the attributes with offsets, sizes and strides, because they
// have their own syntax.
func printCastTypes(w *ir.Printer, op *ir.Op) {
	w.AttrDict(op, lists...)
	w.Token(":")
	w.Type(op.Operand(0).Type())
	w.Token("to")
	w.Type(op.Result(0).Type())
}

// verifySubview checks the result type of a subview operation, which selects a
// rectangular part of a memref. It computes the type of this part and compares it with
// the result type. The result may leave out dimensions of extent 1 (a rank-reducing
// subview).
func verifySubview(op *ir.Op, v *ir.Verifier) {
	src, got := typeOf(op.Operand(0)), typeOf(op.Result(0))
	n := src.Shape.Len()
	if src.Unranked || got.Unranked {
		v.Errorf(op, "requires ranked memrefs as operand and result")
		return
	}
	if !verifyLists(op, v, [3]int{n, n, n}) {
		return
	}
	strides, offset, ok := Strides(src)
	if !ok {
		return // an affine map can place the elements anywhere
	}
	sizes := Static(op, lists[1])
	for i, o := range Static(op, lists[0]) {
		offset = plus(offset, times(o, strides[i]))
		strides[i] = times(strides[i], Static(op, lists[2])[i])
	}
	gotStrides, gotOffset, ok := Strides(got)
	if !ok || got.Elem != src.Elem || got.Space != src.Space || gotOffset != offset || !dropsUnits(sizes, strides, got.Shape.Slice(), gotStrides) {
		want := src
		want.Shape = ir.MakeDims(sizes...)
		want.Layout = ir.AttrOf(ir.StridedAttr{Strides: ir.MakeDims(strides...), Offset: offset})
		v.Errorf(op, "returns type %s, but selects a part of type %s; the result may only omit dimensions of extent 1", op.Result(0).Type(), ir.TypeOf(want))
	}
}

// plus returns the sum of two offsets. The sum is dynamic if one of the offsets is
// dynamic.
func plus(a, b int64) int64 {
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return a + b
}

// dropsUnits reports whether a shape results from another shape when some dimensions of
// size 1 are removed. The original shape has the given sizes and strides. The other shape
// has the sizes in the parameter got and the strides in the parameter gotStrides.
func dropsUnits(sizes, strides, got, gotStrides []int64) bool {
	k := 0
	for i := range sizes {
		if k < len(got) && got[k] == sizes[i] && gotStrides[k] == strides[i] {
			k++
		} else if sizes[i] != 1 {
			return false
		}
	}
	return k == len(got)
}

// ReinterpretCast is memref.reinterpret_cast, which returns the memory of a buffer with
// another offset, other sizes and other strides.
var ReinterpretCast = &ir.Def{
	Name:    "memref.reinterpret_cast",
	Summary: "Gives the memory of a buffer another offset, other sizes and other strides.",
	Page:    page,
	Traits:  ir.Pure,
	Attrs:   listAttrs,
	Forms: []*ir.Form{{
		Operands: listArgs,
		Results:  []ir.Arg{{Name: "result", Type: ir.AnyMemRef}},
		Syntax:   ir.Hook{ParseFn: parseReinterpret, PrintFn: printReinterpret, Fits: fitsLists},
	}},
	Sem:    Describe,
	Verify: verifyReinterpret,
}

// listWords are three words in the text of reinterpret_cast. Each word precedes one list
// of numbers: the offset, the sizes or the strides of the result.
var listWords = []string{"offset", "sizes", "strides"}

// parseReinterpret reads %m to offset: [o], sizes: [...], strides: [...]
// {attributes} : T to U.
func parseReinterpret(p *ir.Parser, st *ir.OpParse) {
	st.Operand("source", p.Operand())
	p.Expect("to")
	for i, word := range listWords {
		if i > 0 {
			p.Expect(",")
		}
		p.Expect(word)
		p.Expect(":")
		st.Attr(lists[i], ir.I64Array(parseMixed(p, st, listValues[i])...))
	}
	parseCastTypes(p, st)
}

// printReinterpret prints the offset, the sizes and the strides of a reinterpret_cast.
// Each list of numbers follows its keyword, for example offset: [0].
func printReinterpret(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	w.Token("to")
	for i, word := range listWords {
		if i > 0 {
			w.Token(",")
		}
		w.Token(word)
		w.Raw(": ")
		printMixed(w, op, lists[i], i+1)
	}
	printCastTypes(w, op)
}

// verifyReinterpret checks that the result type of a reinterpret_cast agrees with its
// offset, its sizes and its strides. It does not compare the extents of the result with
// those of the source.
func verifyReinterpret(op *ir.Op, v *ir.Verifier) {
	src, got := typeOf(op.Operand(0)), typeOf(op.Result(0))
	n := got.Shape.Len()
	if got.Unranked {
		v.Errorf(op, "requires a ranked memref as its result")
		return
	}
	if !verifyLists(op, v, [3]int{1, n, n}) {
		return
	}
	if src.Elem != got.Elem || src.Space != got.Space {
		v.Errorf(op, "returns type %s, but must keep the element type and memory space of its operand, %s", op.Result(0).Type(), op.Operand(0).Type())
		return
	}
	strides, offset, ok := Strides(got)
	if !ok {
		return
	}
	check := func(what string, has, says int64) {
		if !compatible(has, says) {
			v.Errorf(op, "returns type %s, but its attributes require a result type with %s %d", op.Result(0).Type(), what, has)
		}
	}
	check("offset", Static(op, lists[0])[0], offset)
	for i := range n {
		check("extent", Static(op, lists[1])[i], got.Shape.At(i))
		check("stride", Static(op, lists[2])[i], strides[i])
	}
}
