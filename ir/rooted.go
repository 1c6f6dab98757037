// This file defines types whose values refer to storage of one kind of operation.

package ir

// Rooted is a type whose values refer to storage, such as a queue, that one operation
// reserves. Only that operation may create a value of the type. A value from a block
// argument or a function could outlive the storage, or hide which storage it refers to.
type Rooted interface {
	// Maker returns the name of the operation that may create values of the type.
	Maker() string
}

// MakerOf returns the name of the operation that creates values of type t, if t
// implements Rooted: no other operation may create such values. Otherwise it returns "".
func MakerOf(t Type) string {
	if r, ok := t.Data().(Rooted); ok {
		return r.Maker()
	}
	return ""
}

// rooted checks the results of op whose types implement Rooted. Only one operation may
// create values of such a type. rooted reports an error for each result whose type
// belongs to a different operation.
func (v *Verifier) rooted(op *Op) {
	for i := range op.results {
		if m := MakerOf(op.results[i].typ); m != "" && m != op.def.Name {
			v.Errorf(op, "has a result of type %s, which only '%s' may return", op.results[i].typ, m)
		}
	}
}

// rootedArgs reports an error for each argument of the block b in op whose type
// implements Rooted, because only an operation may create such values.
func (v *Verifier) rootedArgs(op *Op, b *Block) {
	for i, a := range b.args {
		if m := MakerOf(a.typ); m != "" {
			v.Errorf(op, "argument %d has type %s, but values of this type must be created by '%s' in the same function", i, a.typ, m)
		}
	}
}
