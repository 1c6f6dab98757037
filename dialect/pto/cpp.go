// This file defines the C++ call templates of instructions.

package pto

// Cpp says how the public C++ library (pto-isa) spells an instruction. The zero
// value is the rule: a call of the name in capitals with the destinations, the
// sources and the scratch tile, as in TXOR(dst, src0, src1, tmp).
type Cpp struct {
	// Calls are other spellings; the first one whose parts are all there is
	// written. Statements of one spelling are separated by semicolons.
	//
	//	{src}        the operand src, or the value of the attribute src
	//	{!src}       the same, and this spelling only where it is there
	//	{src=dst}    the operand src as a tile of the C++ type of dst
	//	{mode^}      an attribute in capitals
	//	{mode~}      an attribute in mixed case, AtomicAdd for atomic_add
	//	{mode%}      the same with its underscores
	//	{mode#}      a truth as 0 or 1
	//	{mode|eq}    an attribute, or eq where it is not there
	//	{mode+CAST_} an attribute with a prefix that it may have already
	//	{type src}   the C++ type of the operand src
	//	{elem src}   the C++ type of its elements
	//	{barrier}    a barrier of the vector pipe, where it does not wait by itself
	//	             for what it has just written (A2/A3)
	//	[...]        left out unless what it names is there, and no attribute in it
	//	             has its default
	//
	// A comma after an opening bracket or before a closing one falls away,
	// and so does an empty <>. A scratch tile that is named outside of [...] is
	// there for the library alone where an instruction has none: it gets a tile
	// without memory.
	Calls []string
	// None is the reason why the instruction has no C++ form.
	None string
}

// Calls names the calls of the library for an instruction whose C++ name does not
// follow the rule.
func Calls(names ...string) Cpp { return Cpp{Calls: names} }

// NoCpp is for what the library does not have.
func NoCpp(why string) Cpp { return Cpp{None: why} }
