// Package resize changes the number of rows or columns that instructions process at once.
//
// The pass pto-resize-tiles (pass.go) has four ways to do so:
//
//	rounds.go  a loop whose rounds process consecutive rows of its views gets another step
//	parts.go   instructions move into a new loop, whose rounds process some of their rows
//	sums.go    a loop that carries matrix products adds other numbers of terms per round
//	blocks.go  several blocks of the launch share what one block stored before
//
// Package axes determines which tiles must be resized together; scope.go verifies that the
// order of accesses to memory may change.
package resize
