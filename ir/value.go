// This file defines values and their lists of uses.

package ir

import "iter"

// Value is the result of an operation or an argument of a block.
type Value struct {
	// typ is the type of the value.
	typ Type
	// uses is the most recently added use; Use.next links it to the older ones.
	uses *Use
	// op is the operation that has the value as a result, or nil.
	op *Op
	// block is the block that has the value as an argument, or nil.
	block *Block
	// hint is the name in the source text, or nil.
	hint *hint
	// index is the position of the value among the results of op or the arguments of
	// block.
	index int32
}

// hint is the name of a value in the source text, without its %. Values with the same
// name may share one hint.
type hint struct {
	// text is the name.
	text string
	// hash is the hash of text for nameTable.
	hash uint64
}

// Use is one operand of an operation. All uses of a value form a linked list through the
// operands themselves, so that adding and removing a use needs no allocation.
type Use struct {
	// value is the value that the operand refers to, or nil.
	value *Value
	// owner is the operation that has the operand.
	owner *Op
	// next is the next use of the same value.
	next *Use
	// link is the pointer that refers to this use: Value.uses, or the next of another
	// use.
	link **Use
}

// sameAs reports whether the hints h and g have the same text, or whether both are nil.
func (h *hint) sameAs(g *hint) bool {
	return h == g || h != nil && g != nil && h.text == g.text
}

// Type returns the type of the value.
func (v *Value) Type() Type { return v.typ }

// SetType changes the type of the value. The caller must ensure that all operations that
// use the value accept the new type.
func (v *Value) SetType(t Type) { v.typ = t }

// Name returns the name of the value in the source text, without %, or "" if it has none.
// The printer uses it as a hint.
func (v *Value) Name() string {
	if v.hint == nil {
		return ""
	}
	return v.hint.text
}

// SetName sets the name that the printer prefers for the value.
func (v *Value) SetName(s string) { v.hint = newHint(s) }

// newHint returns a name hint for s, or nil if s is empty.
func newHint(s string) *hint {
	if s == "" {
		return nil
	}
	return &hint{s, hashName(s)}
}

// Op returns the operation that has the value as a result, or nil for a block
// argument.
func (v *Value) Op() *Op { return v.op }

// Index returns the position of the value among the results of its operation or the
// arguments of its block.
func (v *Value) Index() int { return int(v.index) }

// Block returns the block that contains the definition of the value, or nil if its
// operation is in no block.
func (v *Value) Block() *Block {
	if v.op != nil {
		return v.op.block
	}
	return v.block
}

// IsBlockArg reports whether the value is an argument of a block.
func (v *Value) IsBlockArg() bool { return v.op == nil }

// HasUses reports whether any operand refers to the value.
func (v *Value) HasUses() bool { return v.uses != nil }

// HasOneUse reports whether exactly one operand refers to the value.
func (v *Value) HasOneUse() bool { return v.uses != nil && v.uses.next == nil }

// Uses yields all uses of the value, the most recently added first. The loop body may
// change or remove the current use.
func (v *Value) Uses() iter.Seq[*Use] {
	return func(yield func(*Use) bool) {
		for u := v.uses; u != nil; {
			next := u.next
			if !yield(u) {
				return
			}
			u = next
		}
	}
}

// ReplaceAllUses makes all operands that refer to v refer to w instead. If w has no name
// hint, it receives the hint of v.
func (v *Value) ReplaceAllUses(w *Value) {
	if v == w {
		return
	}
	for v.uses != nil {
		v.uses.Set(w)
	}
	if w.hint == nil {
		w.hint = v.hint
	}
}

// Owner returns the operation to which this operand belongs.
func (u *Use) Owner() *Op { return u.owner }

// Value returns the value that the operand refers to.
func (u *Use) Value() *Value { return u.value }

// Index returns the position of the operand in its operation. It searches the operands
// linearly.
func (u *Use) Index() int {
	for i := range u.owner.operands {
		if &u.owner.operands[i] == u {
			return i
		}
	}
	panic("BUG: use is not an operand of its owner")
}

// Set makes the operand refer to v, which may be nil, and updates the use lists of the
// old and the new value.
func (u *Use) Set(v *Value) {
	u.drop()
	u.value = v
	if v != nil {
		u.attach()
	}
}

// init initializes u, a new operand of op, to refer to v.
func (u *Use) init(op *Op, v *Value) {
	u.owner, u.value = op, v
	if v != nil {
		u.attach()
	}
}

// attach inserts u at the front of the list of uses of its value.
func (u *Use) attach() {
	v := u.value
	u.next, u.link = v.uses, &v.uses
	if v.uses != nil {
		v.uses.link = &u.next
	}
	v.uses = u
}

// drop removes u from the list of uses of its value; the operand then refers to no value.
func (u *Use) drop() {
	if u.value == nil {
		return
	}
	*u.link = u.next
	if u.next != nil {
		u.next.link = u.link
	}
	u.value, u.next, u.link = nil, nil, nil
}

// TypesOf returns the types of the values vs.
func TypesOf(vs []*Value) []Type {
	ts := make([]Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type()
	}
	return ts
}
