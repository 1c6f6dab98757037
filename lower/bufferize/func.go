package bufferize

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// bufferType returns the type of Level 2 for a type of Level 1.
func bufferType(t ir.Type) ir.Type { return pto.BufOf(t) }

// parameterType is bufferType for a parameter. Callers may have buffers whose
// valid region is open altogether.
func (b *bufferizer) parameterType(t ir.Type) ir.Type {
	if t = bufferType(t); b.called {
		return opened(t)
	}
	return t
}

// signature changes the type of the function: tiles among its parameters
// become buffers, tiles among its results become parameters after the others,
// into which the function writes.
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

// dictionaries returns the attributes of n parameters or results, one
// dictionary for each.
func dictionaries(f *ir.Op, name string, n int) []ir.Attr {
	a, _ := ir.AttrAs[ir.ArrayAttr](f.Attr(name))
	ds := a.Elems.Slice()
	for len(ds) < n {
		ds = append(ds, ir.Dict())
	}
	return ds[:n]
}

// orNothing returns an array of dictionaries, or no attribute if all are empty.
func orNothing(ds []ir.Attr) ir.Attr {
	for _, d := range ds {
		if d != ir.Dict() {
			return ir.Array(ds...)
		}
	}
	return ir.Attr{}
}

// call passes the buffers of the results after the other operands.
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
