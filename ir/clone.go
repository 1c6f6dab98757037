package ir

// Clone copies op and all below it. Operands are looked up in values, which
// receives the copies of results and block arguments; a nil map is allowed.
func (op *Op) Clone(values map[*Value]*Value) *Op {
	if values == nil {
		values = map[*Value]*Value{}
	}
	c := cloner{values: values, blocks: map[*Block]*Block{}}
	copied := c.op(op)
	// What was not known when it was met may be a value that is defined
	// further on in the text.
	for _, u := range c.pending {
		if v, ok := values[u.value]; ok {
			u.Set(v)
		}
	}
	return copied
}

type cloner struct {
	values  map[*Value]*Value
	blocks  map[*Block]*Block
	pending []*Use // operands of copies that still are the original value
}

func (c *cloner) op(op *Op) *Op {
	s := State{Def: op.def, Form: op.form, Loc: op.Loc(), Segs: op.segs, ResSegs: op.resSegs}
	for i := range op.operands {
		v := op.operands[i].value
		if w, ok := c.values[v]; ok {
			v = w
		}
		s.Operands = append(s.Operands, v)
	}
	for i := range op.results {
		s.Results = append(s.Results, op.results[i].typ)
	}
	for _, b := range op.succs {
		if nb, ok := c.blocks[b]; ok {
			b = nb
		}
		s.Succs = append(s.Succs, b)
	}
	for range op.regions {
		s.Regions = append(s.Regions, NewRegion())
	}
	_, r := s.parts(nil)
	r.extra = op.extra
	copied := s.make(op.attrs, r.shared(), nil)
	for i := range op.results {
		copied.results[i].hint = op.results[i].hint
		c.values[&op.results[i]] = &copied.results[i]
	}
	for i := range op.operands {
		if v := op.operands[i].value; v != nil && copied.operands[i].value == v {
			c.pending = append(c.pending, &copied.operands[i])
		}
	}
	for i, r := range op.regions {
		c.region(r, copied.regions[i])
	}
	return copied
}

// region copies the blocks of r. All of them exist before the first operation
// is copied, so that terminators find their successors.
func (c *cloner) region(r, dst *Region) {
	for b := range r.Blocks() {
		nb := &Block{}
		c.blocks[b] = nb
		for _, a := range b.args {
			v := nb.AddArg(a.typ)
			v.hint = a.hint
			c.values[a] = v
		}
		dst.Append(nb)
	}
	for b := range r.Blocks() {
		for o := b.first; o != nil; o = o.next {
			c.blocks[b].Append(c.op(o))
		}
	}
}
