// Package builtin defines the operations that do not belong to any other dialect:
// the module, which contains a file, and the cast that connects values of different
// types between two passes.
package builtin

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Module contains the operations of a file and is their symbol table. A module may
// be nested in another one.
var Module = &ir.Def{
	Name:    "builtin.module",
	Summary: "Holds the operations of a file and names them as symbols.",
	Page:    "https://mlir.llvm.org/docs/Dialects/Builtin/#builtinmodule-moduleop",
	Attrs: []ir.AttrDef{
		{Name: "sym_name", Type: ir.AnyString, Optional: true, Doc: "name of a nested module"},
		{Name: "sym_visibility", Type: ir.AnyString, Optional: true},
	},
	Regions: []ir.RegionDef{{Name: "body", SingleBlock: true}},
	Traits:  ir.IsolatedFromAbove | ir.SymbolTable | ir.IsSymbol | ir.NoTerminator | ir.GraphRegion,
	Forms:   []*ir.Form{{Syntax: ir.Hook{ParseFn: parseModule, PrintFn: printModule}}},
	// A function is compiled with everything in it, so it cannot hold other programs.
	Verify: func(op *ir.Op, v *ir.Verifier) {
		if in := op.Parent(); in != nil && !in.HasTrait(ir.SymbolTable) {
			v.Errorf(op, "must be in another builtin.module or on its own, but is in '%s'", in.Name())
		}
	},
}

// Cast is a placeholder for a conversion between types. A pass that changes types
// inserts it, and a later pass removes it.
var Cast = &ir.Def{
	Name:    "builtin.unrealized_conversion_cast",
	Summary: "Reinterprets values as others until a pass finds the real conversion.",
	Page:    "https://mlir.llvm.org/docs/Dialects/Builtin/#builtinunrealized_conversion_cast-unrealizedconversioncastop",
	Traits:  ir.Pure,
	Sem:     scalar.Reinterpret{},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "inputs", Type: ir.Any, Arity: ir.Variadic}},
		Results:  []ir.Arg{{Name: "outputs", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Hook{ParseFn: parseCast, PrintFn: printCast},
	}},
	Verify: func(op *ir.Op, v *ir.Verifier) {
		if op.NumResults() == 0 {
			v.Errorf(op, "must have at least one result")
		}
	},
}

func init() {
	ir.ModuleDef = Module
	Cast.Fold = foldCast // set here, because foldCast refers to Cast
	ir.Register(&ir.Dialect{
		Name: "builtin",
		Doc:  "Operations that every program has.",
		Defs: []*ir.Def{Module, Cast},
	})
}

// parseModule reads [@name] [attributes {...}] { ... }. The braces may be empty.
func parseModule(p *ir.Parser, st *ir.OpParse) {
	if p.AtSymbol() {
		st.Attr("sym_name", ir.Str(p.SymbolName()))
	}
	if p.Accept("attributes") {
		st.AttrDict(p)
	}
	r := p.Region(nil, true)
	if !p.Failed() && r.Empty() {
		r.Append(ir.NewBlock())
	}
	st.AddRegion(r)
}

// printModule prints a module. It prints the optional name of the module as a symbol, and
// therefore omits it from the attribute dictionary.
func printModule(w *ir.Printer, op *ir.Op) {
	if name, ok := op.Attr("sym_name").AsString(); ok {
		w.Symbol(name)
	}
	w.AttrDictWithKeyword(op, "sym_name")
	w.Region(op, 0, false)
}

// parseCast reads [%a, ... : T, ...] to U, ... {attributes}.
func parseCast(p *ir.Parser, st *ir.OpParse) {
	var operands []ir.Operand
	operands = p.Operands(operands)
	st.Operand("inputs", operands...)
	if len(operands) > 0 {
		p.Expect(":")
		st.OperandType("inputs", p.Types()...)
	}
	p.Expect("to")
	st.ResultType("outputs", p.Types()...)
	st.AttrDict(p)
}

// printCast writes the operands and results of an unrealized conversion, in the syntax
// that parseCast reads. The number of operands and the number of results are arbitrary,
// because a conversion may split one value or join several.
func printCast(w *ir.Printer, op *ir.Op) {
	if op.NumOperands() > 0 {
		w.Values(op.Operands()...)
		w.Token(":")
		for i, v := range op.Operands() {
			if i > 0 {
				w.Token(",")
			}
			w.Type(v.Type())
		}
	}
	for i, v := range op.Results() {
		if i == 0 {
			w.Token("to")
		} else {
			w.Token(",")
		}
		w.Type(v.Type())
	}
	w.AttrDict(op)
}

// foldCast folds two kinds of casts. A cast to the type of its operand becomes the
// operand. If a cast undoes an earlier cast, it becomes the operand of the earlier one.
func foldCast(op *ir.Op, _ []ir.Attr) []ir.FoldResult {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		return nil
	}
	in := op.Operand(0)
	if in.Type() == op.Result(0).Type() {
		return []ir.FoldResult{{Value: in}}
	}
	def := in.Op()
	if def != nil && def.Is(Cast) && def.NumOperands() == 1 && def.Operand(0).Type() == op.Result(0).Type() {
		return []ir.FoldResult{{Value: def.Operand(0)}}
	}
	return nil
}
