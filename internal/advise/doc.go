// Package advise makes a kernel faster: it tries passes and other numbers of blocks,
// keeps what the timing model predicts to be faster, and verifies each kept step.
//
// [Search] is the search. It starts from a [Variant], the passes and the launch of the
// kernel so far, and applies every [Step] to it. The fastest new variant that passes
// verification becomes the next start. A [Bench] builds, predicts and verifies variants;
// [Lab] is the Bench for programs. docs/advise.md explains the use.
//
//	variant.go  variants, and the order of their passes
//	steps.go    the steps to try for a program
//	search.go   the search
//	lab.go      builds a variant and predicts its time
//	verify.go   verifies a variant: results, equivalence, synchronization
//	report.go   the table and JSON
package advise
