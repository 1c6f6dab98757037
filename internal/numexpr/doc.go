// Package numexpr evaluates expressions over arrays in a small language with the syntax
// and the broadcasting of numpy. The playground compares the results of a kernel with the
// value of such an expression:
//
//	e = exp(x - max(x, axis=1, keepdims=true))
//	y = e / sum(e, axis=1, keepdims=true)
//
// Eval runs a program of one or more assignments, or a single expression. All numbers are
// float64; a function with the name of an element type, such as f16(x), rounds to it.
//
//	array.go      Array: broadcasting, axes, slices
//	parse.go      parses the text to a syntax tree
//	eval.go       evaluates the tree, with limits for memory and work
//	functions.go  the functions
package numexpr
