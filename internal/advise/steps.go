// This file lists the steps that a search tries.

package advise

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/expand"
	"ptogo/lower/fusion"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/resize"
	"ptogo/lower/splitcores"
	"ptogo/lower/vector"
	"ptogo/passes"
)

// Step is a change of a variant that might make the kernel faster.
type Step struct {
	// Name describes the step in tables. Group is the name of similar steps, of which a
	// table lists the best one if none is kept.
	Name, Group string
	// Alone means that the search does not combine the step with another one of which
	// neither is faster by itself.
	Alone bool
	// Change returns the changed variant. The result ok is false if the step does not
	// apply to v.
	Change func(v Variant) (changed Variant, ok bool)
}

// Facts are the properties of a program that determine which steps apply to it.
type Facts struct {
	// A5 reports that the target is A5, which has vector instructions on registers.
	A5 bool
	// CountsBlocks reports that the kernel reads the number of blocks of its launch.
	CountsBlocks bool
	// ReadsBlock reports that the kernel reads the number of its block.
	ReadsBlock bool
	// Combines reports that the kernel combines values with global memory, for example by
	// atomic additions. On several blocks, its results depend on the order of the blocks.
	Combines bool
	// Synchronized reports that the kernel has synchronization of its own.
	Synchronized bool
	// Mixed reports that a kernel has work for both kinds of cores, which a pass can
	// divide into two kernels.
	Mixed bool
	// Vector reports that the kernel has vector functions.
	Vector bool
	// Resizes are the options of the pass pto-resize-tiles with which it changes the program.
	Resizes []string
	// Flattens reports that the pass pto-flatten-loops merges loops of the program, and
	// Batches that pto-batch-transfers moves its loads or stores out of loops.
	Flattens, Batches bool
	// Places is the number of blocks that the chip executes at the same time.
	Places int
	// FixedBlocks reports that the program may need at least as many blocks as the variant has.
	FixedBlocks bool
}

// factsOf returns the facts about a program, without the number of places.
func factsOf(p *kernel.Program) Facts {
	f := Facts{A5: p.Profile() == sem.A5, Synchronized: notes.Synchronizes(p.Kernels), Mixed: len(p.Kernels) == 1 && analysis.Mixed(p.Kernels[0])}
	for _, k := range p.Kernels {
		for _, arg := range k.Region(0).Entry().Args() {
			if what, ok := analysis.LaunchParam(arg); ok && what == sem.BlockNum {
				f.CountsBlocks = true
			}
		}
	}
	for _, fn := range analysis.Reached(p.Kernels) {
		f.Combines = f.Combines || isasimt.Combining(fn)
		for op := range fn.Walk() {
			f.see(op)
		}
	}
	return f
}

// see records the facts that one operation shows.
func (f *Facts) see(op *ir.Op) {
	if q, ok := op.Def().Sem.(sem.Query); ok {
		f.CountsBlocks = f.CountsBlocks || q.What == sem.BlockNum
		f.ReadsBlock = f.ReadsBlock || q.What == sem.BlockIdx
	}
	f.Vector = f.Vector || pto.IsVectorFunction(op)
}

// Steps returns the steps that may make a program with the given facts faster, in the
// order in which a table lists them. Steps returns only steps that a pass or an option of
// the launch performs.
func (f Facts) Steps() []Step {
	var list []Step
	add := func(group, name string, change func(v Variant) (Variant, bool)) {
		list = append(list, Step{Name: name, Group: group, Change: change})
	}
	// build is a step that runs the passes for the device with further stages. Its options
	// are pairs of stages and options.
	build := func(group, name string, options ...string) {
		add(group, name, func(v Variant) (Variant, bool) {
			for i := 0; i < len(options); i += 2 {
				v = v.with(options[i], options[i+1])
			}
			return v.prepared(f.Synchronized), true
		})
	}
	f.blockSteps(add)
	if !f.Synchronized {
		f.resizeSteps(func(group, name string, alone bool, change func(v Variant) (Variant, bool)) {
			list = append(list, Step{Name: name, Group: group, Alone: alone, Change: change})
		})
	}
	for _, n := range []int{2, 3, 4} {
		build("rings of buffers", fmt.Sprintf("rings of %d buffers (%s)", n, plan.MultiBuffer.Name), plan.MultiBuffer.Name, fmt.Sprintf("factor=%d", n))
	}
	if f.Batches {
		build("batched transfers", "one load or store for all rounds of a loop ("+resize.Batch.Name+")", resize.Batch.Name, "")
	}
	if f.Synchronized {
		build("new synchronization", "flags and barriers inserted anew ("+insertsync.Pass.Name+")")
	}
	build("loads before loops", "invariant loads before loops ("+passes.HoistLoads.Name+")", passes.HoistLoads.Name, "")
	build("simplification", "simpler scalar code ("+passes.Canonicalize.Name+", "+passes.LICM.Name+", "+passes.CSE.Name+")", passes.Canonicalize.Name, "", passes.LICM.Name, "", passes.CSE.Name, "")
	build("reciprocals", "exact reciprocals ("+passes.TDivSToRecip.Name+")", passes.TDivSToRecip.Name, "")
	if f.Mixed {
		for _, n := range []int{2, 3, 4} {
			build("split cores", fmt.Sprintf("kernels for both kinds of cores, %d slots (%s)", n, splitcores.Pass.Name), splitcores.Pass.Name, fmt.Sprintf("slots=%d", n))
			build("cores ahead", fmt.Sprintf("cores %d rounds ahead (%s)", n, splitcores.Pipeline.Name), splitcores.Pass.Name, fmt.Sprintf("slots=%d", n), splitcores.Pipeline.Name, fmt.Sprintf("stages=%d", n))
		}
	}
	if f.A5 {
		f.vectorSteps(add)
	}
	return list
}

// blockSteps adds the steps that launch the kernel on other numbers of blocks, by calls of
// add. A pass divides the loops of a kernel that does not read the number of blocks.
func (f Facts) blockSteps(add func(group, name string, change func(v Variant) (Variant, bool))) {
	if f.Combines {
		return
	}
	const group = "other numbers of blocks"
	for _, n := range blockCounts(f.Places) {
		add(group, ir.Count(n, "block"), func(v Variant) (Variant, bool) {
			changed := v
			changed.Blocks = n
			return changed, v.Blocks != n && (f.CountsBlocks || v.has(passes.SplitBlocks.Name))
		})
	}
	if f.CountsBlocks {
		return
	}
	divide := func(loops, depth string, flatten bool) {
		by := passes.SplitBlocks.Name
		if flatten {
			by = passes.FlattenLoops.Name + ", " + by
		}
		for _, n := range blockCounts(f.Places) {
			add(group, fmt.Sprintf("%s that divide the %s (%s)", ir.Count(n, "block"), loops, by), func(v Variant) (Variant, bool) {
				changed := v.with(passes.SplitBlocks.Name, depth)
				if flatten {
					changed = changed.with(passes.FlattenLoops.Name, "")
				}
				changed.Blocks = n
				return changed, v.Blocks == 1 && n > 1 && !v.has(passes.SplitBlocks.Name)
			})
		}
	}
	divide("outermost loops", "depth=1", false)
	divide("inner loops", "depth=2", false)
	if f.Flattens {
		divide("merged loops", "depth=1", true)
	}
	if !f.FixedBlocks {
		return
	}
	add("one iteration for each block", "one iteration for each block ("+passes.SplitBlocks.Name+")", func(v Variant) (Variant, bool) {
		depth, _, _ := strings.Cut(v.Passes[passes.SplitBlocks.Name], " ")
		options := fmt.Sprintf("%s blocks=%d", depth, v.Blocks)
		return v.with(passes.SplitBlocks.Name, options).prepared(f.Synchronized), depth == "depth=1" && v.Passes[passes.SplitBlocks.Name] != options
	})
}

// changes reports whether the pass changes the program, after the passes of the variant v.
func (l *Lab) changes(v Variant, pass *passes.Pass) bool {
	o := passes.RunOptions{Target: l.target, Features: l.features, Diags: &ir.Diags{}, Clock: clock, Memory: l.Memory, Statistics: &passes.Statistics{}}
	p := v.with(pass.Name, "").pipeline(o.Diags)
	return p != nil && p.Run(cloneModule(l.module), o) && o.Statistics.Summary(pass) != ""
}

// resizeSteps adds the steps that change the numbers of rows and columns of tiles, by calls
// of add. Smaller tiles alone are rarely faster, so a step also divides the tiles between
// more blocks.
func (f Facts) resizeSteps(add func(group, name string, alone bool, change func(v Variant) (Variant, bool))) {
	for _, axis := range []struct{ stage, lines, options string }{{resize.Pass.Name, "rows", ""}, {resizeColumns, "columns", " columns=true"}, {resizeSums, "terms of sums", " sums=true"}} {
		for _, n := range tileFactors {
			larger, smaller := fmt.Sprintf("merge=%d", n)+axis.options, fmt.Sprintf("divide=%d", n)+axis.options
			if slices.Contains(f.Resizes, larger) {
				add("larger tiles", fmt.Sprintf("tiles with %d times the %s (%s)", n, axis.lines, resize.Pass.Name), n > 2, func(v Variant) (Variant, bool) {
					return v.with(axis.stage, larger).prepared(false), v.Passes[axis.stage] != larger
				})
			}
			if other := larger + " " + reassociate; slices.Contains(f.Resizes, other) {
				add("larger tiles", fmt.Sprintf("tiles with %d times the %s, sums in another order (%s)", n, axis.lines, resize.Pass.Name), n > 2, func(v Variant) (Variant, bool) {
					return v.with(axis.stage, other).prepared(false), v.Passes[axis.stage] != other
				})
			}
			if slices.Contains(f.Resizes, smaller) {
				add("smaller tiles", fmt.Sprintf("tiles with 1/%d of the %s (%s)", n, axis.lines, resize.Pass.Name), n > 2, func(v Variant) (Variant, bool) {
					return v.with(axis.stage, smaller).prepared(false), v.Passes[axis.stage] != smaller
				})
			}
			if more := smaller + " blocks=true"; slices.Contains(f.Resizes, more) && !f.CountsBlocks {
				name := fmt.Sprintf("tiles with 1/%d of the %s on %d times as many blocks (%s)", n, axis.lines, n, resize.Pass.Name)
				add("smaller tiles on more blocks", name, n > 2, func(v Variant) (Variant, bool) {
					return f.dividedBetweenBlocks(v, axis.stage, more, n)
				})
			}
			if slices.Contains(f.Resizes, smaller) && axis.stage != resizeSums && (f.CountsBlocks || !f.ReadsBlock) {
				name := fmt.Sprintf("tiles with 1/%d of the %s on more blocks (%s)", n, axis.lines, resize.Pass.Name)
				add("smaller tiles on more blocks", name, n > 2, func(v Variant) (Variant, bool) {
					return f.dividedBetweenBlocks(v, axis.stage, smaller, n)
				})
			}
		}
		add("sizes as written", "tiles with as many "+axis.lines+" as written", true, func(v Variant) (Variant, bool) {
			return v.without(axis.stage), v.has(axis.stage)
		})
	}
}

// tileFactors are the numbers by which the search multiplies or divides the rows or columns
// of tiles.
var tileFactors = []int{2, 3, 4, 8, 16}

// resizes returns the options with which the pass pto-resize-tiles changes the program.
func (l *Lab) resizes() []string {
	var list []string
	kinds := []string{"", " columns=true", " sums=true", " blocks=true", " columns=true blocks=true"}
	if l.Reassociate {
		kinds = append(kinds, " "+reassociate, " columns=true "+reassociate)
	}
	for _, axis := range kinds {
		for _, way := range []string{"merge", "divide"} {
			if way == "merge" && strings.HasSuffix(axis, "blocks=true") {
				continue
			}
			for _, n := range tileFactors {
				options := fmt.Sprintf("%s=%d%s", way, n, axis)
				var diags ir.Diags
				p := Variant{}.with(resize.Pass.Name, options).pipeline(&diags)
				o := passes.RunOptions{Target: l.target, Features: l.features, Diags: &diags, Clock: clock, Memory: l.Memory, Statistics: &passes.Statistics{}}
				if p == nil || !p.Run(cloneModule(l.module), o) {
					continue
				}
				if strings.HasSuffix(axis, reassociate) && o.Statistics.Count(resize.Pass, resize.Reassociated) == 0 {
					continue // the same as without the option
				}
				if o.Statistics.Summary(resize.Pass) != "" {
					list = append(list, options)
				}
			}
		}
	}
	return list
}

// dividedBetweenBlocks returns the variant v with tiles divided into n parts by a stage with
// the given options, and with as many more blocks as v has larger tiles.
func (f Facts) dividedBetweenBlocks(v Variant, stage, options string, n int) (Variant, bool) {
	var before int
	if _, err := fmt.Sscanf(v.Passes[stage], "divide=%d", &before); err != nil || f.ReadsBlock && !f.CountsBlocks && !strings.HasSuffix(v.Passes[stage], "blocks=true") {
		before = 1
	}
	changed := v.with(stage, options).prepared(false)
	changed.Blocks = v.Blocks * n / before
	if f.Combines || changed.Blocks <= v.Blocks || changed.Blocks > f.Places {
		return v, false
	}
	if !f.CountsBlocks && !f.ReadsBlock && !v.has(passes.SplitBlocks.Name) {
		changed = changed.with(passes.SplitBlocks.Name, "depth=1")
		return changed, v.Blocks == 1
	}
	return changed, true
}

// vectorSteps adds the steps for A5, which has vector instructions on registers, by calls
// of add.
func (f Facts) vectorSteps(add func(group, name string, change func(v Variant) (Variant, bool))) {
	regions := []string{fusion.Plan.Name, fusion.Schedule.Name, fusion.FormRegions.Name, fusion.Flatten.Name}
	add("vector instructions", "vector instructions ("+expand.Pass.Name+")", func(v Variant) (Variant, bool) {
		return v.without(append(regions, expand.Fuse.Name)...).with(expand.Pass.Name, "").prepared(f.Synchronized), true
	})
	add("vector instructions", "fused loops of vector instructions ("+expand.Fuse.Name+")", func(v Variant) (Variant, bool) {
		return v.without(append(regions, expand.Pass.Name)...).with(expand.Fuse.Name, "").prepared(f.Synchronized), true
	})
	add("vector instructions", "fused loops of groups ("+fusion.Plan.Name+", "+expand.Fuse.Name+")", func(v Variant) (Variant, bool) {
		v = v.without(expand.Pass.Name).with(expand.Fuse.Name, "")
		for _, name := range regions {
			v = v.with(name, "")
		}
		return v.prepared(f.Synchronized), true
	})
	add("buffer tokens", "buffer tokens instead of flags ("+insertsync.Pass.Name+")", func(v Variant) (Variant, bool) {
		v = v.prepared(f.Synchronized)
		if f.Synchronized {
			return v.with(insertsync.Pass.Name, "mode=buffers force=true"), true
		}
		return v.with(insertsync.Pass.Name, "mode=buffers"), true
	})
	inScopes := func(v Variant) bool { return f.Vector || v.has(expand.Pass.Name) || v.has(expand.Fuse.Name) }
	add("order of vector instructions", "reordered vector instructions ("+vector.Schedule.Name+")", func(v Variant) (Variant, bool) {
		return v.with(vector.Schedule.Name, ""), inScopes(v)
	})
	add("post-update", "addresses that advance themselves ("+vector.PostUpdate.Name+")", func(v Variant) (Variant, bool) {
		return v.with(vector.PostUpdate.Name, "").with(mergeLate, ""), inScopes(v)
	})
}

// blockCounts returns the numbers of blocks to try on a chip that executes the given
// number of blocks at the same time, in ascending order.
func blockCounts(places int) []int {
	var list []int
	for n := 1; n < places; n *= 2 {
		list = append(list, n)
		if between := n + n/2; n >= 2 && between < places {
			list = append(list, between)
		}
	}
	list = append(list, max(places, 1))
	slices.Sort(list)
	return slices.Compact(list)
}
