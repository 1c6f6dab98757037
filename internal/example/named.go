// This file replaces operands of examples by named values.

package example

import (
	"fmt"
	"slices"

	"ptogo/internal/pattern"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// Named returns the examples of an instruction in all its forms: those that Spellings
// returns, and its C++ form. The values have the names of the operands and results in the
// definition, so that readers can identify them.
func Named(d *ir.Def) []refpage.Spelling {
	list := Spellings(d)
	var names map[string]string
	for i := range list {
		if own := argNames(d, list[i].Text); own != nil {
			names = own
		}
		list[i].Text = rename(list[i].Text, names) // PTO-AS uses the names of the Level 1 form
	}
	if call := Cpp(d); call != "" {
		list = append(list, refpage.Spelling{Level: refpage.CppLevel, Text: call})
	}
	return list
}

// argNames reads text, an example of the instruction d. It returns a map from each value
// name in the example to the name of the operand or result that the definition has for
// this value. If a value would have several such names, the map contains the name in the
// example unchanged. The result is nil if the example cannot be parsed.
func argNames(d *ir.Def, text string) map[string]string {
	m, _ := Read(d, text)
	if m == nil {
		return nil
	}
	op := Find(m, d)
	if len(op.Regions()) > 0 {
		return map[string]string{}
	}
	names, taken := map[string]string{}, map[string]bool{}
	add := func(v *ir.Value, name string) {
		old := v.Name()
		if _, twice := names[old]; twice || taken[name] {
			names[old] = old
			return
		}
		names[old], taken[name] = name, true
	}
	each(op.Form().Operands, op.ArgRange, func(i int, name string) { add(op.Operand(i), name) })
	each(op.Form().Results, op.ResultRange, func(i int, name string) { add(op.Result(i), name) })
	return names
}

// The function each enumerates the values of the operands or results that args declares.
// For each value, it calls f with the index of the value and a name. The function rng
// returns the range of value indices that belong to declaration i. The name is that of
// the declaration. If a declaration has several values, the name ends with a number.
func each(args []ir.Arg, rng func(i int) (from, to int), f func(i int, name string)) {
	for k, a := range args {
		from, to := rng(k)
		for i := from; i < to; i++ {
			name := a.Name
			if to-from > 1 {
				name = fmt.Sprintf("%s%d", name, i-from)
			}
			f(i, name)
		}
	}
}

// anyValue matches the name of a value. It does not match the numbers that unnamed values
// have, such as %0.
var anyValue = pattern.Of(`%[A-Za-z_$][\w$.-]*`)

// rename replaces value names in the text; the map names contains the new name of each
// value. It returns the text unchanged if two values would have equal new names.
func rename(text string, names map[string]string) string {
	var all []string
	for _, v := range anyValue().FindAllString(text, -1) {
		if !slices.Contains(all, v[1:]) {
			all = append(all, v[1:])
		}
	}
	seen := map[string]bool{}
	for _, v := range all {
		to := v
		if n := names[v]; n != "" {
			to = n
		}
		if seen[to] {
			return text
		}
		seen[to] = true
	}
	return anyValue().ReplaceAllStringFunc(text, func(v string) string {
		if n := names[v[1:]]; n != "" {
			return "%" + n
		}
		return v
	})
}
