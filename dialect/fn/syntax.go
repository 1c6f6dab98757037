// This file implements the syntax of functions and calls.

package fn

import "ptogo/ir"

// parseFunc reads [visibility] @name(params) [-> results] [attributes {...}]
// [body]. The body may be parsed on another goroutine.
func parseFunc(p *ir.Parser, st *ir.OpParse) {
	for _, vis := range []string{"public", "private", "nested"} {
		if p.Accept(vis) {
			st.Attr("sym_visibility", ir.Str(vis))
		}
	}
	st.Attr("sym_name", ir.Str(p.SymbolName()))
	params, ins, inAttrs := parseParams(p)
	var outs []ir.Type
	var outAttrs []ir.Attr
	if p.Accept("->") {
		outs, outAttrs = parseResults(p)
	}
	if p.Failed() {
		return
	}
	st.Attr("function_type", ir.TypeAsAttr(ir.Func(ins, outs)))
	st.Attr("arg_attrs", attrList(inAttrs))
	st.Attr("res_attrs", attrList(outAttrs))
	if p.Accept("attributes") {
		st.AttrDict(p)
	}
	r := ir.NewRegion()
	if p.At("{") {
		if len(params) != len(ins) {
			p.Errorf("a function with a body needs a name for each parameter")
			return
		}
		if p.AtEmptyBraces() {
			at := p.LocAt(p.Offset())
			p.Errorf("a function body must have a block that ends in a terminator").Note(at, "the shortest body is { return }")
			return
		}
		p.Body(r, params)
	}
	st.AddRegion(r)
}

// parseParams reads (%a: T {attrs}, ...), or (T, ...) in a declaration.
func parseParams(p *ir.Parser) (params []ir.BlockArg, ins []ir.Type, attrs []ir.Attr) {
	p.Expect("(")
	p.List(")", func() {
		if p.AtOperand() {
			a := p.BlockArg(true)
			params = append(params, a)
			ins = append(ins, a.Type)
		} else {
			ins = append(ins, p.Type())
		}
		attrs = append(attrs, ir.Dict(p.AttrDict()...))
		p.SkipLoc()
	})
	p.Expect(")")
	return params, ins, attrs
}

// parseResults reads T, or (T {attrs}, ...).
func parseResults(p *ir.Parser) (outs []ir.Type, attrs []ir.Attr) {
	if !p.Accept("(") {
		t := p.Type()
		return []ir.Type{t}, nil
	}
	p.List(")", func() {
		outs = append(outs, p.Type())
		attrs = append(attrs, ir.Dict(p.AttrDict()...))
	})
	p.Expect(")")
	return outs, attrs
}

// attrList returns an array attribute of the given dictionaries, one for each parameter
// or result. If all dictionaries are empty, it returns the zero Attr, so that the
// function has no such attribute.
func attrList(dicts []ir.Attr) ir.Attr {
	empty := ir.Dict()
	for _, d := range dicts {
		if d != empty {
			return ir.Array(dicts...)
		}
	}
	return ir.Attr{}
}

// printFunc prints the names of parameters only if the function has a body, because only
// a body can use the names.
func printFunc(w *ir.Printer, op *ir.Op) {
	if vis, ok := op.Attr("sym_visibility").AsString(); ok {
		w.Token(vis)
	}
	w.Symbol(Name(op))
	ins, outs := TypeOf(op)
	inAttrs, outAttrs := dicts(op, "arg_attrs"), dicts(op, "res_attrs")
	w.Token("(")
	body := Body(op)
	for i, t := range ins {
		if i > 0 {
			w.Token(",")
		}
		if body != nil {
			w.Value(body.Arg(i))
			w.Raw(": ")
		}
		w.Type(t)
		printDict(w, inAttrs, i)
	}
	w.Token(")")
	if len(outs) > 0 {
		w.Token("->")
		if len(outs) == 1 && !ir.Is[ir.FunctionType](outs[0]) && len(outAttrs) == 0 {
			w.Type(outs[0])
		} else {
			w.Token("(")
			for i, t := range outs {
				if i > 0 {
					w.Token(",")
				}
				w.Type(t)
				printDict(w, outAttrs, i)
			}
			w.Token(")")
		}
	}
	w.AttrDictWithKeyword(op, "sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
	if body != nil {
		w.Region(op, 0, false)
	}
}

// dicts returns the dictionaries in the named array attribute of op, or nil.
func dicts(op *ir.Op, name string) []ir.Attr {
	a, _ := ir.AttrAs[ir.ArrayAttr](op.Attr(name))
	return a.Elems.Slice()
}

// printDict prints the attribute dictionary with index i in the list ds. It prints
// nothing if the list has no such element or if the dictionary is empty.
func printDict(w *ir.Printer, ds []ir.Attr, i int) {
	if i < len(ds) && ds[i] != ir.Dict() {
		w.Attr(ds[i])
	}
}

// parseCallIndirect reads %f(%a, ...) {attributes} : function type.
func parseCallIndirect(p *ir.Parser, st *ir.OpParse) {
	st.Operand("callee", p.Operand())
	p.Expect("(")
	operands := p.Operands(nil)
	st.Operand("operands", operands...)
	p.Expect(")")
	st.AttrDict(p)
	p.Expect(":")
	off := p.Offset()
	t := p.Type()
	f, ok := ir.As[ir.FunctionType](t)
	if !ok {
		p.ErrorAt(off, "expected a function type")
		return
	}
	if f.Ins.Len() != len(operands) {
		p.ErrorAt(off, "'%s' op passes %s, but calls %s", st.Def.Name, ir.Count(len(operands), "operand"), t)
		return
	}
	st.OperandType("callee", t)
	st.OperandType("operands", f.Ins.Slice()...)
	st.ResultType("results", f.Outs.Slice()...)
}

// printCallIndirect prints the type of the function; the types of operands and
// results are in it.
func printCallIndirect(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	w.Token("(")
	w.Values(op.Operands()[1:]...)
	w.Token(")")
	w.AttrDict(op)
	w.Token(":")
	w.Type(op.Operand(0).Type())
}
