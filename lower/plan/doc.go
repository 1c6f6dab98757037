// Package plan turns Level 2 into Level 3, in which every buffer has an address.
//
//	scratch.go       allocates the scratch tiles that a program leaves out
//	multi_buffer.go  gives a loop several buffers in turn
//	scales.go        gives tiles of scales their addresses
//	level.go         what the build levels ask of a program
//	memory_map.go    the plan as a picture or a table
//
// The planning of memory takes these steps, callers before the functions they
// call:
//
//	plan.go    what needs memory
//	calls.go   who calls whom: the buffers of callees follow those of callers
//	flow.go    points, and which allocation a value may be in
//	events.go  what happens to allocations there
//	live.go    from where to where each allocation is needed
//	place.go   addresses
//	share.go   results in the place of tiles that die
//	report.go  what does not fit
//	apart.go   tiles of one instruction that must not share bytes
package plan
