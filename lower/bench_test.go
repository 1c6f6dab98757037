package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/passes/passtest"
)

// straight is a function of Level 1 with n instructions in a row, each on the
// two tiles before it.
func straight(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @main(%%p: %s) {\n%%v0 = test.map %%p, %%p : (%s, %s) -> %s\n", tile, tile, tile, tile)
	fmt.Fprintf(&b, "%%v1 = test.map %%p, %%p : (%s, %s) -> %s\n", tile, tile, tile)
	for i := range n {
		fmt.Fprintf(&b, "%%v%d = test.map %%v%d, %%v%d : (%s, %s) -> %s\n", i+2, i, i+1, tile, tile, tile)
	}
	b.WriteString("return\n}\n")
	return b.String()
}

// BenchmarkBufferize bufferizes 90,000 instructions.
func BenchmarkBufferize(b *testing.B) {
	text := straight(90_000)
	for _, pipeline := range []string{"builtin.module(pto-bufferize)", "builtin.module(pto-bufferize{reuse=true})"} {
		b.Run(pipeline, func(b *testing.B) { benchmark(b, text, pipeline) })
	}
}

// BenchmarkPlan plans 100,000 allocations.
func BenchmarkPlan(b *testing.B) {
	m := passtest.Parse(b, straight(100_000))
	passtest.Apply(b, registry, "builtin.module(pto-bufferize)", m)
	text := m.String()
	for _, options := range []string{"", "{order-by-size=true}", "{in-place=true}"} {
		b.Run(options, func(b *testing.B) { benchmark(b, text, "builtin.module(pto-plan-memory"+options+")") })
	}
}

// benchmark measures a pipeline without reading the program.
func benchmark(b *testing.B, text, pipeline string) {
	for b.Loop() {
		b.StopTimer()
		m := passtest.Parse(b, text)
		b.StartTimer()
		passtest.Apply(b, registry, pipeline, m)
	}
}
