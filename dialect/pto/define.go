// This file builds the definition of a tile instruction for Level 1, Level 2 and PTO-
// AS from one description.

package pto

import (
	"cmp"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// InOut declares an operand that an instruction both reads and overwrites. At Level 2
// (buffers), it is one operand. At Level 1 (values), the operand has the old contents,
// and a result of the same name has the new ones.
func InOut(name string, c ir.Constraint) ir.Arg {
	return ir.Arg{Name: name, Type: c, Role: ir.InOut}
}

// ScratchArg declares a scratch tile, in which an instruction stores intermediate values.
// If the program omits it, a pass adds it.
func ScratchArg(name string, c TileRule) ir.Arg {
	c.scratch = true
	return ir.Arg{Name: name, Type: c, Arity: ir.Optional, Role: ir.Scratch}
}

// TileOp returns the definition of a tile instruction. At Level 1, its operands and
// results are tile values; at Level 2, it reads input buffers and writes destination
// buffers.
func TileOp(o Op) *ir.Def {
	o.Group = cmp.Or(o.Group, "tile")
	if slices.ContainsFunc(o.Ins, func(a ir.Arg) bool { return a.Role == ir.Scratch }) {
		o.Rules = append(slices.Clip(o.Rules), scratchType)
	}
	d := o.def()
	ins, outs := slices.Clone(o.Ins), slices.Clone(o.Outs)
	results := slices.Clone(o.Outs)
	for i := range outs {
		if outs[i].Role == ir.InOut {
			ins = append(ins, outs[i])
			results[i].Type = ir.SameAs(outs[i].Name)
		} else {
			outs[i].Role = ir.Out
		}
		results[i].Role = ir.Out
	}
	ssa := &ir.Form{Level: ir.SSA, Operands: ins, Results: results, Syntax: o.SSA}
	dps := &ir.Form{Level: ir.DPS, Lead: "ins", Operands: slices.Concat(o.Ins, outs), Syntax: o.DPS}
	if ssa.Syntax == nil {
		ssa.Syntax = ir.SSASyntax()
	}
	if dps.Syntax == nil {
		dps.Syntax = ir.DPSSyntax()
	}
	if o.Tensor {
		dps.Results = Args{Opt("result", ir.TypeIf("a tensor", func(t ir.Type) bool { return ir.Is[ir.TensorType](t) }))}
	}
	if o.Order != nil {
		dps.Operands = inOrder(dps.Operands, o.Order)
	}
	if len(o.Ins) == 0 {
		dps.Lead = "outs"
	}
	d.Forms = []*ir.Form{ssa, dps}
	verify := d.Verify
	d.Verify = func(op *ir.Op, v *ir.Verifier) {
		verify(op, v)
		verifyStorage(op, v)
	}
	return d
}

// Always is the argument of ir.DPSInside for an instruction whose attributes are always
// written in ins(...).
func Always(*ir.Op) bool { return true }

// inOrder returns the operand declarations args in another order. names are their names
// in this order.
func inOrder(args Args, names []string) Args {
	var sorted Args
	for _, name := range names {
		i := slices.IndexFunc(args, func(a ir.Arg) bool { return a.Name == name })
		sorted = append(sorted, args[i])
	}
	return sorted
}

// Define declares the instruction pto.NAME, where NAME is the parameter name. It calls f
// to build the definition when the instruction is first used, because building all
// definitions takes longer than running a small program.
func Define(name string, f func(name string) *ir.Def) *ir.Def { return Dialect.Later(name, f) }

// In declares an input operand with the given name and type constraint. Definitions also
// use it for results that are not destination operands.
func In(name string, c ir.Constraint) ir.Arg { return ir.Arg{Name: name, Type: c} }

// Out declares a destination operand with the given name and type constraint. An
// instruction writes a destination without reading it first.
func Out(name string, c ir.Constraint) ir.Arg {
	return ir.Arg{Name: name, Type: c, Role: ir.Out}
}

// Opt declares an input operand with the given name that a program may omit.
func Opt(name string, c ir.Constraint) ir.Arg {
	return ir.Arg{Name: name, Type: c, Arity: ir.Optional}
}

// Many declares a list of input operands with the given name; it may have any length.
func Many(name string, c ir.Constraint) ir.Arg {
	return ir.Arg{Name: name, Type: c, Arity: ir.Variadic}
}

// VectorOp returns the definition of a vector instruction, with the syntax a, b, mask :
// types -> types. The hardware of A5 executes such instructions; on other targets, scalar
// loops emulate them.
func VectorOp(o Op) *ir.Def {
	o.Group = cmp.Or(o.Group, "vector")
	o.Pipe = sem.PipeV
	return PlainOp(o)
}

// PlainOp returns the definition of an instruction with a single list of operands.
// [TileOp] is for instructions whose syntax differs between Level 1, Level 2 and PTO-AS.
func PlainOp(o Op) *ir.Def {
	d := o.def()
	syntax := o.Syntax
	if syntax == nil {
		syntax = ir.ListSyntax()
	}
	d.Forms = []*ir.Form{{Operands: o.Ins, Results: o.Outs, Syntax: syntax}}
	return d
}

// Counts declares an operand of type i64 for each name.
func Counts(names ...string) Args {
	args := make(Args, len(names))
	for i, n := range names {
		args[i] = In(n, Count)
	}
	return args
}
