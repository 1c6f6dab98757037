package dialect_test

import (
	"slices"
	"testing"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

func TestFuncRejects(t *testing.T) {
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, text, want string }{
		{"too few returned", "func.func @f() -> i32 {\nreturn\n}", "has 0 operands, but function @f returns 1 value"},
		{"other type returned", "func.func @f(%a: i32) -> f32 {\nreturn %a : i32\n}", "operand 0 has type i32, but function @f returns f32"},
		{"no terminator", "func.func @f() {\n%0 = arith.constant 1 : i32\n}", "does not end in a terminator"},
		{"empty body", "func.func @f() {\n}", "a function body must have a block that ends in a terminator"},
		{"return elsewhere", "func.func @f(%c: i1) {\n\"scf.if\"(%c) ({\nreturn\n}, {\n}) : (i1) -> ()\nreturn\n}", "'func.return' op must be inside a func.func"},
		{"unknown callee", "func.func @f() {\ncall @g() : () -> ()\nreturn\n}", "calls @g, which is not a function of this module"},
		{"callee is no function", "module @g {\n}\nfunc.func @f() {\ncall @g() : () -> ()\nreturn\n}", "calls @g, which is not a function of this module"},
		{"too few passed", "func.func private @g(i32)\nfunc.func @f() {\ncall @g() : () -> ()\nreturn\n}", "passes 0 operands and receives 0 results, but function @g has 1 parameter and 0 results"},
		{"other type passed", "func.func private @g(i32)\nfunc.func @f(%a: i64) {\ncall @g(%a) : (i64) -> ()\nreturn\n}", "operand 0 has type i64, but @g accepts i32"},
		{"other type taken", "func.func private @g() -> i32\nfunc.func @f() {\n%0 = call @g() : () -> i64\nreturn\n}", "result 0 has type i64, but @g returns i32"},
		{"types of call", "func.func private @g(i32)\nfunc.func @f(%a: i32) {\ncall @g(%a) : () -> ()\nreturn\n}", "has 1 operand here, but 0 types"},
		{"type of callee", "func.func @f(%a: i32) {\ncall_indirect %a() : i32\nreturn\n}", "expected a function type"},
		{"operands of call_indirect", "func.func @f(%a: (i32) -> ()) {\ncall_indirect %a() : (i32) -> ()\nreturn\n}", "passes 0 operands, but calls a function of type (i32) -> ()"},
		{"call_indirect in generic form", "func.func @f(%a: (i32) -> ()) {\n\"func.call_indirect\"(%a) : ((i32) -> ()) -> ()\nreturn\n}", "calls a function of type (i32) -> (), but its operands and results need a function of type () -> ()"},
		{"unknown constant", "func.func @f() {\n%0 = constant @g : () -> ()\nreturn\n}", "refers to @g, which is not a function of this module"},
		{"type of constant", "func.func private @g(i32)\nfunc.func @f() {\n%0 = constant @g : () -> ()\nreturn\n}", "returns type () -> (), but function @g has type (i32) -> ()"},
		{"parameters and block", "\"func.func\"() <{sym_name = \"f\", function_type = (i32) -> ()}> ({\nreturn\n}) : () -> ()", "has 1 parameter, but its entry block has 0 arguments; both numbers must be equal"},
		{"types of parameters and block", "\"func.func\"() <{sym_name = \"f\", function_type = (i32) -> ()}> ({\n^a(%a: i64):\nreturn\n}) : () -> ()", "parameter 0 has type i32, but its block argument has type i64"},
		{"function type", "\"func.func\"() <{sym_name = \"f\", function_type = i32}> ({\n}) : () -> ()", "attribute \"function_type\" must be a function type"},
		{"no name", "\"func.func\"() <{function_type = () -> ()}> ({\n}) : () -> ()", "requires the attribute \"sym_name\""},
		{"attributes of parameters", "\"func.func\"() <{sym_name = \"f\", function_type = (i32) -> (), arg_attrs = [{}, {}]}> ({\n}) : () -> ()", "attribute \"arg_attrs\" has dictionaries for 2 parameters, but the function has 1 parameter"},
		{"declaration must be private", "func.func @f()", "has no body, so its visibility must be private or nested"},
		{"visibility", "\"func.func\"() <{sym_name = \"f\", function_type = () -> (), sym_visibility = \"hidden\"}> ({\n}) : () -> ()", "attribute \"sym_visibility\" must be one of \"public\", \"private\", \"nested\""},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, c.text, c.want) })
	}
}

func TestFuncAccessors(t *testing.T) {
	m := mlirtest.Parse(t, "in", "module @m {\nfunc.func @f(%a: i32) -> (f32, i8) {\n\"my.end\"() : () -> ()\n}\n}\nfunc.func private @g()")
	fs := fn.Functions(m)
	if len(fs) != 2 || fn.Name(fs[0]) != "f" || fn.Name(fs[1]) != "g" {
		t.Fatalf("functions are %v", fs)
	}
	ins, outs := fn.TypeOf(fs[0])
	if !slices.Equal(ins, []ir.Type{ir.I32}) || !slices.Equal(outs, []ir.Type{ir.F32, ir.I8}) {
		t.Errorf("types are %v and %v", ins, outs)
	}
	if fn.Body(fs[0]) == nil || fn.Body(fs[1]) != nil {
		t.Error("@f has a body and @g has none")
	}
	fn.SetType(fs[1], outs, ins)
	if got := fs[1].String(); got != "func.func private @g(f32, i8) -> i32" {
		t.Errorf("after SetType: %s", got)
	}
}
