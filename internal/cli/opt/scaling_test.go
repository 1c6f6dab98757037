package opt

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/tools/testsize"
)

// dimension is a program that grows in one direction.
type dimension struct {
	name  string
	flags []string
	n     int
	text  func(n int) string
}

var dimensions = []dimension{
	{"blocks", nil, 2000, manyBlocks},
	{"blocks as C++", []string{"--emit=cpp"}, 1000, manyBlocks},
	{"blocks as LLVM IR", []string{"--emit=llvm"}, 2000, manyBlocks},
	{"functions", nil, 4000, func(n int) string { return clitest.Lines(n, "func.func @f%d() { return }") }},
	{"functions on a line", nil, 4000, func(n int) string {
		return strings.ReplaceAll(clitest.Lines(n, "func.func @f%d() { return }"), "\n", " ")
	}},
	{"functions as LLVM IR", []string{"--emit=llvm"}, 2000, func(n int) string { return clitest.Lines(n, "func.func @f%d() { return }") }},
	{"functions as C++", []string{"--emit=cpp"}, 2000, func(n int) string { return clitest.Lines(n, "func.func @f%d() { return }") }},
	{"regions", nil, 2000, func(n int) string {
		return "func.func @f(%c: i1) {\n" + strings.Repeat("scf.if %c {\n}\n", n) + "return\n}\n"
	}},
	{"regions in each other", nil, 120, nested},
	{"regions in each other as LLVM IR", []string{"--emit=llvm"}, 120, nested},
	{"regions in each other as C++", []string{"--emit=cpp"}, 120, nested},
	{"calls of functions", nil, 2000, manyCalls},
	{"calls of functions as LLVM IR", []string{"--emit=llvm"}, 2000, manyCalls},
	{"calls of functions as C++", []string{"--emit=cpp"}, 2000, manyCalls},
	{"calls in each other as LLVM IR", []string{"--emit=llvm"}, 1000, callsInEachOther},
	{"calls in each other on the device path", []string{"--pto-plan-memory", "--pto-insert-sync"}, 1000, callsInEachOther},
	{"tiles on the device path", []string{"--pto-bufferize", "--pto-plan-memory", "--pto-insert-sync"}, 1000, manyTiles},
	{"tiles of a view with their order proved", []string{"--enable-insert-sync", "--verify-sync"}, 400, tilesOfView},
	{"tiles as LLVM IR", []string{"--emit=llvm"}, 1000, manyTiles},
	{"tiles as C++", []string{"--emit=cpp"}, 1000, manyTiles},
	{"aliases", nil, 4000, func(n int) string {
		return clitest.Lines(n, "!a%d = tuple<i32, i32>") + clitest.Lines(n, "func.func private @f%[1]d(!a%[1]d)")
	}},
	{"attributes", nil, 2000, func(n int) string {
		return "func.func private @f() attributes {\n" + clitest.Lines(n, "a%d = 1 : i32,") + "z}\n"
	}},
	{"errors", nil, 1000, func(n int) string {
		return "func.func @f(%n: i32, %x: f32) {\n" + clitest.Lines(n, "%%v%d = arith.addi %%n, %%x : i32") + "return\n}\n"
	}},
	{"errors on a line", nil, 1000, func(n int) string {
		return "func.func @f(%n: i32, %x: f32) { " + strings.ReplaceAll(clitest.Lines(n, "%%v%d = arith.addi %%n, %%n : i64"), "\n", " ") + "return }\n"
	}},
	{"values", nil, 4000, func(n int) string {
		return "func.func @f(%n: i32) {\n" + clitest.Lines(n, "%%v%d = arith.addi %%n, %%n : i32") + "return\n}\n"
	}},
	{"passes", []string{"--canonicalize", "--cse"}, 2000, func(n int) string {
		return "func.func @f(%n: i32) {\n" + clitest.Lines(n, "%%v%d = arith.addi %%n, %%n : i32") + "return\n}\n"
	}},
}

// manyCalls declares n functions, each of which one function calls.
func manyCalls(n int) string {
	return clitest.Lines(n, "func.func private @f%d()") + "func.func @f() {\n" + clitest.Lines(n, "func.call @f%d() : () -> ()") + "return\n}\n"
}

// callsInEachOther has n functions, each of which calls the one before it.
func callsInEachOther(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f0() { return }\n")
	for i := range n {
		fmt.Fprintf(&b, "func.func @f%d() {\n  func.call @f%d() : () -> ()\n  return\n}\n", i+1, i)
	}
	return b.String()
}

// nested has n regions in each other.
func nested(n int) string {
	return "func.func @f(%c: i1) {\n" + strings.Repeat("scf.if %c {\n", n) + strings.Repeat("}\n", n) + "return\n}\n"
}

// manyTiles has n tile instructions, each of which needs the one before it.
func manyTiles(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%t0: !pto.tile<8x8xf32>, %s: f32) -> !pto.tile<8x8xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "%%t%d = pto.tadds %%t%d, %%s : (!pto.tile<8x8xf32>, f32) -> !pto.tile<8x8xf32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "return %%t%d : !pto.tile<8x8xf32>\n}\n", n)
	return b.String()
}

// tilesOfView has a loop with n loads and n stores of the same part of a view.
func tilesOfView(n int) string {
	var b strings.Builder
	b.WriteString(`func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%v = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
%p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> !pto.partition_tensor_view<8x8xf32>
scf.for %i = %c0 to %c8 step %c1 {
`)
	for i := range n {
		fmt.Fprintf(&b, "%%t%d = pto.tload %%p : !pto.partition_tensor_view<8x8xf32> -> !pto.tile<8x8xf32>\n", i)
		fmt.Fprintf(&b, "pto.tstore %%t%d, %%p : !pto.tile<8x8xf32>, !pto.partition_tensor_view<8x8xf32>\n", i)
	}
	b.WriteString("}\nreturn\n}\n")
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

// optOn runs pto-opt on a text and returns the exit code and the bytes of the text, of the
// output and of the messages.
func optOn(text string, flags []string) (code, bytes int) {
	var out, errs strings.Builder
	code = Main(append([]string{"--mlir-disable-threading"}, flags...), strings.NewReader(text), &out, &errs)
	return code, len(text) + out.Len() + errs.Len()
}

// mostRatio is how much more a program may cost that has twice the text, input and output
// together. Regions in each other are indented, so their text grows faster than their number.
const mostRatio = 2.5

// TestScalingOfMemory doubles each dimension twice and compares the bytes that are
// allocated, which does not depend on how busy the machine is. Slabs and buffers
// that grow in steps blur a single doubling.
func TestScalingOfMemory(t *testing.T) {
	allocated := func(d dimension, n int) (bytes, texts float64) {
		least, text := math.Inf(1), d.text(n)
		for range 2 { // the first one also makes what lasts
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			code, n := optOn(text, d.flags)
			runtime.ReadMemStats(&after)
			if code != exit.OK && !strings.HasPrefix(d.name, "errors") {
				t.Errorf("%s: exit code %d", d.name, code)
			}
			least, texts = min(least, float64(after.TotalAlloc-before.TotalAlloc)), float64(n)
		}
		return least, texts
	}
	for _, d := range dimensions {
		n := testsize.Of(d.n/2, d.n)
		few, short := allocated(d, n)
		many, long := allocated(d, 4*n)
		if ratio := 2 * math.Sqrt(many/few/(long/short)); ratio > mostRatio {
			t.Errorf("%s: twice as many allocate %.1f times as much", d.name, ratio)
		}
	}
}
