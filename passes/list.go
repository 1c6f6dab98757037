// This file lists the passes of this package.

package passes

// List contains the passes of this package, in an order in which a pipeline could
// run them.
var List = []*Pass{
	StripDebugInfo,
	SCCP,
	Canonicalize,
	Inline,
	InlineHelpers,
	SymbolDCE,
	FlattenLoops,
	SplitBlocks,
	HoistLoads,
	LICM,
	TDivSToRecip,
	A5NormalizeTMov,
	CSE,
}

// Rules are the constraints on the order of the passes in List. There are no constraints
// yet.
var Rules []Order
