package example

import (
	"strings"

	"ptogo/codegen/cpp"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// Cpp returns what the first example of an instruction that has a C++ form
// becomes there, with values named as its operands and results, or "".
func Cpp(d *ir.Def) string {
	for _, text := range d.Examples {
		for _, t := range []ir.Target{sem.A5, sem.A3} {
			if call := cppOf(d, text, t); call != "" {
				return call
			}
		}
	}
	return ""
}

func cppOf(d *ir.Def, text string, t ir.Target) string {
	m, _ := Read(d, text)
	var diags ir.Diags
	if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: t, Sequential: true}, &diags) || !Place(m, t, &diags) {
		return ""
	}
	op := Find(m, d)
	each(op.Form().Operands, op.ArgRange, func(i int, name string) { op.Operand(i).SetName(name) })
	each(op.Form().Results, op.ResultRange, func(i int, name string) { op.Result(i).SetName(name) })
	call, ok := cpp.Statements(m, op, cpp.Options{Target: t})
	if !ok {
		return ""
	}
	var lines []string
	for line := range strings.Lines(call) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// Place takes a program to Level 3, with scratch tiles, as C++ wants it.
func Place(m *ir.Op, t ir.Target, diags *ir.Diags) bool {
	p := passes.NewPipeline()
	for _, pass := range []*passes.Pass{bufferize.Bufferize, plan.MaterializeScratch, plan.PlanMemory} {
		if !p.Add(pass, "", diags) {
			return false
		}
	}
	return p.Run(m, passes.RunOptions{Target: t, Diags: diags})
}
