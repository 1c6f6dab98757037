// Package scf is MLIR's scf dialect: structured control flow, in which loops and
// conditions are operations with regions. Control is the type of the meanings of
// all operations; start with sem.go and for.go.
//
//	for.go       for
//	if.go        if, index_switch, execute_region
//	while.go     while, condition
//	parallel.go  parallel, reduce
//	forall.go    forall, in_parallel
//	yield.go     yield, and the rules on values that regions receive and return
//	sem.go       the meanings of the operations
//
// The syntaxes are hooks, because the types of block arguments follow from operands
// and bounds, which a format string cannot express.
package scf
