// Package numerics measures the accuracy of a kernel on given data.
//
// [Run] executes the kernel with shadows (runtime.Lineage.Shadows): float64 values of the
// same elements. The [Report] names the instructions where errors are born and amplified,
// and the errors of the results. With Options.Perturb, Run executes the kernel several
// times more, with results of approximate functions changed at random within their
// documented error, and derives the tolerance that a test of the kernel needs.
package numerics
