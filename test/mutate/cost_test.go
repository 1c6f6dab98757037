package mutate

import (
	"testing"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/expr"
)

// BenchmarkExpressions measures the cost of symbolic expressions: it runs the examples on
// numbers and on expressions.
//
//	go test ./test/mutate -run '^$' -bench Expressions
func BenchmarkExpressions(b *testing.B) {
	for _, l := range launchables(b) {
		for _, how := range []string{"numbers", "expressions"} {
			b.Run(l.name+"/"+how, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					o := runtime.Options{Target: l.prog.Target, Features: l.prog.Features, Blocks: l.blocks}
					if how == "expressions" {
						o.Lineage = &runtime.Lineage{Exprs: expr.New(expr.Modulo{}, 0)}
					}
					var diags ir.Diags
					plan := runtime.Plan(l.prog.Module, l.prog.Kernels, o, &diags)
					args := clone(l.args)
					b.StartTimer()
					if plan == nil {
						b.Fatal(diags.Err())
					}
					if err := plan.Run(args); err != nil {
						b.Skip(err)
					}
				}
			})
		}
	}
}
