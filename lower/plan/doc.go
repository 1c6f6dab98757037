// Package plan lowers programs from Level 2 to Level 3, where every buffer has an address.
// PlanMemory is the main pass; start with plan.go.
//
//	scratch.go       allocates the scratch tiles that a program omits
//	multi_buffer.go  replaces a tile in a loop by a ring of buffers
//	scales.go        assigns addresses to MX scale tiles
//	level.go         requirements of the build levels on a program
//	memory_map.go    the memory plan as a picture or a table
//
// PlanMemory consists of the following steps. It plans callers before the functions that
// they call:
//
//	plan.go    collects the tiles and buffers that need memory
//	calls.go   the call graph: buffers of callees are placed after those of callers
//	flow.go    the control flow graph
//	storage.go the allocations in which each value may be stored
//	events.go  the uses and writes of allocations at each point
//	live.go    the live range of each allocation
//	place.go   assigns addresses
//	share.go   lets results reuse the bytes of a tile whose live range ends
//	report.go  reports allocations that do not fit
//	apart.go   reports tiles of one instruction that must not share bytes
package plan
