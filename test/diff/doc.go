// Package diff holds differential tests: random programs made from the
// definitions give the same bits at Level 1, at Level 2, after the passes that
// keep results, and through LLVM.
package diff
