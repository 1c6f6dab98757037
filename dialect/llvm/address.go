// This file defines address computations.

package llvm

import (
	"math"
	"strconv"

	"ptogo/ir"
)

// GetElementPtr is llvm.getelementptr, which returns the address of an element or
// member, relative to a base address.
var GetElementPtr = &ir.Def{
	Name:    "llvm.getelementptr",
	Summary: "Gives the address of an element or member, counted from a base address.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Attrs: []ir.AttrDef{
		{Name: "rawConstantIndices", Type: ir.AnyInt32s, Doc: "the indices; the smallest integer marks a dynamic value"},
		elemType,
		{Name: "inbounds", Type: ir.AnyUnit, Optional: true},
	},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "base", Type: pointers},
			{Name: "dynamicIndices", Type: integers, Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "res", Type: pointers}},
		Syntax:  ir.Hook{ParseFn: parseGEP, PrintFn: printGEP, Fits: fitsGEP},
	}},
	Sem:    Step,
	Verify: verifyGEP,
}

// dynamicIndex is an entry of the attribute rawConstantIndices, which lists the indices
// of a getelementptr. Constant indices are in the attribute itself. The entry
// dynamicIndex represents an index that is an operand, so its value is only known at run
// time.
const dynamicIndex = math.MinInt32

// Index is one index of a getelementptr: a constant or a value.
type Index struct {
	Const int64
	// Value is the index if it is a value of the program. It is nil if the index is a
	// constant.
	Value *ir.Value
}

// Indices returns the indices of a getelementptr. It tolerates missing operands, so
// that an illegal operation can be printed.
func Indices(op *ir.Op) []Index {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("rawConstantIndices"))
	next := 1
	var is []Index
	for _, n := range d.Ints() {
		if n != dynamicIndex {
			is = append(is, Index{Const: n})
			continue
		}
		if next < op.NumOperands() {
			is = append(is, Index{Value: op.Operand(next)})
		}
		next++
	}
	return is
}

// ElemType returns the element type of an alloca or getelementptr: the unit of its
// first index.
func ElemType(op *ir.Op) ir.Type { return typeOfAttr(op, "elem_type") }

// fitsGEP reports whether a getelementptr has one operand for each index that is a
// value. Otherwise, only the generic syntax can print it.
func fitsGEP(op *ir.Op) bool { return dynamicIndices(op) == op.NumOperands()-1 }

// dynamicIndices returns the number of indices of a getelementptr that are values.
func dynamicIndices(op *ir.Op) int {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("rawConstantIndices"))
	n := 0
	for _, i := range d.Ints() {
		if i == dynamicIndex {
			n++
		}
	}
	return n
}

// parseGEP reads [inbounds] %p[%i, 1] {attributes} : (!llvm.ptr, i64) -> !llvm.ptr,
// T.
func parseGEP(p *ir.Parser, st *ir.OpParse) {
	if p.Accept("inbounds") {
		st.Attr("inbounds", ir.Unit)
	}
	st.Operand("base", p.Operand())
	indices := parseIndices(p, st)
	st.Attr("rawConstantIndices", ir.I32Array(indices))
	st.AttrDict(p)
	p.Expect(":")
	off := p.Offset()
	f, ok := ir.As[ir.FunctionType](p.Type())
	if !ok || f.Ins.Len() == 0 || f.Outs.Len() != 1 {
		if !p.Failed() {
			p.ErrorAt(off, "'%s' op needs the types of its operands and result: (!llvm.ptr, i64) -> !llvm.ptr", st.Def.Name)
		}
		return
	}
	if n := 1 + countDynamic(indices); n != f.Ins.Len() {
		p.ErrorAt(off, "'%s' op has %s for %s", st.Def.Name, ir.Count(f.Ins.Len(), "operand type"), ir.Count(n, "operand"))
	}
	p.Expect(",")
	st.Attr("elem_type", ir.TypeAsAttr(p.Type()))
	st.OperandType("base", f.Ins.Slice()[0])
	st.OperandType("dynamicIndices", f.Ins.Slice()[1:]...)
	st.ResultType("res", f.Outs.Slice()...)
}

// countDynamic returns how many entries of indices are dynamicIndex. Such an entry marks
// an index that is an operand, not a constant.
func countDynamic(indices []int32) int {
	n := 0
	for _, i := range indices {
		if i == dynamicIndex {
			n++
		}
	}
	return n
}

// parseIndices reads a list of indices in brackets. An index is a value, which becomes an
// operand, or an integer constant. The returned list contains the constants, and
// dynamicIndex at the position of each value. A constant equal to dynamicIndex is
// therefore an error.
func parseIndices(p *ir.Parser, st *ir.OpParse) []int32 {
	var ns []int32
	p.Expect("[")
	for {
		if p.AtOperand() {
			st.Operand("dynamicIndices", p.Operand())
			ns = append(ns, dynamicIndex)
		} else {
			off := p.Offset()
			n := p.Integer()
			if n <= dynamicIndex || n > math.MaxInt32 {
				p.ErrorAt(off, "%d does not fit a constant index, which has 32 bits", n)
			}
			ns = append(ns, int32(n))
		}
		if !p.Accept(",") {
			break
		}
	}
	p.Expect("]")
	return ns
}

// printGEP prints llvm.getelementptr: the pointer, the indices in brackets, the
// attributes and the types. It omits the attributes that the indices and the types
// already show.
func printGEP(w *ir.Printer, op *ir.Op) {
	if op.HasAttr("inbounds") {
		w.Token("inbounds")
	}
	w.Value(op.Operand(0))
	w.Token("[")
	for i, x := range Indices(op) {
		if i > 0 {
			w.Token(",")
		}
		if x.Value != nil {
			w.Value(x.Value)
		} else {
			w.Token(strconv.FormatInt(x.Const, 10))
		}
	}
	w.Token("]")
	w.AttrDict(op, "inbounds", "rawConstantIndices", "elem_type")
	w.Token(":")
	ins := make([]ir.Type, op.NumOperands())
	for i, v := range op.Operands() {
		ins[i] = v.Type()
	}
	w.Type(ir.Func(ins, []ir.Type{op.Result(0).Type()}))
	w.Token(",")
	w.Type(ElemType(op))
}

// verifyGEP reports an error if the indices of op do not fit its element type. The first
// index counts whole elements. Each further index selects a member of the type that the
// indices before it have selected.
func verifyGEP(op *ir.Op, v *ir.Verifier) {
	if n := dynamicIndices(op); n != op.NumOperands()-1 {
		v.Errorf(op, "requires %s, one for each dynamic entry of its list of indices, but has %d", ir.Count(n, "index operand"), op.NumOperands()-1)
		return
	}
	is := Indices(op)
	if len(is) == 0 {
		v.Errorf(op, "requires at least one index")
		return
	}
	t := ElemType(op)
	for k, i := range is[1:] {
		s, isStruct := ir.As[StructType](t)
		switch {
		case isStruct && i.Value != nil:
			v.Errorf(op, "selects a member of the struct %s by an index that is not constant, but struct members require a constant index", t)
			return
		case isStruct && s.Body != Known:
			return
		}
		next, ok := member(t, i.Const)
		if !ok {
			v.Errorf(op, "index #%d selects a member that type %s does not have", k+1, t)
			return
		}
		t = next
	}
}

// member returns the type of member i of t, a struct, an array or a vector. The bool
// result is false if t has no member i.
func member(t ir.Type, i int64) (ir.Type, bool) {
	switch d := t.Data().(type) {
	case StructType:
		if i < 0 || i >= int64(d.Elems.Len()) {
			return ir.Type{}, false
		}
		return d.Elems.Slice()[i], true
	case ArrayType:
		return d.Elem, true
	case ir.VectorType, VectorType:
		return laneOf(t), true
	}
	return ir.Type{}, false
}
