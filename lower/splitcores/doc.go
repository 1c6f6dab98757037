// Package splitcores has the pass pto-split-cores. It turns a function with work
// for the cube core and for the vector cores into two functions, one for each
// kind of core, which are launched together as frontends write them.
//
// The pass works at Level 1, where a tile that crosses from one core to the other
// is a value with one definition. Crossings are moves between the memories of the
// two cores ('pto.tmov' from acc to vec, and from vec to mat). Each crossing becomes
// a queue of its own: the producer pushes the tile, the consumer pops it and frees
// the slot after the last use. Both functions keep the control flow of the
// original, so an entry is pushed exactly as often as it is popped.
//
//	units.go   which kind of core executes each operation, and what cannot be split
//	memory.go  global memory that one core writes and the other one uses
//	share.go   which rows of which tiles each of the two vector cores gets
//	half.go    the function of one kind of core
//	rows.go    tiles and views of one vector core
//	queues.go  the queues that replace crossings
//	signals.go the signals that order accesses to global memory
//	pass.go    the pass
//	pipeline.go  the pass pto-pipeline-cores, which lets the cube core run ahead
//
// Entries cannot deadlock: both functions run through the operations of the original
// in its order, and a slot is freed in the block that pops it, so a queue is empty
// whenever the next entry of it is due in the original order.
package splitcores
