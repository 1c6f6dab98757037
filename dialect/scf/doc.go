// Package scf is MLIR's scf dialect: control flow whose structure is that of
// the regions.
//
//	for.go       for
//	if.go        if, index_switch, execute_region
//	while.go     while, condition
//	parallel.go  parallel, reduce
//	forall.go    forall, in_parallel
//	yield.go     yield, and the rules that values passed on follow
//	sem.go       what the operations do
package scf
