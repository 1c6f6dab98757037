// This file finds functions in other modules.

package fn

import "ptogo/ir"

// Definition returns the function with a body to which the declaration f refers. As in a
// linker that joins separately compiled modules, this is a function of the whole program
// that has the same name and type and is not private. If f has a body itself, or if there
// is not exactly one such function, the result is f.
func Definition(f *ir.Op) *ir.Op {
	if !f.Is(Func) || Body(f) != nil {
		return f
	}
	var found *ir.Op
	for _, op := range ir.SymbolsNamed(f.Root(), Name(f)) {
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

// links reports whether a function declaration, the first argument, can be linked to a
// function definition of the same name, the second argument. They match if their types
// are equal and the definition is not private.
func links(declared, defined *ir.Op) bool {
	visibility, _ := defined.Attr("sym_visibility").AsString()
	return visibility != "private" && declared.Attr("function_type") == defined.Attr("function_type")
}
