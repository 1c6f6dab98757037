// This file runs the fusion of tile instructions as ptoas does.

package opt

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/lower"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/passes"
)

// Options of ptoas about the fusion of tile instructions.
const (
	fusionFlag = "enable-op-fusion"
	shapeFlag  = "enable-shape-inference"
	expDifFlag = "enable-vexpdif-fusion"
	// postUpdateFlag concerns all loops of vector instructions.
	postUpdateFlag = "enable-vpto-soft-postupdate"
)

// given returns the value of an option of ptoas, or "" if the command line lacks it.
func given(fs *pflag.FlagSet, name string) string { return fs.Lookup(name).Value.String() }

// checkFusion returns an error if the fusion of tile instructions is requested for a target
// without vector instructions.
func (t *optTool) checkFusion(fs *pflag.FlagSet) error {
	if t.flags.asPtoas && given(fs, fusionFlag) == "true" && t.flags.arch != "" && !strings.EqualFold(t.flags.arch, "a5") {
		return errors.New("--" + fusionFlag + " needs the vector instructions of a5, but --pto-arch is " + t.flags.arch)
	}
	return nil
}

// fuseAsPtoas adds the passes that --enable-op-fusion requests: those that find and mark
// the instructions that can share a loop, and with --emit-vpto those that make the loops.
func (t *optTool) fuseAsPtoas(fs *pflag.FlagSet) {
	f := &t.flags
	if given(fs, fusionFlag) != "true" {
		return
	}
	if f.level == "level1" {
		fmt.Fprintf(t.Err, "%s: warning: --%s has no effect at level1, where tiles have no buffers yet\n", t.Tool, fusionFlag)
		return
	}
	last := fusion.MarkLastUse
	if given(fs, backendFlag) == "vpto" {
		last = fusion.FormRegions
	}
	for _, p := range []*passes.Pass{fusion.Plan, fusion.Schedule, last} {
		step := passStep{pass: p}
		if given(fs, shapeFlag) == "false" && p == fusion.Plan {
			step.options = shapeFlag + "=false"
		}
		f.passes.steps = insertStep(f.passes.steps, lower.DevicePath[1:], step)
	}
	if !f.emitVPTO {
		return
	}
	order := []*passes.Pass{fusion.Flatten, expand.Fuse}
	if given(fs, expDifFlag) == "true" { // which works on the loops in regions
		order = []*passes.Pass{expand.Fuse, fusion.ExpDif, fusion.Flatten}
	}
	for _, p := range order {
		f.passes.steps = append(f.passes.steps, passStep{pass: p})
	}
}
