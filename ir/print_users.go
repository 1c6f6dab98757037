// This file prints comments with the users of values.

package ir

import "slices"

// users writes a comment that lists the operations which use the values vs. A user is
// shown by its first result, or by its operation name if it has no results.
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

// argUsers writes, for each argument of b, a comment line with the operations that use
// it.
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

// manyUsers is the number of users from which usersOf keeps a set.
const manyUsers = 16

// usersOf returns the operations that use v, each once, in the order in which the uses
// were added.
func (w *Printer) usersOf(v *Value) (ops []*Op) {
	var seen map[*Op]bool // of long lists only
	for u := range v.Uses() {
		op := u.Owner()
		if seen == nil && len(ops) == manyUsers {
			seen = map[*Op]bool{}
			for _, o := range ops {
				seen[o] = true
			}
		}
		if seen == nil && slices.Contains(ops, op) || seen[op] {
			continue
		}
		ops = append(ops, op)
		if seen != nil {
			seen[op] = true
		}
	}
	slices.Reverse(ops)
	return ops
}

// userNames writes a list of operations. It writes the name of the first result for each
// operation, or the name of the operation if it has no results.
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
