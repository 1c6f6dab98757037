package dialect_test

import (
	"strings"
	"testing"

	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

// foldLast parses statements and folds the last one. The answer is an
// attribute, %name for a value, or "" where there is nothing to fold; several
// results are separated by a semicolon.
func foldLast(t *testing.T, body string) string {
	t.Helper()
	const head = "func.func @f(%x: i32, %y: i32, %b: i8, %l: i64, %i: index, %c: i1, %f: f32, %g: f32, %h: f16, %v: vector<2xi32>) {\n"
	m := mlirtest.Parse(t, "fold", head+body+"\nreturn\n}")
	var last *ir.Op
	for op := range m.Walk() {
		if strings.HasPrefix(op.Name(), "arith.") {
			last = op
		}
	}
	var out []string
	for _, r := range arith.Fold(last) {
		switch {
		case r.Value != nil:
			out = append(out, "%"+r.Value.Name())
		case !r.Const.IsZero():
			out = append(out, r.Const.String())
		}
	}
	return strings.Join(out, "; ")
}

// two is a statement on two constants of one type.
func two(op, a, b, typ string) string {
	return "%0 = arith.constant " + a + " : " + typ + "\n%1 = arith.constant " + b + " : " + typ + "\n%2 = arith." + op + " %0, %1 : " + typ
}

// pair is two for operations with two results.
func pair(op, a, b, typ string) string {
	return strings.Replace(two(op, a, b, typ), "%2 =", "%2:2 =", 1)
}

func TestArithFoldConstants(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"sum wraps", two("addi", "100", "100", "i8"), "-56 : i8"},
		{"sum of index", two("addi", "3", "4", "index"), "7 : index"},
		{"sum of bits", "%0 = arith.constant true\n%1 = arith.addi %0, %0 : i1", "false"},
		{"difference", two("subi", "3", "5", "i32"), "-2 : i32"},
		{"product wraps", two("muli", "65536", "65536", "i32"), "0 : i32"},
		{"quotient truncates", two("divsi", "-7", "2", "i32"), "-3 : i32"},
		{"quotient of zero divisor stays", two("divsi", "7", "0", "i32"), ""},
		{"unsigned quotient", two("divui", "-1", "2", "i8"), "127 : i8"},
		{"quotient rounded up", two("ceildivsi", "-7", "2", "i32"), "-3 : i32"},
		{"quotient rounded down", two("floordivsi", "-7", "2", "i32"), "-4 : i32"},
		{"unsigned quotient rounded up", two("ceildivui", "7", "2", "i32"), "4 : i32"},
		{"remainder has the sign of the dividend", two("remsi", "-7", "2", "i32"), "-1 : i32"},
		{"unsigned remainder", two("remui", "-1", "7", "i8"), "3 : i8"},
		{"arithmetic shift", two("shrsi", "-8", "1", "i8"), "-4 : i8"},
		{"logical shift", two("shrui", "-8", "1", "i8"), "124 : i8"},
		{"signed maximum", two("maxsi", "-1", "1", "i8"), "1 : i8"},
		{"unsigned maximum", two("maxui", "-1", "1", "i8"), "-1 : i8"},
		{"float sum rounds", two("addf", "2048.0", "1.0", "f16"), "2.048000e+03 : f16"},
		{"float remainder", two("remf", "-7.5", "2.0", "f32"), "-1.500000e+00 : f32"},
		{"maximum keeps NaN", two("maximumf", "0x7FC00000", "1.0", "f32"), "0x7FC00000 : f32"},
		{"maxnum drops NaN", two("maxnumf", "0x7FC00000", "1.0", "f32"), "1.000000e+00 : f32"},
		{"vectors", two("addi", "dense<[1, 2]>", "dense<10>", "vector<2xi32>"), "dense<[11, 12]> : vector<2xi32>"},
		{"splats", two("muli", "dense<3>", "dense<4>", "tensor<8xi16>"), "dense<12> : tensor<8xi16>"},
		{"carry", pair("addui_extended", "-1", "1", "i32") + ", i1", "0 : i32; true"},
		{"no carry", pair("addui_extended", "1", "1", "i32") + ", i1", "2 : i32; false"},
		{"signed halves", pair("mulsi_extended", "-1", "2", "i8"), "-2 : i8; -1 : i8"},
		{"unsigned halves", pair("mului_extended", "-1", "2", "i8"), "-2 : i8; 1 : i8"},
		{"negation", "%0 = arith.constant 1.5 : f32\n%1 = arith.negf %0 : f32", "-1.500000e+00 : f32"},
		{"signed less", two("cmpi slt,", "-1", "1", "i8"), "true"},
		{"unsigned less", two("cmpi ult,", "-1", "1", "i8"), "false"},
		{"compare vectors", two("cmpi eq,", "dense<[1, 2]>", "dense<[1, 3]>", "vector<2xi8>"), "dense<[true, false]> : vector<2xi1>"},
		{"ordered", two("cmpf one,", "0x7FC00000", "1.0", "f32"), "false"},
		{"unordered", two("cmpf une,", "0x7FC00000", "1.0", "f32"), "true"},
		{"equal zeros", two("cmpf oeq,", "-0.0", "0.0", "f32"), "true"},
		{"no element format", two("addi", "1", "2", "i7"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := foldLast(t, c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestArithFoldCasts(t *testing.T) {
	from := func(value, typ, op, to string) string {
		return "%0 = arith.constant " + value + " : " + typ + "\n%1 = arith." + op + " %0 : " + typ + " to " + to
	}
	for _, c := range []struct{ name, body, want string }{
		{"sign", from("-1", "i8", "extsi", "i32"), "-1 : i32"},
		{"zeros", from("-1", "i8", "extui", "i32"), "255 : i32"},
		{"low bits", from("300", "i32", "trunci", "i8"), "44 : i8"},
		{"one bit", from("3", "i32", "trunci", "i1"), "true"},
		{"index", from("-1", "i32", "index_cast", "index"), "-1 : index"},
		{"unsigned index", from("-1", "i32", "index_castui", "index"), "4294967295 : index"},
		{"wider float", from("1.5", "f16", "extf", "f32"), "1.500000e+00 : f32"},
		{"tie to even", from("2049.0", "f32", "truncf", "f16"), "2.048000e+03 : f16"},
		{"rounding mode", "%0 = arith.constant 2049.0 : f32\n%1 = arith.truncf %0 upward : f32 to f16", "2.050000e+03 : f16"},
		{"signed to float", from("-1", "i8", "sitofp", "f32"), "-1.000000e+00 : f32"},
		{"unsigned to float", from("-1", "i8", "uitofp", "f32"), "2.550000e+02 : f32"},
		{"float to signed", from("-3.9", "f32", "fptosi", "i8"), "-3 : i8"},
		{"float to unsigned", from("200.5", "f32", "fptoui", "i8"), "-56 : i8"},
		{"too large stays", from("128.0", "f32", "fptosi", "i8"), ""},
		{"negative to unsigned stays", from("-1.0", "f32", "fptoui", "i8"), ""},
		{"fraction above minus one", from("-0.5", "f32", "fptoui", "i8"), "0 : i8"},
		{"NaN stays", from("0x7FC00000", "f32", "fptosi", "i8"), ""},
		{"bits", from("1.0", "f32", "bitcast", "i32"), "1065353216 : i32"},
		{"bits of an integer", from("-1", "i16", "bitcast", "bf16"), "0xFFFF : bf16"},
		{"elements", from("dense<[1.5, -2.5]>", "vector<2xf32>", "fptosi", "vector<2xi8>"), "dense<[1, -2]> : vector<2xi8>"},
		{"trunc of ext", "%0 = arith.extsi %b : i8 to i32\n%1 = arith.trunci %0 : i32 to i8", "%b"},
		{"trunc of ext to another width", "%0 = arith.extsi %b : i8 to i32\n%1 = arith.trunci %0 : i32 to i16", ""},
		{"truncf of extf", "%0 = arith.extf %h : f16 to f32\n%1 = arith.truncf %0 : f32 to f16", "%h"},
		{"integer through index", "%0 = arith.index_cast %x : i32 to index\n%1 = arith.index_cast %0 : index to i32", "%x"},
		{"index through i32 loses bits", "%0 = arith.index_cast %i : index to i32\n%1 = arith.index_cast %0 : i32 to index", ""},
		{"index through i64", "%0 = arith.index_cast %i : index to i64\n%1 = arith.index_cast %0 : i64 to index", "%i"},
		{"bitcast and back", "%0 = arith.bitcast %f : f32 to i32\n%1 = arith.bitcast %0 : i32 to f32", "%f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := foldLast(t, c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestArithFoldIdentities(t *testing.T) {
	with := func(k, typ, stmt string) string {
		return "%k = arith.constant " + k + " : " + typ + "\n%r = arith." + stmt
	}
	for _, c := range []struct{ name, body, want string }{
		{"x + 0", with("0", "i32", "addi %x, %k : i32"), "%x"},
		{"0 + x", with("0", "i32", "addi %k, %x : i32"), "%x"},
		{"x + 1", with("1", "i32", "addi %x, %k : i32"), ""},
		{"x - 0", with("0", "i32", "subi %x, %k : i32"), "%x"},
		{"0 - x", with("0", "i32", "subi %k, %x : i32"), ""},
		{"x - x", "%r = arith.subi %x, %x : i32", "0 : i32"},
		{"v - v", "%r = arith.subi %v, %v : vector<2xi32>", "dense<0> : vector<2xi32>"},
		{"x * 1", with("1", "i32", "muli %x, %k : i32"), "%x"},
		{"x * 0", with("0", "i32", "muli %x, %k : i32"), "%k"},
		{"x / 1", with("1", "i32", "divsi %x, %k : i32"), "%x"},
		{"x rem 1", with("1", "i32", "remui %x, %k : i32"), "0 : i32"},
		{"x & 0", with("0", "i32", "andi %x, %k : i32"), "%k"},
		{"x & -1", with("-1", "i32", "andi %x, %k : i32"), "%x"},
		{"x & 1", with("1", "i32", "andi %x, %k : i32"), ""},
		{"x & x", "%r = arith.andi %x, %x : i32", "%x"},
		{"x | 0", with("0", "i32", "ori %x, %k : i32"), "%x"},
		{"x ^ x", "%r = arith.xori %x, %x : i32", "0 : i32"},
		{"x << 0", with("0", "i32", "shli %x, %k : i32"), "%x"},
		{"max of one", "%r = arith.maxsi %x, %x : i32", "%x"},
		{"v + splat 0", with("dense<0>", "vector<2xi32>", "addi %v, %k : vector<2xi32>"), "%v"},
		{"f + 0 may change the sign of zero", with("0.0", "f32", "addf %f, %k : f32"), ""},
		{"f + -0", with("-0.0", "f32", "addf %f, %k : f32"), "%f"},
		{"f - 0", with("0.0", "f32", "subf %f, %k : f32"), "%f"},
		{"f - f may be NaN", "%r = arith.subf %f, %f : f32", ""},
		{"f * 1", with("1.0", "f32", "mulf %f, %k : f32"), "%f"},
		{"f * 0 may be NaN", with("0.0", "f32", "mulf %f, %k : f32"), ""},
		{"f / 1", with("1.0", "f32", "divf %f, %k : f32"), "%f"},
		{"negation of negation", "%0 = arith.negf %f : f32\n%r = arith.negf %0 : f32", "%f"},
		{"x == x", "%r = arith.cmpi eq, %x, %x : i32", "true"},
		{"x < x", "%r = arith.cmpi ult, %x, %x : i32", "false"},
		{"f == f may be NaN", "%r = arith.cmpf oeq, %f, %f : f32", ""},
		{"f equal or unordered to f", "%r = arith.cmpf ueq, %f, %f : f32", "true"},
		{"f greater or less than f", "%r = arith.cmpf one, %f, %f : f32", "false"},
		{"f not equal to f says NaN", "%r = arith.cmpf une, %f, %f : f32", ""},
		{"never", "%r = arith.cmpf false, %f, %g : f32", "false"},
		{"always", "%r = arith.cmpf true, %f, %g : f32", "true"},
		{"select by true", "%k = arith.constant true\n%r = arith.select %k, %x, %y : i32", "%x"},
		{"select by false", "%k = arith.constant false\n%r = arith.select %k, %x, %y : i32", "%y"},
		{"select of one", "%r = arith.select %c, %x, %x : i32", "%x"},
		{"select of elements", "%k = arith.constant dense<[true, false]> : vector<2xi1>\n%p = arith.constant dense<[1, 2]> : vector<2xi8>\n" +
			"%q = arith.constant dense<7> : vector<2xi8>\n%r = arith.select %k, %p, %q : vector<2xi1>, vector<2xi8>", "dense<[1, 7]> : vector<2xi8>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := foldLast(t, c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestArithMaterialize(t *testing.T) {
	block := ir.NewBlock()
	b := ir.AtEnd(block, ir.Loc{})
	for _, a := range []ir.Attr{ir.IntAttr(ir.I32, 5), ir.IntAttr(ir.Index, -1), ir.BoolAttr(true), ir.Float(ir.F32, 0x3f800000)} {
		v := arith.Materialize(b, a)
		if got, ok := arith.ConstantAttr(v); !ok || got != a || v.Type() != a.ValueType() {
			t.Errorf("constant of %s is %s : %s", a, got, v.Type())
		}
	}
	if v := arith.Materialize(b, ir.Str("text")); v != nil {
		t.Errorf("a string became %s", v.Op())
	}
	if n, ok := arith.ConstantInt(arith.Int(b, ir.I8, -3)); !ok || n != -3 {
		t.Errorf("got %d, %v, want -3", n, ok)
	}
	if _, ok := arith.ConstantAttr(ir.NewBlock(ir.I32).Arg(0)); ok {
		t.Error("a block argument is no constant")
	}
}
