// This file defines tensor views and partitions.

package base

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// MakeTensorView is pto.make_tensor_view, which returns a view: an address in global
// memory with a shape and strides.
var MakeTensorView = Define("make_tensor_view", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "view", Family: "view-and-tile-buf", Page: Manual, Pipe: sem.NoPipe,
		Doc: "Describes the tensor of the given shape and strides, in elements, that starts at ptr.",
		Ins: Args{
			In("ptr", PtrIn(sem.GM)),
			Many("shape", Index),
			Many("strides", Index),
		},
		Outs:     Args{In("result", AnyView)},
		Attrs:    []ir.AttrDef{{Name: "layout", Type: LayoutEnum, Optional: true, Doc: "order of the elements in memory, for views whose strides do not determine it"}},
		Traits:   ir.Pure,
		Sem:      sem.MakeView{},
		Syntax:   ir.Asm("$ptr `,` `shape` `=` `[` $shape `]` `,?` `strides` `=` `[` $strides `]` attr-dict `:` type($result)"),
		Verify:   verifyMakeView,
		Examples: []string{"%v = pto.make_tensor_view %p, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>"},
	})
})

// verifyMakeView reports an error if the numbers of operands do not match the rank of
// the view, or constants do not match its type.
func verifyMakeView(op *ir.Op, v *ir.Verifier) {
	t, _ := ir.As[TensorView](op.Result(0).Type())
	for _, arg := range []string{"shape", "strides"} {
		if n := len(op.Args(arg)); n != t.Shape.Len() {
			v.Errorf(op, "has %d values for \"%s\", but requires one for each of the %d dimensions of its result", n, arg, t.Shape.Len())
		}
	}
	if e := ir.ElementType(op.Operand(0).Type()); e != t.Elem {
		v.Errorf(op, "has a pointer to elements of type %s, but its result has elements of type %s", e, t.Elem)
	}
	VerifyShape(op, v, t.Shape)
}

// PartitionViewOp is pto.partition_view, which returns a rectangular region of a view.
var PartitionViewOp = Define("partition_view", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "view", Family: "view-and-tile-buf", Page: Manual, Pipe: sem.NoPipe,
		Doc: "Cuts the part of source that starts at offsets and has the given sizes; strides are those of source.",
		Ins: Args{
			In("source", AnyView),
			Many("offsets", Index),
			Many("sizes", Index),
		},
		Outs:     Args{In("result", AnyPart)},
		Traits:   ir.Pure,
		Sem:      sem.PartView{},
		Syntax:   ir.Hook{ParseFn: parsePartView, PrintFn: printPartView},
		Examples: []string{"%p = pto.partition_view %v, offsets = [%i, %j], sizes = [%m, %n] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x64xf32>"},
		Verify:   verifyPartView,
		Notes: []string{
			"A part with elements must be inside its view. The verifier checks constants and types; a run checks what the kernel computes.",
			"A part may run on from one plane into the next where they follow each other in memory: a public frontend prints that for views of open extents, and its device tests pass. Columns never run on into the next row.",
		},
	})
})

// parsePartView parses the operands and types of pto.partition_view in the following
// syntax. The program may omit the result type R, which then follows from the constant
// sizes.
//
//	%v, offsets = [%i, %j], sizes = [%m, %n] : T -> R
func parsePartView(p *ir.Parser, st *ir.OpParse) {
	st.Operand("source", p.Operand())
	var lists [2][]ir.Operand
	for i, name := range []string{"offsets", "sizes"} {
		p.Expect(",")
		p.Expect(name)
		p.Expect("=")
		p.Expect("[")
		if p.AtOperand() {
			lists[i] = p.Operands(nil)
		}
		p.Expect("]")
		st.Operand(name, lists[i]...)
	}
	st.AttrDict(p)
	p.Expect(":")
	src := p.Type()
	st.OperandType("source", src)
	if p.Accept("->") {
		st.ResultType("result", p.Type())
		return
	}
	var dims []int64
	for _, o := range lists[1] {
		d := int64(ir.Dynamic)
		if n, known := ConstantInt(p.Resolve(o, ir.Index)); known && n >= 0 {
			d = n
		}
		dims = append(dims, d)
	}
	st.ResultType("result", ir.TypeOf(PartitionView{Shape: ir.MakeDims(dims...), Elem: ir.ElementType(src)}))
}

// printPartView prints the operands and types of pto.partition_view in the syntax that
// parsePartView accepts.
func printPartView(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	for _, name := range []string{"offsets", "sizes"} {
		w.Token(",")
		w.Token(name)
		w.Token("=")
		w.Raw(" [")
		w.Values(op.Args(name)...)
		w.Token("]")
	}
	w.AttrDict(op)
	w.Token(":")
	w.Type(op.Operand(0).Type())
	w.Token("->")
	w.Type(op.Result(0).Type())
}

// verifyPartView reports an error if a region is known to exceed its view, or if the
// number of offsets or sizes does not match the rank.
func verifyPartView(op *ir.Op, v *ir.Verifier) {
	src, _ := ir.As[TensorView](op.Operand(0).Type())
	dst, _ := ir.As[PartitionView](op.Result(0).Type())
	for _, arg := range []string{"offsets", "sizes"} {
		if n := len(op.Args(arg)); n != src.Shape.Len() {
			v.Errorf(op, "has %d values for \"%s\", but requires one for each of the %d dimensions of its source", n, arg, src.Shape.Len())
		}
	}
	if src.Elem != dst.Elem {
		v.Errorf(op, "selects a part with elements of type %s from a view with elements of type %s, but both element types must be equal", dst.Elem, src.Elem)
	}
	VerifyPartBounds(op, v, src.Shape, dst.Shape)
}

// Definitions of the instructions that return a dimension or a stride of a view.
var (
	GetTensorViewDim    = viewQuery("get_tensor_view_dim", "Returns the extent of dimension dim_index of a view.", sem.ViewDim{})
	GetTensorViewStride = viewQuery("get_tensor_view_stride", "Returns the stride of dimension dim_index of a view, in elements.", sem.ViewDim{Stride: true})
)

// viewQuery declares an instruction that returns a dimension or a stride of a view.
func viewQuery(name, doc string, kind ir.Meaning) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "view", Family: "view-and-tile-buf", Page: Manual, Pipe: sem.NoPipe, Doc: doc,
			Ins:      Args{In("tensor_view", ir.OneOf(AnyView, AnyPart)), In("dim_index", Index)},
			Outs:     Args{In("result", ir.Written(ir.Index))},
			Traits:   ir.Pure,
			Sem:      kind,
			Syntax:   ir.Asm("$tensor_view `,` $dim_index `:` type($tensor_view) `->` type($result) attr-dict"),
			Examples: []string{"%n = pto." + name + " %v, %i : !pto.tensor_view<?x64xf32> -> index"},
			Verify: func(op *ir.Op, v *ir.Verifier) {
				dims, _ := ViewDims(op.Operand(0).Type())
				if i, known := ConstantInt(op.Operand(1)); known && (i < 0 || i >= int64(dims.Len())) {
					v.Errorf(op, "requests dimension %d, but its view only has %d dimensions, numbered from 0", i, dims.Len())
				}
			},
		})
	})
}

// Definitions of the instructions that return the address of a view or a tile. Vector
// instructions use such addresses as operands.
var (
	TensorViewAddr = addressOf("tensor_view_addr", "Returns the address of the first element of a view.", ir.OneOf(AnyView, AnyPart, ir.AnyMemRef),
		"%p = pto.tensor_view_addr %v : !pto.tensor_view<32x64xf32> -> !pto.ptr<f32>")
	TileBufAddr = addressOf("tile_buf_addr", "Returns the address of the first element of a tile.", ir.OneOf(AnyTile, ir.AnyMemRef),
		"%p = pto.tile_buf_addr %t : !pto.tile_buf<vec, 16x64xf32> -> !pto.ptr<f32, ub>")
)

// addressOf declares the instruction with the given name, which returns the address of a
// view or tile. The constraint c accepts the operand of the instruction. doc is the
// description on the reference page, and example is the text of an example.
func addressOf(name, doc string, c ir.Constraint, example string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "view", Family: "view-and-tile-buf", Pipe: sem.NoPipe, Doc: doc,
			Page:     "pto-isa:docs/isa/tile/ops/view-and-tile-buf/" + strings.ReplaceAll(name, "_", "-") + ".md",
			Ins:      Args{In("src", c)},
			Outs:     Args{In("dst", AnyPtr)},
			Traits:   ir.Pure,
			Sem:      sem.AddressOf{},
			Verify:   verifyAddress,
			Examples: []string{example},
		})
	})
}

// verifyAddress reports an error if the pointer type of the result has a different
// element type or memory than the operand.
func verifyAddress(op *ir.Op, v *ir.Verifier) {
	src, dst := op.Operand(0).Type(), op.Result(0).Type()
	switch {
	case ir.ElementType(src) != ir.ElementType(dst):
		v.Errorf(op, "returns a pointer to elements of type %s, but its source has elements of type %s", ir.ElementType(dst), ir.ElementType(src))
	case SpaceOf(src) != SpaceOf(dst):
		v.Errorf(op, "returns a pointer into memory space %s, but its source is in memory space %s", SpaceOf(dst), SpaceOf(src))
	}
}

// DeclareGlobal is pto.declare_global, which declares a tensor without an address. An
// instruction on queues assigns the address later.
var DeclareGlobal = Define("declare_global", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "view", Family: "pointer-and-view", Page: "PTOAS:include/PTO/IR/PTOOps.td", Pipe: sem.NoPipe,
		Doc:      "Names a tensor in global memory that a later instruction describes.",
		Outs:     Args{In("entry", AnyView)},
		Sem:      sem.Declare{},
		Examples: []string{"%v = pto.declare_global -> !pto.tensor_view<32x64xf32>"},
		Syntax:   ir.Asm("attr-dict `->` type($entry)"),
	})
})
