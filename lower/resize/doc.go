// Package resize changes the number of rows or columns that instructions process at once.
//
// The pass pto-resize-tiles (pass.go) has five ways to do so:
//
//	rounds.go  a loop whose rounds process consecutive rows of its views gets another step
//	parts.go   instructions move into a new loop, whose rounds process some of their rows
//	sums.go    a loop that carries matrix products adds other numbers of terms per round
//	folds.go   a loop that carries sums or maxima of rows combines other numbers per round
//	           (fold_terms.go decides which loops do so)
//	blocks.go  several blocks of the launch share what one block stored before
//
// The pass pto-batch-transfers (batch.go) loads and stores the rows of all rounds at once.
//
// Package axes determines which tiles must be resized together; scope.go verifies that the
// order of accesses to memory may change.
package resize
