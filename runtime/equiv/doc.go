// Package equiv decides whether two kernels compute the same bits for all data.
//
// [Compare] executes both kernels symbolically (runtime.Options.Lineage): it tracks the
// expression of the inputs that produced each byte of memory. If each byte of each buffer
// has the same expression at the end, the kernels compute the same results for all
// contents of the buffers. The proof holds for the shapes, the scalar arguments and the
// numbers of blocks and ranks of the comparison.
//
// Different expressions can still have equal values. Compare then runs both kernels on
// numbers and searches for data on which the results differ. The [Verdict] contains the
// outcome and its reason.
package equiv
