// Package plan lowers Level 2 to Level 3, where every buffer has an address.
// PlanMemory is the main pass; start with plan.go.
//
//	scratch.go       allocates the scratch tiles that a program leaves out
//	multi_buffer.go  gives a loop several buffers in turn
//	scales.go        gives tiles of scales their addresses
//	level.go         what the build levels require of a program
//	memory_map.go    the plan as a picture or a table
//
// Memory is planned in these steps. Callers are planned before the functions that
// they call:
//
//	plan.go    what needs memory
//	calls.go   the call graph: buffers of callees follow those of callers
//	flow.go    points, and the allocations that a value may be in
//	events.go  what happens to allocations at each point
//	live.go    the live range of each allocation
//	place.go   addresses
//	share.go   results that reuse the place of a dying tile
//	report.go  what does not fit
//	apart.go   tiles of one instruction that must not share bytes
package plan
