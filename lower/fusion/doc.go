// Package fusion finds tile instructions that can share a loop, brings them together, and
// marks them, before memory is planned.
//
// A group is a set of tile instructions of one block that have the same iteration space and
// are connected by their results. The passes have the names of the public compiler and
// exchange attributes:
//
//	plan.go     pto-fusion-plan sets the number of the group and the position in it
//	space.go    when two instructions have the same iteration space
//	schedule.go pto-op-scheduling makes the instructions of a group adjacent
//	access.go   when two instructions may change their order
//	lastuse.go  pto-mark-last-use marks the operands that no later instruction reads
//	region.go   pto-fusion-region-gen moves a group into a pto.fusion_region, and
//	            pto-flatten-fusion-region takes it out again
//	expdif.go   pto-vexpdif-fusion combines differences and exponentials in such regions
//
// The loops themselves are made by package expand. Its pass pto-fuse-tiles fuses adjacent
// instructions, with or without the attributes of this package.
package fusion
