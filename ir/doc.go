// Package ir holds programs: operations with operands, results, attributes
// and regions, the types of their values, and their text.
//
// The shape is MLIR's, and so is the text. What an operation may look like and
// what it does is said by its Def; parser, printer, verifier and passes ask
// the Def and name no operation themselves.
//
//	Type, Attr         interned, one word, equal by ==
//	Op, Value, Use     operations and the use lists between them
//	Block, Region      what operations live in
//	Def, Form, Arg     what is known about an operation
//	Constraint         a rule on the type of an operand or result
//	Asm, Syntax        how the custom text of an operation looks
//	Parse, Print       text in and out, function bodies side by side
//	Verify             the rules, dominance and symbols
//	Diag, Diags        what went wrong, and where
//	Builder, Rewriter  how passes change programs
//
// A program belongs to one goroutine at a time, except that operations which
// are isolated from above (functions) may be worked on side by side.
package ir
