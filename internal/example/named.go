package example

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"ptogo/internal/refpage"
	"ptogo/ir"
)

// Named returns how an instruction is written, as Spellings does and in C++, with
// values that are named as its operands and results: an example says by itself
// which is which.
func Named(d *ir.Def) []refpage.Spelling {
	list := Spellings(d)
	var names map[string]string
	for i := range list {
		if own := argNames(d, list[i].Text); own != nil {
			names = own
		}
		list[i].Text = rename(list[i].Text, names) // PTO-AS has the names of Level 1
	}
	if call := Cpp(d); call != "" {
		list = append(list, refpage.Spelling{Level: refpage.CppLevel, Text: call})
	}
	return list
}

// argNames are the names of operands and results by those that an example has for
// their values. What stands for several operands keeps its name.
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

// each calls f for the values of arguments, those of a list by number.
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

var anyValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[A-Za-z_$][\w$.-]*`) })

// rename gives values other names, unless two would have the same then.
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
