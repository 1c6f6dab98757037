// This file records how expressions were made and prints them.

package expr

import (
	"fmt"
	"strconv"
	"strings"

	"ptogo/ir"
)

// node records how an expression was computed: the function, its operands, and the
// instruction.
type node struct {
	// name is the name of the function, or "input NAME" for bytes of an input.
	name string
	// number is a constant of the expression, such as the offset in an input.
	number int64
	// op is the instruction that computed the expression, or nil.
	op *ir.Op
	// args are the hashes of the operands.
	args []Hash
}

// Record makes the table store how each expression is computed, so that expressions can
// be printed. The table then needs several times as much memory.
func (t *Table) Record() { t.records, t.nodes = true, map[Hash]node{} }

// note stores how the expression with the hash h is computed, for explanations of
// differences: by the function with the given name, from the constant n and the operands
// args. It does nothing unless the method Record has requested this.
func (t *Table) note(h Hash, name string, n int64, args ...Hash) {
	if !t.records {
		return
	}
	if _, ok := t.nodes[h]; !ok {
		t.nodes[h] = node{name, n, t.At, append([]Hash(nil), args...)}
	}
}

// noteInput records that the expression with hash h represents consecutive bytes of an
// input. name is the name of the input, and at is the index of the first of these bytes.
// noteInput does nothing unless Record was called.
func (t *Table) noteInput(h Hash, name string, at int) {
	if t.records {
		t.nodes[h] = node{name: "input " + name, number: int64(at)}
	}
}

// Line returns the operation that computed the expression h. It returns nil if the
// operation is unknown, for example because Record was not called.
func (t *Table) Line(h Hash) *ir.Op { return t.nodes[h].op }

// DependsOnUnwritten reports whether the expression h depends on memory that was never
// written. The table must have recorded its expressions: call Record before the first
// expression.
func (t *Table) DependsOnUnwritten(h Hash) bool {
	found := false
	t.walk(h, map[Hash]bool{}, func(x Hash) { found = found || x == unwrittenHash })
	return found
}

// Inputs returns the names of the inputs on which the expression with hash h depends,
// without duplicates. The table must record expressions; the method Record switches this
// on.
func (t *Table) Inputs(h Hash) []string {
	var names []string
	seen := map[string]bool{}
	t.walk(h, map[Hash]bool{}, func(x Hash) {
		name, ok := strings.CutPrefix(t.nodes[x].name, "input ")
		if ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	})
	return names
}

// walk calls visit once for h and for each expression that h depends on. seen contains
// the expressions visited so far.
func (t *Table) walk(h Hash, seen map[Hash]bool, visit func(Hash)) {
	todo := []Hash{h}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		visit(x)
		todo = append(todo, t.nodes[x].args...)
	}
}

// Text returns the expression h as text. depth is the number of nested levels of operands
// that are printed. Deeper operands are replaced by dots.
func (t *Table) Text(h Hash, depth int) string {
	n, ok := t.nodes[h]
	switch {
	case h == unwrittenHash:
		return "unwritten memory"
	case !ok:
		return "?"
	case n.name == "constant":
		return strconv.FormatInt(n.number, 10)
	case strings.HasPrefix(n.name, "input "):
		return fmt.Sprintf("%s[byte %d]", strings.TrimPrefix(n.name, "input "), n.number)
	case n.name == "bytes of":
		if in := t.nodes[n.args[0]]; strings.HasPrefix(in.name, "input ") {
			return fmt.Sprintf("%s[byte %d]", strings.TrimPrefix(in.name, "input "), in.number+n.number)
		}
	}
	if depth == 0 {
		return "…"
	}
	var args []string
	for i, a := range n.args {
		if i == 4 {
			args = append(args, "…")
			break
		}
		args = append(args, t.Text(a, depth-1))
	}
	name := n.name
	if name == "sum of products" || name == "bytes of" || name == "bit" {
		name = fmt.Sprintf("%s %d", name, n.number)
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}
