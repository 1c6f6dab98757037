// This file defines conversions.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// cast returns the definition of a conversion. types are the constraints on operand and
// result, and ok is the rule on their element types. kind is the conversion of one
// element. text is the part of the syntax between the operand and the attributes.
func cast(name, summary string, types castTypes, kind scalar.Cast, text string, ok castRule) *ir.Def {
	d := &ir.Def{
		Name:    "arith." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "in", Type: types.in}},
			Results:  []ir.Arg{{Name: "out", Type: types.out}},
			Syntax: ir.AsmWith("$in"+text+" attr-dict `:` type($in) `to` type($out)",
				map[string]ir.Hook{"rounding": roundingMode.syntax()}),
		}},
		Sem:    kind,
		Fold:   foldCast,
		Verify: verifyCast(ok),
	}
	if kind.Attr != "" {
		d.Attrs = append(d.Attrs, ir.AttrDef{Name: kind.Attr, Type: roundingMode.check(), Optional: true,
			Doc: "how to round; to the nearest, ties to even, where it is absent"})
	}
	if text != "" {
		f := FastMathAttr
		f.Default, f.Optional = ir.Attr{}, true
		d.Attrs = append(d.Attrs, f)
	}
	return d
}

// castTypes are the constraints on the operand and the result of a conversion.
type castTypes struct{ in, out ir.Constraint }

// castRule is a rule on the element types of a conversion. The function ok checks the two
// types, and the text want describes the rule in messages.
type castRule struct {
	want string
	ok   func(from, to ir.Type) bool
}

// verifyCast returns a check that the shapes agree and that the element types
// satisfy the rule.
func verifyCast(rule castRule) func(op *ir.Op, v *ir.Verifier) {
	return func(op *ir.Op, v *ir.Verifier) {
		from, to := op.Operand(0).Type(), op.Result(0).Type()
		switch {
		case !castShape(from, to):
			v.Errorf(op, "casts type %s to type %s, but both must have the same shape", from, to)
		case !rule.ok(ir.ElementType(from), ir.ElementType(to)):
			v.Errorf(op, "casts type %s to type %s, but the result must be %s", from, to, rule.want)
		}
	}
}

// castShape reports whether the types t and u have the same shape. The operation
// index_cast also converts memrefs, which must agree in everything but the element type.
func castShape(t, u ir.Type) bool {
	m, ok := ir.As[ir.MemRefType](t)
	n, ok2 := ir.As[ir.MemRefType](u)
	if ok && ok2 {
		m.Elem, n.Elem = ir.I1, ir.I1
		return m == n
	}
	return !ok && !ok2 && sameShape(t, u)
}

// Width returns the number of bits of an integer or float type, and 0 for other types,
// including index.
func Width(t ir.Type) int {
	switch d := t.Data().(type) {
	case ir.IntegerType:
		return int(d.Width)
	case ir.FloatType:
		return floatWidth(d.Name)
	}
	return 0
}

// floatWidth returns the number of bits of the MLIR float type with the given name, such
// as "tf32". Not all of these types have a format in package num.
func floatWidth(name string) int {
	switch name {
	case "tf32":
		return 19
	case "f80":
		return 80
	case "f128":
		return 128
	}
	if f, ok := num.ParseFormat(name); ok {
		return f.Bits()
	}
	n := 0 // f8E4M3FNUZ: the digits after the f are the width
	for i := 1; i < len(name) && '0' <= name[i] && name[i] <= '9'; i++ {
		n = 10*n + int(name[i]-'0')
	}
	return n
}

// The rules on the types of a conversion. Most compare the width of the result type with
// that of the operand type. The rule oneIndex requires that exactly one of the two types
// is index.
var (
	wider    = castRule{"wider", func(from, to ir.Type) bool { return Width(to) > Width(from) }}
	narrower = castRule{"narrower", func(from, to ir.Type) bool { return Width(to) < Width(from) }}
	anyWidth = castRule{"", func(from, to ir.Type) bool { return true }}
	oneIndex = castRule{"index where the operand is an integer, and an integer where it is index",
		func(from, to ir.Type) bool { return (from == ir.Index) != (to == ir.Index) }}
	sameWidth = castRule{"of the same width", func(from, to ir.Type) bool { return Width(to) == Width(from) }}
)

// Definitions of the conversions between integers.
var (
	ExtSI = define("extsi", func(name string) *ir.Def {
		return cast(name, "Widens an integer, repeating its sign bit.", castTypes{fixedLike, fixedLike},
			scalar.Cast{From: scalar.Signed}, "", wider)
	})
	ExtUI = define("extui", func(name string) *ir.Def {
		return cast(name, "Widens an integer with zeros.", castTypes{fixedLike, fixedLike},
			scalar.Cast{From: scalar.Unsigned}, "", wider)
	})
	TruncI = define("trunci", func(name string) *ir.Def {
		return cast(name, "Keeps the low bits of an integer.", castTypes{fixedLike, fixedLike},
			scalar.Cast{}, "", narrower)
	})
	IndexCast = define("index_cast", func(name string) *ir.Def {
		return cast(name, "Converts between index and a signed integer.", castTypes{indexCastLike, indexCastLike},
			scalar.Cast{From: scalar.Signed, To: scalar.Signed}, "", oneIndex)
	})
	IndexCastUI = define("index_castui", func(name string) *ir.Def {
		return cast(name, "Converts between index and an unsigned integer.", castTypes{indexCastLike, indexCastLike},
			scalar.Cast{From: scalar.Unsigned, To: scalar.Unsigned}, "", oneIndex)
	})
)

var indexCastLike = ir.OneOf(IntLike, ir.TypeIf("a memref of them", func(t ir.Type) bool {
	d, ok := ir.As[ir.MemRefType](t)
	return ok && isInt(d.Elem)
}))

// Conversions between floating-point types.
var (
	ExtF = define("extf", func(name string) *ir.Def {
		return cast(name, "Widens a floating-point number.", castTypes{FloatLike, FloatLike},
			scalar.Cast{}, FastMathText, wider)
	})
	TruncF = define("truncf", func(name string) *ir.Def {
		return cast(name, "Narrows a floating-point number.", castTypes{FloatLike, FloatLike},
			scalar.Cast{Attr: roundingMode.attr, Modes: roundings},
			" custom<rounding>($roundingmode)"+FastMathText, narrower)
	})
)

// Conversions between integers and floating-point numbers. A number outside the
// range of the integer type has no defined result.
var (
	SIToFP = define("sitofp", func(name string) *ir.Def {
		return cast(name, "Converts a signed integer to a floating-point number.", castTypes{fixedLike, FloatLike},
			scalar.Cast{From: scalar.Signed}, "", anyWidth)
	})
	UIToFP = define("uitofp", func(name string) *ir.Def {
		return cast(name, "Converts an unsigned integer to a floating-point number.", castTypes{fixedLike, FloatLike},
			scalar.Cast{From: scalar.Unsigned}, "", anyWidth)
	})
	FPToSI = define("fptosi", func(name string) *ir.Def {
		return cast(name, "Converts a floating-point number to a signed integer, toward zero.", castTypes{FloatLike, fixedLike},
			scalar.Cast{To: scalar.Signed, Rounding: num.Zero}, "", anyWidth)
	})
	FPToUI = define("fptoui", func(name string) *ir.Def {
		return cast(name, "Converts a floating-point number to an unsigned integer, toward zero.", castTypes{FloatLike, fixedLike},
			scalar.Cast{To: scalar.Unsigned, Rounding: num.Zero}, "", anyWidth)
	})
)

// Bitcast converts a value to another type of the same width without changing its
// bits.
var Bitcast = define("bitcast", func(name string) *ir.Def {
	return cast(name, "Reads the bits of a number as another type of the same width.", castTypes{bitLike, bitLike},
		scalar.Cast{Bits: true}, "", sameWidth)
})

var bitLike = like("a signless integer or floating-point number", func(t ir.Type) bool {
	return ir.IsSignlessInt(t) || ir.Is[ir.FloatType](t)
})

// CastOf returns the conversion that op performs and its rounding mode. The result ok is
// false if the meaning of op is not a conversion.
func CastOf(op *ir.Op) (c scalar.Cast, r num.Rounding, ok bool) {
	c, ok = op.Def().Sem.(scalar.Cast)
	if !ok {
		return c, 0, false
	}
	r = c.Rounding
	if c.Attr != "" {
		i := int64(-1)
		switch d := op.Attr(c.Attr).Data().(type) {
		case ir.IntegerAttr:
			i = d.V
		case ir.EnumAttr:
			i = d.Value
		}
		if i >= 0 && i < int64(len(c.Modes)) {
			r = c.Modes[i]
		}
	}
	return c, r, true
}
