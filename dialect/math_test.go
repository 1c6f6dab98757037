package dialect_test

import (
	"testing"

	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

func TestMathRejects(t *testing.T) {
	const head = "func.func @f(%x: f32, %a: i32, %d: f64) {\n"
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, body, want string }{
		{"integer", "%r = math.exp %a : i32", `operand "operand" must be a floating-point number`},
		{"float", "%r = math.ctpop %x : f32", `operand "operand" must be a signless integer or index`},
		{"two types", "%r = math.powf %x, %d : f32", "use of value '%d' expects different type than prior uses: 'f32' vs 'f64'"},
		{"float exponent", "%r = math.fpowi %x, %x : f32, f32", `operand "rhs" must be a signless integer or index`},
		{"flags of an integer", "%r = math.absi %a fastmath<fast> : i32", "expected ':', found 'fastmath'"},
		{"unknown", "%r = math.sinn %x : f32", "unknown operation 'math.sinn'"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, head+c.body+"\nreturn\n}", c.want) })
	}
}

func TestMathFold(t *testing.T) {
	for _, c := range []struct{ name, stmt, want string }{
		{"square root", "%0 = arith.constant 2.25 : f32\n%r = math.sqrt %0 : f32", "1.500000e+00 : f32"},
		{"absolute value wraps", "%0 = arith.constant -128 : i8\n%r = math.absi %0 : i8", "-128 : i8"},
		{"leading zeros", "%0 = arith.constant 1 : i16\n%r = math.ctlz %0 : i16", "15 : i16"},
		{"fused", "%0 = arith.constant 3.0 : f16\n%r = math.fma %0, %0, %0 : f16", "1.200000e+01 : f16"},
		{"ties to even", "%0 = arith.constant 2.5 : f32\n%r = math.roundeven %0 : f32", "2.000000e+00 : f32"},
		{"ties away", "%0 = arith.constant 2.5 : f32\n%r = math.round %0 : f32", "3.000000e+00 : f32"},
		{"elements", "%0 = arith.constant dense<[1.0, -4.0]> : vector<2xf32>\n%r = math.absf %0 : vector<2xf32>", "dense<[1.000000e+00, 4.000000e+00]> : vector<2xf32>"},
		{"no meaning", "%0 = arith.constant 1.0 : f32\n%r = math.tan %0 : f32", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var last *ir.Op
			for op := range mlirtest.Parse(t, "fold", "func.func @f() {\n"+c.stmt+"\nreturn\n}").Walk() {
				if op.Def().Dialect().Name == "math" {
					last = op
				}
			}
			got := ""
			if r := arith.Fold(last); r != nil {
				got = r[0].Const.String()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
