package cli

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// dimensions are programs that grow in one direction each.
var dimensions = []struct {
	name  string
	flags []string
	n     int
	text  func(n int) string
}{
	{"blocks", nil, 2000, manyBlocks},
	{"blocks as C++", []string{"--emit=cpp"}, 1000, manyBlocks},
	{"blocks as LLVM IR", []string{"--emit=llvm"}, 2000, manyBlocks},
	{"functions", nil, 4000, func(n int) string { return lines(n, "func.func @f%d() { return }") }},
	{"functions on a line", nil, 4000, func(n int) string {
		return strings.ReplaceAll(lines(n, "func.func @f%d() { return }"), "\n", " ")
	}},
	{"functions as C++", []string{"--emit=cpp"}, 2000, func(n int) string { return lines(n, "func.func @f%d() { return }") }},
	{"regions", nil, 2000, func(n int) string {
		return "func.func @f(%c: i1) {\n" + strings.Repeat("scf.if %c {\n}\n", n) + "return\n}\n"
	}},
	{"aliases", nil, 4000, func(n int) string {
		return lines(n, "!a%d = tuple<i32, i32>") + lines(n, "func.func private @f%[1]d(!a%[1]d)")
	}},
	{"attributes", nil, 2000, func(n int) string {
		return "func.func private @f() attributes {\n" + lines(n, "a%d = 1 : i32,") + "z}\n"
	}},
	{"errors", nil, 1000, func(n int) string {
		return "func.func @f(%n: i32, %x: f32) {\n" + lines(n, "%%v%d = arith.addi %%n, %%x : i32") + "return\n}\n"
	}},
	{"errors on a line", nil, 1000, func(n int) string {
		return "func.func @f(%n: i32, %x: f32) { " + strings.ReplaceAll(lines(n, "%%v%d = arith.addi %%n, %%n : i64"), "\n", " ") + "return }\n"
	}},
	{"values", nil, 4000, func(n int) string {
		return "func.func @f(%n: i32) {\n" + lines(n, "%%v%d = arith.addi %%n, %%n : i32") + "return\n}\n"
	}},
	{"passes", []string{"--canonicalize", "--cse"}, 2000, func(n int) string {
		return "func.func @f(%n: i32) {\n" + lines(n, "%%v%d = arith.addi %%n, %%n : i32") + "return\n}\n"
	}},
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

func manyBlocks(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%c: i1) {\n  cf.br ^b0\n")
	for i := range n {
		fmt.Fprintf(&b, "^b%d:\n  cf.cond_br %%c, ^b%d, ^b%d\n", i, i+1, n)
	}
	fmt.Fprintf(&b, "^b%d:\n  return\n}\n", n)
	return b.String()
}

// optOn runs pto-opt on a text and throws away what it writes.
func optOn(text string, flags []string) {
	var out, errs bytes.Buffer
	Opt(append([]string{"--mlir-disable-threading"}, flags...), strings.NewReader(text), &out, &errs)
}

// mostRatio is how much more a program of twice the size may cost.
const mostRatio = 2.5

// TestScalingOfMemory doubles each dimension twice and compares the bytes that are
// allocated, which does not depend on how busy the machine is. Slabs and buffers
// that grow in steps blur a single doubling.
func TestScalingOfMemory(t *testing.T) {
	allocated := func(text string, flags []string) float64 {
		least := math.Inf(1)
		for range 2 { // the first one also makes what lasts
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			optOn(text, flags)
			runtime.ReadMemStats(&after)
			least = min(least, float64(after.TotalAlloc-before.TotalAlloc))
		}
		return least
	}
	for _, d := range dimensions {
		if ratio := math.Sqrt(allocated(d.text(4*d.n), d.flags) / allocated(d.text(d.n), d.flags)); ratio > mostRatio {
			t.Errorf("%s: twice as many allocate %.1f times as much", d.name, ratio)
		}
	}
}

// BenchmarkScaling reports, for each dimension, how many times as long a program of
// twice the size lasts: near 2 is linear, 4 is quadratic. It fails nothing, because a
// busy machine would.
func BenchmarkScaling(b *testing.B) {
	for _, d := range dimensions {
		b.Run(d.name, func(b *testing.B) {
			once, twice := d.text(4*d.n), d.text(8*d.n)
			var short, long time.Duration
			for b.Loop() {
				start := time.Now()
				optOn(once, d.flags)
				middle := time.Now()
				optOn(twice, d.flags)
				short, long = short+middle.Sub(start), long+time.Since(middle)
			}
			b.ReportMetric(float64(long)/float64(short), "ratio")
		})
	}
}
