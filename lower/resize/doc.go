// Package resize changes the number of rows or columns that instructions process at once.
//
// The pass pto-resize-tiles (pass.go) has two ways to do so. A loop whose rounds process
// consecutive rows of its views gets another step, so that each round processes more or
// fewer rows (rounds.go). Other instructions are moved into a new loop, whose rounds
// process some of their rows each (parts.go). Package axes determines which tiles must be
// resized together; scope.go verifies that the order of accesses to memory may change.
package resize
