package ir

import "slices"

// users writes a comment that names who uses values: those by their results, or by
// what they are if they have none.
func (w *Printer) users(vs []*Value) {
	text := " // "
	for _, v := range vs {
		users := w.usersOf(v)
		if len(vs) > 1 {
			w.buf = w.names.append(append(w.buf, text...), v)
			text = ""
			w.buf = append(w.buf, ' ')
		}
		if len(users) == 0 {
			w.buf = append(append(w.buf, text...), "unused"...)
		} else {
			w.buf = append(append(w.buf, text...), "users: "...)
			w.userNames(users)
		}
		text = "; "
	}
}

// argUsers writes a line for each argument of a block.
func (w *Printer) argUsers(b *Block) {
	for _, v := range b.args {
		w.newline()
		w.buf = w.names.append(append(w.buf, "// "...), v)
		if users := w.usersOf(v); len(users) > 0 {
			w.buf = append(w.buf, " is used by "...)
			w.userNames(users)
		} else {
			w.buf = append(w.buf, " is unused"...)
		}
	}
}

// usersOf are the operations that use a value, in the order in which they came to
// do so.
func (w *Printer) usersOf(v *Value) (ops []*Op) {
	for u := range v.Uses() {
		if !slices.Contains(ops, u.Owner()) {
			ops = append(ops, u.Owner())
		}
	}
	slices.Reverse(ops)
	return ops
}

func (w *Printer) userNames(ops []*Op) {
	for i, op := range ops {
		if i > 0 {
			w.buf = append(w.buf, ", "...)
		}
		if len(op.results) > 0 {
			w.buf = w.names.append(w.buf, op.Result(0))
		} else {
			w.buf = append(w.buf, printedName(op.def)...)
		}
	}
}
