package lower

import (
	"ptogo/lower/bufferize"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// DevicePath contains the passes that lower a program of any level to one that the
// device runs, in the only correct order: a pass that runs too late would miss buffers
// that an earlier pass creates or places. plan.MultiBuffer is optional; it has its place
// here for callers that request it.
var DevicePath = []*passes.Pass{
	bufferize.Bufferize, plan.MaterializeScratch, plan.MultiBuffer, plan.BindScales, plan.PlanMemory, insertsync.Pass,
}
