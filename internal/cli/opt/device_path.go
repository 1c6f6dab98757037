// This file selects the passes that prepare a program for the device.

package opt

import (
	"slices"

	"ptogo/lower"
	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/vector"
	"ptogo/lower/vmi"
	"ptogo/passes"
)

// deviceSteps adds to steps the passes that prepare a program for a device
// (lower.DevicePath), as far as they are missing. It inserts each pass before the first
// pass that must run later.
//
// At level3, the program assigns its own addresses, so the memory planner is not added.
// The added passes do not change a program that is already lowered further. The parameter
// level is the name of the level, and asked is the option that requires the passes, for
// messages.
func deviceSteps(steps []passStep, level, asked string) []passStep {
	for i, p := range lower.DevicePath {
		optional := lower.Optional(p) || p == insertsync.Pass || p == plan.PlanMemory && level == "level3"
		if !optional && !hasStep(steps, p) {
			steps = insertStep(steps, lower.DevicePath[i+1:], passStep{pass: p, asked: asked})
		}
	}
	return steps
}

// vectorSteps returns the pipeline steps extended by the passes that are missing in it
// for lowering a program to vector instructions. These passes prepare the program for a
// device, expand tile instructions, inline helper functions, lower VMI instructions (on
// vectors of any length), and add vector functions. The parameter level is the value of
// --pto-level.
func vectorSteps(steps []passStep, level string) []passStep {
	steps = deviceSteps(steps, level, "--emit-vpto")
	if !hasStep(steps, expand.Pass) && !hasStep(steps, expand.Fuse) {
		steps = insertStep(steps, []*passes.Pass{insertsync.Pass}, passStep{pass: expand.Pass})
	}
	if !hasStep(steps, passes.InlineHelpers) {
		steps = insertStep(steps, []*passes.Pass{insertsync.Pass}, passStep{pass: passes.InlineHelpers})
	}
	if !hasStep(steps, vmi.ToVector) {
		for _, p := range vmi.Lowering {
			steps = insertStep(steps, []*passes.Pass{insertsync.Pass}, passStep{pass: p})
		}
	}
	if !hasStep(steps, vector.InferScopes) {
		steps = insertStep(steps, []*passes.Pass{insertsync.Pass}, passStep{pass: vector.InferScopes})
	}
	return steps
}

// memoryMapSteps adds to steps the missing passes that assign addresses to tiles.
func memoryMapSteps(steps []passStep) []passStep {
	for _, p := range []*passes.Pass{bufferize.Bufferize, plan.PlanMemory} {
		if !hasStep(steps, p) {
			steps = insertStep(steps, lower.DevicePath[slices.Index(lower.DevicePath, p)+1:], passStep{pass: p})
		}
	}
	return steps
}

// hasStep reports whether steps contain the pass p.
func hasStep(steps []passStep, p *passes.Pass) bool {
	return slices.ContainsFunc(steps, func(s passStep) bool { return s.pass == p })
}

// insertStep inserts the step s into a list of steps and returns the list. Some passes
// must run after s; the parameter later lists them. insertStep inserts s before the first
// step that runs such a pass. If the list contains no such step, insertStep appends s.
func insertStep(steps []passStep, later []*passes.Pass, s passStep) []passStep {
	at := slices.IndexFunc(steps, func(s passStep) bool { return slices.Contains(later, s.pass) })
	if at < 0 {
		at = len(steps)
	}
	return slices.Insert(steps, at, s)
}
