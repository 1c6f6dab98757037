// Package syncproof proves that the synchronization of a kernel orders its memory accesses,
// for all arguments and all numbers of loop rounds. Prove is the entry point.
//
// The proof follows the program of each core of a block. A state says what is complete when
// the next instruction of each pipe starts, and which conditions hold. At the head of a loop
// the state is an invariant: it must hold again after one round from an arbitrary state that
// satisfies it. For each access, every earlier access that may be incomplete must have
// different bytes, which a solver decides (package term).
//
// The central types are Input, Certificate and Result. A search proposes a certificate, and
// Check decides whether it is a proof. Nothing that the search has found is trusted.
//
//	search.go       the search: plans of loops, states at their heads
//	certificate.go  Certificate, Check, Result
//	prover.go       the state of a proof, the cores that it follows
//	run.go          branches, calls, cores side by side
//	unroll.go       loops of cores that meet in different loops
//	loop.go         loops and their invariants
//	loop_values.go  the values that a loop carries
//	sync.go         flags, barriers, tokens, fences, signals
//	queue.go        queues between cores
//	record.go       accesses, groups of instructions
//	values.go       terms of integers
//	state.go        what is known at a point
//	clock.go        which instructions are complete
//	pair.go         arguments for pairs of accesses
//	index.go        which pairs have to be compared
//	blocks.go       accesses of different blocks
//	assume.go       assumptions of proofs
//	memory.go       what the proof asks about memory
//
// Package insertsync implements Memory, and reports results to users.
package syncproof
