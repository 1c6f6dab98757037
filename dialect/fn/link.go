package fn

import "ptogo/ir"

// Definition returns the function with a body that a declaration stands for:
// the public one of the same name and type in another module of the program,
// as a linker joins what is compiled module by module. It returns f itself if
// that has a body, or if no function or more than one answers to it.
func Definition(f *ir.Op) *ir.Op {
	if !f.Is(Func) || Body(f) != nil {
		return f
	}
	var found *ir.Op
	for op := range f.Root().Walk() {
		if op == f || !op.Is(Func) || Body(op) == nil || !links(f, op) {
			continue
		}
		if found != nil {
			return f
		}
		found = op
	}
	if found == nil {
		return f
	}
	return found
}

// links reports whether a definition is what a declaration asks for.
func links(declared, defined *ir.Op) bool {
	visibility, _ := defined.Attr("sym_visibility").AsString()
	return Name(declared) == Name(defined) && visibility != "private" &&
		declared.Attr("function_type") == defined.Attr("function_type")
}
