// This file copies operations with everything nested in them.

package ir

// Clone returns a copy of op, including its regions. The map values, which may be nil,
// maps original values to their copies. An operand in this map is replaced by its copy;
// any other operand keeps the original value. Clone adds the results and block arguments
// that it copies to the map.
func (op *Op) Clone(values map[*Value]*Value) *Op {
	if values == nil {
		values = map[*Value]*Value{}
	}
	c := cloner{values: values, blocks: map[*Block]*Block{}}
	copied := c.op(op)
	// An operand may be defined later in the text than its use, for example in a
	// loop of blocks. Its copy exists now.
	for _, u := range c.pending {
		if v, ok := values[u.value]; ok {
			u.Set(v)
		}
	}
	return copied
}

// cloner is the state of one call of Op.Clone.
type cloner struct {
	// values maps each original value to its copy.
	values map[*Value]*Value
	// blocks maps each original block to its copy, so that terminators of copies branch
	// to copies.
	blocks map[*Block]*Block
	// pending are the operands of copies that still refer to the original value, because
	// the copy of the value did not exist yet.
	pending []*Use
}

// op returns a copy of op. An operand whose value has not been copied yet keeps the
// original value and is appended to pending; Clone replaces the pending operands at the
// end.
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
	// The copy shares attrs and extra with the original: neither is ever written in
	// place.
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

// region copies the blocks of r into dst. It creates all blocks before it copies
// the first operation, so that terminators find their successors.
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
