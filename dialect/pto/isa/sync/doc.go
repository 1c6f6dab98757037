// Package sync defines the instructions that order others: flags and barriers between
// the pipes of a core, signals between cores, queues, fences, and communication
// between ranks.
//
//	sync.go    flags and barriers between pipes
//	buffer.go  buffer tokens (A5)
//	cross.go   signals between cores
//	fence.go   memory barriers, fences and cache operations
//	handle.go  queues with handles; queue_ops.go has those with numbers
//	comm.go    communication between ranks; comm_async.go the asynchronous form
//
// The other files whose names begin with queue_ find the queue of an instruction and
// check that its two ends agree. This needs whole programs: the ends of one queue are
// often in two functions, and only the memory that they share connects them.
package sync
