// This file converts printf.

package cpp

import (
	"strings"

	"ptogo/frontend/llir"
	"ptogo/internal/pattern"
)

// conversion matches one conversion in a format of printf. Its last group is the letter.
var conversion = pattern.Of(`%[-+ #0]*[0-9]*(?:\.[0-9]+)?(?:hh|h|ll|l|z|j|t)?([a-zA-Z])`)

// print converts a call of printf: one print instruction for each argument, with the part
// of the format up to the next conversion.
func (f *function) print(v *llir.Value) {
	if len(v.Args) == 0 || v.Args[0].Op != "global" {
		f.failf(v, "printf needs a format that is known when the kernel is compiled")
	}
	format := f.m.Strings[v.Args[0].Name]
	args := v.Args[1:]
	start := 0
	var uses [][]int
	for _, at := range conversion().FindAllStringSubmatchIndex(format, -1) {
		if at[0] == 0 || format[at[0]-1] != '%' {
			uses = append(uses, at)
		}
	}
	if len(uses) > len(args) {
		f.failf(v, "printf has %d conversions in its format, but %d arguments", len(uses), len(args))
	}
	args = args[:len(uses)] // C++ evaluates further arguments and does not print them
	for i, a := range args {
		end := len(format)
		if i+1 < len(uses) {
			end = uses[i][1]
		}
		name, typ := f.printable(v, a)
		f.line(v, "pto.print ins(%s, %s : %s)", quotedText(format[start:end]), name, typ)
		start = end
	}
	if len(args) == 0 && format != "" {
		f.line(v, "pto.print ins(%s, %s : i32)", quotedText(format), f.intConst(0, "i32"))
	}
	f.names[v] = f.intConst(int64(len(format)), "i32")
}

// printText converts a call of puts or putchar, with which clang replaces a printf without
// conversions.
func (f *function) printText(v *llir.Value) {
	text := ""
	switch {
	case len(v.Args) != 1 || v.Args[0].Op != "global" && v.Args[0].Op != "int":
		f.failf(v, "printf needs a format that is known when the kernel is compiled")
	case v.Args[0].Op == "int":
		text = string([]byte{byte(v.Args[0].Int)})
	default:
		text = f.m.Strings[v.Args[0].Name] + "\n"
	}
	f.line(v, "pto.print ins(%s, %s : i32)", quotedText(strings.ReplaceAll(text, "%", "%%")), f.intConst(0, "i32"))
	f.names[v] = f.intConst(int64(len(text)), "i32")
}

// printable returns the name and the type of an argument of printf. C++ passes numbers of
// 16 and 32 bits as double.
func (f *function) printable(at, a *llir.Value) (name, typ string) {
	switch {
	case a.Type.Kind == llir.Pointer:
		f.failf(at, "printf of a pointer or a string is not supported")
	case a.Op == "fpext":
		a = a.Args[0]
	case a.Op == "float":
		return f.constant(floatText(&llir.Value{Op: "float", Float: a.Float, Type: typeNamed("f32")}), "f32"), "f32"
	}
	name, typ = f.value(a), f.typeOf(a)
	if typ == "f16" || typ == "bf16" {
		r := f.fresh("wide")
		f.line(at, "%s = arith.extf %s : %s to f32", r, name, typ)
		return r, "f32"
	}
	return name, typ
}

// quotedText returns s as a string in the text of a program.
func quotedText(s string) string {
	const digits = "0123456789ABCDEF"
	b := []byte{'"'}
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7E || c == '"' || c == '\\' {
			b = append(b, '\\', digits[c>>4], digits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}
