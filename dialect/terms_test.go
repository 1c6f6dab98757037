package dialect_test

import (
	"math/rand/v2"
	"testing"

	"ptogo/dialect/arith"
	"ptogo/dialect/arith/terms"
	"ptogo/dialect/math"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/ir/term"
)

var scalarTypes = []ir.Type{ir.I1, ir.I8, ir.I16, ir.I32, ir.I64, ir.Index, ir.F16, ir.F32}

// TestTerms compares the value of the term of each operation of arith and math with the
// value to which the operation folds, for all types that the operation accepts.
func TestTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[string]int{}
	for _, d := range append(arith.Dialect.All(), math.Dialect.All()...) {
		for _, a := range scalarTypes {
			for _, b := range scalarTypes {
				for _, op := range instances(d, a, b) {
					seen[d.Name]++
					for range 20 {
						checkTerms(t, r, op)
					}
				}
			}
		}
	}
	for _, name := range []string{"addi", "divsi", "ceildivui", "shli", "cmpi", "cmpf", "select", "trunci", "extsi", "index_cast", "index_castui",
		"bitcast", "addui_extended", "mulsi_extended", "minsi", "fptosi", "constant"} {
		if seen["arith."+name] == 0 {
			t.Errorf("arith.%s was not examined", name)
		}
	}
}

// instances returns operations of definition d with operands of type a and results of type
// b, with a condition as the first operand of a selection, and with every predicate of a
// comparison.
func instances(d *ir.Def, a, b ir.Type) []*ir.Op {
	if len(d.Forms) == 0 {
		return nil
	}
	n, results := len(d.Forms[0].Operands), []ir.Type{b}
	operands := []ir.Type{a, a, a, a}[:n]
	attrs := [][]ir.NamedAttr{nil}
	switch kind := d.Sem.(type) {
	case scalar.Elementwise, scalar.Cast:
	case scalar.Choice:
		operands[0], results = ir.I1, []ir.Type{a}
	case scalar.Extended:
		results = []ir.Type{a, b}
	case scalar.Comparison:
		attrs = nil
		for i := range kind.Cases {
			attrs = append(attrs, []ir.NamedAttr{{Name: kind.Attr, Attr: ir.IntAttr(ir.I64, int64(i))}})
		}
	case scalar.Literal:
		v, _ := ir.NumberAttr(a, 100)
		attrs = [][]ir.NamedAttr{{{Name: kind.Attr, Attr: v}}}
	default:
		return nil
	}
	var out []*ir.Op
	for _, at := range attrs {
		block := ir.NewBlock(operands...)
		op := ir.New(ir.State{Def: d, Operands: block.Args(), Results: results, Attrs: at})
		var diags ir.Diags
		block.Append(op)
		ir.NewRegion(block)
		if ir.Verify(op, ir.VerifyOptions{}, &diags) {
			out = append(out, op)
		}
	}
	return out
}

// checkTerms compares fold and term for one choice of operands.
func checkTerms(t *testing.T, r *rand.Rand, op *ir.Op) {
	t.Helper()
	p := term.NewPool()
	a := term.Assignment{Vars: map[term.Term]term.Int{}}
	var vars, consts []term.Term
	var in []ir.Attr
	for _, v := range op.Operands() {
		f, _ := ir.FormatOf(v.Type())
		bits := r.Uint64()
		if r.IntN(2) == 0 {
			bits = uint64(r.IntN(5) - 2)
		}
		bits &= f.Mask()
		attr, _ := ir.NumberAttr(v.Type(), bits)
		in = append(in, attr)
		x := p.Var("x", f.Bits())
		a.Vars[x] = term.UintOf(bits)
		vars = append(vars, x)
		consts = append(consts, p.ConstInt(f.Bits(), term.UintOf(bits)))
	}
	ts, ok := terms.Of(p, op, vars)
	folded, ok2 := terms.Of(p, op, consts)
	if !ok || !ok2 || len(ts) != op.NumResults() {
		t.Fatalf("%s: no terms", op)
	}
	want := op.Def().Fold
	if want == nil {
		return
	}
	res := want(op, in)
	defined := terms.Defined(p, op, consts)
	if res == nil {
		if !ir.Is[ir.FloatType](op.Operand(0).Type()) && !defined.IsFalse() {
			t.Errorf("%s is not folded for %v, but its terms are %v", op, in, folded)
		}
		return
	}
	if !defined.IsTrue() {
		t.Errorf("%s with %v is undefined, but is folded", op, in)
	}
	floats := ir.Is[ir.FloatType](op.Result(0).Type()) || op.NumOperands() > 0 && ir.Is[ir.FloatType](op.Operand(op.NumOperands()-1).Type())
	_, choice := op.Def().Sem.(scalar.Choice)
	for i, x := range res {
		_, bits, ok := x.Const.NumberBits()
		if !ok {
			continue // an operand
		}
		if v, ok := folded[i].Const(); ok && v.Uint64() != bits || !ok && !floats && known(op, i) {
			t.Errorf("%s with %v: term %s, want %d", op, in, folded[i], bits)
		}
		if v := term.Eval(ts[i], a); v.Uint64() != bits && (choice || !floats && known(op, i)) {
			t.Errorf("%s with %v: term %s = %s, want %d", op, in, ts[i], v, bits)
		}
	}
}

// known reports whether result i of an operation on integers has a term.
func known(op *ir.Op, i int) bool {
	f, _ := ir.FormatOf(op.Operand(0).Type())
	switch kind := op.Def().Sem.(type) {
	case scalar.Elementwise:
		return term.Known(kind.Fn, f)
	case scalar.Extended:
		return term.Known([]*scalar.Fn{kind.Low, kind.High}[i], f)
	}
	return true
}
