package passes

import (
	"ptogo/dialect/arith"
	"ptogo/ir"
)

// constants keeps one operation for each constant of an isolated region, at
// the front of the region's first block, where everything can use it.
type constants struct {
	known map[constKey]*ir.Op
	keys  map[*ir.Op]constKey
}

type constKey struct {
	region *ir.Region
	attr   ir.Attr
	typ    ir.Type
	def    *ir.Def // nil: whatever Materialize makes
}

func newConstants() *constants {
	return &constants{known: map[constKey]*ir.Op{}, keys: map[*ir.Op]constKey{}}
}

// reset forgets all constants. Tables that were large are not kept, since
// clearing one takes as long as it once was large.
func (cs *constants) reset() {
	if len(cs.keys) > 1<<10 {
		*cs = *newConstants()
	}
	clear(cs.known)
	clear(cs.keys)
}

// isolatedRegion returns the region around op whose operation is isolated, or
// the outermost one.
func isolatedRegion(op *ir.Op) *ir.Region {
	for {
		r := op.Block().Region()
		p := r.Op()
		if p == nil || p.Block() == nil || p.HasTrait(ir.IsolatedFromAbove) {
			return r
		}
		op = p
	}
}

// keep makes op, a constant, the one for its value. If there is one already,
// it returns that and leaves op alone.
func (cs *constants) keep(op *ir.Op) *ir.Op {
	if _, ok := cs.keys[op]; ok {
		return op
	}
	attr, ok := arith.ConstantAttr(op.Result(0))
	if !ok {
		return op
	}
	r := isolatedRegion(op)
	key := constKey{r, attr, op.Result(0).Type(), op.Def()}
	if first := cs.known[key]; first != nil {
		return first
	}
	if entry := r.Entry(); op.Block() != entry || op.Prev() != nil && !cs.has(op.Prev()) {
		entry.Prepend(op)
	}
	cs.add(key, op)
	return op
}

func (cs *constants) has(op *ir.Op) bool {
	_, ok := cs.keys[op]
	return ok
}

func (cs *constants) add(key constKey, op *ir.Op) {
	cs.known[key] = op
	cs.keys[op] = key
}

// get returns a value that always equals attr, for use at op, or nil if no
// operation can make one of type t.
func (cs *constants) get(rw *ir.Rewriter, op *ir.Op, attr ir.Attr, t ir.Type) *ir.Value {
	if attr.ValueType() != t {
		return nil
	}
	r := isolatedRegion(op)
	key := constKey{r, attr, t, arith.Constant}
	if first := cs.known[key]; first != nil {
		return first.Result(0)
	}
	at := ir.AtEnd(r.Entry(), op.Loc())
	if first := r.Entry().First(); first != nil {
		at.At(first)
	}
	saved := rw.Builder
	rw.Builder = *at
	v := arith.Materialize(rw, attr)
	rw.Builder = saved
	if v != nil {
		cs.add(key, v.Op())
	}
	return v
}

// forget takes out an operation that is erased.
func (cs *constants) forget(op *ir.Op) {
	if key, ok := cs.keys[op]; ok {
		delete(cs.keys, op)
		if cs.known[key] == op {
			delete(cs.known, key)
		}
	}
}
