// This file converts scalars to the types of tiles.

package cpp

import (
	"math"
	"strconv"
	"strings"

	"ptogo/frontend/llir"
)

// scalarAs returns a scalar argument converted to an element type, as the parameter of
// the library converts it.
func (f *function) scalarAs(at *llir.Value, a argument, elem string) argument {
	want := strings.TrimPrefix(elem, "u")
	switch {
	case a.v == nil:
		f.failf(at, "a value of type %s is given where a number is needed", a.typ)
	case a.kind == floatArgument && strings.HasPrefix(want, "i"):
		return f.truncated(at, a, want)
	case a.kind == floatArgument:
		if a.typ == want {
			return argument{name: f.value(a.v), typ: a.typ}
		}
		if a.v.Op == "float" {
			return argument{name: f.constant(floatText(&llir.Value{Op: "float", Float: a.v.Float, Type: typeNamed(want)}), want), typ: want}
		}
		op, r := "truncf", f.fresh("x")
		if want == "f32" {
			op = "extf"
		}
		if a.typ != "f32" && want != "f32" {
			f.failf(at, "a number is converted between f16 and bf16, which is not supported")
		}
		f.line(at, "%s = arith.%s %s : %s to %s", r, op, f.value(a.v), a.typ, want)
		return argument{name: r, typ: want}
	case strings.HasPrefix(want, "i") && want != "i1":
		width, _ := strconv.ParseInt(want[1:], 10, 64)
		name, typ := f.asType(at, a, width)
		return argument{name: name, typ: typ}
	case a.v.Op == "int":
		return argument{name: f.constant(strconv.FormatInt(a.v.Int, 10)+".0", want), typ: want}
	}
	r := f.fresh("x")
	f.line(at, "%s = arith.sitofp %s : i64 to %s", r, f.value(a.v), want)
	return argument{name: r, typ: want}
}

// truncated returns a floating-point argument as an integer of type want.
func (f *function) truncated(at *llir.Value, a argument, want string) argument {
	if a.v.Op == "float" && math.Abs(a.v.Float) < 1<<31 {
		return argument{name: f.intConst(int64(a.v.Float), want), typ: want}
	}
	r := f.fresh("x")
	f.line(at, "%s = arith.fptosi %s : %s to %s", r, f.value(a.v), a.typ, want)
	return argument{name: r, typ: want}
}

// typeNamed returns the type of LLVM IR for a floating-point type in the text.
func typeNamed(name string) *llir.Type {
	bits := int64(32)
	if name == "f16" || name == "bf16" {
		bits = 16
	}
	return &llir.Type{Kind: llir.Float, Bits: bits, BFloat: name == "bf16"}
}
