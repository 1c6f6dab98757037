// Package cf is MLIR's cf dialect: jumps between the blocks of a region. The
// operations are in this file, and their syntax is in syntax.go.
package cf

import (
	"sync/atomic"

	"ptogo/ir"
	"ptogo/ir/effect"
)

const page = "https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/"

// Jump states how the last operation of a block selects the successor block to which it
// jumps.
type Jump uint8

// The ways in which a jump chooses one of its successors.
const (
	// Always goes to successor 0.
	Always Jump = iota + 1
	// ByCondition goes to successor 0 if operand 0 is true, else to successor 1.
	ByCondition
	// ByValue goes to successor i+1 if operand 0 equals case i, and to successor 0
	// if it equals no case.
	ByValue
)

// Check is what cf.assert does: it stops the program with an error if its operand is
// false.
type Check struct{}

// Br is cf.br, which jumps to a block and passes values to its arguments.
var Br = &ir.Def{
	Name:    "cf.br",
	Summary: "Jumps to a block.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Succs:   1,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "destOperands", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Hook{ParseFn: parseBr, PrintFn: printBr},
	}},
	SuccOperands: func(op *ir.Op, _ int) (from, to int) { return op.ArgRange(0) },
	Sem:          Always,
}

// CondBr is cf.cond_br, which jumps to one of two blocks, depending on a condition.
var CondBr = &ir.Def{
	Name:    "cf.cond_br",
	Summary: "Jumps to one block if a condition is true, and to another one if not.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Succs:   2,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "condition", Type: ir.Exactly(ir.I1)},
			{Name: "trueDestOperands", Type: ir.Any, Arity: ir.Variadic},
			{Name: "falseDestOperands", Type: ir.Any, Arity: ir.Variadic},
		},
		Syntax: ir.Hook{ParseFn: parseCondBr, PrintFn: printCondBr},
	}},
	SuccOperands: func(op *ir.Op, i int) (from, to int) { return op.ArgRange(i + 1) },
	Sem:          ByCondition,
}

// Switch is cf.switch, which jumps to the block of the case that equals an integer, or
// to the default block.
var Switch = &ir.Def{
	Name:    "cf.switch",
	Summary: "Jumps to the block whose case equals an integer, or to the default block.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Succs:   ir.AnyNumber,
	Attrs: []ir.AttrDef{
		{Name: "case_operand_segments", Type: ir.AnyInt32s, Doc: "how many values each case passes"},
		{Name: "case_values", Type: denseInts, Optional: true, Doc: "the value of each case"},
	},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "flag", Type: ir.AnyInteger},
			{Name: "defaultOperands", Type: ir.Any, Arity: ir.Variadic},
			{Name: "caseOperands", Type: ir.Any, Arity: ir.Variadic},
		},
		Syntax: ir.Hook{ParseFn: parseSwitch, PrintFn: printSwitch},
	}},
	SuccOperands: switchOperands,
	Verify:       verifySwitch,
	Sem:          ByValue,
}

var denseInts = ir.AttrIf("dense integers", func(a ir.Attr) bool {
	d, ok := ir.AttrAs[ir.DenseAttr](a)
	return ok && ir.Is[ir.IntegerType](ir.ElementType(d.Type))
})

// Assert is cf.assert, which stops the program with a message if a condition is false.
var Assert = &ir.Def{
	Name:    "cf.assert",
	Summary: "Stops the program with a message if a condition is false.",
	Page:    page,
	Attrs:   []ir.AttrDef{{Name: "msg", Type: ir.AnyString, Doc: "what to say"}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "arg", Type: ir.Exactly(ir.I1)}},
		Syntax:   ir.Asm("$arg `,` $msg attr-dict"),
	}},
	Sem: Check{},
}

func init() {
	ir.Register(&ir.Dialect{
		Name: "cf",
		Doc:  "Jumps between the blocks of a region.",
		Defs: []*ir.Def{Br, CondBr, Switch, Assert},
	})
}

// segments returns the number of values that each case of a switch passes.
func segments(op *ir.Op) []int64 {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("case_operand_segments"))
	return d.Ints()
}

// switchOperands returns the range of the operands that successor i receives. The
// values of the default come first, then those of each case.
func switchOperands(op *ir.Op, i int) (from, to int) {
	if i == 0 {
		return op.ArgRange(1)
	}
	from, to = op.ArgRange(2)
	if from == to {
		return from, from // no case passes values
	}
	starts := caseStartsOf(op)
	if i >= len(starts) {
		return to, to
	}
	return from + starts[i-1], from + starts[i]
}

// caseStarts holds, for the attribute with the numbers of values of each case, the
// position of the first value of each case, and the number of all values at the end.
type caseStarts struct {
	attr   ir.Attr
	starts []int
}

// lastStarts is the result of the last call of caseStartsOf. Callers ask for one successor
// of a switch after the other, and decoding the attribute needs time for each case.
var lastStarts atomic.Pointer[caseStarts]

// caseStartsOf returns the positions of the first value of each case of a switch.
func caseStartsOf(op *ir.Op) []int {
	attr := op.Attr("case_operand_segments")
	if last := lastStarts.Load(); last != nil && last.attr == attr {
		return last.starts
	}
	starts := []int{0}
	for _, n := range segments(op) {
		starts = append(starts, starts[len(starts)-1]+int(n))
	}
	lastStarts.Store(&caseStarts{attr, starts})
	return starts
}

// CaseValues returns the case values of a switch as bits. Case i jumps to successor
// i+1.
func CaseValues(op *ir.Op) []uint64 {
	d, ok := ir.AttrAs[ir.DenseAttr](op.Attr("case_values"))
	if !ok {
		return nil
	}
	bits, _ := d.Numbers()
	n := len(op.Successors()) - 1
	for len(bits) == 1 && n > 1 && len(bits) < n { // a splat means equal cases, which the verifier reports
		bits = append(bits, bits[0])
	}
	return bits
}

// verifySwitch checks the number, type and uniqueness of the cases, and the number
// of values that they pass.
func verifySwitch(op *ir.Op, v *ir.Verifier) {
	n := len(op.Successors()) - 1
	if n < 0 {
		v.Errorf(op, "requires a default block")
		return
	}
	values := CaseValues(op)
	if len(values) != n {
		v.Errorf(op, "requires one block for each case value, but has %s for %s", ir.Count(len(values), "case value"), ir.Count(n, "block"))
		return
	}
	if d, ok := ir.AttrAs[ir.DenseAttr](op.Attr("case_values")); ok && ir.ElementType(d.Type) != op.Operand(0).Type() {
		v.Errorf(op, "has case values of type %s, but switches on a value of type %s", ir.ElementType(d.Type), op.Operand(0).Type())
	}
	sum := int64(0)
	segs := segments(op)
	for _, s := range segs {
		sum += s
	}
	if from, to := op.ArgRange(2); len(segs) != n || sum != int64(to-from) {
		v.Errorf(op, "passes %s to %s, but its attribute \"case_operand_segments\" requires %d values and %d cases", ir.Count(to-from, "value"), ir.Count(n, "case"), sum, len(segs))
	}
	seen := map[uint64]bool{}
	for _, c := range values {
		if seen[c] {
			v.Errorf(op, "must have distinct case values, but contains one value twice")
			return
		}
		seen[c] = true
	}
}

// PassFewer reduces the number of values that the switch operation op passes to its
// successor i, by n. This number is in the attribute case_operand_segments, which has an
// entry for each successor except the default, so i must not be the default. The caller
// removes the operands themselves.
func PassFewer(op *ir.Op, i, n int) {
	var segs []int32
	for k, s := range segments(op) {
		if k == i-1 {
			s -= int64(n)
		}
		segs = append(segs, int32(s))
	}
	op.SetAttr("case_operand_segments", ir.I32Array(segs))
}

// Effects returns no effects: a jump only transfers control.
func (Jump) Effects() effect.Set { return 0 }

// Effects returns MayFault, because the condition may be false.
func (Check) Effects() effect.Set { return effect.MayFault }
