// This file parses LLVM types.

package llvm

import (
	"slices"

	"ptogo/ir"
)

// mnemonics are the words after !llvm. with which types of the dialect start.
var mnemonics = []string{"ptr", "struct", "array", "vec", "func", "void", "label", "token", "metadata", "ppc_fp128", "x86_mmx"}

// parseBody parses a type of the dialect llvm after its mnemonic, such as ptr or struct,
// which the caller has already parsed. It returns the complete type.
func parseBody(p *ir.Parser, mnemonic string) ir.Type {
	switch mnemonic {
	case "ptr":
		return parsePointer(p)
	case "struct":
		return parseStruct(p)
	case "array":
		return parseArray(p)
	case "vec":
		return parseVector(p)
	case "func":
		return parseFunction(p)
	}
	return ir.TypeOf(PlainType{mnemonic})
}

// inner reads a type inside another type. As in MLIR, it may be written without
// !llvm.
func inner(p *ir.Parser) ir.Type {
	if !p.AtIdent() || !slices.Contains(mnemonics, p.Text()) {
		return p.Type()
	}
	if !p.Enter() {
		return ir.Type{}
	}
	defer p.Leave()
	return parseBody(p, p.Ident())
}

// parsePointer reads an optional memory space after ptr.
func parsePointer(p *ir.Parser) ir.Type {
	if !p.Accept("<") {
		return Ptr
	}
	off := p.Offset()
	n := p.Integer()
	if n < 0 || n > 1<<32-1 {
		p.ErrorAt(off, "%d is not the number of a memory space", n)
	}
	p.Expect(">")
	return ir.TypeOf(PointerType{uint32(n)})
}

// parseStruct reads <["name",] [packed] (types)>, <"name", opaque> or <"name">. The
// last form refers to an enclosing struct.
func parseStruct(p *ir.Parser) ir.Type {
	var t StructType
	p.Expect("<")
	if p.AtString() {
		t.Name, t.Named = p.Quoted(), true
		if p.Accept(">") {
			t.Body = Reference
			return ir.TypeOf(t)
		}
		p.Expect(",")
		if p.Accept("opaque") {
			t.Body = Opaque
			p.Expect(">")
			return ir.TypeOf(t)
		}
	}
	t.Packed = p.Accept("packed")
	var ts []ir.Type
	p.Expect("(")
	p.List(")", func() { ts = append(ts, inner(p)) })
	p.Expect(")")
	p.Expect(">")
	t.Elems = ir.MakeList(ts...)
	return ir.TypeOf(t)
}

// parseArray reads <Len x Elem>.
func parseArray(p *ir.Parser) ir.Type {
	p.Expect("<")
	t := ArrayType{Len: length(p)}
	p.Expect("x")
	t.Elem = inner(p)
	p.Expect(">")
	return ir.TypeOf(t)
}

// parseVector reads the rest of !llvm.vec<...>. It rejects elements that a builtin
// vector can have, because each type must have one form.
func parseVector(p *ir.Parser) ir.Type {
	var t VectorType
	p.Expect("<")
	if t.Scalable = p.Accept("?"); t.Scalable {
		p.Expect("x")
	}
	t.Len = length(p)
	p.Expect("x")
	off := p.Offset()
	t.Elem = inner(p)
	if !p.Failed() && (ir.Is[ir.IntegerType](t.Elem) || ir.Is[ir.FloatType](t.Elem)) && !t.Scalable {
		p.ErrorAt(off, "a vector of %s is a builtin type", t.Elem).
			Note(p.LocAt(off), "write "+ir.TypeOf(ir.VectorType{Shape: ir.MakeDims(t.Len), Elem: t.Elem}).String())
	}
	p.Expect(">")
	return ir.TypeOf(t)
}

// length reads a number of elements, which may be 0.
func length(p *ir.Parser) int64 {
	off := p.Offset()
	n := p.Integer()
	if n < 0 {
		p.ErrorAt(off, "%d is not a valid number of elements", n)
	}
	return n
}

// parseFunction reads <result (types, ...)>, with ... for a variadic function.
func parseFunction(p *ir.Parser) ir.Type {
	var t FunctionType
	p.Expect("<")
	t.Result = inner(p)
	var ts []ir.Type
	p.Expect("(")
	p.List(")", func() {
		if t.Variadic {
			p.Errorf("'...' must be the last parameter")
		}
		if t.Variadic = p.Accept("..."); !t.Variadic {
			ts = append(ts, inner(p))
		}
	})
	p.Expect(")")
	p.Expect(">")
	t.Params = ir.MakeList(ts...)
	return ir.TypeOf(t)
}
