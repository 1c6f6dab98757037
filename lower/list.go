package lower

import (
	"slices"

	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/splitcores"
	"ptogo/lower/vector"
	"ptogo/lower/version"
	"ptogo/lower/vmi"
	"ptogo/passes"
)

// List contains all passes of the packages in the folder lower. The passes can run in the
// order of the list.
var List = slices.Concat([]*passes.Pass{
	splitcores.Pass,
	splitcores.Pipeline,
	bufferize.Bufferize,
}, fusion.Passes, []*passes.Pass{
	plan.MaterializeScratch,
	plan.MultiBuffer,
	plan.BindScales,
	plan.PlanMemory,
	expand.Pass,
	expand.Fuse,
	insertsync.Pass,
}, vmi.Passes, vector.Passes, []*passes.Pass{version.Pass})
