// This file writes examples as C++.

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

// Cpp returns the C++ statements for an instruction. It uses the first example of the
// instruction that can be emitted as C++, for A5 if possible and otherwise for A3. It
// returns "" if no example can be emitted. In the statements, the values have the names
// of the operands and results of the definition.
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

// cppOf returns the C++ statements for an example of the instruction d on the target t.
// cppOf returns "" if the example is illegal on t or cannot be written as C++.
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

// Place lowers a program to Level 3, where each tile, including scratch tiles, has an
// address. The C++ emitter requires this level. Place reports whether the passes
// succeeded.
func Place(m *ir.Op, t ir.Target, diags *ir.Diags) bool {
	p := passes.NewPipeline()
	for _, pass := range []*passes.Pass{bufferize.Bufferize, plan.MaterializeScratch, plan.PlanMemory} {
		if !p.Add(pass, "", diags) {
			return false
		}
	}
	return p.Run(m, passes.RunOptions{Target: t, Diags: diags})
}
