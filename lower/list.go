package lower

import (
	"slices"

	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/resize"
	"ptogo/lower/splitcores"
	"ptogo/lower/vector"
	"ptogo/lower/version"
	"ptogo/lower/vmi"
	"ptogo/passes"
)

// List contains all passes of the packages in the folder lower. The passes can run in the
// order of the list.
var List = slices.Concat([]*passes.Pass{
	resize.Pass,
	splitcores.Pass,
	splitcores.Pipeline,
	bufferize.Bufferize,
	resize.Batch,
}, fusion.Passes, []*passes.Pass{
	plan.MaterializeScratch,
	plan.MultiBuffer,
	plan.BindScales,
	plan.PlanMemory,
	expand.Pass,
	expand.Fuse,
	insertsync.Pass,
}, vmi.Passes, vector.Passes, []*passes.Pass{version.Pass})

// DevicePath contains the passes that lower a program of any level to one that the device
// executes. They are in the only correct order: a pass that runs too late would miss
// buffers that an earlier pass creates or places. Some of the passes run only on request
// (see Optional); the list determines their position.
var DevicePath = []*passes.Pass{
	bufferize.Bufferize, plan.MaterializeScratch, plan.MultiBuffer, plan.BindScales, plan.PlanMemory, expand.Pass, insertsync.Pass,
}

// Optional reports whether a pass of DevicePath runs only for callers that request it.
func Optional(p *passes.Pass) bool { return p == plan.MultiBuffer || p == expand.Pass }
