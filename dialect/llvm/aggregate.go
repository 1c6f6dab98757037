// This file defines access to vector lanes and struct members.

package llvm

import "ptogo/ir"

// laneType is the constraint for the element type of the operand "vector".
var laneType = &derived{"element type of \"vector\"", func(e *ir.Env) ir.Type {
	t := e.Type("vector")
	if u := laneOf(t); u != t {
		return u
	}
	return ir.Type{}
}}

// ExtractElement is llvm.extractelement, which returns an element of a vector.
var ExtractElement = &ir.Def{
	Name:    "llvm.extractelement",
	Summary: "Gives an element of a vector.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "vector", Type: vectorType}, {Name: "position", Type: integer}},
		Results:  []ir.Arg{{Name: "res", Type: laneType}},
		Syntax:   ir.Asm("$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"),
	}},
	Sem: TakeLane,
}

// InsertElement is llvm.insertelement, which returns a vector with one element
// replaced.
var InsertElement = &ir.Def{
	Name:    "llvm.insertelement",
	Summary: "Gives a vector with one element replaced.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "vector", Type: vectorType}, {Name: "value", Type: laneType}, {Name: "position", Type: integer}},
		Results:  []ir.Arg{{Name: "res", Type: ir.SameAs("vector")}},
		Syntax:   ir.Asm("$value `,` $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector, $res)"),
	}},
	Sem: PutLane,
}

var position = ir.AttrDef{Name: "position", Type: ir.AnyInts, Doc: "the number of the member, then of the member in that, and so on"}

// memberType is the constraint for the type of the member that the attribute
// position selects.
var memberType = &derived{"type of the member", func(e *ir.Env) ir.Type {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](e.Attr("position"))
	t, ok := walk(e.Type("container"), d.Ints())
	if !ok {
		return ir.Type{}
	}
	return t
}}

// walk returns the type of the member to which a path of member numbers leads. The bool
// result is false if the path does not exist.
func walk(t ir.Type, path []int64) (ir.Type, bool) {
	for _, i := range path {
		a, isArray := ir.As[ArrayType](t)
		if isArray && (i < 0 || i >= a.Len) || !isArray && !ir.Is[StructType](t) {
			return ir.Type{}, false
		}
		next, ok := member(t, i)
		if !ok {
			return ir.Type{}, false
		}
		t = next
	}
	return t, !t.IsZero()
}

// ExtractValue is llvm.extractvalue, which returns a member of a struct or array.
var ExtractValue = &ir.Def{
	Name:    "llvm.extractvalue",
	Summary: "Gives a member of a struct or array.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Attrs:   []ir.AttrDef{position},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "container", Type: aggregate}},
		Results:  []ir.Arg{{Name: "res", Type: memberType}},
		Syntax: ir.AsmWith("$container custom<position>($position) attr-dict `:` type($container)",
			map[string]ir.Hook{"position": positionHook}),
	}},
	Sem:    TakeMember,
	Verify: verifyPosition,
}

// InsertValue is llvm.insertvalue, which returns a struct or array with one member
// replaced.
var InsertValue = &ir.Def{
	Name:    "llvm.insertvalue",
	Summary: "Gives a struct or array with one member replaced.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Attrs:   []ir.AttrDef{position},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "container", Type: aggregate}, {Name: "value", Type: memberType}},
		Results:  []ir.Arg{{Name: "res", Type: ir.SameAs("container")}},
		Syntax: ir.AsmWith("$value `,` $container custom<position>($position) attr-dict `:` type($container, $res)",
			map[string]ir.Hook{"position": positionHook}),
	}},
	Sem:    PutMember,
	Verify: verifyPosition,
}

// verifyPosition checks that the path of member numbers exists and is not empty.
func verifyPosition(op *ir.Op, v *ir.Verifier) {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("position"))
	if _, ok := walk(op.Operand(0).Type(), d.Ints()); !ok || d.Len() == 0 {
		v.Errorf(op, "selects the member at position %v of type %s, which has no such member", d.Ints(), op.Operand(0).Type())
	}
}

// positionHook reads and writes a path of member numbers: [1, 2].
var positionHook = ir.Hook{
	ParseFn: func(p *ir.Parser, st *ir.OpParse) {
		var ns []int64
		p.Expect("[")
		p.List("]", func() { ns = append(ns, p.Integer()) })
		p.Expect("]")
		st.Attr("position", ir.I64Array(ns...))
	},
	PrintFn: func(w *ir.Printer, op *ir.Op) {
		d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("position"))
		w.Token("[")
		for i := range d.Len() {
			if i > 0 {
				w.Token(",")
			}
			w.Number(d.At(i))
		}
		w.Token("]")
	},
}
