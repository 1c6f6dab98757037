package lower

import (
	"slices"

	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/splitcores"
	"ptogo/lower/vmi"
	"ptogo/passes"
)

// List is the passes of this package, in an order in which they could run.
var List = slices.Concat([]*passes.Pass{
	splitcores.Pass,
	splitcores.Pipeline,
	bufferize.Bufferize,
}, fusion.Passes, []*passes.Pass{
	plan.MaterializeScratch,
	plan.MultiBuffer,
	plan.PlanMemory,
	expand.Pass,
	expand.Fuse,
	insertsync.Pass,
}, vmi.Passes)
