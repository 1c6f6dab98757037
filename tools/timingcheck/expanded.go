// This file predicts tile instructions of A5 after their expansion into vector
// instructions.

package main

import (
	"hash/fnv"
	"strings"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower"
	"ptogo/passes"
)

// expansion is the pass pipeline that replaces tile instructions by vector instructions.
const expansion = "builtin.module(pto-bufferize,pto-plan-memory,pto-expand-tile-op,canonicalize,loop-invariant-code-motion)"

var registry = passes.NewRegistry(passes.Table{Passes: lower.List}, passes.Table{Passes: passes.List, Order: passes.Rules})

// expandedRows returns an additional row for each measurement of a tile instruction on A5
// that the C++ library and pto-opt expand into the same loops. The prediction of the row
// is the time of the vector function. Constants of the model were fitted to two thirds of
// these rows. A hash of the columns selects them, so the choice does not depend on the
// predictions.
func expandedRows(rows []*row) (expanded []*row) {
	for _, r := range rows {
		if r.class != "instruction a5" || r.problem != "" {
			continue
		}
		e := *r
		e.class = "expanded a5"
		h := fnv.New32a()
		h.Write([]byte(r.kernel + "\t" + r.shape + "\t" + r.elem))
		e.fit = h.Sum32()%3 != 0
		e.predicted, e.problem = predictExpanded(r)
		expanded = append(expanded, &e)
	}
	return expanded
}

// predictExpanded returns the predicted number of cycles of the vector function for r, a
// measurement of a tile instruction. If the program would not be comparable with the
// measured one, it returns the reason.
func predictExpanded(r *row) (cycles float64, problem string) {
	o, _ := operationOf(r)
	switch {
	case strings.Contains(o.attrs, "high_precision"):
		return 0, "the library corrects the quotient, and the expansion uses vdiv alone"
	case o.registers() == 2 && o.rows > 1 && o.cols%o.lanes() > 0:
		return 0, "the library has a loop over two registers, and the expansion has none"
	case o.name == "tdivs":
		o.attrs = " {precisionType = #pto<div_precision high_precision>}" // the library divides
	}
	res, err := predict(&launch{text: o.text("a5"), file: "expanded.pto", pipeline: expansion})
	if err != nil {
		return 0, strings.SplitN(err.Error(), "\n", 2)[0]
	}
	if cycles = res.Instruction("pto.vecscope"); cycles == 0 {
		return 0, "the instruction is not expanded"
	}
	return cycles, ""
}

// lanes returns the number of elements per vector register, for the wider one of both
// element types.
func (o *operation) lanes() int64 {
	size := int64(1)
	for _, name := range []string{o.from, o.to} {
		if _, t, err := kernel.ParseShape("1x" + name); err == nil {
			size = max(size, int64(pto.ByteSize(t)))
		}
	}
	return pto.VectorBytes / size
}

// registers returns the number of vector registers that hold the valid elements of a row.
func (o *operation) registers() int64 { return (o.cols + o.lanes() - 1) / o.lanes() }

// load parses the program of a launch, runs the passes of its pipeline, and prepares it
// for execution.
func (l *launch) load(text string) (*kernel.Program, error) {
	src, o := &ir.Source{Name: l.file, Text: text}, kernel.Options{Kernel: l.kernel}
	if l.pipeline == "" {
		return kernel.Load(src, o)
	}
	var diags ir.Diags
	module := kernel.Parse(src, ir.ParseOptions{}, &diags)
	if module == nil {
		return nil, diags.Err()
	}
	p := passes.ParsePipeline(registry, l.pipeline, &diags)
	if p == nil || !p.Run(module, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
		return nil, diags.Err()
	}
	return kernel.Build(module, o)
}
