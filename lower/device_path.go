package lower

import (
	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// DevicePath contains the passes that lower a program of any level to one that the device
// executes. They are in the only correct order: a pass that runs too late would miss
// buffers that an earlier pass creates or places. Some of the passes run only on request
// (see Optional); the list determines their position.
var DevicePath = []*passes.Pass{
	bufferize.Bufferize, plan.MaterializeScratch, plan.MultiBuffer, plan.BindScales, plan.PlanMemory, expand.Pass, insertsync.Pass,
}

// Optional reports whether a pass of DevicePath runs only for callers that request it.
func Optional(p *passes.Pass) bool { return p == plan.MultiBuffer || p == expand.Pass }
