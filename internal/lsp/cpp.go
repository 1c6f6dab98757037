// This file serves kernels in C++: they are checked when they are opened or saved, because
// compiling them lasts about a second, and hover describes the instruction of a call.

package lsp

import (
	"regexp"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/ir"
)

// isCpp reports whether the document is a C++ file.
func (d *document) isCpp() bool { return cpp.IsCpp(d.src.Name) }

// includesLibrary matches the text of files that include the tile library.
var includesLibrary = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]pto/`)

// readCpp makes the kernels of a C++ file the program of the document. A file that does
// not include the tile library has none, and is not checked.
func (d *document) readCpp() {
	d.src.Program = func(diags *ir.Diags) *ir.Op {
		if !includesLibrary.MatchString(d.src.Text) || !cpp.Available() {
			return nil
		}
		target, _ := sem.ParseProfile(d.arch)
		return cpp.Read(d.src, cpp.Options{Target: target}, diags)
	}
}

// describeCall returns the reference page of the instruction that the C++ library calls
// word, or "".
func describeCall(word string) string {
	if defs := cpp.Instructions(word); len(defs) > 0 {
		return describeDef(defs[0])
	}
	return ""
}
