// Package scf is MLIR's scf dialect: structured control flow, in which loops and
// conditions are operations with regions. The type Control describes what each
// operation does; start with sem.go and for.go.
//
//	for.go       for
//	if.go        if, index_switch, execute_region
//	while.go     while, condition
//	parallel.go  parallel, reduce
//	forall.go    forall, in_parallel
//	yield.go     yield, and the rules on values that regions receive and return
//	sem.go       what the operations do
//
// The operations have parsers and printers in Go instead of format strings, because the
// types of block arguments follow from operands and bounds.
package scf
