package cli

import (
	"io"
	"slices"

	"ptogo/codegen/cpp"
	"ptogo/ir"
	"ptogo/lower/plan"
)

// cppSteps are the passes that a program needs before it can be written as C++,
// as far as steps lacks them: buffers, scratch tiles and addresses. On level3
// the program assigns addresses itself.
func cppSteps(steps []passStep, level string) []passStep {
	need := []string{"pto-bufferize", "pto-materialize-implicit-tmp", "pto-plan-memory"}
	if level == "level3" {
		need = need[:2]
	}
	for _, name := range need {
		if !slices.ContainsFunc(steps, func(p passStep) bool { return p.pass.Name == name }) {
			steps = append(steps, passStep{registry.Lookup(name), ""})
		}
	}
	// Scales lie where their operands do, so they are placed together.
	planned := slices.IndexFunc(steps, func(p passStep) bool { return p.pass.Name == "pto-plan-memory" })
	if planned < 0 {
		planned = len(steps)
	}
	return slices.Insert(steps, planned, passStep{plan.BindScales, ""})
}

// writeCpp writes the program as C++ for the public tile library.
func (t *optTool) writeCpp(w io.Writer, module *ir.Op, diags *ir.Diags) bool {
	_, inserted := t.flags.sync.modes()
	return cpp.Emit(w, module, cpp.Options{Target: t.target(module), Launch: t.flags.cppLaunch, EndBarrier: inserted != ""}, diags)
}
