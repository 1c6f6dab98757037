package passes

// List is the passes of this package, in an order in which they could run.
var List = []*Pass{
	StripDebugInfo,
	SCCP,
	Canonicalize,
	Inline,
	SymbolDCE,
	LICM,
	TDivSToRecip,
	CSE,
}

// Rules say which pass belongs before which.
var Rules []Order
