// This file writes terms as text, and as SMT-LIB 2.

package term

import (
	"fmt"
	"strings"
)

var opNames = [numOps]string{
	opUDiv: "udiv", opURem: "urem", opSDiv: "sdiv", opSRem: "srem", opMul: "*", opAnd: "&", opOr: "|", opXor: "^",
	opShl: "<<", opLShr: ">>u", opAShr: ">>s", opTrunc: "trunc", opZExt: "zext", opSExt: "sext", opIte: "ite",
	opEq: "==", opUlt: "<u", opSlt: "<s", opOrder: "order",
}

// maxText limits the text of a term, whose size as a tree can be exponential.
const maxText = 2000

// String returns t as text for people, cut to a readable length.
func (t Term) String() string {
	var b strings.Builder
	t.n.write(&b)
	if s := b.String(); len(s) > maxText+3 {
		return s[:maxText] + "..."
	}
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	if b.Len() > maxText {
		return
	}
	list := func(sep string) {
		for i, a := range n.args {
			if i > 0 {
				b.WriteString(sep)
			}
			a.write(b)
		}
	}
	switch n.op {
	case opConst:
		if n.w == 1 {
			b.WriteString([]string{"false", "true"}[n.val.lo])
			return
		}
		b.WriteString(n.val.signed(int(n.w)).String())
	case opVar:
		b.WriteString(n.name)
	case opOpaque:
		b.WriteString(n.name + "(")
		list(", ")
		b.WriteByte(')')
	case opSum:
		b.WriteByte('(')
		for i, a := range n.args {
			if i > 0 {
				b.WriteString(" + ")
			}
			if c := n.coefs[i].signed(int(n.w)); c != one {
				b.WriteString(c.String() + "*")
			}
			a.write(b)
		}
		if n.val != zero {
			b.WriteString(" + " + n.val.signed(int(n.w)).String())
		}
		b.WriteByte(')')
	case opNot:
		b.WriteByte('!')
		n.args[0].write(b)
	case opTrunc, opZExt, opSExt:
		fmt.Fprintf(b, "%s%d(", opNames[n.op], n.w)
		list(", ")
		b.WriteByte(')')
	case opUDiv, opURem, opSDiv, opSRem, opIte, opOrder:
		b.WriteString(opNames[n.op] + "(")
		list(", ")
		b.WriteByte(')')
	default:
		b.WriteByte('(')
		list(" " + opNames[n.op] + " ")
		b.WriteByte(')')
	}
}

// SMT returns declarations and definitions in SMT-LIB 2 and, for each fact, the name of a
// Boolean constant that is equivalent to the fact. The declared ranges of variables are
// asserted. All names start with the given prefix.
func SMT(prefix string, facts ...Term) (script string, names []string) {
	s := smt{prefix: prefix, done: map[*node]string{}, apps: map[string][]*node{}}
	for _, f := range facts {
		names = append(names, fmt.Sprintf("(= %s #b1)", s.name(f.n)))
	}
	return s.b.String(), names
}

type smt struct {
	b      strings.Builder
	prefix string
	done   map[*node]string
	apps   map[string][]*node // applications of unknown functions, by function
}

func literal(w int, v Int) string { return fmt.Sprintf("(_ bv%s %d)", v.wrap(w), w) }

func (s *smt) name(n *node) string {
	if v, ok := s.done[n]; ok {
		return v
	}
	if n.op == opConst {
		return literal(int(n.w), n.val)
	}
	args := make([]string, len(n.args))
	for i, a := range n.args {
		args[i] = s.name(a)
	}
	name := fmt.Sprintf("%s%d", s.prefix, n.id)
	s.done[n] = name
	if n.op == opVar || n.op == opOpaque || n.op == opOrder {
		fmt.Fprintf(&s.b, "(declare-const %s (_ BitVec %d))\n", name, n.w)
		s.assume(name, n, args)
		return name
	}
	fmt.Fprintf(&s.b, "(define-const %s (_ BitVec %d) %s)\n", name, n.w, n.smt(args))
	return name
}

// assume asserts what is known about a variable or an application of a function.
func (s *smt) assume(name string, n *node, args []string) {
	w := int(n.w)
	if n.op == opVar {
		le := map[declKind]string{declSigned: "bvsle", declUnsigned: "bvule"}[n.decl.kind]
		if le == "" {
			return
		}
		fmt.Fprintf(&s.b, "(assert (%s %s %s))\n(assert (%s %s %s))\n", le, literal(w, n.decl.lo), name, le, name, literal(w, n.decl.hi))
		if m := n.decl.multiple; m != one && m.less(pow2(w-1)) {
			fmt.Fprintf(&s.b, "(assert (= (%s %s %s) %s))\n", map[declKind]string{declSigned: "bvsrem", declUnsigned: "bvurem"}[n.decl.kind],
				name, literal(w, m), literal(w, zero))
		}
		return
	}
	key := n.function()
	for _, m := range s.apps[key] {
		var eqs []string
		for i, a := range m.args {
			eqs = append(eqs, fmt.Sprintf("(= %s %s)", args[i], s.name(a)))
		}
		fmt.Fprintf(&s.b, "(assert (=> (and true %s) (= %s %s)))\n", strings.Join(eqs, " "), name, s.done[m])
	}
	s.apps[key] = append(s.apps[key], n)
}

// function identifies the unknown function that n applies.
func (n *node) function() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %s", n.op, n.w, n.name)
	for _, a := range n.args {
		fmt.Fprintf(&b, " %d", a.w)
	}
	return b.String()
}

var smtNames = [numOps]string{
	opMul: "bvmul", opUDiv: "bvudiv", opURem: "bvurem", opSDiv: "bvsdiv", opSRem: "bvsrem", opAnd: "bvand", opOr: "bvor",
	opXor: "bvxor", opNot: "bvnot", opShl: "bvshl", opLShr: "bvlshr", opAShr: "bvashr",
}

// smt returns the expression of n over the names of its arguments.
func (n *node) smt(args []string) string {
	w := int(n.w)
	switch n.op {
	case opSum:
		e := literal(w, n.val)
		for i, a := range args {
			e = fmt.Sprintf("(bvadd %s (bvmul %s %s))", e, literal(w, n.coefs[i]), a)
		}
		return e
	case opMul, opAnd:
		e := args[0]
		for _, a := range args[1:] {
			e = fmt.Sprintf("(%s %s %s)", smtNames[n.op], e, a)
		}
		return e
	case opTrunc:
		return fmt.Sprintf("((_ extract %d 0) %s)", w-1, args[0])
	case opZExt:
		return fmt.Sprintf("((_ zero_extend %d) %s)", w-int(n.args[0].w), args[0])
	case opSExt:
		return fmt.Sprintf("((_ sign_extend %d) %s)", w-int(n.args[0].w), args[0])
	case opIte:
		return fmt.Sprintf("(ite (= %s #b1) %s %s)", args[0], args[1], args[2])
	case opEq:
		return fmt.Sprintf("(ite (= %s %s) #b1 #b0)", args[0], args[1])
	case opUlt:
		return fmt.Sprintf("(ite (bvult %s %s) #b1 #b0)", args[0], args[1])
	case opSlt:
		return fmt.Sprintf("(ite (bvslt %s %s) #b1 #b0)", args[0], args[1])
	}
	return "(" + smtNames[n.op] + " " + strings.Join(args, " ") + ")"
}
