// This file defines truncation and extension.

package term

// Trunc returns the low w bits of a. w must be at most the width of a.
func (p *Pool) Trunc(a Term, w int) Term {
	checkWidth(w)
	if w > a.Width() {
		panic("term: truncation to more bits")
	}
	return Term{p.trunc(a.n, w)}
}

func (p *Pool) trunc(a *node, w int) *node {
	switch {
	case int(a.w) == w:
		return a
	case a.op == opConst:
		return p.constant(w, a.val)
	case a.op == opTrunc:
		return p.trunc(a.args[0], w)
	case a.op == opZExt || a.op == opSExt:
		if in := a.args[0]; w <= int(in.w) {
			return p.trunc(in, w)
		} else if a.op == opZExt {
			return p.zext(in, w)
		} else {
			return p.sext(in, w)
		}
	case a.op == opURem && a.args[1].op == opConst:
		if n, ok := log2(a.args[1].val); ok && n >= w {
			return p.trunc(a.args[0], w)
		}
	}
	return p.node(opTrunc, w, a)
}

// ZExt returns a, read as unsigned, with w bits. w must be at least the width of a.
func (p *Pool) ZExt(a Term, w int) Term {
	checkWidth(w)
	if w < a.Width() {
		panic("term: extension to fewer bits")
	}
	return Term{p.zext(a.n, w)}
}

func (p *Pool) zext(a *node, w int) *node {
	switch {
	case int(a.w) == w:
		return a
	case a.op == opConst:
		return p.constant(w, a.val)
	case a.op == opZExt:
		return p.zext(a.args[0], w)
	case a.op == opTrunc && int(a.args[0].w) == w:
		return p.urem(a.args[0], p.constant(w, pow2(int(a.w))))
	}
	return p.node(opZExt, w, a)
}

// SExt returns a, read as signed, with w bits. w must be at least the width of a.
func (p *Pool) SExt(a Term, w int) Term {
	checkWidth(w)
	if w < a.Width() {
		panic("term: extension to fewer bits")
	}
	return Term{p.sext(a.n, w)}
}

func (p *Pool) sext(a *node, w int) *node {
	switch {
	case int(a.w) == w:
		return a
	case a.op == opConst:
		return p.constant(w, a.val.signed(int(a.w)))
	case a.op == opSExt:
		return p.sext(a.args[0], w)
	case a.op == opTrunc && int(a.args[0].w) == w && a.args[0].abs.fitsSigned(int(a.w)):
		return a.args[0]
	case a.abs.nonNegative():
		return p.zext(a, w)
	}
	return p.node(opSExt, w, a)
}

// Resize returns a with w bits: truncated, or extended with its sign if signed is true and
// with zeros otherwise.
func (p *Pool) Resize(a Term, w int, signed bool) Term {
	switch {
	case w < a.Width():
		return p.Trunc(a, w)
	case signed:
		return p.SExt(a, w)
	}
	return p.ZExt(a, w)
}
