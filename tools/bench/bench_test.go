package bench

import (
	"testing"

	"ptogo/ir"

	_ "ptogo/dialect/all"
)

const benchSize = 4 << 20

func parse(tb testing.TB, text string, sequential bool) *ir.Op {
	var diags ir.Diags
	src := &ir.Source{Name: "bench", Text: text}
	m, _ := ir.Parse(src, ir.ParseOptions{AllowUnregistered: true, Sequential: sequential}, &diags)
	if m == nil {
		tb.Fatal(diags.All()[0].Format())
	}
	return m
}

// TestProgram checks that the programs of the benchmarks are legal.
func TestProgram(t *testing.T) {
	for _, program := range []func(int) string{Program, Varied} {
		m := parse(t, program(1<<16), false)
		var diags ir.Diags
		if !ir.Verify(m, ir.VerifyOptions{}, &diags) {
			t.Fatal(diags.All()[0].Format())
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := Program(benchSize)
	for _, mode := range []struct {
		name       string
		sequential bool
	}{{"one", true}, {"all", false}} {
		b.Run(mode.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				parse(b, text, mode.sequential)
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	text := Program(benchSize)
	m := parse(b, text, false)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var diags ir.Diags
		if !ir.Verify(m, ir.VerifyOptions{}, &diags) {
			b.Fatal("not legal")
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	text := Program(benchSize)
	m := parse(b, text, false)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ir.Bytes(m, ir.PrintOptions{Generic: true})
	}
}
