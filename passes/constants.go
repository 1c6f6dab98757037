// This file merges equal constants.

package passes

import (
	"ptogo/dialect/arith"
	"ptogo/ir"
)

// constants merges equal constants of each isolated region. For each constant it keeps
// one operation, in the entry block of the region, where it dominates all uses.
type constants struct {
	// known holds the kept constant for each key.
	known map[constKey]*ir.Op
	// keys holds the keys of the kept constants.
	keys map[*ir.Op]constKey
}

// constKey identifies a constant. The region is a part of it, because a value of
// one function is not visible in another.
type constKey struct {
	// region is the isolated region that contains the constant.
	region *ir.Region
	// attr and typ are the value and its type.
	attr ir.Attr
	typ  ir.Type
	// def is the definition of the constant operation. It is arith.Constant for
	// operations that get creates.
	def *ir.Def
}

// newConstants returns an empty set of constant operations. A pass that merges equal
// constants of an isolated region adds the constants that it finds.
func newConstants() *constants {
	return &constants{known: map[constKey]*ir.Op{}, keys: map[*ir.Op]constKey{}}
}

// reset removes all recorded constants. It replaces large maps by new ones, because
// clearing a map needs time in proportion to its largest former size.
func (cs *constants) reset() {
	if len(cs.keys) > 1<<10 {
		*cs = *newConstants()
	}
	clear(cs.known)
	clear(cs.keys)
}

// isolatedRegion returns the innermost region that contains op and belongs to an
// operation that is isolated from above. If no enclosing operation is isolated, it
// returns the outermost region.
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

// keep returns the constant operation to use in place of op: an equal one that is
// recorded already, or op itself. In the second case, it records op and ensures that op
// dominates all uses: op must be in the entry block of its isolated region, at the start
// or after another recorded constant. If it is not, keep moves it to the start of that
// block.
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

// has reports whether op is one of the recorded constant operations. Each of them
// replaces all equal constants.
func (cs *constants) has(op *ir.Op) bool {
	_, ok := cs.keys[op]
	return ok
}

// add records op as the constant operation that replaces all equal constants. The
// parameter key identifies the constant: its isolated region, value, type and definition.
func (cs *constants) add(key constKey, op *ir.Op) {
	cs.known[key] = op
	cs.keys[op] = key
}

// get returns a value of type t that equals the constant attr and dominates op. It
// returns an earlier constant operation with the same value if there is one. Otherwise it
// creates a constant operation in the entry block of the isolated region around op. It
// returns nil if constants of this type cannot be created.
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

// forget removes the operation op, which is about to be erased, from the set of
// constants. It does nothing if op is not in the set.
func (cs *constants) forget(op *ir.Op) {
	if key, ok := cs.keys[op]; ok {
		delete(cs.keys, op)
		if cs.known[key] == op {
			delete(cs.known, key)
		}
	}
}
