// Package equiv decides whether two kernels compute the same bits for all data.
//
// [Compare] executes both kernels on expressions (runtime.Options.Lineage): it
// follows by which expression of the inputs each byte of memory was made. If every
// byte of every buffer has the same expression in the end, the kernels compute the
// same for all contents of the buffers. The shapes, the scalar arguments, the number of
// blocks and of ranks are those of the comparison.
//
// Different expressions can still have equal results. Compare then runs both
// kernels on numbers and looks for data on which the results differ.
package equiv
