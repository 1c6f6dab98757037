// This file emits scalar arithmetic.

package cpp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Scalars in C++: constants, arithmetic and conversions. C++ differs from the IR where
// integers overflow, shift by too much or are converted, so an operation is spelled as
// the plain operator only where that means the same.

// literal emits a constant. A constant that is only used for the shape of views is
// omitted, because the C++ types of the views contain it.
func (f *function) literal(op *ir.Op, kind scalar.Literal) {
	v := op.Result(0)
	if onlyDescribes(v) {
		return
	}
	t, bits, ok := op.Attr(kind.Attr).NumberBits()
	text := ""
	if ok {
		text = f.spellNumber(t, bits)
	} else if d, dense := ir.AttrAs[ir.DenseAttr](op.Attr(kind.Attr)); dense {
		text = f.list(d)
	}
	if text == "" {
		f.errorf(op, "returns a constant of type %s, which the C++ emitter does not support", v.Type())
		return
	}
	qualifier := "const "
	if f.shared[v] || ir.Is[ir.VectorType](v.Type()) {
		qualifier = ""
	}
	f.defineAs(qualifier, v, text)
}

// list returns the numbers of a dense vector as a C++ initializer list, or "" if C++
// cannot express them. Integers are written as unsigned numbers, as the C++ library
// pto-isa expects.
func (f *function) list(d ir.DenseAttr) string {
	numbers, ok := d.Numbers()
	v, isVector := ir.As[ir.VectorType](d.Type)
	if !ok || !isVector || f.typeName(d.Type) == "" {
		return ""
	}
	format, _ := ir.FormatOf(v.Elem)
	all := make([]string, v.Shape.Elements())
	for i := range all {
		all[i] = strconv.FormatUint(numbers[i%len(numbers)]&(1<<format.Bits()-1), 10)
	}
	return f.typeName(d.Type) + "{" + strings.Join(all, ", ") + "}"
}

// onlyDescribes reports whether the constant v is only used to describe views.
func onlyDescribes(v *ir.Value) bool {
	for u := range v.Uses() {
		switch u.Owner().Def().Sem.(type) {
		case sem.MakeView, sem.PartView, sem.SubTile:
		default:
			return false
		}
	}
	return true
}

// spellNumber returns the number of type t with the given bits as a C++ literal, or "" if
// C++ has no such literal.
func (f *function) spellNumber(t ir.Type, bits uint64) string {
	format, ok := ir.FormatOf(t)
	switch {
	case !ok:
		return ""
	case t == ir.I1:
		return strconv.FormatBool(bits != 0)
	case ir.Is[ir.IntegerType](t) || ir.Is[ir.IndexType](t):
		n := num.Int(format, bits)
		if n == math.MinInt64 {
			return "(-9223372036854775807 - 1)"
		}
		return strconv.FormatInt(n, 10)
	}
	x := num.Decode(format, bits)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		if w := format.Bits(); w == 16 || w == 32 || w == 64 {
			return f.need("ptoas_bitcast") + "<" + elemType(t) + ">((" + intType(w, true) + ")0x" + strconv.FormatUint(bits, 16) + "u)"
		}
		return ""
	}
	width := 32
	if format.Bits() == 64 {
		width = 64
	}
	text := strconv.FormatFloat(x, 'g', -1, width)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if width == 32 {
		text += "f"
	}
	return text
}

// infix maps functions of ir/scalar to the C++ operators that compute them.
var infix = map[*scalar.Fn]string{
	scalar.Add: "+", scalar.Sub: "-", scalar.Mul: "*", scalar.Div: "/",
	scalar.DivS: "/", scalar.DivU: "/", scalar.RemS: "%", scalar.RemU: "%",
	scalar.And: "&", scalar.Or: "|", scalar.Xor: "^", scalar.Shl: "<<", scalar.ShrS: ">>", scalar.ShrU: ">>",
}

// elementwise emits an arithmetic function of scalars.
func (f *function) elementwise(op *ir.Op, kind scalar.Elementwise) {
	t := op.Operand(0).Type()
	var xs []string
	for _, v := range op.Operands() {
		xs = append(xs, f.value(v))
	}
	text := ""
	switch {
	case elemType(t) == "":
	case ir.Is[ir.FloatType](t):
		text = floatMath(kind.Fn, xs, elemType(t))
	case t == ir.I1:
		text = truthMath(kind.Fn, xs)
	default:
		text = intMath(kind.Fn, xs, widthOf(t))
	}
	if text == "" {
		f.errorf(op, "applies the function %s to type %s, which device C++ cannot express", kind.Fn, t)
		return
	}
	f.define(op.Result(0), text)
}

// widthOf returns the width of an integer type in bits. The width of index is 64.
func widthOf(t ir.Type) int {
	if d, ok := ir.As[ir.IntegerType](t); ok {
		return int(d.Width)
	}
	return 64
}

// truthMath returns the C++ expression for the function fn of operands x of type i1.
func truthMath(fn *scalar.Fn, x []string) string {
	switch fn {
	case scalar.Add, scalar.Sub, scalar.Xor:
		return x[0] + " != " + x[1]
	case scalar.Mul, scalar.And:
		return x[0] + " && " + x[1]
	case scalar.Or:
		return x[0] + " || " + x[1]
	}
	return ""
}

// intMath returns the C++ expression that applies the function fn to the integer operands
// x, each of width bits. The expression uses unsigned types, since signed overflow is
// undefined in C++. It uses 32 bits for types narrower than int, since C++ would promote
// them to int, whose products can overflow.
func intMath(fn *scalar.Fn, x []string, width int) string {
	to, wide := intType(width, false), intType(max(width, 32), true)
	exact := intType(width, true)
	switch fn {
	case scalar.Add, scalar.Sub, scalar.Mul, scalar.And, scalar.Or, scalar.Xor:
		return "(" + to + ")((" + wide + ")" + x[0] + " " + infix[fn] + " (" + wide + ")" + x[1] + ")"
	case scalar.Shl:
		return "(" + to + ")((" + wide + ")" + x[0] + " << " + x[1] + ")"
	}
	signed := fn.Sign != scalar.Unsigned
	a, b := x[0], ""
	if len(x) > 1 {
		b = x[1]
	}
	if !signed {
		a, b = "("+exact+")"+a, "("+exact+")"+b
	}
	switch fn {
	case scalar.DivS, scalar.DivU, scalar.RemS, scalar.RemU, scalar.ShrS, scalar.ShrU:
		return "(" + to + ")(" + a + " " + infix[fn] + " " + b + ")"
	case scalar.CeilDivU:
		return "(" + to + ")(" + a + " / " + b + " + (" + a + " % " + b + " != 0))"
	case scalar.CeilDivS:
		return "(" + to + ")(" + a + " / " + b + " + (" + a + " % " + b + " != 0 && (" + a + " < 0) == (" + b + " < 0)))"
	case scalar.FloorDivS:
		return "(" + to + ")(" + a + " / " + b + " - (" + a + " % " + b + " != 0 && (" + a + " < 0) != (" + b + " < 0)))"
	case scalar.MaxS, scalar.MaxU:
		return "(" + to + ")(" + a + " < " + b + " ? " + b + " : " + a + ")"
	case scalar.MinS, scalar.MinU:
		return "(" + to + ")(" + b + " < " + a + " ? " + b + " : " + a + ")"
	case scalar.Neg:
		return "(" + to + ")(0u - (" + wide + ")" + a + ")"
	case scalar.Not:
		return "(" + to + ")~" + a
	case scalar.Abs:
		return "(" + to + ")(" + a + " < 0 ? 0u - (" + wide + ")" + a + " : (" + wide + ")" + a + ")"
	}
	return ""
}

// floatMath returns the C++ expression for the function fn of floats x of C++ type t.
// Types of 16 bits are computed as float, and the result is rounded. This equals a single
// rounding, since the significands of these types have less than half the length of a
// float's significand.
func floatMath(fn *scalar.Fn, x []string, t string) string {
	narrow := t != "float" && t != "double"
	if narrow {
		for i := range x {
			x[i] = "(float)" + x[i]
		}
	}
	text := ""
	switch fn {
	case scalar.Add, scalar.Sub, scalar.Mul, scalar.Div:
		text = x[0] + " " + infix[fn] + " " + x[1]
	case scalar.Neg:
		text = "-" + x[0]
	case scalar.Abs:
		text = x[0] + " < 0 ? -" + x[0] + " : " + x[0] + " + 0"
	case scalar.Max: // NaN wins
		text = extreme(x[0], x[1], x[0], ">", "%s + %s")
	case scalar.Min:
		text = extreme(x[0], x[1], x[0], "<", "-(-%s - %s)")
	case scalar.MaxNum: // NaN loses
		text = extreme(x[0], x[1], x[1], ">", "%s + %s")
	case scalar.MinNum:
		text = extreme(x[0], x[1], x[1], "<", "-(-%s - %s)")
	}
	if text != "" && narrow {
		text = "(" + t + ")(" + text + ")"
	}
	return text
}

// extreme returns the C++ expression for the maximum or minimum of a and b. beats is the
// comparison operator, > or <. The expression tests only one operand for NaN, and its
// value is a if this operand is NaN. nan is the name of this operand. If it is the name
// of a, the result is NaN if either operand is NaN. If it is the name of b, the result is
// NaN only if both operands are NaN. ofZeros is a format string for the result if both
// operands are zeros, because zeros compare equal regardless of their signs.
func extreme(a, b, nan, beats, ofZeros string) string {
	first := nan + " != " + nan + " || " + a + " " + beats + " " + b
	zeros := fmt.Sprintf(ofZeros, a, b)
	return first + " ? " + a + " : " + a + " != " + b + " ? " + b + " : " + a + " == 0 ? " + zeros + " : " + a
}

// comparison emits a comparison of two scalars.
func (f *function) comparison(op *ir.Op, _ scalar.Comparison) {
	rel, known := arith.RelationOf(op)
	a, b := f.value(op.Operand(0)), f.value(op.Operand(1))
	t := op.Operand(0).Type()
	if !known || elemType(t) == "" {
		f.errorf(op, "compares values of type %s, which the C++ emitter does not support", t)
		return
	}
	if rel.Sign == scalar.Unsigned {
		u := "(" + intType(max(8, widthOf(t)), true) + ")"
		a, b = u+a, u+b
	}
	f.define(op.Result(0), relation(rel.On, a, b))
}

// relation returns a comparison of a and b as a C++ expression. The parameter on is the
// set of outcomes (less, equal, greater, unordered) for which the expression is true.
// Unordered means that an operand is NaN.
func relation(on scalar.Order, a, b string) string {
	const less, equal, greater, unordered = scalar.Less, scalar.Equal, scalar.Greater, scalar.Unordered
	switch on {
	case 0:
		return "false"
	case less | equal | greater | unordered:
		return "true"
	case less:
		return a + " < " + b
	case less | equal:
		return a + " <= " + b
	case greater:
		return a + " > " + b
	case greater | equal:
		return a + " >= " + b
	case equal:
		return a + " == " + b
	case less | greater | unordered:
		return a + " != " + b
	case less | greater:
		return a + " < " + b + " || " + a + " > " + b
	case less | equal | greater:
		return a + " == " + a + " && " + b + " == " + b
	}
	return "!(" + relation(on^(less|equal|greater|unordered), a, b) + ")"
}

// choice emits arith.select with a scalar condition as a C++ conditional expression.
func (f *function) choice(op *ir.Op, _ scalar.Choice) {
	if op.Operand(0).Type() != ir.I1 {
		f.errorf(op, "selects elements by a condition that is not i1, which the C++ emitter does not support")
		return
	}
	f.define(op.Result(0), f.value(op.Operand(0)), " ? ", f.value(op.Operand(1)), " : ", f.value(op.Operand(2)))
}

// cast emits a conversion of a scalar.
func (f *function) cast(op *ir.Op, _ scalar.Cast) {
	kind, _, _ := arith.CastOf(op)
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	x, target := f.value(op.Operand(0)), elemType(to)
	_, fromInt := ir.As[ir.IntegerType](from)
	switch {
	case elemType(from) == "" || target == "":
		f.errorf(op, "converts type %s to type %s, which the C++ emitter does not support", from, to)
		return
	case kind.Bits:
		f.define(op.Result(0), f.need("ptoas_bitcast"), "<", target, ">(", x, ")")
		return
	case to == ir.I1 && !ir.Is[ir.FloatType](from):
		f.define(op.Result(0), "(", x, " & 1) != 0")
		return
	case from == ir.I1 && kind.From == scalar.Signed:
		x = "-(int32_t)" + x
	case fromInt && from != ir.I1 && kind.From == scalar.Unsigned:
		x = "(" + intType(widthOf(from), true) + ")" + x
	}
	if ir.Is[ir.FloatType](from) && kind.To == scalar.Unsigned && ir.Is[ir.IntegerType](to) {
		x = "(" + intType(max(8, widthOf(to)), true) + ")" + x
	}
	f.define(op.Result(0), "(", target, ")", x)
}

// reinterpret emits a cast between types with the same representation, such as index and
// an integer.
func (f *function) reinterpret(op *ir.Op, _ scalar.Reinterpret) {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		f.errorf(op, "casts %d values to %d values, but only casts of one value to one value can be written as C++", op.NumOperands(), op.NumResults())
		return
	}
	if t := elemType(op.Result(0).Type()); t != "" && elemType(op.Operand(0).Type()) != "" {
		f.define(op.Result(0), "(", t, ")", f.value(op.Operand(0)))
		return
	}
	f.errorf(op, "reinterprets the bits of type %s as type %s, which the C++ emitter does not support", op.Operand(0).Type(), op.Result(0).Type())
}

// castPtr emits a cast between pointers and integers.
func (f *function) castPtr(op *ir.Op, _ sem.CastPtr) {
	t := f.typeName(op.Result(0).Type())
	f.define(op.Result(0), "reinterpret_cast<", t, ">(", f.value(op.Operand(0)), ")")
}

// addPtr emits an addition of an offset in elements to a pointer.
func (f *function) addPtr(op *ir.Op, _ sem.AddPtr) {
	f.define(op.Result(0), f.value(op.Operand(0)), " + ", f.value(op.Operand(1)))
}

// loadElement emits a load of one element through a pointer, as the C++ expression
// pointer[offset]. The offset counts elements.
func (f *function) loadElement(op *ir.Op, _ sem.LoadElement) {
	use := sem.ElementUseOf(op)
	f.define(op.Result(0), f.value(use.Pointer.Value), "[", f.value(use.Offset.Value), "]")
}

// storeElement emits a store of one element.
func (f *function) storeElement(op *ir.Op, _ sem.StoreElement) {
	use := sem.ElementUseOf(op)
	f.startLine()
	for _, s := range []string{f.value(use.Pointer.Value), "[", f.value(use.Offset.Value), "] = ", f.value(use.Value.Value)} {
		f.b = append(f.b, s...)
	}
	f.endLine(op)
}

// setBit emits an expression that sets or clears one bit of an integer.
func (f *function) setBit(op *ir.Op, kind sem.SetBit) {
	how := " & ~("
	if kind.Value {
		how = " | ("
	}
	f.define(op.Result(0), "(int64_t)((uint64_t)", f.value(op.Operand(0)), how, "uint64_t{1} << ", f.value(op.Operand(1)), "))")
}

// queries are the C++ expressions for properties of the current core and block.
var queries = map[sem.QueryKind]string{
	sem.BlockIdx: "get_block_idx()", sem.BlockNum: "get_block_num()",
	sem.SubBlockIdx: "get_subblockid()", sem.SubBlockNum: "get_subblockdim()",
}

// query emits an expression that reads a property of the current core or block, such as
// its number.
func (f *function) query(op *ir.Op, kind sem.Query) { f.define(op.Result(0), queries[kind.What]) }
