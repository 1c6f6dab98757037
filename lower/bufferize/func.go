// This file rewrites functions and calls.

package bufferize

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// bufferType returns the Level 2 type for the Level 1 type t: a buffer for a tile, and t
// itself for other types.
func bufferType(t ir.Type) ir.Type { return pto.BufOf(t) }

// parameterType returns the Level 2 type (a buffer type) for a function parameter with
// the Level 1 type t. If b.called is set, another function calls this function. The
// buffer type then has a dynamic valid region, because callers may pass buffers with
// different valid regions. Otherwise it has the valid region of t.
func (b *bufferizer) parameterType(t ir.Type) ir.Type {
	if t = bufferType(t); b.called {
		return opened(t)
	}
	return t
}

// signature changes the type of the function. Tiles among the parameters become
// buffers. Tiles among the results become additional parameters at the end, which
// the function writes to.
func (b *bufferizer) signature() {
	ins, outs := fn.TypeOf(b.f)
	inAttrs, outAttrs := dictionaries(b.f, "arg_attrs", len(ins)), dictionaries(b.f, "res_attrs", len(outs))
	var keptOuts []ir.Type
	var keptAttrs []ir.Attr
	for i := range ins {
		ins[i] = b.parameterType(ins[i])
	}
	for i, t := range outs {
		if ir.Is[pto.Tile](t) {
			ins = append(ins, opened(bufferType(t)))
			inAttrs = append(inAttrs, outAttrs[i])
			continue
		}
		keptOuts = append(keptOuts, t)
		keptAttrs = append(keptAttrs, outAttrs[i])
	}
	fn.SetType(b.f, ins, keptOuts)
	b.f.SetAttr("arg_attrs", orNothing(inAttrs))
	b.f.SetAttr("res_attrs", orNothing(keptAttrs))
}

// dictionaries returns n attribute dictionaries of the function f, one for each parameter
// or for each result. name is the name of the attribute that contains them. A dictionary
// that is missing in the attribute is empty in the result.
func dictionaries(f *ir.Op, name string, n int) []ir.Attr {
	a, _ := ir.AttrAs[ir.ArrayAttr](f.Attr(name))
	ds := a.Elems.Slice()
	for len(ds) < n {
		ds = append(ds, ir.Dict())
	}
	return ds[:n]
}

// orNothing returns an array attribute of dictionaries, or the zero Attr if all of them
// are empty.
func orNothing(ds []ir.Attr) ir.Attr {
	for _, d := range ds {
		if d != ir.Dict() {
			return ir.Array(ds...)
		}
	}
	return ir.Attr{}
}

// call rewrites a call to Level 2: the buffers for results that are tiles become
// additional operands.
func (b *bufferizer) call(op *ir.Op) {
	s := ir.State{Def: op.Def(), Form: op.Form(), Operands: op.Operands()}
	var kept []*ir.Value
	for _, v := range op.Results() {
		if n, ok := b.g.number[v]; ok {
			s.Operands = append(s.Operands, b.s.group[n].buf)
			continue
		}
		kept = append(kept, v)
		s.Results = append(s.Results, v.Type())
	}
	replace(op, s, kept)
}
