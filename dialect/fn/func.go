// Package fn is MLIR's func dialect: functions, calls and returns. The package is
// not called func, because that is a keyword of Go. func.go has the definitions,
// syntax.go their text, and link.go finds functions in other modules.
package fn

import (
	"slices"

	"ptogo/ir"
)

const page = "https://mlir.llvm.org/docs/Dialects/Func/"

// Func is func.func, a function: a symbol with a type and, unless it is a declaration,
// a body.
var Func = &ir.Def{
	Name:    "func.func",
	Summary: "Defines or declares a function.",
	Page:    page,
	Attrs: []ir.AttrDef{
		{Name: "sym_name", Type: ir.AnyString},
		{Name: "function_type", Type: ir.AnyFuncType},
		{Name: "sym_visibility", Type: ir.StrIn("public", "private", "nested"), Optional: true},
		{Name: "arg_attrs", Type: ir.ArrayOf(ir.AnyDict), Optional: true},
		{Name: "res_attrs", Type: ir.ArrayOf(ir.AnyDict), Optional: true},
	},
	Regions: []ir.RegionDef{{Name: "body"}},
	Traits:  ir.IsolatedFromAbove | ir.IsSymbol,
	Forms:   []*ir.Form{{Syntax: ir.Hook{ParseFn: parseFunc, PrintFn: printFunc}}},
	Verify:  verifyFunc,
}

// Return is func.return, which ends a function and returns its results.
var Return = &ir.Def{
	Name:    "func.return",
	Summary: "Ends a function and returns its results.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "operands", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Asm("attr-dict ($operands^ `:` type($operands))?"),
	}},
	Verify: verifyReturn,
}

// Call is func.call, which calls a function by its symbol.
var Call = &ir.Def{
	Name:    "func.call",
	Summary: "Calls a function by its name.",
	Page:    page,
	Attrs: []ir.AttrDef{
		{Name: "callee", Type: ir.AnySymbol},
	},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "operands", Type: ir.Any, Arity: ir.Variadic}},
		Results:  []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Asm("$callee `` `(` $operands `)` attr-dict functional-type"),
	}},
	Verify: verifyCall,
}

// CallIndirect is func.call_indirect, which calls a function that is a value.
var CallIndirect = &ir.Def{
	Name:    "func.call_indirect",
	Summary: "Calls a function value.",
	Page:    page,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "callee", Type: ir.AnyFunction},
			{Name: "operands", Type: ir.Any, Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:  ir.Hook{ParseFn: parseCallIndirect, PrintFn: printCallIndirect},
	}},
	Verify: verifyCallIndirect,
}

// Constant is func.constant, which returns a function of the module as a value.
var Constant = &ir.Def{
	Name:    "func.constant",
	Summary: "Gives a function as a value.",
	Page:    page,
	Traits:  ir.Pure,
	Attrs:   []ir.AttrDef{{Name: "value", Type: ir.AnySymbol}},
	Forms: []*ir.Form{{
		Results: []ir.Arg{{Name: "result", Type: ir.AnyFunction}},
		Syntax:  ir.Asm("attr-dict $value `:` type($result)"),
	}},
	Verify: verifyConstant,
}

func init() {
	ir.Register(&ir.Dialect{
		Name: "func",
		Doc:  "Functions, calls and returns.",
		Defs: []*ir.Def{Func, Return, Call, CallIndirect, Constant},
	})
}

// TypeOf returns the parameter and result types of a function.
func TypeOf(f *ir.Op) (ins, outs []ir.Type) {
	a, _ := ir.AttrAs[ir.TypeAttr](f.Attr("function_type"))
	t, _ := ir.As[ir.FunctionType](a.Type)
	return t.Ins.Slice(), t.Outs.Slice()
}

// SetType changes the type of the function f. The argument ins contains the types of the
// parameters, and outs contains the types of the results. The caller must change the body
// of f and the calls of f, so that they match the new type.
func SetType(f *ir.Op, ins, outs []ir.Type) {
	f.SetAttr("function_type", ir.TypeAsAttr(ir.Func(ins, outs)))
}

// RemoveParam removes parameter i of a function. The parameter must have no uses in the
// body. The caller of RemoveParam must change all calls of the function accordingly.
func RemoveParam(f *ir.Op, i int) {
	ins, outs := TypeOf(f)
	SetType(f, slices.Delete(slices.Clone(ins), i, i+1), outs)
	if attrs := dicts(f, "arg_attrs"); len(attrs) > 0 {
		f.SetAttr("arg_attrs", ir.Array(slices.Delete(slices.Clone(attrs), i, i+1)...))
	}
	Body(f).RemoveArg(i)
}

// AddParam adds a parameter to the function f, after the existing ones, and returns the
// new parameter. The arguments name and t are the name and the type of the new parameter.
// The caller must then pass one more operand in each call of f.
func AddParam(f *ir.Op, name string, t ir.Type) *ir.Value {
	ins, outs := TypeOf(f)
	SetType(f, append(slices.Clone(ins), t), outs)
	if attrs := dicts(f, "arg_attrs"); len(attrs) > 0 {
		f.SetAttr("arg_attrs", ir.Array(append(slices.Clone(attrs), ir.Dict())...))
	}
	v := Body(f).AddArg(t)
	v.SetName(name)
	return v
}

// SetParamType changes the type of parameter i. The caller must change its uses and
// the callers accordingly.
func SetParamType(f *ir.Op, i int, t ir.Type) {
	ins, outs := TypeOf(f)
	ins = slices.Clone(ins)
	ins[i] = t
	SetType(f, ins, outs)
	Body(f).Arg(i).SetType(t)
}

// Name returns the symbol name of a function.
func Name(f *ir.Op) string {
	s, _ := f.Attr("sym_name").AsString()
	return s
}

// Body returns the entry block of a function, or nil for a declaration.
func Body(f *ir.Op) *ir.Block { return f.Region(0).Entry() }

// Functions returns the functions of a module and of its nested modules, in the
// order of the text.
func Functions(module *ir.Op) []*ir.Op {
	var fs []*ir.Op
	for op := range module.Walk() {
		if op.Is(Func) {
			fs = append(fs, op)
		}
	}
	return fs
}

// verifyFunc checks a function operation. Its entry block must have arguments of the
// parameter types, and a function without a body must not be public. No result may have a
// type whose values are valid only inside the function that creates them.
func verifyFunc(op *ir.Op, v *ir.Verifier) {
	if in := op.Parent(); in != nil && !in.HasTrait(ir.SymbolTable) {
		v.Errorf(op, "must be in a builtin.module, but is in '%s'", in.Name())
	}
	ins, outs := TypeOf(op)
	for _, t := range outs {
		if m := ir.MakerOf(t); m != "" {
			v.Errorf(op, "returns a value of type %s, which is only valid inside the function in which '%s' created it", t, m)
		}
	}
	verifyDicts(op, v, "arg_attrs", "parameter", len(ins))
	verifyDicts(op, v, "res_attrs", "result", len(outs))
	entry := Body(op)
	if entry == nil {
		if vis, _ := op.Attr("sym_visibility").AsString(); vis == "" || vis == "public" {
			v.Errorf(op, "has no body, so its visibility must be private or nested")
		}
		return
	}
	if len(entry.Args()) != len(ins) {
		v.Errorf(op, "has %s, but its entry block has %s; both numbers must be equal", ir.Count(len(ins), "parameter"), ir.Count(len(entry.Args()), "argument"))
		return
	}
	for i, a := range entry.Args() {
		if a.Type() != ins[i] {
			v.Errorf(op, "parameter %d has type %s, but its block argument has type %s", i, ins[i], a.Type())
		}
	}
}

// verifyDicts checks the attribute attr of op. If the attribute is present, it must be an
// array with one dictionary for each of the n parameters or results of a function. The
// parameter what is "parameter" or "result", for messages.
func verifyDicts(op *ir.Op, v *ir.Verifier, attr, what string, n int) {
	if k := len(dicts(op, attr)); k != n && op.HasAttr(attr) {
		v.Errorf(op, "attribute \"%s\" has dictionaries for %s, but the function has %s", attr, ir.Count(k, what), ir.Count(n, what))
	}
}

// verifyReturn checks the operands against the result types of the enclosing
// function.
func verifyReturn(op *ir.Op, v *ir.Verifier) {
	f := op.Parent()
	if f == nil || !f.Is(Func) {
		v.Errorf(op, "must be inside a func.func")
		return
	}
	_, outs := TypeOf(f)
	if len(outs) != op.NumOperands() {
		v.Errorf(op, "has %s, but function @%s returns %s", ir.Count(op.NumOperands(), "operand"), Name(f), ir.Count(len(outs), "value"))
		return
	}
	for i, t := range outs {
		if op.Operand(i).Type() != t {
			v.Errorf(op, "operand %d has type %s, but function @%s returns %s", i, op.Operand(i).Type(), Name(f), t)
		}
	}
}

// verifyConstant checks that the symbol is a function whose type is the result
// type.
func verifyConstant(op *ir.Op, v *ir.Verifier) {
	f := ir.LookupSymbol(op, op.Attr("value"))
	if f == nil || !f.Is(Func) {
		v.Errorf(op, "refers to %s, which is not a function of this module", op.Attr("value")).SuggestSymbol(op, op.Attr("value"))
		return
	}
	if t := ir.Func(TypeOf(f)); t != op.Result(0).Type() {
		v.Errorf(op, "returns type %s, but function @%s has type %s", op.Result(0).Type(), Name(f), t).Note(f.Loc(), "the function is defined here")
	}
}

// verifyCall checks operands and results against the type of the callee. The callee
// must be in the module, if only as a declaration.
func verifyCall(op *ir.Op, v *ir.Verifier) {
	f := ir.LookupSymbol(op, op.Attr("callee"))
	if f == nil || !f.Is(Func) {
		v.Errorf(op, "calls %s, which is not a function of this module", op.Attr("callee")).SuggestSymbol(op, op.Attr("callee"))
		return
	}
	ins, outs := TypeOf(f)
	if len(ins) != op.NumOperands() || len(outs) != op.NumResults() {
		v.Errorf(op, "passes %s and receives %s, but function @%s has %s and %s",
			ir.Count(op.NumOperands(), "operand"), ir.Count(op.NumResults(), "result"), Name(f), ir.Count(len(ins), "parameter"), ir.Count(len(outs), "result")).Note(f.Loc(), "the function is defined here")
		return
	}
	for i, t := range ins {
		if op.Operand(i).Type() != t {
			v.Errorf(op, "operand %d has type %s, but @%s accepts %s", i, op.Operand(i).Type(), Name(f), t)
		}
	}
	for i, t := range outs {
		if op.Result(i).Type() != t {
			v.Errorf(op, "result %d has type %s, but @%s returns %s", i, op.Result(i).Type(), Name(f), t)
		}
	}
}

// verifyCallIndirect checks the operands and results of an indirect call against the
// function type of operand 0. The called function itself is known only at run time.
func verifyCallIndirect(op *ir.Op, v *ir.Verifier) {
	f, _ := ir.As[ir.FunctionType](op.Operand(0).Type())
	got := ir.FunctionType{Ins: ir.MakeList(ir.TypesOf(op.Operands()[1:])...), Outs: ir.MakeList(ir.TypesOf(op.Results())...)}
	if got != f {
		v.Errorf(op, "calls a function of type %s, but its operands and results need a function of type %s", op.Operand(0).Type(), ir.TypeOf(got))
	}
}
