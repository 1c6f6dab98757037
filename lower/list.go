package lower

import (
	"ptogo/lower/insertsync"
	"ptogo/passes"
)

// List is the passes of this package, in an order in which they could run.
var List = []*passes.Pass{
	Bufferize,
	MaterializeScratch,
	MultiBuffer,
	PlanMemory,
	insertsync.Pass,
}

// Rules say which pass belongs in front of which.
var Rules []passes.Order
