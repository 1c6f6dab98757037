// This file computes values of terms.

package term

// Assignment gives values to variables and to applications of unknown functions.
type Assignment struct {
	// Vars holds the value of each variable, as bits. Variables that are not in the map
	// have the value 0, which must be in their declared range.
	Vars map[Term]Int
	// Opaque returns the value of an unknown function; only its low bits count. It must
	// return equal values for equal arguments. If it is nil, the value is 0. The outcome
	// of comparing floats (Pool.Order) has the name "order" and that of the format.
	Opaque func(name string, w int, args []Int) Int
}

// Eval returns the value of t, read as unsigned.
func Eval(t Term, a Assignment) Int { return newEval(a).value(t.n) }

type eval struct {
	Assignment
	done map[*node]Int
}

func newEval(a Assignment) *eval { return &eval{a, map[*node]Int{}} }

func (e *eval) value(n *node) Int {
	if n.op == opConst {
		return n.val
	}
	if v, ok := e.done[n]; ok {
		return v
	}
	w := int(n.w)
	var v Int
	switch n.op {
	case opVar:
		v = e.Vars[Term{n}]
	case opOpaque, opOrder:
		if e.Opaque != nil {
			args := make([]Int, len(n.args))
			for i, a := range n.args {
				args[i] = e.value(a)
			}
			name := n.name
			if n.op == opOrder {
				name = "order " + name
			}
			v = e.Opaque(name, w, args)
		}
	case opSum:
		v = n.val
		for i, a := range n.args {
			v = v.add(n.coefs[i].mul(e.value(a)))
		}
	case opMul:
		v = one
		for _, a := range n.args {
			v = v.mul(e.value(a)).wrap(w)
		}
	case opAnd, opOr, opXor:
		v = e.value(n.args[0])
		for _, a := range n.args[1:] {
			v = bitOp(n.op, v, e.value(a))
		}
	case opIte:
		if e.value(n.args[0]) == one {
			v = e.value(n.args[1])
		} else {
			v = e.value(n.args[2])
		}
	default:
		x, y := e.value(n.args[0]), zero
		if len(n.args) > 1 {
			y = e.value(n.args[1])
		}
		v = apply(n.op, w, int(n.args[0].w), x, y)
	}
	v = v.wrap(w)
	e.done[n] = v
	return v
}

// apply returns the result, of w bits, of an operation on operands of `from` bits. Only
// its low w bits count.
func apply(o op, w, from int, x, y Int) Int {
	sx, sy := x.signed(from), y.signed(from)
	switch o {
	case opUDiv:
		if y == zero {
			return mask(w)
		}
		return first(x.quoRem(y))
	case opURem:
		if y == zero {
			return x
		}
		return x.mod(y)
	case opSDiv:
		switch {
		case y != zero:
			return first(sx.quoRem(sy))
		case sx.Sign() < 0:
			return one
		}
		return mask(w)
	case opSRem:
		if y == zero {
			return x
		}
		_, r := sx.quoRem(sy)
		return r
	case opNot:
		return x.not()
	case opShl:
		return x.shl(int(y.lo))
	case opLShr:
		return x.shr(int(y.lo))
	case opAShr:
		return sx.shr(int(y.lo))
	case opTrunc, opZExt:
		return x
	case opSExt:
		return sx
	case opEq:
		return truth(x == y)
	case opUlt:
		return truth(x.less(y))
	case opSlt:
		return truth(sx.less(sy))
	}
	panic("term: operation without value")
}

func truth(b bool) Int {
	if b {
		return one
	}
	return zero
}
