// Package numerics measures the accuracy of a kernel on given data.
//
// [Run] executes the kernel with shadows (runtime.Lineage.Shadows): for each element, the
// value of the same computation in float64. The [Report] contains the errors of the results,
// and names the instructions that cause and amplify errors. With Options.Perturb, Run
// executes the kernel several more times. It then changes the results of approximate
// functions at random within their documented error, and derives the tolerance that a test
// of the kernel needs.
package numerics
