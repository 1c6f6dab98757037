package lower

import (
	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/splitcores"
	"ptogo/lower/vmi"
	"ptogo/passes"
)

// List contains the passes of the packages in this folder, in an order in which they can
// run.
var List = append([]*passes.Pass{
	splitcores.Pass,
	splitcores.Pipeline,
	bufferize.Bufferize,
	plan.MaterializeScratch,
	plan.MultiBuffer,
	plan.PlanMemory,
	expand.Pass,
	expand.Fuse,
	insertsync.Pass,
}, vmi.Passes...)
