// Package ir represents programs: operations with operands, results, attributes and
// regions, the types of their values, and their text.
//
// The structure and the text follow MLIR. A Def defines the syntax, the rules and
// the meaning of an operation. The parser, the printer, the verifier and the passes
// read the Def and contain no code for single operations.
//
//	Type, Attr         interned, one word, equal by ==
//	Op, Value, Use     operations and the use lists between them
//	Block, Region      containers of operations
//	Def, Form, Arg     the definition of an operation
//	Constraint         a rule on the type of an operand or result
//	Asm, Syntax        the custom text of an operation
//	Parse, Print       text in and out; function bodies run in parallel
//	Verify             the rules, dominance and symbols
//	Diag, Diags        diagnostics with locations
//	Builder, Rewriter  the interface with which passes change programs
//
// Start with op.go, value.go and def.go; parse.go and print.go are the two
// directions of the text.
//
// Parameters named off are byte offsets in the text, for diagnostics.
//
// A program belongs to one goroutine at a time. As an exception, several goroutines
// may work on different operations that are isolated from above (functions).
package ir
