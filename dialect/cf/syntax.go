// This file implements the syntax of the cf dialect.

package cf

import (
	"ptogo/ir"
)

// parseDest reads ^block, or ^block(%a, ... : T, ...). name is the name of an argument of
// the operation; parseDest adds the values in parentheses to this argument. It returns
// the number of values.
func parseDest(p *ir.Parser, st *ir.OpParse, name string) int {
	st.AddSuccessor(p.Successor())
	if !p.Accept("(") {
		return 0
	}
	var values []ir.Operand
	values = p.Operands(values)
	var ts []ir.Type
	if p.Expect(":") {
		off := p.Offset()
		ts = p.Types()
		if len(ts) != len(values) && !p.Failed() {
			p.ErrorAt(off, "expected %s for the values passed, found %d", ir.Count(len(values), "type"), len(ts))
		}
	}
	p.Expect(")")
	st.Operand(name, values...)
	st.OperandType(name, ts...)
	return len(values)
}

// printDest writes successor i with the values that it receives.
func printDest(w *ir.Printer, op *ir.Op, i int) {
	w.Successor(op.Successors()[i])
	from, to := op.SuccRange(i)
	if from == to {
		return
	}
	w.Token("(")
	values := op.Operands()[from:to]
	w.Values(values...)
	w.Token(":")
	for k, v := range values {
		if k > 0 {
			w.Token(",")
		}
		w.Type(v.Type())
	}
	w.Token(")")
}

// parseBr reads a target block with the values for its arguments.
func parseBr(p *ir.Parser, st *ir.OpParse) {
	parseDest(p, st, "destOperands")
	st.AttrDict(p)
}

func printBr(w *ir.Printer, op *ir.Op) {
	printDest(w, op, 0)
	w.AttrDict(op)
}

// parseCondBr reads the condition, then the target if it is true, then the target
// if it is false.
func parseCondBr(p *ir.Parser, st *ir.OpParse) {
	st.Operand("condition", p.Operand())
	p.Expect(",")
	parseDest(p, st, "trueDestOperands")
	p.Expect(",")
	parseDest(p, st, "falseDestOperands")
	st.AttrDict(p)
}

func printCondBr(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	w.Token(",")
	printDest(w, op, 0)
	w.Token(",")
	printDest(w, op, 1)
	w.AttrDict(op)
}

// parseSwitch reads %x : T, [default: ^block, 1: ^block, ...] {attributes}.
func parseSwitch(p *ir.Parser, st *ir.OpParse) {
	st.Operand("flag", p.Operand())
	p.Expect(":")
	off := p.Offset()
	t := p.Type()
	if !p.Failed() && !ir.Is[ir.IntegerType](t) {
		p.ErrorAt(off, "'%s' op requires an integer to switch on, but its operand has type %s", st.Def.Name, t)
		return
	}
	st.OperandType("flag", t)
	p.Expect(",")
	p.Expect("[")
	p.Expect("default")
	p.Expect(":")
	parseDest(p, st, "defaultOperands")
	var values []uint64
	var segs []int32
	for p.Accept(",") {
		_, bits, _ := p.TypedNumber(t).NumberBits()
		values = append(values, bits)
		p.Expect(":")
		segs = append(segs, int32(parseDest(p, st, "caseOperands")))
	}
	p.Expect("]")
	st.AttrDict(p)
	st.Attr("case_operand_segments", ir.I32Array(segs))
	if len(values) == 0 {
		return
	}
	vec := ir.TypeOf(ir.VectorType{Shape: ir.MakeDims(int64(len(values))), Elem: t})
	if a, ok := ir.DenseNumbers(vec, values); ok {
		st.Attr("case_values", a)
	} else if !p.Failed() {
		p.ErrorAt(off, "'%s' op cannot have cases of type %s", st.Def.Name, t)
	}
}

// printSwitch writes each case on its own line, as MLIR does.
func printSwitch(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	w.Token(":")
	w.Type(op.Operand(0).Type())
	w.Raw(", [")
	w.Newline()
	w.Raw("  default:")
	w.Raw(" ")
	printDest(w, op, 0)
	t := op.Operand(0).Type()
	for i, bits := range CaseValues(op) {
		w.Raw(",")
		w.Newline()
		w.Raw("  ")
		a, _ := ir.NumberAttr(t, bits)
		w.Number(a)
		w.Raw(": ")
		printDest(w, op, i+1)
	}
	w.Newline()
	w.Token("]")
	w.AttrDict(op, "case_operand_segments", "case_values")
}
