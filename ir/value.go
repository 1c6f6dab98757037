package ir

import "iter"

// Value is the result of an operation or an argument of a block.
type Value struct {
	typ   Type
	uses  *Use
	op    *Op    // the operation it is a result of, or nil
	block *Block // the block it is an argument of, or nil
	hint  *hint  // what the source called it, or nil
	index int32
}

// hint is a name without its %. Values of the same name share one.
type hint struct {
	text string
	hash uint64 // of text, for nameTable
}

// Use is one operand of one operation. The uses of a value form a list that
// runs through the operands themselves.
type Use struct {
	value *Value
	owner *Op
	next  *Use
	link  **Use // the pointer that points here: in the value or in a use
}

// sameAs reports whether both are the same name, or none.
func (h *hint) sameAs(g *hint) bool {
	return h == g || h != nil && g != nil && h.text == g.text
}

// Type returns the type of the value.
func (v *Value) Type() Type { return v.typ }

// SetType changes the type; the caller keeps the users legal.
func (v *Value) SetType(t Type) { v.typ = t }

// Name returns the name hint: what the source called the value, without %.
func (v *Value) Name() string {
	if v.hint == nil {
		return ""
	}
	return v.hint.text
}

// SetName sets the name hint.
func (v *Value) SetName(s string) { v.hint = newHint(s) }

// newHint returns a hint, or nil for no name.
func newHint(s string) *hint {
	if s == "" {
		return nil
	}
	return &hint{s, hashName(s)}
}

// Op returns the operation that defines the value, or nil for a block
// argument.
func (v *Value) Op() *Op { return v.op }

// Index returns the position among the results or block arguments.
func (v *Value) Index() int { return int(v.index) }

// Block returns the block the value is defined in.
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

// Uses yields the uses, the latest first. The use yielded may be changed.
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

// ReplaceAllUses makes every user of v use w instead.
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

// Owner returns the operation that has this operand.
func (u *Use) Owner() *Op { return u.owner }

// Value returns the value used.
func (u *Use) Value() *Value { return u.value }

// Index returns the operand number.
func (u *Use) Index() int {
	for i := range u.owner.operands {
		if &u.owner.operands[i] == u {
			return i
		}
	}
	panic("BUG: use is not an operand of its owner")
}

// Set makes the operand refer to v.
func (u *Use) Set(v *Value) {
	u.drop()
	u.value = v
	if v != nil {
		u.attach()
	}
}

// init makes u, which is new, an operand of op that refers to v.
func (u *Use) init(op *Op, v *Value) {
	u.owner, u.value = op, v
	if v != nil {
		u.attach()
	}
}

func (u *Use) attach() {
	v := u.value
	u.next, u.link = v.uses, &v.uses
	if v.uses != nil {
		v.uses.link = &u.next
	}
	v.uses = u
}

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
