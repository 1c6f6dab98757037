package dialect_test

import (
	"strings"
	"testing"

	"ptogo/dialect/builtin"
	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

func TestBuiltinRejects(t *testing.T) {
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, text, want string }{
		{"cast to nothing", "func.func @f(%a: i32) {\n\"builtin.unrealized_conversion_cast\"(%a) : (i32) -> ()\nreturn\n}", "must have at least one result"},
		{"cast without to", "func.func @f(%a: i32) {\nbuiltin.unrealized_conversion_cast %a : i32\nreturn\n}", "expected 'to'"},
		{"symbol twice", "func.func private @f()\nfunc.func private @f()", "redefines symbol '@f'"},
		{"module and function of one name", "module @f {\n}\nfunc.func private @f()", "redefines symbol '@f'"},
		{"blocks of a module", "\"builtin.module\"() ({\n^a:\n^b:\n}) : () -> ()", "must have one block"},
		{"value from outside", "%a = \"my.def\"() : () -> i32\nmodule {\n\"my.use\"(%a) : (i32) -> ()\n}", "undeclared SSA value name '%a'"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, c.text, c.want) })
	}
}

// A file with several operations, or none, is a module as well.
func TestBuiltinModuleAround(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "module {\n}\n"},
		{"// a comment", "module {\n}\n"},
		{"module @m {\n}", "module @m {\n}\n"},
		{"module @a {\n}\nmodule @b {\n}", "module {\n  module @a {\n  }\n  module @b {\n  }\n}\n"},
		{"func.func private @f()", "module {\n  func.func private @f()\n}\n"},
	} {
		if got := mlirtest.Print(mlirtest.Parse(t, "in", c.text), false); got != c.want {
			t.Errorf("%q is\n%swant\n%s", c.text, got, c.want)
		}
	}
}

func TestBuiltinFoldCast(t *testing.T) {
	m := mlirtest.Parse(t, "in", `func.func @f(%a: i32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %a : i32 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i64
  %2 = builtin.unrealized_conversion_cast %0 : index to i32
  %3 = builtin.unrealized_conversion_cast %a : i32 to i32
  return %2 : i32
}`)
	var got []string
	for op := range m.Walk() {
		if op.Is(builtin.Cast) {
			name := "-"
			if r := op.Def().Fold(op, make([]ir.Attr, 1)); r != nil {
				name = r[0].Value.Name()
			}
			got = append(got, name)
		}
	}
	if s := strings.Join(got, " "); s != "- - a a" {
		t.Errorf("the casts fold to %s", s)
	}
}
