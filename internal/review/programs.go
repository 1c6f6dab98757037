// This file compares two programs.

package review

import (
	"slices"
	"strings"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
)

// signature is what a kernel shows to its callers.
type signature struct {
	params []string
	// stores are the parameters through which the kernel stores to global memory.
	stores []string
	marked bool
}

// programs compares the kernels of two programs and returns how many functions there were before.
func (r *Report) programs(before, after string) int {
	if before == "" || after == "" {
		return 0
	}
	old, now := signatures(before), signatures(after)
	if now == nil && old != nil {
		r.add("program", "the new program has errors")
		return len(old)
	}
	for _, name := range sorted(old) {
		o := old[name]
		n, ok := now[name]
		switch {
		case !ok:
			r.add("program", "kernel @%s is gone", name)
			continue
		case o.marked && !n.marked:
			r.add("program", "@%s is no kernel any more", name)
		case len(n.params) > len(o.params):
			r.add("parameters", "@%s has the new parameters %s: a test could pass the expected results", name, strings.Join(n.params[len(o.params):], ", "))
		case !slices.EqualFunc(o.params, n.params, sameType):
			r.add("parameters", "@%s has other parameters: %s", name, strings.Join(n.params, ", "))
		}
		for i, p := range o.params {
			if slices.Contains(o.stores, p) && i < len(n.params) && !slices.Contains(n.stores, n.params[i]) {
				r.add("stores", "@%s no longer stores through %s", name, p)
			}
		}
	}
	if a, b := target(before), target(after); a != "" && a != b {
		r.add("program", "the target is %q instead of %q", b, a)
	}
	return len(old)
}

// sameType reports whether two parameters have the same type.
func sameType(a, b string) bool {
	_, x, _ := strings.Cut(a, ": ")
	_, y, _ := strings.Cut(b, ": ")
	return x == y
}

// signatures returns the functions of a program by their names, or nil if it has errors.
func signatures(text string) map[string]signature {
	module := parse(text)
	if module == nil {
		return nil
	}
	all := map[string]signature{}
	for _, f := range fn.Functions(module) {
		if fn.Body(f) == nil {
			continue
		}
		s := signature{marked: f.HasAttr("pto.kernel")}
		for _, a := range fn.Body(f).Args() {
			s.params = append(s.params, "%"+a.Name()+": "+a.Type().String())
		}
		for op := range f.Walk() {
			for _, e := range pto.Effects(op) {
				if e.Kind&pto.Writes == 0 || e.Space != sem.GM {
					continue
				}
				if i := slices.Index(fn.Body(f).Args(), root(e.Value)); i >= 0 && !slices.Contains(s.stores, s.params[i]) {
					s.stores = append(s.stores, s.params[i])
				}
			}
		}
		all[fn.Name(f)] = s
	}
	return all
}

// root returns the value from which views and pointers derive v.
func root(v *ir.Value) *ir.Value {
	for v.Op() != nil && v.Op().NumOperands() > 0 {
		v = v.Op().Operand(0)
	}
	return v
}

// target returns the target that a program names, or "".
func target(text string) string {
	if module := parse(text); module != nil {
		arch, _ := module.Attr("pto.target_arch").AsString()
		return arch
	}
	return ""
}

// parse returns the module of a program, or nil if it has errors.
func parse(text string) *ir.Op {
	return kernel.Parse(&ir.Source{Name: "program", Text: text}, ir.ParseOptions{AllowUnregistered: true}, &ir.Diags{})
}
