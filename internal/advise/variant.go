// This file defines variants of a program and the order of their passes.

package advise

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/ir"
	"ptogo/lower"
	"ptogo/lower/bufferize"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/resize"
	"ptogo/lower/splitcores"
	"ptogo/lower/vector"
	"ptogo/passes"
)

// Variant is one way to build and launch a kernel.
type Variant struct {
	// Blocks is the number of blocks of the launch.
	Blocks int
	// Passes maps the stages that run (see stages) to the options of their passes.
	Passes map[string]string
}

// with returns a copy of v in which the stage with the given name runs with the given
// options.
func (v Variant) with(name, options string) Variant {
	v.Passes = maps.Clone(v.Passes)
	if v.Passes == nil {
		v.Passes = map[string]string{}
	}
	v.Passes[name] = options
	return v
}

// without returns a copy of v in which the stages with the given names do not run.
func (v Variant) without(names ...string) Variant {
	v.Passes = maps.Clone(v.Passes)
	for _, name := range names {
		delete(v.Passes, name)
	}
	return v
}

// has reports whether the stage with the given name runs.
func (v Variant) has(name string) bool {
	_, ok := v.Passes[name]
	return ok
}

// reassociate is the option of pto-resize-tiles that changes the order of sums.
const reassociate = "reassociate=true"

// reassociates reports whether a pass may change the order of sums.
func (v Variant) reassociates() bool {
	for _, options := range v.Passes {
		if strings.Contains(options, reassociate) {
			return true
		}
	}
	return false
}

// key returns a text that identifies the variant.
func (v Variant) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", v.Blocks)
	for _, name := range slices.Sorted(maps.Keys(v.Passes)) {
		fmt.Fprintf(&b, " %s{%s}", name, v.Passes[name])
	}
	return b.String()
}

// stage is a position in the order of passes. A pass can run in several stages.
type stage struct {
	name string
	pass *passes.Pass
}

// The names of stages that run a pass which another stage runs, too.
const (
	mergeLate     = "cse after all passes"
	resizeColumns = "pto-resize-tiles of columns"
	resizeSums    = "pto-resize-tiles of sums"
)

// stages are all passes that a variant can run, in the only order in which they run. The
// order of the passes for the device is that of lower.DevicePath.
var stages = slices.Concat(
	of(passes.HoistLoads, resize.Pass),
	[]stage{{resizeColumns, resize.Pass}, {resizeSums, resize.Pass}},
	of(passes.FlattenLoops, passes.SplitBlocks, passes.Canonicalize, passes.LICM, passes.CSE, splitcores.Pass, splitcores.Pipeline, bufferize.Bufferize, resize.Batch, passes.TDivSToRecip,
		fusion.Plan, fusion.Schedule, fusion.FormRegions, plan.MaterializeScratch, plan.MultiBuffer, plan.BindScales, plan.PlanMemory,
		fusion.Flatten, expand.Pass, expand.Fuse, insertsync.Pass, vector.Schedule, vector.PostUpdate),
	[]stage{{mergeLate, passes.CSE}},
)

// of returns a stage for each pass, with the name of the pass.
func of(list ...*passes.Pass) (all []stage) {
	for _, p := range list {
		all = append(all, stage{p.Name, p})
	}
	return all
}

// pipeline returns the passes of the variant.
func (v Variant) pipeline(diags *ir.Diags) *passes.Pipeline {
	p := passes.NewPipeline()
	for _, s := range stages {
		if options, ok := v.Passes[s.name]; ok && !p.Add(s.pass, options, diags) {
			return nil
		}
	}
	return p
}

// Pipeline returns the passes of the variant in the syntax of pto-opt --pass-pipeline. It
// returns "" if no pass runs.
func (v Variant) Pipeline() string {
	var b strings.Builder
	inner := "" // the anchor of the open inner pipeline
	for _, s := range stages {
		options, ok := v.Passes[s.name]
		if !ok {
			continue
		}
		anchor := s.pass.Anchor
		if anchor == rootAnchor {
			anchor = ""
		}
		if inner != "" && inner != anchor {
			b.WriteByte(')')
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if anchor != "" && anchor != inner {
			b.WriteString(anchor + "(")
		}
		inner = anchor
		b.WriteString(s.pass.Name)
		if options != "" {
			b.WriteString("{" + options + "}")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	if inner != "" {
		b.WriteByte(')')
	}
	return rootAnchor + "(" + b.String() + ")"
}

// rootAnchor is the operation on which a pipeline for a program runs.
const rootAnchor = "builtin.module"

// prepared returns v with the passes that prepare a program for the device. Options of
// the stages that v already has stay. The parameter force lets the pass that inserts
// synchronization replace what the program has.
func (v Variant) prepared(force bool) Variant {
	for _, p := range lower.DevicePath {
		if !lower.Optional(p) && !v.has(p.Name) {
			options := ""
			if force && p == insertsync.Pass {
				options = "force=true"
			}
			v = v.with(p.Name, options)
		}
	}
	return v
}
