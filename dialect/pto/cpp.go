// This file defines the C++ call templates of instructions.

package pto

// Cpp describes the call of the public C++ library (pto-isa) that implements an
// instruction. The zero value means the usual call: the name in capitals with the
// destinations, the sources and the scratch tile, as in TXOR(dst, src0, src1, tmp).
type Cpp struct {
	// Calls are templates of other calls. The first one whose required parts exist is
	// used. Semicolons separate the statements of a template.
	//
	//	{src}        the operand src, or the value of the attribute src
	//	{!src}       the same; the template is used only if src exists
	//	{src=dst}    the operand src as a tile of the C++ type of dst
	//	{mode^}      an attribute in capitals
	//	{mode~}      an attribute in mixed case, AtomicAdd for atomic_add
	//	{mode%}      the same with its underscores
	//	{mode#}      a boolean as 0 or 1
	//	{mode|eq}    an attribute, or eq if it is missing
	//	{mode+CAST_} an attribute with a prefix, unless it has it already
	//	{type src}   the C++ type of the operand src
	//	{elem src}   the C++ type of its elements
	//	{barrier}    a barrier of the vector pipe, on targets where instructions do
	//	             not wait for the previous result (A2/A3)
	//	[...]        omitted if something that it names is missing, or if an
	//	             attribute in it has its default
	//
	// A comma after an opening or before a closing bracket is dropped, and so is an empty
	// <>. If the library requires a scratch tile that the instruction does not have, and
	// the template names it outside of [...], it is declared without memory.
	Calls []string
	// None is the reason why the C++ library cannot express the instruction, for
	// messages.
	None string
}

// Calls returns a Cpp, the description of a C++ call, for an instruction whose call
// differs from the usual one (the name in capitals with the operands). Each string is a
// template of a call; the field Cpp.Calls describes the syntax.
func Calls(names ...string) Cpp { return Cpp{Calls: names} }

// NoCpp returns the Cpp of an instruction that the C++ library does not have. The
// parameter why is the reason, for messages.
func NoCpp(why string) Cpp { return Cpp{None: why} }
