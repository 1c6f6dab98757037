package cpptest

import (
	"bytes"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// DeviceReports runs the kernel of r on the Go engine and returns the classes of the rules
// about the device library (pto.DeviceRule) that the run breaks: what pto-run
// --check=device reports. It omits the rules that generated C++ repairs, because these
// explain no difference.
func (r *Result) DeviceReports() []string {
	prog, err := r.prepare()
	if err != nil {
		return nil
	}
	c, err := check.New(check.Options{Kinds: []check.Kind{check.Device}})
	if err != nil {
		return nil
	}
	plan, err := prog.Plan(runtime.Options{Blocks: max(r.Blocks, 1), MaxSteps: mostSteps, Out: &bytes.Buffer{}, Listeners: []runtime.Listener{c}})
	if err != nil {
		return nil
	}
	args, _ := r.arguments()
	if plan.Run(args...) != nil {
		return nil
	}
	repaired := map[string]bool{}
	for _, f := range prog.Kernels {
		for op := range f.Walk() {
			for _, rule := range pto.DeviceRules(op, ir.TargetOf(f)) {
				repaired[rule.Class] = repaired[rule.Class] || rule.Repaired
			}
		}
	}
	var classes []string
	for _, report := range c.Reports() {
		if !repaired[report.Class] && !slices.Contains(classes, report.Class) {
			classes = append(classes, report.Class)
		}
	}
	slices.Sort(classes)
	return classes
}
