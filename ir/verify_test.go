package ir_test

import (
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

func TestVerify(t *testing.T) {
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, text, at, want string }{
		{"use before definition", "func.func @f() {\n  \"my.use\"(%a) : (i32) -> ()\n  %a = \"my.def\"() : () -> i32\n  return\n}", "2:3", "operand #0 does not dominate this use"},
		{"where it is defined", "func.func @f() {\n  \"my.use\"(%a) : (i32) -> ()\n  %a = \"my.def\"() : () -> i32\n  return\n}", "2:3", "note: operand defined here"},
		{"use in its own definition", "func.func @f() {\n  %a = \"my.use\"(%a) : (i32) -> i32\n  return\n}", "2:8", "operand #0 does not dominate this use"},
		{"value of one branch", "func.func @f(%c: i1) {\n  cf.cond_br %c, ^a, ^b\n^a:\n  %x = \"my.def\"() : () -> i32\n  cf.br ^b\n^b:\n  \"my.use\"(%x) : (i32) -> ()\n  return\n}", "7:3", "operand #0 does not dominate this use"},
		{"value of a later turn", "func.func @f(%c: i1) {\n  cf.br ^a\n^a:\n  \"my.use\"(%x) : (i32) -> ()\n  cf.br ^b\n^b:\n  %x = \"my.def\"() : () -> i32\n  cf.cond_br %c, ^a, ^c\n^c:\n  return\n}", "4:3", "operand #0 does not dominate this use"},
		{"argument of a sibling block", "func.func @f(%c: i1, %v: i32) {\n  cf.cond_br %c, ^a(%v : i32), ^b\n^a(%x: i32):\n  return\n^b:\n  \"my.use\"(%x) : (i32) -> ()\n  return\n}", "6:3", "operand #0 does not dominate this use"},
		{"value of the operation around", "func.func @f() {\n  %a = scf.execute_region -> i32 {\n    \"my.use\"(%a) : (i32) -> ()\n    %b = \"my.def\"() : () -> i32\n    scf.yield %b : i32\n  }\n  return\n}", "3:5", "operand #0 does not dominate this use"},
		{"result and operand types", "func.func @f(%a: i32) {\n  %b = \"arith.extsi\"(%a) : (i32) -> f32\n  return\n}", "2:8", "'arith.extsi' op: result \"out\" must be a signless integer"},
		{"attribute type", "func.func @f(%c: i1) {\n  \"cf.assert\"(%c) <{msg = 5 : i32}> : (i1) -> ()\n  return\n}", "2:3", "attribute \"msg\" must be a string, but is 5 : i32"},
		{"attribute missing", "func.func @f(%c: i1) {\n  \"cf.assert\"(%c) : (i1) -> ()\n  return\n}", "2:3", "requires the attribute \"msg\": a string"},
		{"terminator in the middle", "func.func @f() {\n  return\n  \"my.op\"() : () -> ()\n}", "2:3", "'func.return' op must be the last operation of its block"},
		{"no terminator", "func.func @f(%c: i1) {\n  cf.assert %c, \"x\"\n}", "1:1", "contains a block that does not end in a terminator"},
		{"successors in the middle", "func.func @f() {\n  \"my.br\"()[^a] : () -> ()\n  \"my.op\"() : () -> ()\n  return\n^a:\n  return\n}", "2:3", "has successors, so it must be the last operation of its block"},
		{"symbol twice", "func.func private @f()\nfunc.func private @f()", "2:1", "redefines symbol '@f'"},
		{"symbol twice in a nested module", "module {\n  func.func private @f()\n  func.func private @f()\n}", "3:3", "redefines symbol '@f'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rejected.Add(t, c.text, c.want)
			var diags ir.Diags
			m, _ := ir.Parse(&ir.Source{Name: "in", Text: c.text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
			if m == nil {
				t.Fatal("the text should be read")
			}
			ir.Verify(m, ir.VerifyOptions{}, &diags)
			if got := diags.All()[0].Format(); !strings.HasPrefix(got, "in:"+c.at+": error: ") {
				t.Errorf("got\n%swant it at %s", got, c.at)
			}
		})
	}
}

// TestVerifyAll checks that the verifier continues after an error, and that the
// diagnostics have the same order on one goroutine and on several.
func TestVerifyAll(t *testing.T) {
	var text strings.Builder
	const n = 50
	for i := range n {
		text.WriteString("func.func @f" + string(rune('A'+i%26)) + string(rune('a'+i/26)) + "(%a: i32) -> f32 {\n  return %a : i32\n}\n")
	}
	for _, sequential := range []bool{false, true} {
		var diags ir.Diags
		m, _ := ir.Parse(&ir.Source{Name: "in", Text: text.String()}, ir.ParseOptions{}, &diags)
		ir.Verify(m, ir.VerifyOptions{Sequential: sequential}, &diags)
		all := diags.All()
		if len(all) != n {
			t.Fatalf("got %d errors, want %d", len(all), n)
		}
		for i, d := range all {
			src, off := d.Loc.Source()
			if line, _ := src.Position(off); line != 3*i+2 {
				t.Errorf("error %d is in line %d, want %d", i, line, 3*i+2)
			}
		}
	}
}

// TestUnreachable checks that unreachable blocks may use any value, as in MLIR.
func TestUnreachable(t *testing.T) {
	mlirtest.RoundTrip(t, "unreachable", `func.func @f() {
  return
^dead:
  "my.use"(%x) : (i32) -> ()
  cf.br ^other
^other:
  %x = "my.def"() : () -> i32
  cf.br ^dead
}`)
}
