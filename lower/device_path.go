package lower

import (
	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// DevicePath contains the passes that lower a program of any level to one that the
// device runs, in the only correct order: a pass that runs too late would miss buffers
// that an earlier pass creates or places. Optional names the passes that only run on request;
// they have their place here for those callers.
var DevicePath = []*passes.Pass{
	bufferize.Bufferize, plan.MaterializeScratch, plan.MultiBuffer, plan.BindScales, plan.PlanMemory, expand.Pass, insertsync.Pass,
}

// Optional reports whether a pass of DevicePath runs only for callers that request it.
func Optional(p *passes.Pass) bool { return p == plan.MultiBuffer || p == expand.Pass }
