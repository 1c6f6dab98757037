package runtime

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// A function without sections that has work for both kinds of cores (analysis.Mixed)
// is executed once, in the order of the text. With Options.Seed it runs on a cube core
// and on a vector core instead, each with pipes and a scalar unit of its own, so that
// only signals order the two, as on a device. The vector core stands for both of its
// block: it raises the signals of both.

// divided reports whether a launch runs so.
func (p *planner) divided(kernels []*ir.Op) bool {
	return p.opts.Seed != 0 && len(kernels) == 1 && analysis.Mixed(kernels[0]) && analysis.Inseparable(kernels[0]) == nil
}

// onOwnCore lets only the cores execute an operation whose it is, if a core does not
// stand for all.
func (p *planner) onOwnCore(op *ir.Op, s step) step {
	if !p.divide || s == nil {
		return s
	}
	if u := p.unitFor(op); u != anyUnit {
		return onlyOn(u, s)
	}
	return s
}
