package ir

// Rooted is a type whose values stand for storage of the operation that makes
// them. Nothing else may make such a value, be it an operation, a block or a
// function: it could outlive the storage, or hide whose storage it is.
type Rooted interface {
	// Maker returns the name of the operation.
	Maker() string
}

// MakerOf returns the name of the operation that alone makes values of type t,
// or "" where there is no such rule.
func MakerOf(t Type) string {
	if r, ok := t.Data().(Rooted); ok {
		return r.Maker()
	}
	return ""
}

// rooted checks that op makes no values that belong to another operation.
func (v *Verifier) rooted(op *Op) {
	for i := range op.results {
		if m := MakerOf(op.results[i].typ); m != "" && m != op.def.Name {
			v.Errorf(op, "gives a %s, but only '%s' may", op.results[i].typ, m)
		}
	}
}

// rootedArgs checks the same of the arguments of a block below op.
func (v *Verifier) rootedArgs(op *Op, b *Block) {
	for i, a := range b.args {
		if m := MakerOf(a.typ); m != "" {
			v.Errorf(op, "argument %d has type %s, but a value of it must come from '%s' in the same function", i, a.typ, m)
		}
	}
}
