package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Shape is a kind of program in which one dimension is very large, such as the depth of
// regions.
type Shape struct {
	Name string
	// fill writes operations to g, the body of a module, until the text has size bytes.
	fill func(g *shaper, size int)
}

// Shapes lists programs with one very large dimension each. With such programs,
// benchmarks find inputs that a tool parses slowly. Within a program, the operations have
// different texts, names and numbers, so that a cache of earlier results does not hide
// the cost.
var Shapes = []Shape{
	{"dense numbers", (*shaper).dense},
	{"dense bytes", (*shaper).denseBytes},
	{"arrays of attributes", (*shaper).arrays},
	{"dictionaries", (*shaper).dictionaries},
	{"deep regions", (*shaper).regions},
	{"small functions", (*shaper).functions},
	{"one block", (*shaper).block},
	{"long lines", (*shaper).longLines},
	{"symbols", (*shaper).symbols},
	{"comments", (*shaper).comments},
	{"strings", (*shaper).strings},
	{"types", (*shaper).types},
}

// Program returns about size bytes of MLIR in generic form.
func (s Shape) Program(size int) string {
	g := &shaper{r: rand.New(rand.NewPCG(5, 6))}
	g.Grow(size + 1<<16)
	g.WriteString("\"builtin.module\"() ({\n")
	s.fill(g, size)
	g.WriteString("}) : () -> ()\n")
	return g.String()
}

// shaper writes the text of a program in which one dimension is very large, for example
// the length of its lines. Several methods have a parameter size. They append operations
// to the text until the text is size bytes long.
type shaper struct {
	strings.Builder
	r *rand.Rand
}

func (g *shaper) printf(format string, args ...any) { fmt.Fprintf(g, format, args...) }

// list writes n elements, separated by commas. element is a function that writes one
// element.
func (g *shaper) list(n int, element func()) {
	for i := range n {
		if i > 0 {
			g.WriteString(", ")
		}
		element()
	}
}

// dense writes operations with constants of 64x64 decimal numbers. It stops when the text
// of the program has at least the given number of bytes.
func (g *shaper) dense(size int) {
	for n := 0; g.Len() < size; n++ {
		elem, write := "i32", func() { g.printf("%d", int32(g.r.Uint32())) }
		if n%2 == 1 {
			elem, write = "f32", func() { g.printf("%e", float32(g.r.NormFloat64())) }
		}
		g.WriteString(`  "ext.data"() {value = dense<[`)
		g.list(64, func() {
			g.WriteString("[")
			g.list(64, write)
			g.WriteString("]")
		})
		g.printf("]> : tensor<64x64x%s>} : () -> ()\n", elem)
	}
}

// denseBytes writes operations until the program text has size bytes. Each operation has
// a constant of 64x64 integers as an attribute, written as a sequence of hexadecimal
// digits.
func (g *shaper) denseBytes(size int) {
	for g.Len() < size {
		g.WriteString(`  "ext.data"() {value = dense<"0x`)
		for range 64 * 64 {
			g.printf("%08X", g.r.Uint32())
		}
		g.WriteString("\"> : tensor<64x64xi32>} : () -> ()\n")
	}
}

// attribute writes a random attribute whose text is short.
func (g *shaper) attribute() {
	switch g.r.IntN(6) {
	case 0:
		g.printf("%d : i32", g.r.IntN(1<<30))
	case 1:
		g.printf("%e : f32", g.r.Float32())
	case 2:
		g.printf(`"text %d"`, g.r.IntN(1<<30))
	case 3:
		g.printf("@symbol_%d", g.r.IntN(1<<30))
	case 4:
		g.printf("tensor<%dx%dxf32>", g.r.IntN(1<<12), g.r.IntN(1<<12))
	default:
		g.printf("[%d, %d]", g.r.IntN(1<<20), g.r.IntN(1<<20))
	}
}

func (g *shaper) arrays(size int) {
	for g.Len() < size {
		g.WriteString(`  "ext.list"() {values = [`)
		g.list(50, g.attribute)
		g.WriteString("]} : () -> ()\n")
	}
}

func (g *shaper) dictionaries(size int) {
	for g.Len() < size {
		g.WriteString(`  "ext.settings"() {`)
		i := 0
		g.list(100, func() {
			g.printf("key_%d_%d = ", i, g.r.IntN(1<<20))
			g.attribute()
			i++
		})
		g.WriteString("} : () -> ()\n")
	}
}

// regions writes operations that are nested 100 deep in regions of each other. It stops
// when the text has as many bytes as the parameter size states.
func (g *shaper) regions(size int) {
	for g.Len() < size {
		for depth := range 100 {
			g.printf("%*s\"ext.scope\"() ({\n", 2+depth%40, "")
		}
		for depth := range 100 {
			g.printf("%*s}) {id = %d : i32} : () -> ()\n", 2+depth%40, "", g.r.IntN(1<<30))
		}
	}
}

func (g *shaper) functions(size int) {
	for n := 0; g.Len() < size; n++ {
		g.printf("  \"func.func\"() <{function_type = (i32) -> i32, sym_name = \"function_%d\"}> ({\n  ^bb0(%%arg%d: i32):\n", n, n)
		g.printf("    %%sum%d = \"arith.addi\"(%%arg%d, %%arg%d) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32\n", n, n, n)
		g.printf("    \"func.return\"(%%sum%d) : (i32) -> ()\n  }) : () -> ()\n", n)
	}
}

// block writes one large function whose values are used far from their definitions. It
// stops when the text of the program has at least size bytes.
func (g *shaper) block(size int) {
	g.WriteString("  \"func.func\"() <{function_type = (i32) -> (), sym_name = \"large\"}> ({\n  ^bb0(%v0: i32):\n")
	for n := 0; g.Len() < size; n++ {
		g.printf("    %%v%d = \"arith.addi\"(%%v%d, %%v%d) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32\n", n+1, g.r.IntN(n+1), n)
	}
	g.WriteString("    \"func.return\"() : () -> ()\n  }) : () -> ()\n")
}

// longLines writes operations with 1,000 results or operands each, until the text has at
// least the length in the parameter size, in bytes.
func (g *shaper) longLines(size int) {
	for n := 0; g.Len() < size; n++ {
		types := strings.TrimSuffix(strings.Repeat("i32, ", 1000), ", ")
		g.printf("  %%v%d:1000 = \"ext.many\"() : () -> (%s)\n  \"ext.use\"(", n, types)
		i := 0
		g.list(1000, func() {
			g.printf("%%v%d#%d", n, i)
			i++
		})
		g.printf(") : (%s) -> ()\n", types)
	}
}

// symbols writes function declarations, and references to declarations that are far away
// in the text, until the text has size bytes.
func (g *shaper) symbols(size int) {
	for n := 0; g.Len() < size; n++ {
		g.printf("  \"func.func\"() <{function_type = () -> (), sym_name = \"symbol_%d\", sym_visibility = \"private\"}> ({\n  }) : () -> ()\n", n)
		g.printf("  \"ext.call\"() {callee = @symbol_%d, nested = @symbol_%d::@inner_%d} : () -> ()\n", g.r.IntN(n+1), g.r.IntN(n+1), n)
	}
}

func (g *shaper) comments(size int) {
	for n := 0; g.Len() < size; n++ {
		g.printf("  // Comment %d describes the next operation, and is longer than the operation.\n", n)
		g.printf("  \"ext.note\"() {id = %d : i32} : () -> () // and another comment %d\n", n, g.r.IntN(1<<30))
	}
}

// The method strings writes operations with string attributes that contain escape
// sequences. It stops when the program has as many bytes as the parameter size states.
func (g *shaper) strings(size int) {
	for n := 0; g.Len() < size; n++ {
		g.printf("  \"ext.text\"() {text = \"%s\\0A%d\\22quoted\\22\"} : () -> ()\n", strings.Repeat("a text of many words ", 1+g.r.IntN(40)), n)
	}
}

func (g *shaper) types(size int) {
	for n := 0; g.Len() < size; n++ {
		g.printf("  %%v%d = \"ext.make\"() : () -> tuple<vector<%dx%dxi%d>, memref<%dx?xf32, strided<[%d, 1]>>, (i%d) -> (f64, index)>\n",
			n, 1+g.r.IntN(999), 1+g.r.IntN(99), 1+g.r.IntN(64), g.r.IntN(9999), 1+g.r.IntN(9999), 1+g.r.IntN(128))
	}
}
